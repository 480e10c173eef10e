// What the page does without a browser: the same socket, the same calls.
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Dispatch, Method, Methods } from '../../src/local/discord/page/protocol.ts';
import type { Program } from './program.ts';
import { WAIT_MS } from './waiter.ts';

/** The page's address. */
export async function pageOf(program: Program): Promise<string> {
  return (await program.line(/^Parley is ready: open/)).split(' ').at(-1) ?? '';
}

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
  return {
    dispatches,
    packets: () => packets,
    async call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
      const id = ++calls;
      socket.send(JSON.stringify({ id, method, params }));
      const [reply] = await once(socket, `reply ${id}`);
      if ('error' in reply) throw new Error(reply.error);
      return reply.result;
    },
    async until(enough: () => boolean): Promise<void> {
      const signal = AbortSignal.timeout(WAIT_MS);
      while (!enough()) await once(socket, 'news', { signal });
    },
    closed: once(socket, 'close'),
  };
}
