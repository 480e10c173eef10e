// The views of /say and /queue keep to Discord's limits for any text, and their buttons' data survives a round trip.
import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queueMessage } from '../../commands/queue.ts';
import {
  afterRestart,
  confirmMessage,
  outcomeStatus,
  readRequest,
  sayEmbed,
  sayMessage,
  withoutLiveButtons,
} from '../../src/say/message.ts';
import type { Plan } from '../../src/say/plan.ts';
import { parseVoiceOptions, type VoiceOptions, voiceOptionsId } from '../../src/say/request.ts';
import { sayMoreForm } from '../../src/say/say-more-form.ts';
import type { Voice } from '../../src/say/voices.ts';
import { expectWithinLimits } from '../helpers/discord-limits.ts';
import { expectHarmless, hostileTexts } from '../helpers/hostile-texts.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';

const checkMessage = createSchemaCheck('IncomingWebhookUpdateRequestPartial');

function expectTaken(message: Parameters<typeof expectWithinLimits>[0]): void {
  expectWithinLimits(message);
  checkMessage(message);
}

/** Text that Discord lets members type, trimmed. */
const typed = fc
  .oneof(
    fc.string({ unit: 'grapheme-composite', maxLength: 2000 }).map((text) => text.slice(0, 2000).toWellFormed()),
    fc.constant('*|`_~'.repeat(400)),
    fc.lorem({ maxCount: 100 }).map((text) => text.slice(0, 2000)),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '');
const hostile = fc.constantFrom(...Object.values(hostileTexts));
const words = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 400 }), fc.lorem({ maxCount: 60 }), fc.constant(''));
const snowflake = fc.bigInt({ min: 10n ** 17n, max: 2n ** 64n - 1n }).map(String);
const voiceId = fc.oneof(fc.string({ unit: 'grapheme-composite', maxLength: 100 }), fc.uuid(), fc.constant('a:b:c'), fc.constant(''));
const voice: fc.Arbitrary<Voice> = fc.option(fc.record({ id: fc.oneof(voiceId, hostile), title: fc.option(words) }));
const speed = fc.integer({ min: 50, max: 200 }).map((hundredths) => hundredths / 100);
const plan: fc.Arbitrary<Plan> = fc.record({
  request: fc.record({ text: typed, voice: fc.option(voiceId), speed: fc.option(speed) }),
  spoken: typed,
  characters: fc.nat(2000),
  isCut: fc.boolean(),
  pin: fc.constant(null),
  scope: fc.record({ userId: snowflake }),
  voices: fc.tuple(voice),
  speed,
  volume: fc.constant(1),
  showText: fc.boolean(),
  stay: fc.boolean(),
});
const share = fc.double({ min: 0.05, max: 1, noNaN: true });
const speaker = fc.record({
  id: snowflake,
  name: fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 32 }).filter((name) => name.trim() !== ''),
  picture: fc.option(fc.constant('https://cdn.example.com/a.png')),
});

