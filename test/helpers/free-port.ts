// A free port on this machine, for a program that needs to be told one.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from here on to whoever asks for any, as all other tests do: one of them could be taken before it is used. */
const FIRST_GIVEN = 32_768;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_GIVEN - 12_000, FIRST_GIVEN);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
