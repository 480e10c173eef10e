// Whether datagrams still get through to the voice server: nothing else would tell that nobody hears us any more.
//
// Discord does not echo the library's keep-alives (https://github.com/discordjs/discord.js/issues/9185), but it answers IP
// discovery, which every client depends on. So that is asked again and again. A server that does not answer it in mid-session is
// never judged, nor is one that falls silent after every join: then that is its habit, and no fault.
import { type Networking, NetworkingStatusCode } from '@discordjs/voice';

type Udp = Extract<Networking['state'], { udp: unknown }>['udp'];

/** The library asks once and waits for ever: a lost answer to its own IP discovery is made good by one of these. */
const PROBE_MS = 1500;
/** Noticed after 6 to 7.5 s. */
const UNANSWERED = 4;
/** So many answers in mid-session make it a server that answers. */
const ANSWERS = 2;
/** A server that dies more often than this within ten minutes is not believed to be dead any more. */
const DEATHS = 2;
const DEATHS_WINDOW_MS = 10 * 60_000;

const DISCOVERY_BYTES = 74;
const REQUEST = 1;
const RESPONSE = 2;

export interface UdpWatch {
  /** To be called whenever the state of the networking changed: watches its socket from now on. */
  follow(networking: Networking): void;
  /** Datagrams sent before this moment (`performance.now()`) got through; Infinity where that cannot be known. */
  readonly heardUntil: number;
  /** Round trip of the last probe in ms; null before the first. */
  readonly ping: number | null;
  /** VoiceStateSender now, so that `heardUntil` becomes the present soon; `onAnswer` tells. */
  probe(): void;
  end(): void;
}

export interface UdpWatchOptions {
  onAnswer(): void;
  /** Nothing got through since then (`performance.now()`). */
  onDead(since: number): void;
}

/** Watches one socket at a time. */
export function watchUdp({ onAnswer, onDead }: UdpWatchOptions): UdpWatch {
  let watched: { networking: Networking; udp: Udp; request: Buffer } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let unanswered = 0;
  let answers = 0;
  let lastSign = 0;
  let askedAt = 0;
  let ping: number | null = null;
  let deaths: number[] = [];

  function follow(networking: Networking): void {
    const { state } = networking;
    const udp = 'udp' in state ? state.udp : undefined;
    if (state.code === NetworkingStatusCode.Ready) probe();
    if (udp === watched?.udp) return;
    end();
    if (!('udp' in state)) return;
    watched = { networking, udp: state.udp, request: discoveryOf(state.connectionData.ssrc ?? 0) };
    unanswered = 0;
    answers = 0;
    ping = null;
    lastSign = performance.now();
    state.udp.on('message', receive);
    timer = setInterval(tick, PROBE_MS);
  }

  function tick(): void {
    if (isJudged() && unanswered >= UNANSWERED) {
      end();
      deaths.push(performance.now());
      onDead(lastSign);
      return;
    }
    probe();
    unanswered += 1;
  }

  function probe(): void {
    if (!watched) return;
    askedAt = performance.now();
    watched.udp.send(watched.request);
  }

  function receive(datagram: Buffer): void {
    lastSign = performance.now();
    unanswered = 0;
    const isAnswer = datagram.length === DISCOVERY_BYTES && datagram.readUInt16BE(0) === RESPONSE;
    if (!isAnswer || watched?.networking.state.code !== NetworkingStatusCode.Ready) return;
    answers += 1;
    ping = lastSign - askedAt;
    if (answers < ANSWERS) probe();
    onAnswer();
  }

  function isJudged(): boolean {
    if (!watched || answers < ANSWERS) return false;
    deaths = deaths.filter((at) => at > performance.now() - DEATHS_WINDOW_MS);
    return deaths.length < DEATHS;
  }

  function end(): void {
    clearInterval(timer);
    watched?.udp.off('message', receive);
    watched = null;
  }

  return {
    follow,
    get heardUntil() {
      return isJudged() ? lastSign : Number.POSITIVE_INFINITY;
    },
    get ping() {
      return ping;
    },
    probe,
    end,
  };
}

/** https://docs.discord.com/developers/topics/voice-connections#ip-discovery */
function discoveryOf(ssrc: number): Buffer {
  const request = Buffer.alloc(DISCOVERY_BYTES);
  request.writeUInt16BE(REQUEST, 0);
  request.writeUInt16BE(DISCOVERY_BYTES - 4, 2);
  request.writeUInt32BE(ssrc, 4);
  return request;
}
