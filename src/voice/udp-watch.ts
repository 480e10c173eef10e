// Detects when datagrams no longer reach the voice server: nothing else would show that nobody hears us any more.
//
// Discord does not echo the library's keep-alives (https://github.com/discordjs/discord.js/issues/9185), but it does answer IP
// discovery, which every client depends on, so that is what is sent as a probe. A server that does not answer probes in mid-session is
// never declared dead, nor is one that falls silent after every join: such servers are odd, not broken.
import { type Networking, NetworkingStatusCode } from '@discordjs/voice';

type Udp = Extract<Networking['state'], { udp: unknown }>['udp'];

/** Also recovers the library's own IP discovery, which is sent only once: a probe stands in for it if the answer is lost. */
const PROBE_MS = 1500;
/** A dead path is noticed after 6 to 7.5 s. */
const MAX_UNANSWERED = 4;
/** After this many answers in mid-session, silence means a dead path. */
const MIN_ANSWERS = 2;
/** After this many timeouts within ten minutes, silence is no longer believed to mean a dead path. */
const MAX_TIMEOUTS = 2;
const TIMEOUTS_WINDOW_MS = 10 * 60_000;

const DISCOVERY_BYTES = 74;
const REQUEST = 1;
const RESPONSE = 2;

export interface UdpWatch {
  /** Call whenever the state of the networking changed: watches its socket from now on. */
  follow(networking: Networking): void;
  /** Datagrams sent before this time (`performance.now()`) arrived; Infinity if that cannot be known. */
  readonly deliveredUntil: number;
  /** Round trip of the last probe in ms; null before the first. */
  readonly ping: number | null;
  /** Sends a probe now. Its answer advances `deliveredUntil` and calls `onAnswer`. */
  probe(): void;
  stop(): void;
}

export interface UdpWatchOptions {
  onAnswer(): void;
  /** Nothing has arrived since then (`performance.now()`). */
  onDead(since: number): void;
}

/** Watches one socket at a time. */
export function watchUdp({ onAnswer, onDead }: UdpWatchOptions): UdpWatch {
  let watched: { networking: Networking; udp: Udp; request: Buffer } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let unanswered = 0;
  let answers = 0;
  let lastReceivedAt = 0;
  let probedAt = 0;
  let ping: number | null = null;
  let timeouts: number[] = [];

  function follow(networking: Networking): void {
    const { state } = networking;
    const udp = 'udp' in state ? state.udp : undefined;
    if (state.code === NetworkingStatusCode.Ready) probe();
    if (udp === watched?.udp) return;
    stop();
    if (!('udp' in state)) return;
    watched = { networking, udp: state.udp, request: createDiscoveryRequest(state.connectionData.ssrc ?? 0) };
    unanswered = 0;
    answers = 0;
    ping = null;
    lastReceivedAt = performance.now();
    state.udp.on('message', receive);
    timer = setInterval(tick, PROBE_MS);
  }

  function tick(): void {
    if (answersReliably() && unanswered >= MAX_UNANSWERED) {
      stop();
      timeouts.push(performance.now());
      onDead(lastReceivedAt);
      return;
    }
    probe();
    unanswered += 1;
  }

  function probe(): void {
    if (!watched) return;
    probedAt = performance.now();
    watched.udp.send(watched.request);
  }

  function receive(datagram: Buffer): void {
    lastReceivedAt = performance.now();
    unanswered = 0;
    const isAnswer = datagram.length === DISCOVERY_BYTES && datagram.readUInt16BE(0) === RESPONSE;
    if (!isAnswer || watched?.networking.state.code !== NetworkingStatusCode.Ready) return;
    answers += 1;
    ping = lastReceivedAt - probedAt;
    if (answers < MIN_ANSWERS) probe();
    onAnswer();
  }

  function answersReliably(): boolean {
    if (!watched || answers < MIN_ANSWERS) return false;
    timeouts = timeouts.filter((at) => at > performance.now() - TIMEOUTS_WINDOW_MS);
    return timeouts.length < MAX_TIMEOUTS;
  }

  function stop(): void {
    clearInterval(timer);
    watched?.udp.off('message', receive);
    watched = null;
  }

  return {
    follow,
    get deliveredUntil() {
      return answersReliably() ? lastReceivedAt : Number.POSITIVE_INFINITY;
    },
    get ping() {
      return ping;
    },
    probe,
    stop,
  };
}

/** https://docs.discord.com/developers/topics/voice-connections#ip-discovery */
function createDiscoveryRequest(ssrc: number): Buffer {
  const request = Buffer.alloc(DISCOVERY_BYTES);
  request.writeUInt16BE(REQUEST, 0);
  request.writeUInt16BE(DISCOVERY_BYTES - 4, 2);
  request.writeUInt32BE(ssrc, 4);
  return request;
}
