// The views of /say and /queue keep to Discord's limits for any text, and their buttons' data survives a round trip.
import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { sayForm } from '../../src/say/buttons.ts';
import { sayMoreFormId, sayMoreId } from '../../src/say/custom-ids.ts';
import { findOtherScripts } from '../../src/say/left-out.ts';
import { interruptedReply, outcomeStatus, readText, type SayView, sayCard, sayMessage, withoutLiveButtons } from '../../src/say/message.ts';
import type { Plan } from '../../src/say/plan.ts';
import { confirmMessage } from '../../src/say/question.ts';
import { queueMessage } from '../../src/say/queue-view.ts';
import { readShownText, shownText, wholeText } from '../../src/say/shown-text.ts';
import { MOODS } from '../../src/synthesis/index.ts';
import type { Voice } from '../../src/voice-catalogue/voice-name.ts';
import { anyCharacter, anyTranslator, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectFormTaken, expectTaken } from '../helpers/discord-limits.ts';
import { expectHarmless } from '../helpers/harmless.ts';
import { partsOf, textsOf } from '../helpers/member.ts';

const noNames = { user: () => undefined, role: () => undefined, channel: () => undefined };

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
const words = fc.oneof(hostile, fc.string({ unit: anyCharacter, maxLength: 400 }), fc.lorem({ maxCount: 60 }), fc.constant(''));
const snowflake = fc.bigInt({ min: 10n ** 17n, max: 2n ** 64n - 1n }).map(String);
const voiceId = fc.oneof(fc.string({ unit: 'grapheme-composite', maxLength: 100 }), fc.uuid(), fc.constant('a:b:c'), fc.constant(''));
const voice: fc.Arbitrary<Voice> = fc.option(fc.record({ id: fc.oneof(voiceId, hostile), title: fc.option(words) }));
const speed = fc.integer({ min: 50, max: 200 }).map((hundredths) => hundredths / 100);
const mood = fc.option(fc.constantFrom(...MOODS));
const textKey = fc.option(fc.constant('k'.repeat(16)));
const plan: fc.Arbitrary<Plan> = fc.record({
  shown: typed.map((text) => shownText(text, noNames)),
  textKey,
  request: fc.record({ text: typed, voice: fc.option(voiceId), speed: fc.option(speed), mood }),
  spoken: typed,
  characters: fc.nat(2000),
  isCut: fc.boolean(),
  language: fc.constant(null),
  pin: fc.constant(null),
  scope: fc.record({ userId: snowflake }),
  voices: fc.tuple(voice),
  wanted: voice,
  speed,
  volume: fc.constant(1),
  showText: fc.boolean(),
  stay: fc.boolean(),
});
const share = fc.double({ min: 0.05, max: 1, noNaN: true });
const speaker = fc.record({ id: snowflake, name: words });
const status = fc.record({
  accent: fc.constantFrom('waiting' as const, 'speaking' as const, 'done' as const, 'failed' as const, 'neutral' as const),
  sentence: fc.lorem(),
});
const view: fc.Arbitrary<SayView> = fc.record({
  ...{ speaker, plan, voice, status },
  channelId: fc.option(snowflake),
  note: fc.option(snowflake.map((channelId) => en('say.nobodyThere', { channel: channelId }))),
});
const live = fc.option(fc.record({ id: snowflake, isPlaying: fc.boolean() }));

