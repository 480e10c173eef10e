// What is asked of @discordjs/voice beyond its front door: how far its connection is, and what is encrypted end to end.
import { type Networking, NetworkingStatusCode, type VoiceConnection } from '@discordjs/voice';

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
