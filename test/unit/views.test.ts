// Whatever the service returns, the views keep to Discord's limits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { ApiError, apiErrorKinds } from '../../src/api/index.ts';
import { accountCard } from '../../src/credit/view.ts';
import { cards, publicImage } from '../../src/discord/cards.ts';
import type { Command } from '../../src/discord/command.ts';
import { apiSentence } from '../../src/discord/errors.ts';
import { en } from '../../src/locales/index.ts';
import { truncate } from '../../src/text/untrusted-text.ts';
import { transcriptPage } from '../../src/transcription/message.ts';
import { anyTranslator, anyHostileText as words } from '../helpers/arbitrary-text.ts';
import { expectTaken, expectWithinLimits } from '../helpers/discord-limits.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';

const checkCommand = createSchemaCheck('ApplicationCommandUpdateRequest');

const owner = fc.bigInt({ min: 10n ** 17n, max: 2n ** 64n - 1n }).map(String);

describe('the views', () => {
  it('shows any transcript within the limits, on every page', () => {
    const segment = fc.record({ text: words, start: fc.double(), end: fc.double() });
    fc.assert(
      fc.property(
        anyTranslator,
        fc.array(segment, { maxLength: 20 }),
        words,
        fc.option(words),
        fc.record({
          page: fc.integer(),
          owner,
          timestamps: fc.boolean(),
          languages: fc.uniqueArray(fc.constantFrom('en', 'de', 'pt-BR', 'zh'), { maxLength: 4 }),
          reply: fc.option(fc.record({ speakerId: owner, spoiler: fc.boolean() })),
        }),
        fc.constantFrom([], ['a.json'], ['a.srt', 'a.json']),
        (t, segments, name, recording, view, files) => {
          const document = { transcript: { text: '', duration: 1, segments }, name, recording, source: '1/2/3', language: null };
          const message = transcriptPage(document, view, files, t);
          expectWithinLimits(message);
          // What hides the words is ours, and nothing in them ends it.
          for (const { components } of view.reply?.spoiler ? message.components : [])
            for (const part of components) if ('content' in part) part.content = part.content.replace(/^\|\|(.*)\|\|$/s, '$1');
          expectTaken(message);
        },
      ),
    );
  });

  it('shows any balance exactly, below the rounded one', () => {
    const wallet = { id: null, userId: null, createdAt: null, hasPhoneSha256: null, hasFreeCredit: null };
    const facts = {
      share: 0.004,
      changedAt: null,
      isUsedUp: false,
      unbooked: 0.04,
      daysLeft: 12.3,
      affordable: { speech: 1_234_567, transcription: 167_000 * 60 },
    };
    const cardOf = (credit: string, updatedAt: string | null) =>
      cards(accountCard(en, { wallet: { ...wallet, credit, updatedAt }, facts }, [], null, 30));
    fc.assert(fc.property(words, fc.option(words), (credit, updatedAt) => expectTaken(cardOf(credit, updatedAt))));
    const shown = JSON.stringify(cardOf('12.3400000000000000001', '2026-11-01T10:00:00Z'));
    expect(shown).toContain('**About 12.3 credit left**\\nAbout 0.04 credit of recent use isn’t booked yet and is already subtracted.');
    expect(shown).toContain('Exactly 12.3400000000000000001 credit, last changed <t:1793527200:R>');
    expect(shown).toContain('Enough for about 1,230,000 characters of speech or about 2,780 hours of transcription.');
    expect(shown).toContain(en('credit.hardlyUsed'));
    expect(shown).toContain('About 12 days left at this pace.');
  });

  it('has a sentence for every kind of failure, with a next step', () => {
    const sentences = apiErrorKinds.map((kind) => apiSentence(en, new ApiError(kind, 'x', { status: 418 })));
    expect(new Set(sentences).size).toBe(apiErrorKinds.length);
    for (const sentence of sentences) expect(sentence.length).toBeLessThan(300);
    expect(apiSentence(en, new ApiError('rate-limited', 'x', { status: 429, retryAfterMs: 1500 }), 10_000)).toContain(
      'Try again <t:12:R>.',
    );
  });

  it('has a status and a request id only for faults of the service', () => {
    const withDetails = apiErrorKinds.filter((kind) =>
      /418.*abc/.test(apiSentence(en, new ApiError(kind, 'x', { status: 418, requestId: 'abc' }))),
    );
    expect(withDetails).toEqual(expect.arrayContaining(['auth', 'server', 'timeout', 'protocol']));
    for (const kind of ['validation', 'rate-limited', 'credit', 'aborted'] as const) expect(withDetails).not.toContain(kind);
  });

  it('cuts texts with an ellipsis, and never half a character', () => {
    expect(truncate('abcdef', 6)).toBe('abcdef');
    expect(truncate('abcdefg', 6)).toBe('abcde…');
    expect(truncate('abcd😀x', 6)).toBe('abcd…');
  });

  it('leaves out pictures that Discord could not load', () => {
    for (const address of [
      '',
      'covers/a.png',
      '/a.png',
      'http://localhost/a.png',
      'https://127.0.0.1/a',
      'http://[::1]/a',
      'http://10.0.0.1/a',
      'https://nas.local/a',
      'data:image/png,x',
      'ftp://a.example/x',
    ]) {
      expect(publicImage(address)).toBeNull();
    }
    expect(publicImage('https://cdn.example.com/a.png')).toBe('https://cdn.example.com/a.png');
  });
});

describe('the commands', () => {
  it('keep to the limits of their definitions', () => {
    for (const { data } of commands as Command<never>[]) {
      checkCommand(data);
      if (!('description' in data)) continue;
      expect(data.name).toMatch(/^[a-z_-]{1,32}$/);
      for (const { name, description } of [data, ...(data.options ?? [])]) {
        expect(name).toMatch(/^[a-z_-]{1,32}$/);
        expect(description.length).toBeLessThanOrEqual(100);
        expect(description).not.toBe('');
      }
    }
  });
});
