// Voice connections that break: no sound is lost, nothing leaves unencrypted, Discord is not flooded, and the cause is reported.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, heardBy, openVoiceFixture, type Receiver, say, speechOf } from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

/** Expects a beginning to have been heard, and then all of it. */
function expectStartedOver(receiver: Receiver): void {
  const heard = heardBy(receiver);
  const all = bytesOf(packets);
  const first = heard.length - all.length;
  expect(first).toBeGreaterThanOrEqual(20);
  expect(heard).toEqual([...all.slice(0, first), ...all]);
}

/** Expects nothing to be repeated, everything in order, and no more missing than what was in transit at the break. */
function expectResumed(receiver: Receiver, whole: Uint8Array[]): void {
  const all = bytesOf(whole);
  const indexes = heardBy(receiver).map((packet) => all.indexOf(packet));
  expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
  expect(indexes.at(-1)).toBe(all.length - 1);
  expect(indexes.length).toBeGreaterThan(all.length - 10);
}

beforeAll(async () => {
  packets = await speechOf(60);
});

describe('in mid-play', () => {
  it.each([4006, 4009])(
    'a voice session that is over (%i) is rejoined, and an utterance that had hardly begun starts over',
    async (code) => {
      const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
      const receiver = await listen('Robin');
      const playback = say(sessions.join(lounge), () => packets);
      await receiver.heard(20);
      discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
      expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
      await receiver.heardSilence(5);
      expectStartedOver(receiver);
      expect(receiver.stats()).toMatchObject(clean);
      expect(joins).toHaveLength(2);
    },
  );

  it('after 3 s, an utterance resumes where a voice session that is over (4006) broke off', async () => {
    const long = await speechOf(200);
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const playback = say(sessions.join(lounge), () => long);
    await receiver.heard(165);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 4 });
    await receiver.heardSilence(5);
    expectResumed(receiver, long);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });

  it.each([4015, null])('a voice gateway connection that breaks (%s) is resumed, and nothing is repeated', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await receiver.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await receiver.heardSilence(5);
    expectResumed(receiver, packets);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
  });

  it('an unexplained disconnection (4014) is rejoined', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await receiver.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4014);
    await expect.poll(() => session.state.status).toBe('reconnecting');
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await receiver.heardSilence(5);
    expectStartedOver(receiver);
    expect(joins).toHaveLength(2);
  });

  it.each([4017, 4021, 4022])('a final close code (%i) fails each utterance, and nothing is rejoined', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1, 2].map(() => say(session, () => packets));
    await receiver.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', cause: { kind: 'refused', code } });
    expect(outcomes.map(({ seconds }) => seconds > 0.3)).toEqual([true, false, false]);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'closed', cause: { kind: 'refused' } });
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('follows a change of the voice server', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await receiver.heard(20);
    const { guildId } = lounge;
    const moveTo = (endpoint: string | null, token = '') =>
      discord.world.emit({ t: 'VOICE_SERVER_UPDATE', d: { token, guild_id: guildId, endpoint }, to: 'bot' });
    moveTo(null);
    await expect.poll(() => session.state.status).toBe('reconnecting');
    const sessionId = lounge.guild.members.me?.voice.sessionId ?? '';
    const { token } = discord.voice.admit({ guildId, channelId: lounge.id, userId: client.user.id, sessionId });
    moveTo(discord.voice.endpoint.replace('127.0.0.1', 'localhost'), token);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await receiver.heardSilence(5);
    expectStartedOver(receiver);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
  });
});

it('leaves no timer and no socket behind: a program that has closed everything exits', async () => {
  const program = new URL('../helpers/voice-once.ts', import.meta.url).pathname;
  // Shorter than the five minutes after which an idle session would leave.
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 });
  expect(stdout).toBe('failed played\n');
});
