// A bot's voice for tests: the real @discordjs/voice, with an adapter in place of the main gateway.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  type AudioPlayer,
  createAudioPlayer,
  createAudioResource,
  type DiscordGatewayAdapterLibraryMethods,
  entersState,
  joinVoiceChannel,
  NoSubscriberBehavior,
  StreamType,
  type VoiceConnection,
  VoiceConnectionStatus,
} from '@discordjs/voice';
import type { VoiceServer } from '../../src/local/discord/voice/types.ts';
import { createWaiter, WAIT_MS } from './waiter.ts';

export interface VoiceBot {
  readonly connection: VoiceConnection;
  readonly userId: string;
  /** Emits 'payload' for each voice state update that the library sends. */
  readonly sent: { count: number };
  ready(): Promise<void>;
  /** Waits until the connection's DAVE group has a voice privacy code other than `than`. */
  privacyCode(than?: string): Promise<string>;
  /** Plays frames of 20 ms; resolves when the last one has been sent. */
  play(frames: Iterable<Buffer>): Promise<void>;
  move(channelId: string): void;
  leave(): void;
}

export interface VoiceBotOptions {
  guildId: string;
  channelId: string;
  userId: string;
  /** Changes the token of VOICE_SERVER_UPDATE. */
  token?: (token: string) => string;
  daveEncryption?: boolean;
}

/** Joins at once. Answers payloads as the main gateway would: VOICE_STATE_UPDATE, then VOICE_SERVER_UPDATE. */
export function joinAsBot(server: VoiceServer, options: VoiceBotOptions): VoiceBot {
  const { guildId, userId, token = (given) => given } = options;
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
      library?.onVoiceServerUpdate({ guild_id: guildId, endpoint: server.endpoint, token: token(admitted.token) });
    });
  }

  const connection = joinVoiceChannel({
    guildId,
    channelId: options.channelId,
    group: userId,
    selfDeaf: false,
    ...(options.daveEncryption === undefined ? {} : { daveEncryption: options.daveEncryption }),
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
    connection,
    userId,
    sent,
    ready: async () => void (await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS)),
    privacyCode: (than) =>
      waiter.until(
        () => [connection.voicePrivacyCode].find((code) => code && code !== than),
        () => `a privacy code${than ? ` other than ${than}` : ''}; it is ${connection.voicePrivacyCode || 'empty'}`,
      ),
    async play(frames) {
      const player: AudioPlayer = createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Pause, maxMissedFrames: 1000 } });
      const subscription = connection.subscribe(player);
      player.play(createAudioResource(Readable.from(frames, { objectMode: true }), { inputType: StreamType.Opus }));
      await once(player, 'idle', { signal: AbortSignal.timeout(WAIT_MS) });
      subscription?.unsubscribe();
    },
    move: (channelId) => void connection.rejoin({ channelId, selfDeaf: false, selfMute: false }),
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
