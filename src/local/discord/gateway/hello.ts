// When a gateway says hello.
import type { WebSocket } from 'ws';

/** About one way through the internet, in ms. */
const HELLO_DELAY = 20;

/**
 * Says hello a little after the upgrade was answered, as a distant server would. Some WebSocket libraries lose a frame that arrives in the
 * same packet as the answer.
 */
export function sayHello(socket: WebSocket, say: () => void): void {
  const timer = setTimeout(say, HELLO_DELAY);
  socket.once('close', () => clearTimeout(timer));
}
