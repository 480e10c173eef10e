// Fetching what the voice service links to: what may be read, from where, and how much of it.
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSafeFetch, type FetchError, isPublicAddress, type SafeFetch } from '../../src/voice-catalogue/safe-fetch.ts';

const PUBLIC = 'https://voice.example/v2';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server on this machine that counts its connections. */
async function serve(answer: RequestListener) {
  const seen: IncomingHttpHeaders[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    seen.push(request.headers);
    answer(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen, connections: () => connections };
}

function safeFetchFor(serviceUrl: string, lookup?: LookupFunction): SafeFetch {
  const safeFetch = createSafeFetch({ serviceUrl, ...(lookup ? { lookup } : {}) });
  ends.push(() => safeFetch.close());
  return safeFetch;
}

const read = (safeFetch: SafeFetch, address: string, maxBytes = 1000) =>
  safeFetch.read(address, { maxBytes, signal: new AbortController().signal });
const kindOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: FetchError) => error.kind,
  );

/** Resolves any name to these addresses, one per lookup; the last one repeats. */
function names(...addresses: string[]): LookupFunction {
  let asked = 0;
  return (_, options, done) => {
    const address = addresses[Math.min(asked++, addresses.length - 1)] ?? '';
    const family = address.includes(':') ? 6 : 4;
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '169.253.255.255',
    '192.169.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('is true for addresses on the internet: %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::169.254.169.254', '64:ff9b:1::8.8.8.8', '100::1', '2001::1', '2001:db8::1'],
    ...['2002:7f00:1::', '3fff::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
    ...['', 'localhost', '127.1', '0x7f000001'],
  ])('is false for addresses of a machine or a private network: %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('with a public service', () => {
  it.each([
    ['loopback', (port: number) => `http://127.0.0.1:${port}/a`],
    ['a number', (port: number) => `http://2130706433:${port}/a`],
    ['octal', (port: number) => `http://0177.0.0.1:${port}/a`],
    ['the unspecified address', (port: number) => `http://0.0.0.0:${port}/a`],
    ['mapped into IPv6', (port: number) => `http://[::ffff:127.0.0.1]:${port}/a`],
    ['a name of this machine', (port: number) => `http://localhost:${port}/a`],
  ])('never connects to this machine: %s', async (_, address) => {
    const inside = await serve((_, response) => response.end('secret'));
    expect(await kindOf(read(safeFetchFor(PUBLIC), address(inside.port)))).toBe('private');
    expect(inside.connections()).toBe(0);
  });

  it('checks the address that it connects to, which DNS rebinding does not get around', async () => {
    const inside = await serve((_, response) => response.end('secret'));
    const safeFetch = safeFetchFor(`http://voice.example:${inside.port}`, names('8.8.8.8', '127.0.0.1'));
    expect(await kindOf(read(safeFetch, '/a'))).toBe('private');
    expect(await kindOf(read(safeFetch, `http://cdn.example:${inside.port}/a`))).toBe('private');
    expect(inside.connections()).toBe(0);
  });

  it('connects to none of several addresses if one of them is private', async () => {
    const lookup: LookupFunction = (_, { all }, done) =>
      all
        ? done(null, [
            { address: '8.8.8.8', family: 4 },
            { address: '::1', family: 6 },
          ])
        : done(null, '::1', 6);
    expect(await kindOf(read(safeFetchFor('https://8.8.4.4', lookup), 'http://cdn.example/a'))).toBe('private');
  });
});

describe('with a service on this machine', () => {
  it('reads links to the service itself, including relative ones, without sending a key', async () => {
    const service = await serve((request, response) => response.setHeader('content-type', 'audio/mpeg').end(request.url));
    const safeFetch = safeFetchFor(`${service.url}/v2/`);
    for (const [address, path] of [
      ['/samples/a.mp3', '/samples/a.mp3'],
      ['samples/a.mp3', '/v2/samples/a.mp3'],
      [`${service.url}/a?b=c`, '/a?b=c'],
    ] as const) {
      const { bytes, contentType } = await read(safeFetch, address);
      expect([Buffer.from(bytes).toString(), contentType]).toEqual([path, 'audio/mpeg']);
    }
    for (const headers of service.seen) expect(headers.authorization).toBeUndefined();
  });

  it('reads nothing else on this machine, not even by a redirect', async () => {
    const other = await serve((_, response) => response.end('secret'));
    const service = await serve((_, response) => response.writeHead(302, { location: `${other.url}/a` }).end());
    const safeFetch = safeFetchFor(service.url);
    expect(await kindOf(read(safeFetch, `${other.url}/a`))).toBe('private');
    expect(await kindOf(read(safeFetch, '/a'))).toBe('private');
    expect(other.connections()).toBe(0);
  });

  it('also recognizes the service by its name', async () => {
    const service = await serve((_, response) => response.end('here'));
    const safeFetch = safeFetchFor(`http://voice.example:${service.port}`, names('127.0.0.1'));
    expect(Buffer.from((await read(safeFetch, '/a')).bytes).toString()).toBe('here');
    expect(await kindOf(read(safeFetch, `http://other.example:${service.port}/a`))).toBe('private');
  });

  it('follows three redirects but not a fourth', async () => {
    const service = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(307, { location: `/${left - 1}` }).end('elsewhere');
    });
    const safeFetch = safeFetchFor(service.url);
    expect(Buffer.from((await read(safeFetch, '/3')).bytes).toString()).toBe('there');
    expect(await kindOf(read(safeFetch, '/4'))).toBe('unreachable');
  });

  it('reads no more bytes than requested, announced or not', async () => {
    const service = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 2000);
      response.write(Buffer.alloc(1500));
      if (request.url === '/announced') response.end(Buffer.alloc(500));
    });
    const safeFetch = safeFetchFor(service.url);
    expect(await kindOf(read(safeFetch, '/announced'))).toBe('too-large');
    expect(await kindOf(read(safeFetch, '/endless'))).toBe('too-large');
  });

  it('stops at once when the signal is aborted', async () => {
    const service = await serve(() => {});
    const stop = new AbortController();
    const reading = safeFetchFor(service.url).read('/a', { maxBytes: 1, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('says why a link cannot be read', async () => {
    const service = await serve((request, response) =>
      response.writeHead(request.url === '/file' ? 302 : 404, { location: 'file:///etc/passwd' }).end(),
    );
    const safeFetch = safeFetchFor(service.url);
    for (const address of ['', ' ', 'data:audio/mpeg;base64,AA==', 'file:///etc/passwd', 'ftp://cdn.example/a', 'http://a:b@cdn.example/'])
      expect(await kindOf(read(safeFetch, address))).toBe('address');
    expect(await kindOf(read(safeFetch, '/file'))).toBe('address');
    expect(await kindOf(read(safeFetch, '/gone'))).toBe('unreachable');
  });
});
