// Texts that a reply can't show word for word, kept for its menu: sealed with a key that only the message holds. So what is stored can't be
// read without the message, and is worth nothing once that is deleted.
import { createHash, randomBytes } from 'node:crypto';
import { seal, unseal } from './seal.ts';
import type { Store, Value } from './types.ts';

/** As long as the sound of it may be cached. */
export const KEEP_REPLY_MS = 30 * 24 * 3600_000;
/** Life of a private question: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages */
export const KEEP_QUESTION_MS = 15 * 60_000;
/** 16 characters, since a custom_id has room for little more. */
const KEY_BYTES = 12;

/** Keeps the text of a plan for the buttons of its reply, if they can't read it there. @throws StoreError */
export async function keepTextOf(
  { textKey, request }: { textKey: string | null; request: { text: string } },
  { user }: { user: { id: string } },
  { store }: { store: Store },
  expiresInMs: number,
): Promise<void> {
  if (textKey !== null) await keepText(store, user.id, textKey, request.text, expiresInMs);
}

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
  const isTaken = sealed !== null && (await store.replace(nameOf(memberId, key), sealed, null));
  return isTaken ? open(sealed, key) : null;
}

async function readSealed(store: Store, memberId: string, key: string): Promise<Value> {
  return /^\d+$/.test(memberId) ? store.get(nameOf(memberId, key)) : null;
}

function open(sealed: Value, key: string): string | null {
  return typeof sealed === 'string' ? unseal(sealed, derive('seal', key)) : null;
}

/** What the store's keys of a member's texts begin with. */
export function keptTextsPrefix(memberId: string): string {
  return `text:${memberId}:`;
}

function nameOf(memberId: string, key: string): string {
  return keptTextsPrefix(memberId) + derive('name', key).toString('base64url');
}

function derive(purpose: 'name' | 'seal', key: string): Buffer {
  return createHash('sha256').update(`${purpose}:${key}`).digest();
}
