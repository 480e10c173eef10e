// Faults of REST that tests switch on: statuses, resets and silence in place of answers.
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface RestFaults {
  /** Answers the next requests whose `METHOD /path` fits; the first that fits and has `times` left is taken. */
  rest: RestFault[];
}

export interface RestFault {
  match: RegExp;
  times: number;
  /**
   * A status with a body; the answer, after a while; a socket that is reset before the request was read; one that is reset when everything was
   * done and only the answer is lost; no answer at all.
   */
  how: { status: number; retryAfterSeconds?: number } | { delayMs: number } | 'reset' | 'reset after' | 'hang';
}

/** Does to a request what a fault says. @returns whether it was answered, or never will be. */
export async function injectFault(faults: RestFaults, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const name = `${request.method} ${request.url.replaceAll('%40', '@')}`;
  const fault = faults.rest.find(({ match, times }) => times > 0 && match.test(name));
  if (!fault) return false;
  fault.times--;
  if (fault.how === 'reset after') {
    // Nothing of the answer reaches the client: its first byte ends the connection.
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
  if ('delayMs' in fault.how) {
    await setTimeout(fault.how.delayMs);
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
