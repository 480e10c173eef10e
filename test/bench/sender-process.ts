// A bot in a process of its own: real voice connections to a voice server in the parent process, and a sound in each guild.
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createAudioPlayer, createAudioResource, NoSubscriberBehavior, StreamType } from '@discordjs/voice';
import { warmUp } from '../../src/audio/index.ts';
import { trustCertificate } from '../../src/local/discord/index.ts';
import type { VoiceServer } from '../../src/local/discord/voice/types.ts';
import { createPlayer } from '../../src/voice-session/player.ts';
import { joinAsBot, type VoiceBot } from '../helpers/voice-server.ts';
import { readSound } from './sounds.ts';
import { openWay, type UsualWay, type Way } from './ways.ts';

export interface Seat {
  guildId: string;
  channelId: string;
  userId: string;
  /** From VOICE_SERVER_UPDATE. */
  token: string;
}

export type SenderWay = 'parley' | UsualWay;

/** Each is answered when done. */
export type Order =
  | { order: 'begin'; way: SenderWay; sound: string; endpoint: string; certificate: string }
  | { order: 'join'; seats: Seat[] }
  /** Loops the sound in this many guilds, which begin one after the other within `spreadMs`; answered when all have begun. */
  | { order: 'play'; streams: number; spreadMs: number }
  | { order: 'stop' };

/** Concurrent joins: each is a TLS connection and a commit in an encrypted group. */
const JOINS_AT_ONCE = 8;

let setting: Extract<Order, { order: 'begin' }>;
let sound: Uint8Array;
let way: Way;
const bots: VoiceBot[] = [];
let playing: { stop: AbortController; ended: Promise<unknown>[] } | null = null;

process.on('message', async (order: Order) => {
  await obey(order);
  process.send?.('done');
});
process.once('SIGTERM', () => process.exit(0));

async function obey(order: Order): Promise<void> {
  if (order.order === 'begin') {
    setting = order;
    sound = await readSound(order.sound);
    way = await openWay(order.way, sound);
    trustCertificate(order.certificate);
    await warmUp();
  } else if (order.order === 'join') {
    const left = [...order.seats];
    await Promise.all(
      Array.from({ length: JOINS_AT_ONCE }, async () => {
        for (let seat = left.shift(); seat; seat = left.shift()) bots.push(await take(seat));
      }),
    );
  } else if (order.order === 'play') {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const ended: Promise<unknown>[] = [];
    playing = { stop, ended };
    for (const bot of bots.slice(0, order.streams)) {
      const begins = performance.now();
      ended.push(setting.way === 'parley' ? playOwn(bot, stop.signal) : playUsual(bot, stop.signal));
      await sleep(Math.max(0, order.spreadMs / order.streams - (performance.now() - begins)));
    }
  } else {
    playing?.stop.abort();
    await Promise.allSettled(playing?.ended ?? []);
    playing = null;
  }
}

/** The server is in the parent process and has admitted the bot already: only its endpoint and the token are needed. */
async function take({ token, ...where }: Seat): Promise<VoiceBot> {
  const server = { endpoint: setting.endpoint, admit: () => ({ token }), expel() {} } as Partial<VoiceServer> as VoiceServer;
  const bot = joinAsBot(server, where);
  await bot.ready();
  await bot.privacyCode();
  return bot;
}

async function playOwn({ connection }: VoiceBot, signal: AbortSignal): Promise<void> {
  const player = createPlayer({
    send(frame) {
      connection.playOpusPacket(frame);
      return true;
    },
    stopSpeaking: () => void connection.setSpeaking(false),
    // Broken connections are not measured here.
    deliveredUntil: () => Number.POSITIVE_INFINITY,
    confirmDelivery() {},
    onFailure(error) {
      throw error;
    },
  });
  try {
    while (!signal.aborted) await player.play(way.open(inPieces(sound)), signal, { sent: 0, started: Promise.withResolvers<number>() });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    player.end();
  }
}

async function playUsual({ connection }: VoiceBot, signal: AbortSignal): Promise<void> {
  const player = createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Pause } });
  const subscription = connection.subscribe(player);
  // Failures show up as missing packets at the listener.
  player.on('error', () => {});
  while (!signal.aborted) {
    const frames = way.open(inPieces(sound)) as Readable;
    const { promise, resolve } = Promise.withResolvers<void>();
    player.once('idle', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    // Already Opus packets, which the library sends unchanged.
    player.play(createAudioResource(frames, { inputType: StreamType.Opus }));
    await promise;
    frames.destroy();
  }
  player.stop(true);
  subscription?.unsubscribe();
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 16 * 1024;
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await nextTurn();
  }
}
