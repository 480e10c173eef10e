// The local Discord's voice server: voice gateway over TLS, UDP, RTP and DAVE, for unmodified voice clients on loopback.
import { randomBytes, randomInt } from 'node:crypto';
import type { WebSocket } from 'ws';
import { createCertificate } from './certificate.ts';
import { type Channel, createChannel, type Participant } from './channel.ts';
import { type Admission, type Client, createClient, relayDatagram } from './client.ts';
import { DAVE_VERSION } from './dave/messages.ts';
import { createExternalSender } from './dave/mls.ts';
import {
  type GatewayHost,
  type GatewaySocket,
  HEARTBEAT_INTERVAL_MS,
  serveVoiceSocket,
  VOICE_CLOSE_CODES,
  VoiceGatewayClose,
} from './gateway.ts';
import { createListeners } from './listeners.ts';
import { openTlsListener, type TlsListener } from './tls-listener.ts';
import { MODES, type Mode } from './transport-cipher.ts';
import type { VoiceFaults, VoiceServer } from './types.ts';
import { openVoiceUdp } from './udp.ts';

export { trustCertificate } from './certificate.ts';

/** A client without a socket may resume for this long; then it has left. */
const RESUME_WINDOW_MS = 30_000;
/** Sockets that sent nothing for so many heartbeat intervals are closed with 4009. */
const MISSED_HEARTBEATS = 3;
/** How long `close` waits for the clients' half of the closing handshake. */
const CLOSING_MS = 250;

export interface VoiceServerOptions {
  /** Port of the voice gateway (TCP); 0, the default, takes a free one. UDP always takes a free one. */
  port?: number;
  /** Encryption modes offered, in order of preference. */
  modes?: readonly Mode[];
  /** Takes what an operator may want to know; never tokens, keys or sound. */
  log?: (message: string) => void;
}