describe('the views of /say and /queue', () => {
  it('is accepted by Discord, whatever is said by whom in which voice, waiting or ended', () => {
    fc.assert(
      fc.property(anyTranslator, view, live, (t, view, live) => {
        const message = sayMessage(t, view, live);
        expectTaken(message);
        expectTaken(sayCard(t, view));
        // What has ended says how already.
        const corrected = interruptedReply(message, t);
        expect(corrected === null).toBe(live === null);
        if (!corrected) return;
        expectTaken(corrected);
        expect(JSON.stringify(corrected)).not.toMatch(/say-(stop|skip|cancel)/);
        expect(textsOf(corrected).slice(0, -1)).toEqual(textsOf(message).slice(0, -1));
        expect(textsOf(corrected).at(-1)).toMatch(new RegExp(` · ${t('say.interruptedByRestart')}$`));
        if (view.plan.showText) expect(readText(corrected)).toBe(readShownText(view.plan.shown));
      }),
    );
  });

  it('is a question that Discord accepts', () => {
    fc.assert(
      fc.property(anyTranslator, plan, share, fc.constantFrom('s', 'f'), fc.option(snowflake), (t, plan, share, how, channelId) => {
        const message = confirmMessage(t, plan, share, how, channelId);
        expectTaken(message);
        if (t.locale === 'en')
          expect(textsOf(message)[0]).toMatch(/^This would use about (100|[1-9]\d?)% of the remaining credit \([\d,]+ characters?\)\. /);
        // The button's handler finds the text at the same place as that of a reply.
        expect(readText(message)).toBe(readShownText(plan.shown));
      }),
    );
  });

  it('is a form that Discord accepts, for every voice that has a button', () => {
    fc.assert(
      fc.property(anyTranslator, words, fc.record({ voice: fc.option(voiceId), speed: fc.option(speed), mood }), (t, name, manner) => {
        const id = sayMoreFormId.writeIfItFits({ options: manner });
        if (sayMoreId.writeIfItFits({ ownerId: '1'.repeat(20), options: manner }) === null) return;
        const form: APIModalInteractionResponseCallbackData = sayForm(t, name, id);
        expectFormTaken(form);
      }),
    );
  });

  it('is a list that Discord accepts, on every page', () => {
    const item = fc.record({
      memberId: snowflake,
      sentSeconds: fc.double({ min: 0, max: 5000, noNaN: true }),
      label: fc.record({
        voice: fc.option(words),
        text: fc.option(typed.map((text) => shownText(text, noNames))),
        seconds: fc.option(fc.double({ min: 0, max: 5000, noNaN: true })),
      }),
    });
    fc.assert(
      fc.property(
        anyTranslator,
        fc.array(item, { minLength: 1, maxLength: 50 }),
        fc.integer(),
        fc.boolean(),
        (t, items, page, canRemove) => {
          const queue = items.map((one, position) => ({ ...one, id: String(position), position, playing: position === 0, queuedAt: 0 }));
          expectTaken(queueMessage(t, queue, page, () => canRemove));
        },
      ),
    );
  });

  it('says how much sound it was, and how much credit if any was used', () => {
    const of = (...args: [Parameters<typeof outcomeStatus>[1], Parameters<typeof outcomeStatus>[2]]) => outcomeStatus(en, ...args);
    const played = { ended: 'played', seconds: 3.21 } as const;
    const stopped = { ended: 'stopped', seconds: 0 } as const;
    expect(of(played, { fromCache: true, characters: 0 })).toEqual({
      accent: 'done',
      sentence: 'Spoken (3 seconds) · cached, so it was free',
    });
    expect(of(played, { fromCache: false, characters: 57 }).sentence).toBe('Spoken (3 seconds) · 57 characters');
    expect(of(stopped, { fromCache: false, characters: 0 })).toEqual({ accent: 'neutral', sentence: 'Cancelled' });
    expect(of(stopped, { fromCache: true, characters: 0 }).sentence).toBe(en('say.cancelled'));
    expect(of(stopped, { fromCache: false, characters: 57 }).sentence).toContain('57 characters still count');
    expect(of({ ended: 'skipped', seconds: 1 }, { fromCache: false, characters: 57 }).sentence).toBe('Skipped · 57 characters');
    expect(of({ ended: 'failed', seconds: 1, cause: null }, { fromCache: false, characters: 57 })).toEqual({
      accent: 'failed',
      sentence: 'Cut off after 1 second',
    });
  });
});

