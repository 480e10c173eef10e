// The views of /read and Read this aloud keep to Discord's limits and ping nobody, whatever is read where and however it goes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAloudMessage } from '../../commands/read-aloud.ts';
import { en } from '../../src/locales/index.ts';
import { exposedQuestion, type StatusFacts, startedMessage, statusMessage, stoppedMessage } from '../../src/reading/views.ts';
import { interruptedReply } from '../../src/say/message.ts';
import { anyCharacter, anyTranslator, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectTaken, expectWithinLimits } from '../helpers/discord-limits.ts';
import { textOf } from '../helpers/member.ts';

const snowflake = fc.bigInt({ min: 10n ** 17n, max: 2n ** 64n - 1n }).map(String);
const words = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 3000 }), fc.constantFrom('', ...Object.values(hostileTexts)));
const channel = fc.record({ textChannelId: snowflake, voiceChannelId: snowflake, startedBy: fc.option(snowflake) });
const channels = fc.array(channel, { maxLength: 60 });
const permission = fc.constantFrom('SendMessages' as const, 'AddReactions' as const, 'ReadMessageHistory' as const);

const facts: fc.Arbitrary<StatusFacts> = fc.record({
  status: fc.record({
    channels,
    waiting: fc.nat(),
    delay: fc.double({ min: 0, max: 1e9, noNaN: true }),
    speed: fc.double({ min: 1, max: 2, noNaN: true }),
    isNameless: fc.boolean(),
    skipped: fc.nat(),
    stopped: channels,
    pausedBy: fc.constantFrom('leave' as const, 'disconnect' as const, null),
    problem: fc.option(fc.record({ sentence: words.map((text) => () => text), at: fc.integer({ min: 0, max: 8.64e15 }) })),
  }),
  isRefused: fc.boolean(),
  lacking: fc.array(
    fc.record({ channelId: snowflake, isHidden: fc.boolean(), permissions: fc.uniqueArray(permission, { minLength: 1 }) }),
    { maxLength: 60 },
  ),
  left: fc.option(fc.nat(Number.MAX_SAFE_INTEGER)),
  resetsAt: fc.integer({ min: 0, max: 8.64e15 }),
  member: fc.record({
    readAloud: fc.boolean(),
    isMuted: fc.boolean(),
    slowVoice: fc.option(fc.record({ id: words, title: fc.option(words) })),
  }),
});

describe('Discord accepts', () => {
  it('the status of any reading', () => {
    fc.assert(fc.property(anyTranslator, facts, (t, known) => expectWithinLimits(statusMessage(t, known))));
  });

  it('the question before others would hear what they can’t see, however many they are', () => {
    const ids = fc.array(snowflake, { maxLength: 300 });
    fc.assert(
      fc.property(
        anyTranslator,
        fc.record({ everyone: fc.boolean(), roleIds: ids, memberIds: ids }),
        snowflake,
        snowflake,
        (t, who, text, voice) => expectWithinLimits(exposedQuestion(t, who, text, voice)),
      ),
    );
  });

  it('the notices that a channel is read, and no longer is', () => {
    const started = fc.record({
      how: fc.constantFrom('started' as const, 'resumed' as const),
      memberId: snowflake,
      textChannelId: snowflake,
      voiceChannelId: snowflake,
      ignorePrefix: words.map((text) => text.slice(0, 10)),
      isEmpty: fc.boolean(),
    });
    fc.assert(
      fc.property(anyTranslator, started, channels, (t, view, stopped) => {
        expectTaken(startedMessage(t, view));
        expectWithinLimits(stoppedMessage(t, view.memberId, stopped));
      }),
    );
  });

  it('the reply to Read this aloud, also as the next process corrects it', () => {
    const view = fc.record({
      speaker: fc.record({ id: snowflake, name: words }),
      authorId: snowflake,
      url: fc.tuple(snowflake, snowflake, snowflake).map((ids) => `https://discord.com/channels/${ids.join('/')}`),
      status: fc.record({ accent: fc.constantFrom('waiting' as const, 'speaking' as const), sentence: fc.constant(en('say.speaking')) }),
      playbackId: snowflake.map((id) => `${id}-7`),
    });
    fc.assert(
      fc.property(anyTranslator, view, (t, known) => {
        const live = readAloudMessage(t, known);
        expectTaken(live);
        expectWithinLimits(readAloudMessage(t, { ...known, playbackId: null }));
        const corrected = interruptedReply(live, t);
        if (!corrected) return expect.fail('it is not recognized');
        expectWithinLimits(corrected);
        expect(JSON.stringify(corrected)).not.toContain(en('say.speaking'));
      }),
    );
  });
});

