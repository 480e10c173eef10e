// What is asked of @discordjs/voice beyond its front door: how far its connection is, and what is encrypted end to end.
import { createSecretKey } from 'node:crypto';
import { joinVoiceChannel, type Networking, NetworkingStatusCode, type VoiceConnection } from '@discordjs/voice';
import type { Guild } from 'discord.js';

export type Adapter = ReturnType<Guild['voiceAdapterCreator']>;
/** Opcode 4 of the main gateway: join, move or leave (null). */
export type Ask = { d: { channel_id: string | null } };

/** Joins. Whatever is asked of the main gateway for it, now or later, by us or by the library itself, goes through `ask`. */
export function joinChannel(guild: Guild, channelId: string, ask: (adapter: Adapter, payload: Ask) => boolean): VoiceConnection {
  return joinVoiceChannel({
    guildId: guild.id,
    channelId,
    adapterCreator(methods) {
      const adapter = guild.voiceAdapterCreator(methods);
      return { ...adapter, sendPayload: (payload: Ask) => ask(adapter, payload) };
    },
    // Several clients may live in one process: connections are kept apart by who we are.
    group: guild.client.user.id,
    selfDeaf: true,
  });
}

export function networkingOf(state: VoiceConnection['state']): Networking | undefined {
  return 'networking' in state ? state.networking : undefined;
}

/** Connected, and to this channel: after a move the connection to the old one lasts a little longer. */
export function isConnectedTo(connection: VoiceConnection, channelId: string | null): boolean {
  const networking = connection.state.status === 'ready' ? networkingOf(connection.state) : undefined;
  return networking !== undefined && 'connectionOptions' in networking.state && networking.state.connectionOptions.channelId === channelId;
}

/** What leaves is encrypted end to end. */
export function isEncrypted(connection: VoiceConnection): boolean {
  return connection.voicePrivacyCode !== undefined;
}

/** Discord has switched end-to-end encryption off in this call (version 0), for a client that does not know it: what is sent must be plain. */
export function isPlain(connection: VoiceConnection): boolean {
  const state = networkingOf(connection.state)?.state;
  return state?.code === NetworkingStatusCode.Ready && state.dave?.protocolVersion === 0;
}

/** Ends a connection, and takes no more notice of it. */
export function endConnection(connection: VoiceConnection): void {
  connection.removeAllListeners().on('error', () => {});
  if (connection.state.status !== 'destroyed') connection.destroy();
}

const guarded = new WeakSet<object>();

/**
 * What the library cannot read of the voice gateway's messages (no object, too short, proposals that do not fit the group) it lets throw
 * out of the socket's event, which would end the process. Such a message is passed over: whatever comes of it, nothing leaves unencrypted,
 * and a group that is not established is joined anew.
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
      ws.emit('debug', `message passed over: ${String(error)}`);
    }
  };
}

/**
 * The library sends its first keep-alive a turn of the event loop after it has opened the UDP socket, even if the channel was left in between:
 * sending through a closed socket throws, out of a timer of the library's. Whatever was to be kept alive is gone by then.
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
 * Has the key of AES-GCM made of its bytes once: the library would have it made for each packet, which takes 13 µs, three times what
 * the encryption itself takes. To be called when the connection is ready.
 */
export function prepareKey({ state }: Networking): void {
  if (state.code !== NetworkingStatusCode.Ready) return;
  const data: { encryptionMode: string; secretKey: unknown } = state.connectionData;
  if (data.encryptionMode === 'aead_aes256_gcm_rtpsize' && data.secretKey instanceof Uint8Array)
    data.secretKey = createSecretKey(data.secretKey);
}
