// Who may call the service: programs of this machine, with a valid key, and a limited number of concurrent calls.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpError } from './http-error.ts';
import type { Limits } from './limits.ts';
import type { Manners } from './manners.ts';
import type { Wallet } from './wallet.ts';

/** An authenticated call. */
export interface Call {
  userId: string;
  /** Aborts if the client disconnects before it has the whole response. */
  signal: AbortSignal;
  /** No longer counts the call as in flight. Called before the last byte of the response is sent. */
  release(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the key was checked, and on the paths that need none. */
    call: Call | null;
  }
}

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Rejects what another web site could send through a browser on this machine: a `Host` that is not this service's own (DNS
 * rebinding) and an `Origin` that is not on this machine.
 */
export function checkOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const requestHost = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (!LOOPBACK_NAME.test(requestHost))
      throw httpError(403, 'This service answers to its own address only: use the one it printed at start.');
    const { origin, 'sec-fetch-site': site } = request.headers;
    // Browsers load the images and sounds of other pages without an origin: https://w3c.github.io/webappsec-fetch-metadata/
    const isForeign = origin === undefined ? site === 'cross-site' : !LOOPBACK_NAME.test(URL.parse(origin)?.hostname ?? '');
    if (isForeign) throw httpError(403, 'Pages of other sites may not use this service.');
  });
}

interface CallOptions {
  wallet: Wallet;
  limits: Limits;
  manners: Manners;
}

/** Requires a valid key, and allows each key `limits.callsPerKey` concurrent calls, or each account what it has paid for. */
export function requireKey(app: FastifyInstance, { wallet, limits, manners }: CallOptions): void {
  const inFlight = new Map<string, number>();

  const countCall = (reply: FastifyReply, { keyId, userId }: Authenticated) => {
    const perAccount = manners.callsPerAccount(wallet.paidIn(userId));
    const counted = perAccount === null ? keyId : userId;
    const limit = perAccount ?? limits.callsPerKey;
    const count = inFlight.get(counted) ?? 0;
    if (perAccount !== null)
      reply.headers({ 'ratelimit-limit-concurrency': limit, 'ratelimit-current-concurrency': Math.min(count + 1, limit) });
    if (count >= limit)
      throw httpError(429, `This key has ${count} calls in flight already. Wait for one of them to end.`, { 'retry-after': '1' });
    inFlight.set(counted, count + 1);
    let isInFlight = true;
    return () => {
      if (!isInFlight) return;
      isInFlight = false;
      const left = (inFlight.get(counted) ?? 1) - 1;
      if (left === 0) inFlight.delete(counted);
      else inFlight.set(counted, left);
    };
  };

  app.addHook('onRequest', async (request, reply) => {
    const authenticated = authenticate(request, wallet);
    const { userId } = authenticated;
    const release = countCall(reply, authenticated);
    request.call = { userId, release, signal: abortOnDisconnect(reply) };
    reply.raw.once('close', release);
    const { url = '' } = request.routeOptions;
    if (manners.paysFirst(url, request.headers.model?.toString()) && wallet.balance(userId) === 0n)
      throw httpError(402, 'The API credit is used up. Add credit.');
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    // A stream releases its call at its own end.
    if (typeof payload === 'string' || payload == null) request.call?.release();
  });
}

interface Authenticated {
  keyId: string;
  userId: string;
}

/**
 * Returns the user of the request's key.
 * @throws HttpError 401 for a key that is missing, unknown or expired
 */
export function authenticate(request: FastifyRequest, wallet: Wallet): Authenticated {
  const unauthorized = (message: string) => httpError(401, message, { 'www-authenticate': 'Bearer' });
  const header = request.headers.authorization;
  if (header === undefined) throw unauthorized('The request carries no API key: send the header "Authorization: Bearer <API_KEY>".');
  const key = /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized('The Authorization header is not right: send "Authorization: Bearer <API_KEY>".');
  const user = wallet.findKey(key);
  if (!user) throw unauthorized('The API key is not known here. Check it for missing characters, or make a new one.');
  if (user.expired) throw unauthorized('The API key has expired. Make a new one.');
  return user;
}

/** The call of a request on a path that needs a key. */
export function callOf(request: FastifyRequest): Call {
  if (!request.call) throw new Error('This route is registered outside requireKey.');
  return request.call;
}

function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
