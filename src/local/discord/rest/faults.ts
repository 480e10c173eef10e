// Faults that tests inject into REST: error statuses, delays, connection resets and requests that are never answered.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Applies to the next `times` requests whose `METHOD /path` matches. */
export interface RestFault {
  match: RegExp;
  times: number;
  /**
   * - a status;
   * - `until` this has resolved nothing, then the usual response;
   * - `reset`: the connection is reset before the request is handled;
   * - `reset after`: the request is handled, but the connection is reset instead of answering;
   * - `hang`: no response at all.
   */
  how: { status: number; retryAfterSeconds?: number } | { until: Promise<unknown> } | 'reset' | 'reset after' | 'hang';
}

/** Injects the first matching fault. @returns whether it took the place of the response */
export async function injectFault(faults: RestFault[], request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const name = `${request.method} ${request.url.replaceAll('%40', '@')}`;
  const fault = faults.find(({ match, times }) => times > 0 && match.test(name));
  if (!fault) return false;
  fault.times--;
  if (fault.how === 'reset after') {
    // The first byte of the response resets the connection.
    reply.raw.writeHead = () => {
      request.raw.socket.resetAndDestroy();
      return reply.raw;
    };
    return false;
  }
  if (fault.how === 'reset' || fault.how === 'hang') {
    reply.hijack();
    if (fault.how === 'reset') request.raw.socket.resetAndDestroy();
    return true;
  }
  if ('until' in fault.how) {
    await fault.how.until;
    return false;
  }
  const { status, retryAfterSeconds } = fault.how;
  const body = { message: status === 429 ? 'You are being rate limited.' : `${status}: a fault`, code: 0 };
  if (retryAfterSeconds === undefined) reply.code(status).send(body);
  else
    reply
      .code(status)
      .headers({ 'retry-after': String(retryAfterSeconds), 'x-ratelimit-scope': 'user' })
      .send({ ...body, retry_after: retryAfterSeconds, global: false });
  return true;
}
