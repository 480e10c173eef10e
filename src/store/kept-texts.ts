// What the buttons and menus of a message need and it can't show: texts, and other values as JSON. Sealed with a key that only the message
// holds: what is stored can't be read without the message, and is worth nothing once that is deleted.
import { createHash, randomBytes } from 'node:crypto';
import { seal, unseal } from './seal.ts';
import type { Store, Value } from './types.ts';

/** As long as the sound of it may be cached. */
export const KEEP_REPLY_MS = 30 * 24 * 3600_000;
/** Life of a private question: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages */
export const KEEP_QUESTION_MS = 15 * 60_000;
/** 16 characters, since a custom_id has room for little more. */
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

/** The same, and drops it: of several who take it at the same moment, one gets it. @throws StoreError */
export async function takeKeptText(store: Store, memberId: string, key: string): Promise<string | null> {
  const sealed = await readSealed(store, memberId, key);
  const isTaken = sealed !== null && (await store.compareAndSet(nameOf(memberId, key), sealed, null));
  return isTaken ? open(sealed, key) : null;
}

/** Keeps a value that JSON can hold. @returns its key @throws StoreError */
export async function keepValue(store: Store, memberId: string, value: object, expiresInMs: number): Promise<string> {
  const key = createTextKey();
  await keepText(store, memberId, key, JSON.stringify(value), expiresInMs);
  return key;
}

/** Null if it has expired, or its member has deleted it. What it holds may come from another version. @throws StoreError */
export async function readKeptValue(store: Store, memberId: string, key: string): Promise<unknown> {
  return parseJson(await readKeptText(store, memberId, key));
}

/** The same, and drops it, as `takeKeptText`. @throws StoreError */
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

/** What the store's keys of all that is kept for a member begin with. */
export function keptTextsPrefix(memberId: string): string {
  return `text:${memberId}:`;
}

function nameOf(memberId: string, key: string): string {
  return keptTextsPrefix(memberId) + derive('name', key).toString('base64url');
}

function derive(purpose: 'name' | 'seal', key: string): Buffer {
  return createHash('sha256').update(`${purpose}:${key}`).digest();
}