describe('the status', () => {
  const idle = { waiting: 0, delay: 0, speed: 1, isNameless: false, skipped: 0, stopped: [], pausedBy: null, problem: null };
  const here = { textChannelId: '123', voiceChannelId: '456', startedBy: '789' };
  const all = {
    isRefused: false,
    lacking: [],
    left: 1200,
    resetsAt: 86_400_000,
    member: { readAloud: true, isMuted: false, slowVoice: null },
  };
  const told = (changes: Partial<StatusFacts>) =>
    textOf({ ...statusMessage(en, { ...all, status: { ...idle, channels: [here] }, ...changes }), content: '', embeds: [] } as never);

  it('says what is read where, and what is left today', () => {
    expect(told({})).toContain('I read <#123> in <#456>.');
    expect(told({})).toContain(en('reading.status.nothingWaits'));
    expect(told({})).toContain('Left for this server today: 1,200 characters');
    expect(told({ left: null })).toContain(en('reading.status.unlimited'));
    expect(told({ left: 0 })).toContain('used up today’s speech budget');
  });

  it('says how it keeps up', () => {
    const busy = { ...idle, channels: [here], waiting: 4, delay: 6.4, speed: 1.2, isNameless: true, skipped: 5 };
    const text = told({ status: busy });
    expect(text).toContain('4 messages are waiting; a new one will be heard in about 6 seconds');
    expect(text).toContain('1.2× as fast');
    expect(text).toContain(en('reading.status.nameless'));
    expect(text).toContain('skipped 5 messages');
  });

  it('says why nothing is being read, and how it can resume', () => {
    const goesOn = 'once everyone has left it and someone joins again, or with `/read start`.';
    const paused = (pausedBy: 'leave' | 'disconnect') => told({ status: { ...idle, channels: [here], pausedBy } });
    expect(paused('leave')).toContain(en('reading.status.paused.leave'));
    expect(paused('disconnect')).toContain(en('reading.status.paused.disconnect'));
    for (const text of [paused('leave'), paused('disconnect')]) expect(text).toContain(goesOn);
    const stopped = told({ status: { ...idle, channels: [], stopped: [{ ...here, startedBy: null }] } });
    expect(stopped).toContain('I always read <#123>, but someone has turned that off with `/read stop`.');
    expect(stopped).not.toContain('I’m not reading any channel aloud');
  });

  it('says that a member is read in another voice than the slow one they chose', () => {
    const slowVoice = { id: 'heart', title: 'Heart' };
    expect(told({ member: { readAloud: true, isMuted: false, slowVoice } })).toContain(
      '**Heart** is too slow on this computer to read aloud in',
    );
    expect(told({})).not.toContain('too slow');
  });

  it('says what is missing, and why a member isn’t read', () => {
    expect(told({ lacking: [{ channelId: '123', isHidden: false, permissions: ['AddReactions'] }] })).toContain(
      '**In <#123>**\n✗ Add Reactions: without it I can’t mark messages that aren’t heard',
    );
    expect(told({ lacking: [{ channelId: '123', isHidden: true, permissions: [] }] })).toContain('✗ View Channel: without it');
    expect(told({ isRefused: true })).toContain('Message Content Intent');
    expect(told({ member: { readAloud: false, isMuted: true, slowVoice: null } })).toContain(en('reading.status.optedOut'));
    const problem = { sentence: () => 'The service is down.', at: 0 };
    expect(told({ status: { ...idle, channels: [here], problem } })).toContain('Last problem, <t:0:R>: The service is down.');
  });
});
