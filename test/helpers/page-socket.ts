// What the page does without a browser: the same socket, the same calls.
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Dispatch, Method, Methods } from '../../src/local/discord/page/protocol.ts';
import { WAIT_MS } from './waiter.ts';

/** Opens a member's socket, which is closed when the test ends. */
export async function openPage(address: string) {
  const { origin, hash } = new URL(address);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/member?user=Robin&key=${hash.slice(1)}`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const dispatches: Dispatch[] = [];
  let packets = 0;
  let calls = 0;
  socket.on('message', (data, isBinary) => {
    // Silence takes 14 bytes of header and 3 of its own.
    if (isBinary) packets += (data as Buffer).length > 17 ? 1 : 0;
    else {
      const message = JSON.parse(String(data));
      if ('t' in message) dispatches.push(message);
      else socket.emit(`reply ${message.id}`, message);
    }
    socket.emit('news');
  });
  const gone = new AbortController();
  socket.once('close', () => gone.abort(new Error('The page’s connection is closed')));
  const next = async (event: string) => {
    const [value] = await once(socket, event, { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(WAIT_MS)]) });
    return value;
  };
  const page = {
    dispatches,
    packets: () => packets,
    async call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
      const id = ++calls;
      socket.send(JSON.stringify({ id, method, params }));
      const reply = await next(`reply ${id}`);
      if ('error' in reply) throw new Error(reply.error);
      return reply.result;
    },
    /** Resolves once it is answered. As a member would, it is done again if no answer came in time, as on a busy machine. */
    async interact<M extends 'run_command' | 'click'>(method: M, params: Methods[M]['params']): Promise<void> {
      const { interaction_id } = await page.call(method, params);
      const endOf = ({ t, d }: Dispatch) =>
        (t === 'INTERACTION_SUCCESS' || t === 'INTERACTION_FAILURE') && d.interaction_id === interaction_id ? t : undefined;
      await page.until(() => dispatches.some(endOf));
      if (!dispatches.some((dispatch) => endOf(dispatch) === 'INTERACTION_SUCCESS')) await page.interact(method, params);
    },
    /** @throws Error at once if the connection closes, as when the program ends */
    async until(enough: () => boolean): Promise<void> {
      while (!enough()) await next('news');
    },
    closed: once(socket, 'close'),
  };
  return page;
}
