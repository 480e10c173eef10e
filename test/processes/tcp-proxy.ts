// A TCP proxy on this machine whose connections can be slow, stuck, or broken.

import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createInTurn } from '../../src/async/waiting.ts';
import { listenLocally } from '../helpers/misbehaving-service.ts';

/** @param port on this machine */
export async function startTcpProxy(port: number, { delayMs = 0 } = {}) {
  const sockets = new Set<Socket>();
  let isBroken = false;
  let isStuck = false;
  const server = createServer((near) => {
    if (isBroken) return void near.destroy();
    const far = connect(proxy.target, '127.0.0.1');
    const inTurn = createInTurn();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      if (isStuck) one.pause();
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.on('data', (chunk) => void far.write(chunk));
    far.on('data', (chunk) => {
      const delayed = proxy.delayMs === 0 ? null : sleep(proxy.delayMs, undefined, { ref: false });
      // In order, however the delay changes.
      void inTurn(async () => {
        await delayed;
        if (near.writable) near.write(chunk);
      });
    });
  });
  const { port: ownPort, close } = await listenLocally(server);
  const proxy = {
    port: ownPort,
    /** Milliseconds by which answers are delayed from now on. */
    delayMs,
    /** Where new connections lead, on this machine. */
    target: port,
    /** While true, nothing passes in either direction; it does afterwards. */
    set isStuck(stuck: boolean) {
      isStuck = stuck;
      for (const socket of sockets) stuck ? socket.pause() : socket.resume();
    },
    /** While true, connections are refused; setting it ends those there are. */
    set isBroken(broken: boolean) {
      isBroken = broken;
      if (broken) for (const socket of sockets) socket.destroy();
    },
    close,
  };
  return proxy;
}
