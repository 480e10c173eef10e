// Who comes in: requests of this machine's own programs, with a key that counts, and not too many at once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './http-error.ts';
import type { Limits } from './limits.ts';
import type { Wallet } from './wallet.ts';

/** A call that was let in. */
export interface Call {
  userId: string;
  /** Aborts when the client leaves before it has its answer. */
  signal: AbortSignal;
  /** Gives the call's place to another one; called when its answer is complete, before its last byte leaves. */
  release(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the door let it in, and on the paths that need no key. */
    call: Call | null;
  }
}

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Refuses what another web site could send through a browser on this machine: a `Host` that is not this service's own (DNS
 * rebinding) and an `Origin` that is not on this machine. `host` is what the service listens on; on a wildcard address any
 * `Host` may be meant.
 */
export function guardOrigin(app: FastifyInstance, host: string): void {
  const wildcard = host === '0.0.0.0' || host === '::';
  const isOurs = (name: string) => loopbackName.test(name) || name.toLowerCase() === host.toLowerCase();
  app.addHook('onRequest', async (request) => {
    const named = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (!wildcard && !isOurs(named)) throw refuse(403, 'This service answers to its own address only: use the one it printed at start.');
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin === undefined) {
      // Pictures and sounds in other pages are asked for without an origin: https://w3c.github.io/webappsec-fetch-metadata/
      if (site === 'cross-site') throw refuse(403, 'Pages of other sites may not use this service.');
      return;
    }
    const from = URL.canParse(origin) ? new URL(origin).hostname : '';
    if (!isOurs(from)) throw refuse(403, 'Pages of other sites may not use this service.');
  });
}

/** Lets in calls with a key that counts, at most `limits.callsPerKey` at once of each. */
export function requireKey(app: FastifyInstance, wallet: Wallet, limits: Limits): void {
  const inFlight = new Map<string, number>();

  const enter = (keyId: string) => {
    const count = inFlight.get(keyId) ?? 0;
    if (count >= limits.callsPerKey)
      throw refuse(429, `This key has ${count} calls in flight already. Wait for one of them to end.`, { 'retry-after': '1' });
    inFlight.set(keyId, count + 1);
    let entered = true;
    return () => {
      if (!entered) return;
      entered = false;
      const left = (inFlight.get(keyId) ?? 1) - 1;
      if (left === 0) inFlight.delete(keyId);
      else inFlight.set(keyId, left);
    };
  };

  app.addHook('onRequest', async (request, reply) => {
    const { keyId, userId } = authenticate(request, wallet);
    const release = enter(keyId);
    request.call = { userId, release, signal: signalOfLeaving(reply) };
    reply.raw.once('close', release);
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    // A stream releases its own place at its end.
    if (typeof payload === 'string' || payload == null) request.call?.release();
  });
}

/**
 * The user whose key the request carries, for paths where a key is welcome and not required.
 * @throws Refusal 401 for a key that is wrong or has expired
 */
export function authenticate(request: FastifyRequest, wallet: Wallet): { keyId: string; userId: string } {
  const refused = (message: string) => refuse(401, message, { 'www-authenticate': 'Bearer' });
  const header = request.headers.authorization;
  if (header === undefined) throw refused('The request carries no API key: send the header "Authorization: Bearer <API_KEY>".');
  const key = /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (key === undefined) throw refused('The Authorization header is not right: send "Authorization: Bearer <API_KEY>".');
  const found = wallet.findKey(key);
  if (!found) throw refused('The API key is not known here. Check it for missing characters, or make a new one.');
  if (found.expired) throw refused('The API key has expired. Make a new one.');
  return found;
}

/** The call of a request behind the door. */
export function callOf(request: FastifyRequest): Call {
  if (!request.call) throw new Error('A route that needs a key stands outside the door.');
  return request.call;
}

function signalOfLeaving(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort();
  });
  return left.signal;
}
