// Encrypts what only this bot may read though it travels in public messages or lies in a copied store: links, interaction tokens.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Store } from './types.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key for one purpose, created at first use and kept in the store. @throws StoreError */
export async function loadSealingKey(store: Store, purpose: 'recordings' | 'page'): Promise<Buffer> {
  const storedAt = `secret:${purpose}`;
  if ((await store.get(storedAt)) === null) await store.compareAndSet(storedAt, null, randomBytes(32).toString('base64url'));
  // Read back, since another process may have been faster. Hashed, so that any stored value has the length of a key.
  return createHash('sha256')
    .update(String(await store.get(storedAt)))
    .digest();
}

/** A key for one purpose that no store holds: it comes from the bot's token, is the same in all processes, and changes with the token. */
export function deriveSealingKey(token: string, purpose: 'handover' | 'replies'): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', `parley ${purpose}`, 32));
}

export function seal(text: string, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Null unless it was sealed with this key. */
export function unseal(sealed: string, key: Uint8Array): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