describe('the text of a /say reply', () => {
  it('stands there on about two lines as it was typed, or is cut', () => {
    fc.assert(
      fc.property(fc.oneof(typed, hostile), (text) => {
        const shown = shownText(text, noNames);
        expect(shown).not.toContain('\n');
        expect(readShownText(shown).length).toBeLessThanOrEqual(140);
        if (text.length <= 140 && /^[\w .*~`:-]+$/.test(text) && !text.includes('  ')) expect(readShownText(shown)).toBe(text);
        expectHarmless({ content: shown });
        expectHarmless({ content: wholeText(text, noNames) });
      }),
    );
  });

  it('names who and what is mentioned, and covers spoilers', () => {
    const names = { user: () => 'Sam *', role: () => 'Mods', channel: () => 'general' };
    const ids = '123456789012345678';
    expect(shownText(`Hi <@${ids}>, <@&${ids}> in <#${ids}> <:wave:${ids}>: ||me||`, names)).toBe(
      'Hi @Sam \\*, @Mods in #general :wave:: █████',
    );
    expect(shownText(`Hi <@${ids}>`, noNames)).toBe(`Hi \\<@${ids}>`);
  });
});

describe('the data of a /say button', () => {
  it('is read back unchanged', () => {
    const manner = fc.record({ voice: fc.option(voiceId), speed: fc.option(speed), mood });
    fc.assert(
      fc.property(manner, snowflake, (manner, owner) => {
        const id = sayMoreId.writeIfItFits({ ownerId: owner, options: manner });
        if (id === null) return expect(manner.voice?.length).toBeGreaterThan(59);
        expect(sayMoreId.read(id)).toEqual({ ownerId: owner, options: manner });
      }),
    );
  });

  it('is harmless if somebody made it up', () => {
    const options = (id: string) => sayMoreId.read(id)?.options;
    expect(options('say-more')).toEqual({ voice: null, speed: null, mood: null });
    expect(options('say-more:1:9:x')).toEqual({ voice: null, speed: null, mood: null });
    expect(options('say-more:1:NaN:=v')).toEqual({ voice: 'v', speed: null, mood: null });
  });

  it('loses the buttons that end it once it has ended, and gets the menu', () => {
    const parts = (change: Partial<Plan>) =>
      ({
        request: { text: 'Hi', voice: null, speed: null, mood: null },
        shown: 'Hi',
        textKey: null,
        speed: 1,
        showText: true,
        ...change,
      }) as Plan;
    const shown = (change: Partial<Plan>, isPlaying = true) => ({
      components: sayMessage(
        en,
        { speaker: { id: '1', name: 'Robin' }, plan: parts(change), voice: null, status: { accent: 'speaking', sentence: 's' } },
        { id: '2', isPlaying },
      ).components,
    });
    const values = (message: Parameters<typeof textsOf>[0] | null) =>
      partsOf(message?.components ?? []).flatMap((part) => (part.type === 3 ? part.options.map(({ value }) => value) : []));
    for (const isPlaying of [true, false])
      expect(values(withoutLiveButtons(shown({}, isPlaying), en, null))).toEqual(['replay:', 'file:', 'message:', 'more']);
    expect(values(withoutLiveButtons(shown({ textKey: 'key' }), en, null))).toEqual([
      'replay:key',
      'file:key',
      'message:key',
      'more',
      'show:key',
    ]);
    const hidden = withoutLiveButtons(shown({ showText: false }), en, null);
    expect(values(hidden)).toEqual([]);
    expect(JSON.stringify(hidden)).toContain('say-more:1:1:=');
  });
});

it.each([
  ['Hello สวัสดี ครับ, world', ['Latin'], 'สวัสดี ครับ'],
  ['one 東京 two 大阪 three', ['Latin'], '東京 … 大阪'],
  ['Привет, world', ['Latin', 'Cyrillic'], null],
  ['Ærø, naïve, 3½ °C — “fine” 👍', ['Latin'], null],
  ['สวัสดี', ['NoScript'], null],
  ['สวัสดี', ['Latin}]|(?:.+)+[\\p{Latin'], null],
  ['สวัสดี', [], null],
])('what a voice leaves out of %j if it speaks %j', (text, scripts, expected) => {
  expect(findOtherScripts(text, scripts)).toBe(expected);
});

it('what a voice leaves out is found in time in proportion to the length of the text', () => {
  const cpu = process.threadCpuUsage();
  for (const part of ['ก', 'ก ', '. ', 'ก.a', 'กa']) findOtherScripts(part.repeat(4000), ['Latin']);
  expect(process.threadCpuUsage(cpu).user / 1000).toBeLessThan(200);
});
