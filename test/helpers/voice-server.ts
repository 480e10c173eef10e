import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  type AudioPlayer,
  createAudioPlayer,
  createAudioResource,
  type DiscordGatewayAdapterLibraryMethods,
  EndBehaviorType,
  entersState,
  joinVoiceChannel,
  NoSubscriberBehavior,
  StreamType,
  VoiceConnectionStatus,
} from '@discordjs/voice';
import { afterEach, beforeEach } from 'vitest';
import type { Listener, VoiceServer } from '../../src/local/discord/voice/types.ts';
import { startVoiceServer, trustCertificate } from '../../src/local/discord/voice/voice-server.ts';
import { createWaiter, WAIT_MS } from './waiter.ts';

export const GUILD = '1090000000000000001';
export const CHANNEL = '1090000000000000002';
export const OTHER_CHANNEL = '1090000000000000003';
export const BOT = '1090000000000000010';
export const OTHER_BOT = '1090000000000000011';
export const ADA = '1090000000000000020';
export const BEN = '1090000000000000021';
/** A listener's statistics when nothing went wrong. */
export const CLEAN = { early: 0, plaintext: 0, undecryptable: 0, lost: 0 };

/** Call it once, at the top of a test file. */
export function useVoiceServer() {
  let bots: VoiceBot[] = [];
  const fixture = {
    join(options: Partial<VoiceBotOptions> = {}): VoiceBot {
      const bot = joinAsBot(fixture.server, { guildId: GUILD, channelId: CHANNEL, userId: BOT, ...options });
      bots.push(bot);
      return bot;
    },
    listen: (userId = ADA, channelId = CHANNEL): Listener => fixture.server.listen({ guildId: GUILD, channelId, userId }),
    server: {} as VoiceServer,
    distrust: () => {},
  };

  beforeEach(async () => {
    fixture.server = await startVoiceServer();
    fixture.distrust = trustCertificate(fixture.server.certificate);
  });
  afterEach(async () => {
    for (const bot of bots) if (bot.connection.state.status !== VoiceConnectionStatus.Destroyed) bot.leave();
    bots = [];
    await fixture.server.close();
    fixture.distrust();
  });
  return fixture;
}

export type VoiceBot = ReturnType<typeof joinAsBot>;

export interface VoiceBotOptions {
  guildId: string;
  channelId: string;
  userId: string;
}

/** Joins at once. Answers payloads as the main gateway would: VOICE_STATE_UPDATE, then VOICE_SERVER_UPDATE. */
export function joinAsBot(server: VoiceServer, options: VoiceBotOptions) {
  const { guildId, userId } = options;
  const sent = { count: 0 };
  const sessionId = `session-${userId}`;
  let library: DiscordGatewayAdapterLibraryMethods | undefined;

  function answer(channelId: string | null): void {
    if (channelId === null) {
      server.expel(guildId, userId);
      return;
    }
    const admitted = server.admit({ guildId, channelId, userId, sessionId });
    queueMicrotask(() => {
      library?.onVoiceStateUpdate({ guild_id: guildId, channel_id: channelId, user_id: userId, session_id: sessionId } as never);
      library?.onVoiceServerUpdate({ guild_id: guildId, endpoint: server.endpoint, token: admitted.token });
    });
  }

  const connection = joinVoiceChannel({
    guildId,
    channelId: options.channelId,
    group: userId,
    selfDeaf: false,
    adapterCreator(methods) {
      library = methods;
      return {
        sendPayload(payload) {
          sent.count += 1;
          answer(payload.d.channel_id);
          return true;
        },
        destroy() {},
      };
    },
  });
  connection.on('error', () => {});
  const waiter = createWaiter();
  connection.on('transitioned', waiter.notify);
  connection.on('stateChange', waiter.notify);

  return {
    ...{ connection, userId },
    /** How many voice state updates the library has sent. */
    sent,
    ready: async () => void (await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS)),
    /** Waits until the connection's DAVE group has a voice privacy code other than `than`. */
    privacyCode: (than?: string): Promise<string> =>
      waiter.until(
        () => [connection.voicePrivacyCode].find((code) => code && code !== than),
        () => `a privacy code${than ? ` other than ${than}` : ''}; it is ${connection.voicePrivacyCode || 'empty'}`,
      ),
    /** Plays frames of 20 ms; resolves when the last one has been sent. */
    async play(frames: Iterable<Buffer>) {
      const player: AudioPlayer = createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Pause, maxMissedFrames: 1000 } });
      const subscription = connection.subscribe(player);
      player.play(createAudioResource(Readable.from(frames, { objectMode: true }), { inputType: StreamType.Opus }));
      await once(player, 'idle', { signal: AbortSignal.timeout(WAIT_MS) });
      subscription?.unsubscribe();
    },
    move: (channelId: string) => void connection.rejoin({ channelId, selfDeaf: false, selfMute: false }),
    leave: () => connection.destroy(),
  };
}

/** Distinguishable Opus packets: a CELT 20 ms mono TOC byte, then the number. They are never decoded. */
export function numberedFrames(count: number, start = 0): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const frame = Buffer.alloc(40, 7);
    frame[0] = 0xf8;
    frame.writeUInt32BE(start + index, 1);
    return frame;
  });
}

export function numberOf(frame: Uint8Array): number {
  return new DataView(frame.buffer, frame.byteOffset).getUint32(1);
}

export type Receiver = ReturnType<typeof createReceiver>;

export function createReceiver(listener: Listener) {
  const frames: number[] = [];
  const waiter = createWaiter();
  listener.onHeard(({ opus }) => {
    if (opus.length <= 3) return;
    frames.push(numberOf(opus));
    waiter.notify();
  });
  return {
    /** Numbers of the frames heard, without silence. */
    frames,
    /** Resolves when this frame or a later one has been heard. */
    async heard(frame: number) {
      await waiter.until(
        () => frames.find((number) => number >= frame),
        () => `frame ${frame}; ${frames.length} were heard, the last is ${frames.at(-1)}`,
      );
    },
  };
}

/** from, from + 1, … to. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The numbers of the first frames that a bot receives from another, through the library's receiver. */
export async function receiveFrames(bot: VoiceBot, from: string, count: number): Promise<number[]> {
  const stream = bot.connection.receiver.subscribe(from, { end: { behavior: EndBehaviorType.Manual } });
  const frames: number[] = [];
  for await (const frame of stream) {
    if (frame.length <= 3) continue;
    frames.push(numberOf(frame));
    if (frames.length === count) break;
  }
  return frames;
}
