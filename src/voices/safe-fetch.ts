// Links that came from the voice service (covers, samples): read within limits, and never from addresses of this machine's own network.
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';

/** Milliseconds: to connect, without a byte, and for the whole. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
const WHOLE_MS = 30_000;
const MAX_REDIRECTS = 3;

export type LinkErrorKind =
  /** No address that can be read over http or https. */
  | 'address'
  /** It leads to this machine or its network. */
  | 'private'
  /** More bytes than were wanted. */
  | 'too-large'
  /** Another answer than 200, too many redirects, no answer, or none in time. */
  | 'unreachable';

/** A link could not be read. Never holds the address: it may be signed. */
export class LinkError extends Error {
  override name = 'LinkError';
  readonly kind: LinkErrorKind;
  constructor(kind: LinkErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface Links {
  /** The whole address of a link, which may be relative to the service; null where it is empty or none over http(s). */
  resolve(address: string): URL | null;
  /** Is it on the service's own origin? */
  isOwn(url: URL): boolean;
  /**
   * Reads a link whole. The service's key is never sent along. Where the service is public, what a host's name stands for is checked
   * when the connection is made, for each redirect (three at most) anew; where it is not, its own origin may be read, and public ones.
   * @throws LinkError, or the signal's reason
   */
  read(address: string, options: { maxBytes: number; signal: AbortSignal }): Promise<{ bytes: Uint8Array; contentType: string }>;
  close(): Promise<void>;
}

/** @param options `serviceUrl` is the base address of the voice service; `lookup` finds the addresses of names, the system's by default. */
export function createLinks({ serviceUrl, lookup = systemLookup }: { serviceUrl: string; lookup?: LookupFunction }): Links {
  const base = new URL(serviceUrl.replace(/\/*$/, '/'));
  const times = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const outside = new Agent({ ...times, connect: publicConnector(lookup) });
  const inside = new Agent({ ...times, connect: { timeout: CONNECT_MS, lookup } });
  let servicePlace: Promise<boolean> | null = null;

  const isOwn = ({ origin }: URL) => origin === base.origin;

  /** Asked once: a name of a public service that is later said to stand for a private address is not believed. */
  function isServicePrivate(): Promise<boolean> {
    servicePlace ??= addressesOf(base, lookup).then((found) => !found.some(isPublicAddress));
    servicePlace.catch(() => {
      servicePlace = null;
    });
    return servicePlace;
  }

  function resolve(address: string): URL | null {
    const url = address.trim() === '' ? null : URL.parse(address.trim(), base);
    return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null;
  }

  async function get(from: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let url: URL | null = from;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!url) throw new LinkError('address', 'The link leads to something that is no address');
      const dispatcher = isOwn(url) && (await isServicePrivate()) ? inside : outside;
      const response = await request(url, { dispatcher, signal });
      if (response.statusCode === 200) return response;
      discard(response);
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode > 399 || typeof location !== 'string')
        throw new LinkError('unreachable', `The link was answered with ${response.statusCode}`);
      url = resolve(URL.parse(location, url)?.href ?? '');
    }
    throw new LinkError('unreachable', 'The link leads from one address to the next');
  }

  return {
    resolve,
    isOwn,
    async read(address, { maxBytes, signal }) {
      const url = resolve(address);
      if (!url) throw new LinkError('address', 'The link is no address');
      try {
        const response = await get(url, AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]));
        const label = response.headers['content-type'];
        return { bytes: await readBody(response, maxBytes), contentType: typeof label === 'string' ? label : '' };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw error instanceof LinkError ? error : new LinkError('unreachable', 'The link could not be read', { cause: error });
      }
    },
    async close() {
      await Promise.all([outside.destroy(), inside.destroy()]);
    },
  };
}

async function readBody(response: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = Number(response.headers['content-length'] ?? 0);
  try {
    if (length > maxBytes) throw new LinkError('too-large', `The link has more than ${maxBytes} bytes`);
    length = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maxBytes) throw new LinkError('too-large', `The link has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    discard(response);
  }
}

function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy();
}

/** Makes connections to public addresses alone. The address is checked that is connected to: to ask for it before would be to ask twice. */
function publicConnector(lookup: LookupFunction): buildConnector.connector {
  const refused = () => new LinkError('private', 'The link leads to an address of a private network');
  const publicLookup: LookupFunction = (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (!error && !addresses.every(isPublicAddress)) done(refused(), '', 0);
      else done(error, found, family);
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
  lookup(host, { all: true }, (error, found) => {
    if (error) reject(error);
    else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found]);
  });
  return promise;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** What is not to be reached over the internet: https://www.iana.org/assignments/iana-ipv4-special-registry and the same for IPv6. */
const special4 = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Between a provider and its customers.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local: where clouds have their metadata.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
] as const) {
  special4.addSubnet(net, prefix, 'ipv4');
}
// All that is not global unicast (loopback, link-local, unique local, multicast, …), and what of it is none: tunnels that hold an
// IPv4 address (Teredo, 6to4), and what stands in documentation. A list of its own: one for both takes an IPv4 address for a mapped one.
const special6 = new BlockList();
for (const [net, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special6.addSubnet(net, prefix, 'ipv6');
}

/** An IPv4 address in the clothes of an IPv6 one: mapped, or translated by a NAT64. */
const CLOTHED = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** Can it be reached over the internet, and is it nobody's own? What is no address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special4.check(address, 'ipv4');
  if (family !== 6) return false;
  // As short as it can be written; with a zone it is none that a URL could hold.
  const written = URL.parse(`http://[${address}]`)?.hostname;
  if (written === undefined) return false;
  const [, high, low] = CLOTHED.exec(written) ?? [];
  if (high === undefined || low === undefined) return !special6.check(address, 'ipv6');
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return !special4.check([first >> 8, first & 255, second >> 8, second & 255].join('.'), 'ipv4');
}
