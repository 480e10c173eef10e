// When the gateways send Hello.
import type { WebSocket } from 'ws';

/** Roughly one trip across the internet. */
export const HELLO_DELAY_MS = 20;

/**
 * Sends Hello shortly after the upgrade response, as a distant server would: some WebSocket libraries lose a frame that arrives in the
 * same packet as the response.
 */
export function scheduleHello(socket: WebSocket, send: () => void): void {
  const timer = setTimeout(send, HELLO_DELAY_MS);
  socket.once('close', () => clearTimeout(timer));
}
