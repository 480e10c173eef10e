// The views of /voices: whatever the service returns, they keep to Discord's limits, and what their buttons need is read back from them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { APIContainerComponent } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VoiceModel } from '../../src/api/index.ts';
import { en } from '../../src/locales/index.ts';
import { asPlain } from '../../src/text/untrusted-text.ts';
import { type Filters, readFilters, typedFilters } from '../../src/voice-catalogue/catalogue.ts';
import { readShownVoice, voiceMessage, withChoice } from '../../src/voice-catalogue/detail.ts';
import { voicesMessage } from '../../src/voice-catalogue/page.ts';
import { titleOf } from '../../src/voice-catalogue/voice-name.ts';
import { anyCharacter, anyTranslator, anyUrl, anyHostileText as words } from '../helpers/arbitrary-text.ts';
import { expectTaken } from '../helpers/discord-limits.ts';

/** As discord.js hands it to a button. */
const received = ({ components }: { components: readonly APIContainerComponent[] }) => ({
  components: components.map((part) => ({ toJSON: () => part })),
});

const count = fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER });
const ownerId = fc.bigInt({ min: 10n ** 17n, max: 2n ** 64n - 1n }).map(String);
const page = fc.integer({ min: 1, max: 100_000 });

const model: fc.Arbitrary<VoiceModel> = fc.record({
  id: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 200 }),
  type: fc.constantFrom('tts', 'svc', 'tts2'),
  title: words,
  description: words,
  coverImage: fc.oneof(anyUrl, words, fc.constant('/covers/a.png'), fc.constant('http://127.0.0.1/a.png')),
  stateMessage: fc.constant(null),
  trainMode: fc.constant('full'),
  state: fc.constantFrom('trained', 'trained', 'created', 'failed'),
  tags: fc.array(words, { maxLength: 30 }),
  samples: fc.array(fc.record({ title: words, text: words, taskId: words, audio: words }), { maxLength: 12 }),
  createdAt: fc.constantFrom('', '2026-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', 'never'),
  updatedAt: fc.constant(''),
  languages: fc.array(words, { maxLength: 30 }),
  visibility: fc.constant('public'),
  lockVisibility: fc.boolean(),
  likeCount: count,
  markCount: count,
  sharedCount: count,
  taskCount: count,
  unliked: fc.boolean(),
  liked: fc.boolean(),
  marked: fc.boolean(),
  author: fc.record({ id: words, nickname: words, avatar: words }),
});

// Values that Discord lets members type, trimmed.
const filter = (most: number) => {
  const typed = fc.string({ unit: 'grapheme-composite', maxLength: most }).map((text) => asPlain(text.slice(0, most), most));
  return fc.oneof(typed, fc.constant('*'.repeat(most))).filter((text) => text !== '');
};
const codes = fc
  .array(fc.constantFrom('en', 'de', 'zh-Hant', 'no language'), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(', '));
const filters = fc.record(
  {
    title: filter(60),
    tag: filter(60),
    language: fc.oneof(codes, filter(60)),
    title_language: fc.oneof(codes, filter(60)),
    author: filter(60),
    mine: fc.constant(true),
    all: fc.constant(true),
    sort: fc.constantFrom('score' as const, 'task_count' as const, 'created_at' as const),
  },
  { requiredKeys: [] },
);
const position = fc.record({ filters, page, ownerId, canShare: fc.boolean() });
const cover = fc.option(fc.constant({ url: 'https://cdn.example/a.png', file: null }));

