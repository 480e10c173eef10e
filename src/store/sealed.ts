// Encrypts what only this bot may read, although it is in public messages or a copied store: links, interaction tokens.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Store, Value } from './types.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key for one purpose, created at first use and kept in the store. @throws StoreError */
export async function loadSealingKey(store: Store, purpose: 'recordings' | 'page'): Promise<Buffer> {
  const storedAt = `secret:${purpose}`;
  if ((await store.get(storedAt)) === null) await store.compareAndSet(storedAt, null, randomBytes(32).toString('base64url'));
  // Read back, because another process may have been faster. Hashed, so any stored value has the length of a key.
  return createHash('sha256')
    .update(String(await store.get(storedAt)))
    .digest();
}

/**
 * A key for one purpose that is never stored: it is derived from the bot's token, so all processes have the same, and it changes with the
 * token.
 */
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

// What the buttons and menus of a message need but the message can't show: texts, and other values as JSON. Sealed with a key that only the
// message holds, so what is stored can't be read without the message, and is worthless once that is deleted.

/** As long as its sound may be cached. */
export const KEEP_REPLY_MS = 30 * 24 * 3600_000;
/** Life of a private question: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages */
export const KEEP_QUESTION_MS = 15 * 60_000;
/** 12 bytes take 16 characters; a custom_id has room for little more. */
const KEY_BYTES = 12;

/** A key for one text. */
export function createTextKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** @throws StoreError */
export function keepText(store: Store, memberId: string, key: string, text: string, expiresInMs: number): Promise<void> {
  return store.set(nameOf(memberId, key), seal(text, derive('seal', key)), { expiresInMs });
}

/** Null if it has expired, or its member has deleted it. @throws StoreError */
export async function readKeptText(store: Store, memberId: string, key: string): Promise<string | null> {
  return open(await readSealed(store, memberId, key), key);
}

/** Reads and deletes it: of several calls at the same moment, one gets it. @throws StoreError */
export async function takeKeptText(store: Store, memberId: string, key: string): Promise<string | null> {
  const sealed = await readSealed(store, memberId, key);
  const isTaken = sealed !== null && (await store.compareAndSet(nameOf(memberId, key), sealed, null));
  return isTaken ? open(sealed, key) : null;
}

/** Stores a JSON value, sealed. @returns its key @throws StoreError */
export async function keepValue(store: Store, memberId: string, value: object, expiresInMs: number): Promise<string> {
  const key = createTextKey();
  await keepText(store, memberId, key, JSON.stringify(value), expiresInMs);
  return key;
}

/** Null if it has expired, or its member has deleted it. The value may have been written by another version. @throws StoreError */
export async function readKeptValue(store: Store, memberId: string, key: string): Promise<unknown> {
  return parseJson(await readKeptText(store, memberId, key));
}

/** Reads and deletes it, like `takeKeptText`. @throws StoreError */
export async function takeKeptValue(store: Store, memberId: string, key: string): Promise<unknown> {
  return parseJson(await takeKeptText(store, memberId, key));
}

function parseJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

async function readSealed(store: Store, memberId: string, key: string): Promise<Value> {
  return /^\d+$/.test(memberId) ? store.get(nameOf(memberId, key)) : null;
}

function open(sealed: Value, key: string): string | null {
  return typeof sealed === 'string' ? unseal(sealed, derive('seal', key)) : null;
}

/** Prefix of the store's keys of everything kept for a member. */
export function keptTextsPrefix(memberId: string): string {
  return `text:${memberId}:`;
}

function nameOf(memberId: string, key: string): string {
  return keptTextsPrefix(memberId) + derive('name', key).toString('base64url');
}

function derive(purpose: 'name' | 'seal', key: string): Buffer {
  return createHash('sha256').update(`${purpose}:${key}`).digest();
}
