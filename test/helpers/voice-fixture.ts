// Voice sessions on a local Discord of the test's own, with real Opus to play and members who listen.
import { once } from 'node:events';
import type { VoiceBasedChannel } from 'discord.js';
import { expect, onTestFinished } from 'vitest';
import { orAborted } from '../../src/async/waiting.ts';
import { type LocalDiscordOptions, trustCertificate } from '../../src/local/discord/index.ts';
import type { HeardPacket } from '../../src/local/discord/page/protocol.ts';
import { createSessions, type EnqueueOptions, type Playback, type Session, type Utterance } from '../../src/voice-session/index.ts';
import type { HeldTimers } from './held-timers.ts';
import { logIn, openLocalDiscord } from './local-discord.ts';
import { NOTHING_HEARD } from './member.ts';
import { createRandom } from './random.ts';
import { oggOpusOf } from './sound.ts';
import { createWaiter } from './waiter.ts';

export type VoiceFixture = Awaited<ReturnType<typeof openVoiceFixture>>;
export type Receiver = Awaited<ReturnType<VoiceFixture['listen']>>;

type Name = 'Robin' | 'Sam' | 'Ada' | 'Ben' | 'Cleo' | 'Dan' | 'Eve' | 'Finn';

/** Everything is closed when the test ends. */
export async function openVoiceFixture(options: Parameters<typeof createSessions>[1] = {}, discordOptions: LocalDiscordOptions = {}) {
  const discord = await openLocalDiscord(discordOptions);
  trustCertificate(discord.certificate);
  const client = await logIn(discord);
  const sessions = createSessions(client, options);
  onTestFinished(() => sessions.close());
  const channel = (name: string) => client.channels.cache.get(discord.channelId(name)) as VoiceBasedChannel;
  /** Times at which the bot asked to join or rejoin a channel. */
  const joins: number[] = [];
  const send = client.ws.shards.first();
  if (send) {
    const before = send.send.bind(send);
    send.send = (payload: { op: number; d: { channel_id?: string | null } }, important?: boolean) => {
      if (payload.op === 4 && payload.d.channel_id) joins.push(performance.now());
      return before(payload, important);
    };
  }
  const lounge = channel('Lounge');
  /** Has a member join a voice channel, by default the lounge, and listen. */
  async function listen(name: Name, where: VoiceBasedChannel = lounge) {
    const member = discord.member(name);
    const waiter = createWaiter();
    /** Packets heard, without silence; and silence frames. */
    const [sound, silence]: [HeardPacket[], HeardPacket[]] = [[], []];
    const reached = (packets: unknown[], what: string) => async (count: number) =>
      void (await waiter.until(
        () => packets.length >= count || undefined,
        () => `${count} ${what}; ${packets.length} were heard`,
      ));
    member.onHeard((heard) => {
      (heard.opus.length <= 3 ? silence : sound).push(heard);
      waiter.notify();
    });
    // The bot must know who is in the channel before it joins, as it would after a command.
    await Promise.all([once(client, 'voiceStateUpdate'), member.call('join_voice', { channel_id: where.id })]);
    return {
      ...{ member, sound, silence },
      /** Resolves when this many packets of sound have been heard. */
      heard: reached(sound, 'packets of sound'),
      heardSilence: reached(silence, 'packets of silence'),
      stats: () => member.voiceStats() ?? NOTHING_HEARD,
    };
  }
  return { discord, client, sessions, lounge, workshop: channel('Workshop'), joins, listen };
}

/** A session in the lounge that plays these packets, of which Robin has heard so many. */
export async function openInMidPlay(packets: Uint8Array[], heard: number) {
  const fixture = await openVoiceFixture();
  const receiver = await fixture.listen('Robin');
  const session = fixture.sessions.join(fixture.lounge);
  const playback = say(session, () => packets);
  await receiver.heard(heard);
  return { ...fixture, receiver, session, playback };
}

/** This many 20 ms packets, all different. */
export async function speechOf(frames: number): Promise<Uint8Array[]> {
  const random = createRandom(7);
  const noise = Float32Array.from({ length: frames * 960 - 960 }, () => (2 * random() - 1) * 0.3);
  const { packets } = await oggOpusOf(noise);
  return packets.slice(0, frames);
}

/** Queues an utterance with the packets of `source`. */
export function say(session: Session, source: Source, memberId?: string): Playback {
  return session.enqueue(utteranceOf(source), by(memberId));
}

let asked = 0;

/** Options to enqueue with, with a new id each time. */
export function by(memberId = 'robin'): EnqueueOptions {
  asked += 1;
  return { id: `utterance-${asked}`, memberId };
}

type Source = (signal: AbortSignal) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface TestUtterance extends Utterance {
  /** The calls it got, in order. */
  calls: ('prepare' | 'open' | 'cancel' | 'returned')[];
}

/** An utterance with the packets of `source`. */
export function utteranceOf(source: Source): TestUtterance {
  const calls: TestUtterance['calls'] = [];
  return {
    calls,
    ready: Promise.resolve(),
    prepare: () => void calls.push('prepare'),
    cancel: () => void calls.push('cancel'),
    async *open(signal) {
      calls.push('open');
      try {
        yield* source(signal);
      } finally {
        calls.push('returned');
      }
    },
  };
}

/** Never resolves: ends only by its signal, like a call to the service that hangs. */
export const hang = (signal: AbortSignal): Promise<never> => orAborted(new Promise<never>(() => {}), signal);

/** What a member heard, without silence, to compare with `bytesOf(packets)`. */
export function heardBy({ sound }: Receiver): string[] {
  return bytesOf(sound.map(({ opus }) => opus));
}

export function bytesOf(packets: Iterable<Uint8Array>): string[] {
  return Array.from(packets, (packet) => Buffer.from(packet).toString('base64'));
}

/** Expects a beginning of the packets to have been heard, and then all of them. */
export function expectStartedOver(receiver: Receiver, packets: Uint8Array[]): void {
  const heard = heardBy(receiver);
  const all = bytesOf(packets);
  const first = heard.length - all.length;
  expect(first).toBeGreaterThanOrEqual(10);
  expect(heard).toEqual([...all.slice(0, first), ...all]);
}

/** Expects nothing to be repeated, everything in order, and no more missing than what was in transit at the break. */
export function expectResumed(receiver: Receiver, packets: Uint8Array[]): void {
  const all = bytesOf(packets);
  const indexes = heardBy(receiver).map((packet) => all.indexOf(packet));
  expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
  expect(indexes.at(-1)).toBe(all.length - 1);
  expect(indexes.length).toBeGreaterThan(all.length - 30);
}

/** Between two datagrams that ask the voice server for an answer. */
export const PROBE_MS = 1500;

/** Lets probes go unanswered until the bot has joined again. @param timers of `PROBE_MS` */
export async function probeUntilDead(timers: HeldTimers, joins: readonly number[]): Promise<void> {
  await expect
    .poll(() => {
      timers.expire();
      return joins.length;
    })
    .toBe(2);
}