/** Opens the voice server on 127.0.0.1. @throws Error with `code` EADDRINUSE when the port is taken. */
export async function startVoiceServer(options: VoiceServerOptions = {}): Promise<VoiceServer> {
  const { port = 0, modes = MODES, log = () => {} } = options;
  const certificate = await createCertificate();
  const externalSender = createExternalSender();

  /** By guild and user: who may connect, and who is connected. */
  const admissions = new Map<string, Admission>();
  const clients = new Map<string, Client>();
  const clientsBySsrc = new Map<number, Client>();
  const suppressed = new Set<string>();
  const channels = new Map<string, Channel>();
  const listeners = createListeners(channelOf, leaveChannel);
  const sockets = new Set<GatewaySocket>();
  let nextSsrc = randomInt(1, 2 ** 31);
  let withholdDave = false;
  /** Channels whose calls are not encrypted end to end. */
  const plain = new Set<string>();

  const faults: VoiceFaults = {
    closeGateway,
    sendMessage: (guildId, userId, message) => clients.get(keyOf(guildId, userId))?.socket?.send(message),
    ignoreIpDiscovery: false,
    dropUdp: false,
    dropUdpOf: new Set(),
    ignoreHeartbeats: false,
    refuseWith: null,
    corruptNextWelcome: false,
    setEncrypted,
    get withholdDave() {
      return withholdDave;
    },
    set withholdDave(value) {
      withholdDave = value;
      if (!value) for (const channel of channels.values()) channel.group.resumeProposals();
    },
  };

  const udp = await openVoiceUdp({
    drop: () => faults.dropUdp,
    mayDiscover: (ssrc) => !faults.ignoreIpDiscovery && reachable(ssrc) !== undefined,
    voice(ssrc, datagram, from) {
      const client = reachable(ssrc);
      if (client && !suppressed.has(keyOf(client.admission.guildId, client.admission.userId))) relayDatagram(client, datagram, from);
    },
  });

  const host: GatewayHost = {
    modes,
    udpPort: udp.port,
    acknowledges: () => !faults.ignoreHeartbeats,
    refuseWith: () => faults.refuseWith,
    identify,
    resume,
    lost,
    log,
  };
  let tlsListener = await openTlsListener(port, certificate, accept).catch(async (error) => {
    await udp.close();
    throw error;
  });
  const formerListeners: TlsListener[] = [];
  const sweep = setInterval(closeSilentSockets, HEARTBEAT_INTERVAL_MS);

  function accept(socket: WebSocket): void {
    const served = serveVoiceSocket(socket, host);
    sockets.add(served);
    socket.on('close', () => sockets.delete(served));
  }

  async function relocate({ isTrusted }: { isTrusted: boolean }): Promise<void> {
    const former = tlsListener;
    tlsListener = await openTlsListener(0, isTrusted ? certificate : await createCertificate(), accept);
    void former.close();
    formerListeners.push(former);
  }

  /** The client that sends with this SSRC, where what it sends gets here. */
  function reachable(ssrc: number): Client | undefined {
    const client = clientsBySsrc.get(ssrc);
    return client && !faults.dropUdpOf.has(client.admission.guildId) ? client : undefined;
  }

  function setEncrypted(guildId: string, channelId: string, on: boolean): void {
    const key = keyOf(guildId, channelId);
    if (on) plain.delete(key);
    else plain.add(key);
    channels.get(key)?.group.setVersion(on ? DAVE_VERSION : 0);
  }

  function closeSilentSockets(): void {
    const since = performance.now() - MISSED_HEARTBEATS * HEARTBEAT_INTERVAL_MS;
    for (const { socket, lastHeard } of sockets)
      if (lastHeard() < since) socket.close(VOICE_CLOSE_CODES.sessionTimeout, 'Session timed out.');
  }

  function channelOf(guildId: string, channelId: string): Channel {
    const key = keyOf(guildId, channelId);
    let channel = channels.get(key);
    if (!channel) {
      channel = createChannel({
        channelId,
        externalSender,
        version: plain.has(key) ? 0 : DAVE_VERSION,
        withheld: () => withholdDave,
        alterWelcome: (member, welcome) => (shouldCorruptWelcome(member.userId) ? corrupt(welcome) : welcome),
        log,
      });
      channels.set(key, channel);
    }
    return channel;

    function shouldCorruptWelcome(userId: string): boolean {
      if (!faults.corruptNextWelcome || !clients.has(keyOf(guildId, userId))) return false;
      faults.corruptNextWelcome = false;
      return true;
    }
  }

  function leaveChannel(channel: Channel, participant: Participant): void {
    channel.leave(participant);
    if (channel.size > 0) return;
    channel.close();
    for (const [key, value] of channels) if (value === channel) channels.delete(key);
  }

  function identify(socket: WebSocket, request: Parameters<GatewayHost['identify']>[1]): Client {
    const key = keyOf(request.guildId, request.userId);
    const admission = admissions.get(key);
    if (!admission) {
      const isKnownGuild = [...admissions.values()].some(({ guildId }) => guildId === request.guildId);
      if (isKnownGuild) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.authenticationFailed, 'Authentication failed.');
      throw new VoiceGatewayClose(VOICE_CLOSE_CODES.serverNotFound, 'Server not found.');
    }
    if (admission.token !== request.token) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.authenticationFailed, 'Authentication failed.');
    if (admission.sessionId !== request.sessionId)
      throw new VoiceGatewayClose(VOICE_CLOSE_CODES.sessionNoLongerValid, 'Session is no longer valid.');
    const previous = clients.get(key);
    if (previous) drop(previous, VOICE_CLOSE_CODES.sessionNoLongerValid);
    nextSsrc = (nextSsrc + 1) % 2 ** 32;
    const channel = channelOf(admission.guildId, admission.channelId);
    const client = createClient({ admission, channel, ssrc: nextSsrc, socket, sendDatagram });
    clients.set(key, client);
    clientsBySsrc.set(client.ssrc, client);
    return client;
  }

  function resume(socket: WebSocket, request: Parameters<GatewayHost['resume']>[1]): Client {
    const client = [...clients.values()].find(
      ({ admission }) =>
        admission.guildId === request.guildId && admission.sessionId === request.sessionId && admission.token === request.token,
    );
    const replay = client?.outbox.replay(socket, request.sequence);
    if (!client || !replay) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.sessionNoLongerValid, 'Session is no longer valid.');
    clearTimeout(client.resumeTimer);
    const previous = client.socket;
    client.socket = socket;
    previous?.close(VOICE_CLOSE_CODES.sessionNoLongerValid);
    // RESUMED goes first: @discordjs/voice takes no DAVE messages before it.
    socket.send(JSON.stringify({ op: 9, d: null }));
    replay();
    client.outbox.attach(socket);
    return client;
  }

  function lost(client: Client, socket: WebSocket, code: number): void {
    if (client.socket !== socket) return;
    client.socket = null;
    client.outbox.attach(null);
    if (isFinal(code)) drop(client);
    else client.resumeTimer = setTimeout(() => drop(client), RESUME_WINDOW_MS);
  }

  /** The client is gone, at least as this session. */
  function drop(client: Client, code?: number): void {
    const { guildId, userId } = client.admission;
    clearTimeout(client.resumeTimer);
    const { socket } = client;
    client.socket = null;
    client.outbox.attach(null);
    if (code !== undefined) socket?.close(code);
    if (clients.get(keyOf(guildId, userId)) === client) clients.delete(keyOf(guildId, userId));
    clientsBySsrc.delete(client.ssrc);
    leaveChannel(client.channel, client);
  }

  function sendDatagram(datagram: Buffer, toPort: number, address: string): void {
    if (!faults.dropUdp) udp.send(datagram, toPort, address);
  }

  function closeGateway(guildId: string, userId: string, code: number | null): void {
    const client = clients.get(keyOf(guildId, userId));
    if (!client?.socket) return;
    if (code === null) client.socket.terminate();
    else if (isFinal(code)) drop(client, code);
    else client.socket.close(code);
  }

  function admit(who: Omit<Admission, 'token'>): { token: string } {
    const key = keyOf(who.guildId, who.userId);
    const client = clients.get(key);
    if (client && client.admission.channelId !== who.channelId) drop(client, VOICE_CLOSE_CODES.disconnected);
    const token = randomBytes(16).toString('hex');
    admissions.set(key, { guildId: who.guildId, channelId: who.channelId, userId: who.userId, sessionId: who.sessionId, token });
    return { token };
  }

  function expel(guildId: string, userId: string, code: number = VOICE_CLOSE_CODES.disconnected): void {
    const key = keyOf(guildId, userId);
    admissions.delete(key);
    const client = clients.get(key);
    if (client) drop(client, code);
  }

  function suppress(guildId: string, userId: string, isSuppressed: boolean): void {
    if (isSuppressed) suppressed.add(keyOf(guildId, userId));
    else suppressed.delete(keyOf(guildId, userId));
  }

  async function close(): Promise<void> {
    clearInterval(sweep);
    listeners.close();
    for (const client of [...clients.values()]) drop(client, VOICE_CLOSE_CODES.disconnected);
    for (const { socket } of sockets) socket.close(VOICE_CLOSE_CODES.disconnected);
    const impatient = setTimeout(() => {
      for (const { socket } of sockets) socket.terminate();
    }, CLOSING_MS);
    await Promise.all([...[tlsListener, ...formerListeners].map((one) => one.close()), udp.close()]);
    clearTimeout(impatient);
  }

  return {
    get endpoint() {
      return tlsListener.endpoint;
    },
    certificate: certificate.cert,
    ...{ admit, expel, suppress, relocate, listen: listeners.listen, hasListener: listeners.has, faults, close },
  };
}

/** After these the client starts a new session or stays away; after any other (4015, a broken TCP connection, 1005) it may resume. */
function isFinal(code: number): boolean {
  return code === 1000 || code === 1001 || (code >= 4000 && code !== VOICE_CLOSE_CODES.voiceServerCrashed);
}

/** Snowflakes are digits alone. */
function keyOf(guildId: string, id: string): string {
  return `${guildId}/${id}`;
}

function corrupt(welcome: Buffer): Buffer {
  const spoilt = Buffer.from(welcome);
  const last = spoilt.length - 1;
  spoilt[last] = (spoilt[last] as number) ^ 0xff;
  return spoilt;
}
