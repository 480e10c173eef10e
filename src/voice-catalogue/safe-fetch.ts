// Fetches what the voice service links to (covers, samples): within limits, and never from this machine's local network.
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { readWhole } from '../async/whole.ts';

/** Milliseconds: to connect, without a byte, and for the whole fetch. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
const TOTAL_MS = 30_000;
const MAX_REDIRECTS = 3;

export type FetchErrorKind =
  /** Not an address that can be read over http or https. */
  | 'address'
  /** Leads to this machine or its network. */
  | 'private'
  /** More bytes than requested. */
  | 'too-large'
  /** Any answer other than 200, too many redirects, no answer, or none in time. */
  | 'unreachable';

/** A link could not be fetched. Never holds the address: it may be signed. */
export class FetchError extends Error {
  override name = 'FetchError';
  readonly kind: FetchErrorKind;
  constructor(kind: FetchErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface SafeFetch {
  /** The full address of a link, which may be relative to the service; null if it is empty or not http(s). */
  resolve(address: string): URL | null;
  /** Whether it is on the service's own origin. */
  isOwn(url: URL): boolean;
  /**
   * Reads a whole link. The service's key is never sent. The address that a host name stands for is checked when the connection is made,
   * for each redirect (at most three) again: it must be public, unless the service itself is private and the link is on its own origin.
   * @throws FetchError, or the signal's reason
   */
  read(address: string, options: { maxBytes: number; signal: AbortSignal }): Promise<{ bytes: Uint8Array; contentType: string }>;
  close(): Promise<void>;
}

/** @param options `serviceUrl` is the base address of the voice service; `lookup` resolves names, by default as the system does */
export function createSafeFetch({ serviceUrl, lookup = systemLookup }: { serviceUrl: string; lookup?: LookupFunction }): SafeFetch {
  const base = new URL(serviceUrl.replace(/(?<!\/)\/*$/, '/'));
  const timeouts = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const publicAgent = new Agent({ ...timeouts, connect: publicConnector(lookup) });
  const ownAgent = new Agent({ ...timeouts, connect: { timeout: CONNECT_MS, lookup } });
  let servicePrivacy: Promise<boolean> | null = null;

  const isOwn = ({ origin }: URL) => origin === base.origin;

  /** Looked up once: a public service whose name later resolves to a private address is not believed. */
  function isServicePrivate(): Promise<boolean> {
    servicePrivacy ??= addressesOf(base, lookup).then((addresses) => !addresses.some(isPublicAddress));
    servicePrivacy.catch(() => {
      servicePrivacy = null;
    });
    return servicePrivacy;
  }

  function resolve(address: string): URL | null {
    const url = address.trim() === '' ? null : URL.parse(address.trim(), base.href);
    return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null;
  }

  async function get(from: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let url: URL | null = from;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!url) throw new FetchError('address', 'The link redirects to something that is not an http(s) address');
      const dispatcher = isOwn(url) && (await isServicePrivate()) ? ownAgent : publicAgent;
      const response = await request(url, { dispatcher, signal });
      if (response.statusCode === 200) return response;
      discard(response);
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode > 399 || typeof location !== 'string')
        throw new FetchError('unreachable', `The link was answered with ${response.statusCode}`);
      url = resolve(URL.parse(location, url.href)?.href ?? '');
    }
    throw new FetchError('unreachable', 'The link has too many redirects');
  }

  return {
    resolve,
    isOwn,
    async read(address, { maxBytes, signal }) {
      const url = resolve(address);
      if (!url) throw new FetchError('address', 'The link is not an http(s) address');
      try {
        const response = await get(url, AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]));
        const label = response.headers['content-type'];
        return { bytes: await readBody(response, maxBytes), contentType: typeof label === 'string' ? label : '' };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw error instanceof FetchError ? error : new FetchError('unreachable', 'The link could not be read', { cause: error });
      }
    },
    async close() {
      await Promise.all([publicAgent.destroy(), ownAgent.destroy()]);
    },
  };
}

async function readBody(response: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new FetchError('too-large', `The link has more than ${maxBytes} bytes`);
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    return await readWhole(response.body, maxBytes, tooLarge);
  } finally {
    discard(response);
  }
}

function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy();
}

/** Connects to public addresses only. It checks the very address that is used: a lookup before that could give another answer. */
function publicConnector(lookup: LookupFunction): buildConnector.connector {
  const refused = () => new FetchError('private', 'The link leads to an address of a private network');
  const publicLookup: LookupFunction = (host, options, done) =>
    lookup(host, options, (error, resolved, family) => {
      const addresses = Array.isArray(resolved) ? resolved.map(({ address }) => address) : [resolved];
      if (!error && !addresses.every(isPublicAddress)) done(refused(), '', 0);
      else done(error, resolved, family);
    });
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: publicLookup });
  return (options, done) => {
    // Bare addresses are not looked up.
    const host = bare(options.hostname);
    if (isIP(host) !== 0 && !isPublicAddress(host)) done(refused(), null);
    else connect(options, done);
  };
}

async function addressesOf(url: URL, lookup: LookupFunction): Promise<string[]> {
  const host = bare(url.hostname);
  if (isIP(host) !== 0) return [host];
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  lookup(host, { all: true }, (error, resolved) => {
    if (error) reject(error);
    else resolve(Array.isArray(resolved) ? resolved.map(({ address }) => address) : [resolved]);
  });
  return promise;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether it can be reached over the internet and is in no special range: https://www.iana.org/assignments/iana-ipv4-special-registry and
 * the same for IPv6. False for anything that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  // Stricter than ipaddr.js, which also reads `127.1`; a URL cannot hold a zone (`%eth0`).
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().range() === 'unicast';
  if (parsed.match(NAT64)) return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).range() === 'unicast';
  // ipaddr.js calls everything unicast that has no range of its own, such as ::127.0.0.1.
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}