describe('the views of /say and /queue', () => {
  it('is accepted by Discord, whatever is said by whom in which voice, waiting or ended', () => {
    fc.assert(
      fc.property(plan, speaker, voice, fc.lorem(), fc.option(snowflake), (plan, speaker, voice, status, live) => {
        const message = sayMessage({ speaker, plan, voice, status }, live);
        expectTaken(message);
        expectTaken({ embeds: [sayEmbed({ speaker, plan, voice, status })] });
        expect(message.components.flatMap(({ components }) => components).length).toBeLessThanOrEqual(5);
        // What has ended says how already.
        const corrected = afterRestart(message);
        expect(corrected === null).toBe(live === null);
        if (corrected) {
          expectTaken(corrected as typeof message);
          expect({ ...corrected.embeds[0], footer: null }).toEqual({ ...message.embeds[0], footer: null });
          expect(corrected.embeds[0]?.footer?.text).toMatch(/I was restarted; this wasn’t spoken to the end$/);
        }
        // The text stands there as the member wrote it; all else is others'.
        const [{ author, footer } = {}] = message.embeds;
        expectHarmless({ embeds: [{ author: author ?? null, footer: footer ?? null }], components: message.components });
        if (plan.showText)
          expect(readRequest({ embeds: [{ description: message.embeds[0]?.description ?? null }] }, {} as VoiceOptions).text).toBe(
            plan.request.text,
          );
      }),
    );
  });

  it('is a question that Discord accepts', () => {
    fc.assert(
      fc.property(plan, share, fc.constantFrom('s', 'f'), fc.option(snowflake), (plan, share, how, channelId) => {
        const { content, ...message } = confirmMessage(plan, share, how, channelId);
        expectTaken(message);
        expect(content).toMatch(
          /^This is [\d,]+ characters? of speech, which would take about (100|[1-9]\d?) % of the credit that is left\. /,
        );
        expect(content.length).toBeLessThanOrEqual(2000);
      }),
    );
  });

  it('is a form that Discord accepts, for every voice that has a button', () => {
    fc.assert(
      fc.property(words, fc.record({ voice: fc.option(voiceId), speed: fc.option(speed) }), (name, manner) => {
        if (voiceOptionsId('say-more', ['1'.repeat(20)], manner) === null) return;
        const form: APIModalInteractionResponseCallbackData = sayMoreForm(name, manner);
        expect(form.title.length).toBeLessThanOrEqual(45);
        expectHarmless({ title: form.title });
        expect(form.custom_id.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('is a list that Discord accepts, on every page', () => {
    const item = fc.record({
      memberId: snowflake,
      label: fc.record({ voice: words, text: fc.option(typed) }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 50 }), fc.integer(), (items, page) => {
        const queue = items.map((one, position) => ({ ...one, id: String(position), position, playing: position === 0, queuedAt: 0 }));
        const message = queueMessage(queue, page);
        expectTaken(message);
        expectHarmless(message);
      }),
    );
  });

  it('says how much sound it was, and how much credit if any was used', () => {
    const played = { ended: 'played', seconds: 3.21 } as const;
    expect(outcomeStatus(played, { fromCache: true, characters: 0 })).toBe('Spoken: 3.2 s, from cache, no credit used');
    expect(outcomeStatus(played, { fromCache: false, characters: 57 })).toBe('Spoken: 3.2 s, 57 characters');
    expect(outcomeStatus({ ended: 'stopped', seconds: 0 }, { fromCache: false, characters: 0 })).toBe('Stopped');
    expect(outcomeStatus({ ended: 'stopped', seconds: 0 }, { fromCache: true, characters: 0 })).toBe('Stopped, from cache, no credit used');
    expect(outcomeStatus({ ended: 'stopped', seconds: 0 }, { fromCache: false, characters: 57 })).toContain(
      '57 characters count all the same',
    );
    expect(outcomeStatus({ ended: 'skipped', seconds: 1 }, { fromCache: false, characters: 57 })).toBe('Skipped, 57 characters');
    expect(outcomeStatus({ ended: 'failed', seconds: 1, cause: null }, { fromCache: false, characters: 57 })).toBe(
      'Broken off after 1.0 s',
    );
  });
});

describe('the data of a /say button', () => {
  it('is read back unchanged', () => {
    const manner = fc.record({ voice: fc.option(voiceId), speed: fc.option(speed) });
    fc.assert(
      fc.property(manner, snowflake, (manner, owner) => {
        const id = voiceOptionsId('say-replay', [owner], manner);
        if (id === null) return expect(manner.voice?.length).toBeGreaterThan(60);
        const [, ...args] = id.split(':');
        expect(args[0]).toBe(owner);
        expect(parseVoiceOptions(args.slice(1))).toEqual(manner);
      }),
    );
  });

  it('is harmless if somebody made it up', () => {
    expect(parseVoiceOptions([])).toEqual({ voice: null, speed: null });
    expect(parseVoiceOptions(['9', 'x'])).toEqual({ voice: null, speed: null });
    expect(parseVoiceOptions(['NaN', '=v'])).toEqual({ voice: 'v', speed: null });
  });

  it('loses the buttons that end it once it has ended', () => {
    const parts = (plan: boolean) => ({ request: { text: 'Hi', voice: null, speed: null }, showText: plan }) as Plan;
    const shown = (plan: boolean) =>
      sayMessage({ speaker: { id: '1', name: 'Robin', picture: null }, plan: parts(plan), voice: null, status: 's' }, '2');
    const left = withoutLiveButtons(shown(true).components);
    expect(JSON.stringify(left)).not.toMatch(/say-(stop|skip)/);
    expect(JSON.stringify(left)).toMatch(/say-replay.*say-file.*say-more/);
  });
});
