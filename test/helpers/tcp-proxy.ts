// A TCP proxy on this machine whose connection can be slow, or broken.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Milliseconds by which answers are delayed from now on. */
  delayMs: number;
  /** While true, connections are refused; setting it ends those there are. */
  isBroken: boolean;
  close(): Promise<void>;
}

/** @param port on this machine */
export async function startTcpProxy(port: number, { delayMs = 0 }: { delayMs?: number } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isBroken = false;
  const server = createServer((near) => {
    if (isBroken) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.on('data', (chunk) => void far.write(chunk));
    far.on('data', (chunk) => {
      if (proxy.delayMs === 0) near.write(chunk);
      else setTimeout(() => near.writable && near.write(chunk), proxy.delayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs,
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
