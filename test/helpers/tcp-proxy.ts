// A TCP proxy on this machine whose connections can be slow, stuck, or broken.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TcpProxy {
  port: number;
  /** Milliseconds by which answers are delayed from now on. */
  delayMs: number;
  /** While true, connections are refused; setting it ends those there are. */
  isBroken: boolean;
  /** While true, nothing passes in either direction; it does afterwards. */
  isStuck: boolean;
  /** Where new connections lead, on this machine. */
  target: number;
  close(): Promise<void>;
}

/** @param port on this machine */
export async function startTcpProxy(port: number, { delayMs = 0 }: { delayMs?: number } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isBroken = false;
  let isStuck = false;
  const server = createServer((near) => {
    if (isBroken) return void near.destroy();
    const far = connect(proxy.target, '127.0.0.1');
    let answered = Promise.resolve();
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
      answered = answered.then(async () => {
        await delayed;
        if (near.writable) near.write(chunk);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs,
    target: port,
    get isStuck() {
      return isStuck;
    },
    set isStuck(stuck) {
      isStuck = stuck;
      for (const socket of sockets) stuck ? socket.pause() : socket.resume();
    },
    get isBroken() {
      return isBroken;
    },
    set isBroken(broken) {
      isBroken = broken;
      if (broken) for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
