// What a client is created with: options, their defaults, and the checks on the base address and the key.
import type { ApiErrorKind } from './errors.ts';
import type { RetryOptions } from './retries.ts';
import type { Operation } from './types.ts';

/** Milliseconds. */
export interface Timeouts {
  /** Time to make a connection, TLS included. */
  connect: number;
  /** Time from the last byte of the request to the headers of the response. */
  headers: number;
  /** Time between two chunks of a response body. */
  idle: number;
  /**
   * For a whole call: time spent waiting for the service, retries included. Time during which the caller leaves a speech unread doesn't
   * count, but a speech that stays unread for this long is ended.
   */
  deadline: number;
  /** Replaces `headers` and `deadline` for transcriptions: the service responds only after it has heard everything. */
  transcription: number;
  /** Replaces `headers` and `idle` for speech that isn't heard at once: a slow service makes what is heard first. */
  download: number;
}

export const defaultTimeouts: Timeouts = {
  connect: 5_000,
  headers: 30_000,
  idle: 15_000,
  deadline: 300_000,
  transcription: 3_600_000,
  download: 60_000,
};

export interface CircuitBreakerOptions {
  /** Calls that must fail in a row before the service counts as down; a repeated call counts once. */
  failures: number;
  /** Milliseconds from then, and from each failed probe, to the next probe. */
  probeInterval: number;
}

/** Until an answer says more or less; what a starter account allows. */
export const defaultConcurrency = 5;

export const defaultBreaker: CircuitBreakerOptions = { failures: 5, probeInterval: 10_000 };

/** What counts as down: the whole service, or transcription alone. */
export type OutageOf = 'service' | 'transcription';

/** How a call ended. */
export interface CallReport {
  operation: Operation;
  outcome: 'ok' | ApiErrorKind;
  /** Milliseconds until the response was accepted or the call failed, retries and waiting for a turn included; of speech, until its first byte. */
  ms: number;
}

export interface ApiOptions {
  /** `{base_url}` of the spec; https, or http on loopback. */
  baseUrl: string;
  apiKey: string;
  /** Value of the `model` header for requests that name none; default `s2.1-pro`. */
  model?: string;
  /**
   * Most calls in flight. `auto`, the default, is 5, which is what a starter account allows, until an answer says how many the account may
   * have. With a number, answers can only lower it.
   */
  concurrency?: number | 'auto' | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  retries?: Partial<RetryOptions> | undefined;
  /** When the service counts as down, and how often it is probed from then on. */
  breaker?: Partial<CircuitBreakerOptions> | undefined;
  /** Waited for before each connection is made, by a service that is replaced when it crashes. Mustn't reject. */
  beforeConnecting?: (() => Promise<void>) | undefined;
  /** Called when the service, or transcription alone, is considered down, and when it is back. */
  onDown?: (isDown: boolean, outage: OutageOf) => void;
  /** Called when a call has ended, also one that was refused without being sent; not for the client's own probes. Mustn't throw. */
  onCall?: ((report: CallReport) => void) | undefined;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  now?: () => number;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** Waits before a retry; must reject when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** @throws TypeError if the address can't work, or would send the key unencrypted over a network */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The base address is not a URL. Use https://host, or http://127.0.0.1:port for a service on this machine.');
  }
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw new TypeError('The base address is http and not on this machine: the API key would travel unencrypted. Use https.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('The base address must consist of a host and a path only, without a user name, query or fragment.');
  }
  return url;
}

/** @throws TypeError for a key that can't be sent in a header; undici would reject it with the key in the message */
export function parseApiKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The API key is empty, or contains spaces or characters that no key has. Copy it again.');
  return key;
}
