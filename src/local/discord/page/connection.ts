// The connection to the local Discord: calls and their replies, dispatches, voice packets both ways, and reconnecting.
import type { Dispatch, Method, Methods, Reply } from './protocol.ts';

interface ConnectionEvents {
  onOpen(): void;
  /** Another attempt follows automatically. */
  onLost(): void;
  onDispatch(dispatch: Dispatch): void;
  /** A binary frame; see `decodeHeardPacket`. */
  onHeardPacket(frame: ArrayBuffer): void;
}

type Pending = { resolve(result: unknown): void; reject(error: Error): void };

const MIN_RETRY_MS = 400;
const MAX_RETRY_MS = 5_000;

const pending = new Map<number, Pending>();
let socket: WebSocket | undefined;
let lastId = 0;

/** Connects, and reconnects for as long as the page is open. */
export function connect(events: ConnectionEvents, retryMs = MIN_RETRY_MS): void {
  const opened = new WebSocket(memberUrl('/member', location.origin.replace(/^http/, 'ws')));
  let wait = retryMs;
  opened.binaryType = 'arraybuffer';
  socket = opened;

  opened.addEventListener('open', () => {
    wait = MIN_RETRY_MS;
    events.onOpen();
  });
  opened.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') return events.onHeardPacket(data);
    const message = JSON.parse(data) as Reply | Dispatch;
    if ('t' in message) events.onDispatch(message);
    else settle(message);
  });
  opened.addEventListener('close', () => {
    for (const call of pending.values())
      call.reject(new Error('The connection to the local Discord was lost. Wait until the page has reconnected, then try again.'));
    pending.clear();
    events.onLost();
    setTimeout(() => connect(events, Math.min(wait * 2, MAX_RETRY_MS)), wait);
  });
}

/** @throws Error with a sentence to show to the member */
export function call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
  const line = socket;
  if (line?.readyState !== WebSocket.OPEN) {
    return Promise.reject(
      new Error('There is no connection to the local Discord right now. Wait until the page has reconnected, then try again.'),
    );
  }
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve: (result) => resolve(result as Methods[M]['result']), reject });
    line.send(JSON.stringify({ id, method, params }));
  });
}

/** Beyond this, what the member says is dropped rather than heard late. */
const MAX_BUFFERED_BYTES = 16 * 1024;

/** Sends an Opus packet of the member's, or an empty one when they fall silent. */
export function sendVoicePacket(opus: Uint8Array<ArrayBuffer>): void {
  if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_BUFFERED_BYTES) socket.send(opus);
}

function settle(reply: Reply): void {
  const waiting = pending.get(reply.id);
  pending.delete(reply.id);
  if ('error' in reply) waiting?.reject(new Error(reply.error));
  else waiting?.resolve(reply.result);
}

/** Empty if the page's address has none. */
export function pageKey(): string {
  return location.hash.slice(1);
}

/** Adds the member and the key from the page's own address, `/?user=Ben#KEY`. */
export function memberUrl(path: string, origin: string): string {
  const url = new URL(path, origin);
  const user = new URLSearchParams(location.search).get('user');
  if (user) url.searchParams.set('user', user);
  url.searchParams.set('key', pageKey());
  return url.href;
}
