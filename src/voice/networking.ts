// Everything that depends on the internals of @discordjs/voice: the state of its connection, its encryption, and guards around its faults.
import { createSecretKey } from 'node:crypto';
import { joinVoiceChannel, type Networking, NetworkingStatusCode, type VoiceConnection } from '@discordjs/voice';
import type { Guild } from 'discord.js';

export type Adapter = ReturnType<Guild['voiceAdapterCreator']>;
/** Opcode 4 of the main gateway: join, move, or leave (null). */
export type VoiceStateUpdate = { d: { channel_id: string | null } };

/**
 * Joins. All voice state updates for this connection, ours or the library's, now or later, go through `send`. While this process is not
 * permitted to join, the updates that Discord sends are about another process.
 */
export function joinChannel(
  guild: Guild,
  channelId: string,
  voiceStates: { send(adapter: Adapter, payload: VoiceStateUpdate): boolean; readonly isPermitted: boolean },
): VoiceConnection {
  return joinVoiceChannel({
    guildId: guild.id,
    channelId,
    adapterCreator(methods) {
      const adapter = guild.voiceAdapterCreator({
        ...methods,
        onVoiceStateUpdate: (state) => void (voiceStates.isPermitted && methods.onVoiceStateUpdate(state)),
        onVoiceServerUpdate: (server) => void (voiceStates.isPermitted && methods.onVoiceServerUpdate(server)),
      });
      return { ...adapter, sendPayload: (payload: VoiceStateUpdate) => voiceStates.send(adapter, payload) };
    },
    // The library keeps connections in a global map: several clients in one process must not share an entry.
    group: guild.client.user.id,
    selfDeaf: true,
  });
}

export function networkingOf(state: VoiceConnection['state']): Networking | undefined {
  return 'networking' in state ? state.networking : undefined;
}

/** Ready, and in this channel: after a move, the connection to the old channel stays up for a moment. */
export function isConnectedTo(connection: VoiceConnection, channelId: string | null): boolean {
  const networking = connection.state.status === 'ready' ? networkingOf(connection.state) : undefined;
  return networking !== undefined && 'connectionOptions' in networking.state && networking.state.connectionOptions.channelId === channelId;
}

/** Packets sent now are end-to-end encrypted. */
export function isEncrypted(connection: VoiceConnection): boolean {
  return connection.voicePrivacyCode !== undefined;
}

/** Discord has downgraded this call to no end-to-end encryption (DAVE version 0) for a client that lacks it: packets must be sent plain. */
export function isPlain(connection: VoiceConnection): boolean {
  const state = networkingOf(connection.state)?.state;
  return state?.code === NetworkingStatusCode.Ready && state.dave?.protocolVersion === 0;
}

/** Destroys a connection and ignores its further events. */
export function endConnection(connection: VoiceConnection): void {
  connection.removeAllListeners().on('error', () => {});
  if (connection.state.status !== 'destroyed') connection.destroy();
}

const guarded = new WeakSet<object>();

/**
 * Skips voice gateway messages that the library cannot handle (not an object, too short, proposals that do not fit the group): it would
 * throw out of the socket's event, which would end the process. Skipping is safe: nothing leaves unencrypted, and a group that is not
 * established is rejoined.
 */
export function guardMessages({ state }: Networking): void {
  if (!('ws' in state) || guarded.has(state.ws)) return;
  const { ws } = state;
  guarded.add(ws);
  const onMessage = ws.onMessage.bind(ws);
  ws.onMessage = (event) => {
    try {
      onMessage(event);
    } catch (error) {
      ws.emit('debug', `message skipped: ${String(error)}`);
    }
  };
}

/**
 * The library sends its first keep-alive one turn of the event loop after it has opened the UDP socket, even if the channel was left in
 * between. Sending through a closed socket throws, out of one of the library's timers.
 */
export function guardKeepAlives({ state }: Networking): void {
  if (!('udp' in state) || guarded.has(state.udp)) return;
  guarded.add(state.udp);
  const udp = state.udp as unknown as { keepAlive(): void };
  const keepAlive = udp.keepAlive.bind(udp);
  udp.keepAlive = () => {
    try {
      keepAlive();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SOCKET_DGRAM_NOT_RUNNING') throw error;
    }
  };
}

/**
 * Imports the AES-GCM key once. The library imports it from its bytes for every packet, which takes 13 µs, three times as long as the
 * encryption itself. Call when the connection is ready.
 */
export function prepareKey({ state }: Networking): void {
  if (state.code !== NetworkingStatusCode.Ready) return;
  const data: { encryptionMode: string; secretKey: unknown } = state.connectionData;
  if (data.encryptionMode === 'aead_aes256_gcm_rtpsize' && data.secretKey instanceof Uint8Array)
    data.secretKey = createSecretKey(data.secretKey);
}
