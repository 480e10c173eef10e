// The local Discord's voice server: voice gateway over TLS, RTP over UDP, and DAVE, for unmodified voice clients on loopback.
import { randomBytes, randomInt } from 'node:crypto';
import { VoiceCloseCodes, VoiceOpcodes } from 'discord-api-types/voice/v8';
import type { WebSocket } from 'ws';
import { createCertificate, ownCertificate } from './certificate.ts';
import { type Channel, createChannel, type Participant } from './channel.ts';
import { type Admission, type Client, createClient, relayDatagram } from './client.ts';
import { DAVE_VERSION } from './dave/messages.ts';
import { createExternalSender } from './dave/mls.ts';
import { HEARTBEAT_INTERVAL_MS, serveVoiceSocket, VoiceGatewayClose, type VoiceGatewayHost, type VoiceGatewaySocket } from './gateway.ts';
import { createListeners } from './listeners.ts';
import { openTlsListener } from './tls-listener.ts';
import { MODES, type Mode } from './transport-cipher.ts';
import type { VoiceFaults, VoiceServer } from './types.ts';
import { openVoiceUdp } from './udp.ts';

export { trustCertificate } from './certificate.ts';

/** How long a client without a socket may resume. */
const RESUME_WINDOW_MS = 30_000;
/** After this many heartbeat intervals without a message, a socket is closed with 4009. */
const MAX_MISSED_HEARTBEATS = 3;
/** How long `close` waits for the clients' close frames. */
const CLOSE_TIMEOUT_MS = 250;

interface VoiceServerOptions {
  /** The encryption modes to offer, in order of preference. */
  modes?: readonly Mode[] | undefined;
  /** Never receives tokens, keys or sound. */
  log?: (message: string) => void;
  warn?: (message: string) => void;
}

