// Who may use the local Discord: programs on this machine, and its own page with the key.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Compares in constant time. */
export function isKeyEqual(candidate: string | null | undefined, key: string): boolean {
  const [candidateBytes, keyBytes] = [Buffer.from(candidate ?? ''), Buffer.from(key)];
  return candidateBytes.length === keyBytes.length && timingSafeEqual(candidateBytes, keyBytes);
}

/** Whether a request comes from another site's page: by its script (`Origin`), or by a name that resolves to loopback (`Host`). */
export function isForeign({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (host !== '127.0.0.1' && host !== 'localhost') return true;
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