/** Only voices with ids of at most 100 characters, without spaces, can be opened. */
const openable = model.map((voice) => {
  const id = voice.id
    .replace(/[\s`\p{C}]/gu, '')
    .slice(0, 100)
    .toWellFormed();
  return { ...voice, id: id || 'id' };
});
/** A language list is kept as a list; everything else as it was typed. */
const tidy = (given: Filters) => {
  const list = (text: string) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .join(', ');
  const { language, title_language } = given;
  return { ...given, ...(language && { language: list(language) }), ...(title_language && { title_language: list(title_language) }) };
};

describe('a page of voices', () => {
  it('keeps within the limits, whatever the service returns', () => {
    fc.assert(
      fc.property(
        anyTranslator,
        fc.array(model, { maxLength: 8 }),
        count,
        position,
        fc.array(cover, { maxLength: 8 }),
        fc.boolean(),
        (t, items, total, where, covers, isWindow) => {
          expectTaken(voicesMessage(t, { total, items, isWindow }, where, covers));
        },
      ),
    );
  });

  it('keeps its filters for the next page, whatever was typed and whoever made the voices', () => {
    fc.assert(
      fc.property(
        anyTranslator,
        fc.array(model, { maxLength: 5 }),
        position,
        fc.boolean(),
        fc.boolean(),
        (t, items, where, isFromAuthor, isWindow) => {
          const author = where.filters.author ?? '';
          const found = isFromAuthor ? items.map((voice) => ({ ...voice, author: { ...voice.author, id: author } })) : items;
          const shown = readFilters(received(voicesMessage(t, { total: items.length, items: found, isWindow }, where)));
          expect(tidy(shown)).toEqual(tidy(where.filters));
        },
      ),
    );
  });

  it('names languages and authors', () => {
    const given = { language: 'de, xx-weird!', author: 'a1', sort: 'task_count' as const };
    const voice = fc.sample(openable, 1).map((one) => ({ ...one, author: { id: 'a1', nickname: 'Studio *One*', avatar: '' } }));
    const message = voicesMessage(
      en,
      { total: 1, items: voice, isWindow: false },
      { filters: given, page: 1, ownerId: '1', canShare: false },
    );
    expect(JSON.stringify(message.components)).toContain(
      JSON.stringify('-# **language** German `de`, `xx-weird!` · **author** Studio \\*One\\* `a1` · **sort** Most used').slice(1, -1),
    );
  });

  it('has a name for a voice with a blank title and id', () => {
    expect(titleOf({ title: ' ', id: '\t' })).toBe('?');
  });

  it('says so if every voice on it was left out', () => {
    const position = { filters: {}, page: 3, ownerId: '1', canShare: false };
    expect(JSON.stringify(voicesMessage(en, { total: 900, items: [], isWindow: false }, position))).toContain(en('voices.nothingOnPage'));
  });
});

describe('a voice', () => {
  const choices = fc.record({ mine: fc.boolean(), favourite: fc.boolean(), server: fc.option(fc.boolean()) });

  it('keeps within the limits, with its samples and what can be done with it', () => {
    fc.assert(
      fc.property(anyTranslator, openable, position, choices, cover, (t, voice, where, chosen, picture) => {
        const message = voiceMessage(t, voice, where, chosen, picture);
        expectTaken(message);
        expect(readShownVoice(received(message)).id).toBe(voice.id);
        expect(tidy(readFilters(received(message)))).toEqual(tidy(where.filters));
      }),
    );
  });

  it('changes nothing but the pressed button when it is chosen or given up, and keeps an attached cover', () => {
    const choice = fc.constantFrom('mine' as const, 'favourite' as const, 'server' as const);
    fc.assert(
      fc.property(anyTranslator, openable, position, choices, choice, fc.boolean(), (t, model, where, chosen, pressed, isOn) => {
        const voice = { ...model, type: 'tts' as const, state: 'trained' as const };
        const show = (one: typeof chosen) => {
          const picture = { url: 'attachment://cover-1.png', file: null };
          return voiceMessage(t, voice, where, one, picture).components;
        };
        const shown = JSON.stringify(show(chosen)).replaceAll(
          '{"url":"attachment://cover-1.png"}',
          '{"url":"https://cdn.example/1/2/cover-1.png?ex=3","attachment_id":"7"}',
        );
        const { components } = received({ components: JSON.parse(shown) });
        const changed = withChoice(t, components, `voices-choose:${pressed}:${where.page}:${where.ownerId}`, pressed, isOn);
        const now = chosen[pressed] === null ? chosen : { ...chosen, [pressed]: isOn };
        expect(changed).toEqual({ components: show(now), attachments: [{ id: '7', filename: 'cover-1.png' }] });
      }),
    );
  });
});

describe('what a member typed as a filter', () => {
  /** As if one voice had been shown, by this author. */
  const typed = (author: { id: string; name: string }, options: Record<string, string>) =>
    typedFilters(
      { options: { getString: (name: string) => options[name] ?? null, getBoolean: () => null } } as never,
      { t: en, voiceTitles: { all: () => [{ languages: [], author }] } } as never,
    );

  it('names an author, who is then found by id', async () => {
    expect(await typed({ id: 'a1', name: 'Ada' }, { author: 'ada' })).toEqual({ author: 'a1' });
  });

  it('is no author if nothing was typed, though one has no name', async () => {
    expect(await typed({ id: 'a1', name: '' }, { title: 'x' })).toEqual({ title: 'x' });
  });

  it('stays as typed if the id of the author could not be shown as it is', async () => {
    expect(await typed({ id: '\u202egnp.exe', name: 'Ada' }, { author: 'Ada' })).toEqual({ author: 'Ada' });
  });

  // First, while no language has been named yet.
  it('never takes long at a stretch, however many unknown languages it names', async () => {
    let longest = 0;
    let isDone = false;
    const cpuMs = () => Object.values(process.threadCpuUsage()).reduce((sum, part) => sum + part / 1000, 0);
    const watching = (async () => {
      for (let before = cpuMs(); !isDone; before = cpuMs()) {
        await nextTurn();
        longest = Math.max(longest, cpuMs() - before);
      }
    })();
    const unknown = [...'abcdefghijklmnopqrst'].map((letter) => `${letter}q`).join(',');
    await typed({ id: 'a1', name: '' }, { language: unknown, title_language: unknown });
    isDone = true;
    await watching;
    expect(longest).toBeLessThan(50);
  });

  it('names languages in any way, the shown ones first', async () => {
    const languages = 'Deutsch, polnisch, ITALIANO, zh, Klingon';
    expect(await typed({ id: 'a1', name: '' }, { language: languages })).toEqual({ language: 'de, polnisch, it, zh, Klingon' });
  });
});