/** On free ports. */
export async function startVoiceServer(options: VoiceServerOptions = {}): Promise<VoiceServer> {
  const { modes = MODES, log = () => {}, warn = () => {} } = options;
  const certificate = await ownCertificate();
  const externalSender = createExternalSender();

  /** By guild and user. */
  const admissions = new Map<string, Admission>();
  const clients = new Map<string, Client>();
  const clientsBySsrc = new Map<number, Client>();
  const suppressed = new Set<string>();
  const channels = new Map<string, Channel>();
  const listeners = createListeners({
    openChannel,
    leaveChannel,
    createSsrc,
    isSuppressed: (guildId, userId) => suppressed.has(keyOf(guildId, userId)),
    faultsOf: (userId) => faults.speakers.get(userId),
  });
  const sockets = new Set<VoiceGatewaySocket>();
  let nextSsrc = randomInt(1, 2 ** 31);
  let withholdDave = false;
  /** Channels without end-to-end encryption. */
  const unencrypted = new Set<string>();

  const faults: VoiceFaults = {
    closeGateway,
    sendMessage: (guildId, userId, message) => clients.get(keyOf(guildId, userId))?.socket?.send(message),
    ignoreIpDiscovery: false,
    dropUdp: false,
    dropUdpOf: new Set(),
    ignoreHeartbeats: false,
    refuseWith: null,
    corruptNextWelcome: false,
    speakers: new Map(),
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
    isDropping: () => faults.dropUdp,
    answersDiscovery: (ssrc) => !faults.ignoreIpDiscovery && findReachable(ssrc) !== undefined,
    onVoice(ssrc, datagram, from) {
      const client = findReachable(ssrc);
      const isSuppressed = client && suppressed.has(keyOf(client.admission.guildId, client.admission.userId));
      if (client && !isSuppressed) relayDatagram(client, datagram, from);
    },
  });

  const host: VoiceGatewayHost = {
    modes,
    udpPort: udp.port,
    faults,
    identify,
    resume,
    detach,
    log,
    warn,
  };
  let tlsListener = await openTlsListener(certificate, accept);
  /** Of those that the voice gateway has moved away from. */
  const closedListeners: Promise<void>[] = [];
  const sweep = setInterval(closeSilentSockets, HEARTBEAT_INTERVAL_MS);

  function accept(socket: WebSocket): void {
    const served = serveVoiceSocket(socket, host);
    sockets.add(served);
    socket.on('close', () => sockets.delete(served));
  }

  async function relocate({ isTrusted }: { isTrusted: boolean }): Promise<void> {
    const previous = tlsListener;
    tlsListener = await openTlsListener(isTrusted ? certificate : await createCertificate(), accept);
    closedListeners.push(previous.close());
  }

  /** The client with this SSRC, unless its guild's UDP is dropped. */
  function findReachable(ssrc: number): Client | undefined {
    const client = clientsBySsrc.get(ssrc);
    return client && !faults.dropUdpOf.has(client.admission.guildId) ? client : undefined;
  }

  function setEncrypted(guildId: string, channelId: string, isOn: boolean): void {
    const key = keyOf(guildId, channelId);
    if (isOn) unencrypted.delete(key);
    else unencrypted.add(key);
    channels.get(key)?.group.setVersion(isOn ? DAVE_VERSION : 0);
  }

  function closeSilentSockets(): void {
    const threshold = performance.now() - MAX_MISSED_HEARTBEATS * HEARTBEAT_INTERVAL_MS;
    for (const { socket, lastReceivedAt } of sockets)
      if (lastReceivedAt() < threshold) socket.close(VoiceCloseCodes.SessionTimeout, 'Session timed out.');
  }

  /** Leaves room for the SSRCs of video, which follow that of sound. */
  function createSsrc(): number {
    nextSsrc = (nextSsrc + 3) % 2 ** 32;
    return nextSsrc;
  }

  function openChannel(guildId: string, channelId: string): Channel {
    const key = keyOf(guildId, channelId);
    let channel = channels.get(key);
    if (!channel) {
      channel = createChannel({
        channelId,
        externalSender,
        version: unencrypted.has(key) ? 0 : DAVE_VERSION,
        isWithholding: () => withholdDave,
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

  function identify(socket: WebSocket, request: Parameters<VoiceGatewayHost['identify']>[1]): Client {
    const key = keyOf(request.guildId, request.userId);
    const admission = admissions.get(key);
    if (!admission) {
      const isKnownGuild = [...admissions.values()].some(({ guildId }) => guildId === request.guildId);
      if (isKnownGuild) throw new VoiceGatewayClose(VoiceCloseCodes.AuthenticationFailed, 'Authentication failed.');
      throw new VoiceGatewayClose(VoiceCloseCodes.ServerNotFound, 'Server not found.');
    }
    if (admission.token !== request.token) throw new VoiceGatewayClose(VoiceCloseCodes.AuthenticationFailed, 'Authentication failed.');
    if (admission.sessionId !== request.sessionId)
      throw new VoiceGatewayClose(VoiceCloseCodes.SessionNoLongerValid, 'Session is no longer valid.');
    const previous = clients.get(key);
    if (previous) remove(previous, VoiceCloseCodes.SessionNoLongerValid);
    const channel = openChannel(admission.guildId, admission.channelId);
    const client = createClient({
      admission,
      channel,
      socket,
      ssrc: createSsrc(),
      sendDatagram(datagram, toPort, address) {
        if (!faults.dropUdp && !faults.dropUdpOf.has(admission.guildId)) udp.send(datagram, toPort, address);
      },
    });
    clients.set(key, client);
    clientsBySsrc.set(client.ssrc, client);
    return client;
  }

  function resume(socket: WebSocket, request: Parameters<VoiceGatewayHost['resume']>[1]): Client {
    const client = [...clients.values()].find(
      ({ admission }) =>
        admission.guildId === request.guildId && admission.sessionId === request.sessionId && admission.token === request.token,
    );
    const replay = client?.outbox.replay(request.sequence);
    if (!client || !replay) throw new VoiceGatewayClose(VoiceCloseCodes.SessionNoLongerValid, 'Session is no longer valid.');
    clearTimeout(client.resumeTimer);
    const previous = client.socket;
    client.socket = socket;
    previous?.close(VoiceCloseCodes.SessionNoLongerValid);
    // RESUMED goes first: @discordjs/voice accepts no DAVE messages before it.
    socket.send(JSON.stringify({ op: VoiceOpcodes.Resumed, d: null }));
    replay();
    return client;
  }

  function detach(client: Client, socket: WebSocket, code: number): void {
    if (client.socket !== socket) return;
    client.socket = null;
    if (endsSession(code)) remove(client);
    else client.resumeTimer = setTimeout(() => remove(client), RESUME_WINDOW_MS);
  }

  /** Ends a client's session; closes its socket if there is a code. */
  function remove(client: Client, code?: number): void {
    const { guildId, userId } = client.admission;
    clearTimeout(client.resumeTimer);
    const { socket } = client;
    client.socket = null;
    if (code !== undefined) socket?.close(code);
    if (clients.get(keyOf(guildId, userId)) === client) clients.delete(keyOf(guildId, userId));
    clientsBySsrc.delete(client.ssrc);
    leaveChannel(client.channel, client);
  }

  function closeGateway(guildId: string, userId: string, code: number | null): void {
    const client = clients.get(keyOf(guildId, userId));
    if (!client?.socket) return;
    if (code === null) client.socket.terminate();
    else if (endsSession(code)) remove(client, code);
    else client.socket.close(code);
  }

  function admit(who: Omit<Admission, 'token'>): { token: string } {
    const key = keyOf(who.guildId, who.userId);
    const client = clients.get(key);
    if (client && client.admission.channelId !== who.channelId) remove(client, VoiceCloseCodes.Disconnected);
    const token = randomBytes(16).toString('hex');
    admissions.set(key, { ...who, token });
    return { token };
  }

  function expel(guildId: string, userId: string): void {
    const key = keyOf(guildId, userId);
    admissions.delete(key);
    const client = clients.get(key);
    if (client) remove(client, VoiceCloseCodes.Disconnected);
  }

  function suppress(guildId: string, userId: string, isSuppressed: boolean): void {
    if (isSuppressed) suppressed.add(keyOf(guildId, userId));
    else suppressed.delete(keyOf(guildId, userId));
  }

  function endCalls(): void {
    for (const channel of channels.values()) channel.close();
  }

  async function close(): Promise<void> {
    clearInterval(sweep);
    endCalls();
    listeners.close();
    for (const client of [...clients.values()]) remove(client, VoiceCloseCodes.Disconnected);
    for (const { socket } of sockets) socket.close(VoiceCloseCodes.Disconnected);
    const terminateTimer = setTimeout(() => {
      for (const { socket } of sockets) socket.terminate();
    }, CLOSE_TIMEOUT_MS);
    await Promise.all([...closedListeners, tlsListener.close(), udp.close()]);
    clearTimeout(terminateTimer);
  }

  return {
    get endpoint() {
      return tlsListener.endpoint;
    },
    certificate: certificate.cert,
    admit,
    expel,
    suppress,
    relocate,
    listen: listeners.listen,
    hasListener: listeners.has,
    faults,
    endCalls,
    close,
  };
}

/** Whether the session ends with this close code. After others (4015, 1005, or a broken TCP connection) it may be resumed. */
function endsSession(code: number): boolean {
  return code === 1000 || code === 1001 || (code >= 4000 && code !== VoiceCloseCodes.VoiceServerCrashed);
}

function keyOf(guildId: string, id: string): string {
  return `${guildId}/${id}`;
}

function corrupt(welcome: Buffer): Buffer {
  const corrupted = Buffer.from(welcome);
  const last = corrupted.length - 1;
  corrupted[last] = (corrupted[last] as number) ^ 0xff;
  return corrupted;
}
