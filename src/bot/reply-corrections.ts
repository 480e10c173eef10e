// Corrects the replies that killed processes left behind: those that still say something is going on, or offer to stop it.
import { type APIMessage, type Client, DiscordAPIError, MessageFlags, Routes } from 'discord.js';
import { type Words, wordsFor } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import { asEdit, notice } from './cards.ts';
import type { Command } from './command.ts';
import { describeError } from './error-boundary.ts';
import { type OpenReply, readOpenReplies } from './open-replies.ts';

interface CorrectionDependencies {
  /** All processes that run, by their ids; absent = this one has no others. */
  processes?: (() => Promise<{ id: string }[]>) | undefined;
  /** Ids of interactions that wait for a process to go on with them, which don't wait for long; absent = there are no others. */
  handedOver?: (() => Promise<ReadonlySet<string>>) | undefined;
  client: Client<true>;
  commands: Command<never>[];
  store: Store;
  /** Seals the tokens of interactions in the store. */
  sealingKey: Uint8Array;
  log: Log;
  /** Aborted when the bot shuts down; what is left is corrected by the next process. */
  signal: AbortSignal;
}

export interface ReplyCorrections {
  /** What processes that no longer run have left behind. Call it before this process notes any reply. Never rejects. */
  list(): Promise<OpenReply[]>;
  /** Corrects one reply at a time, to leave Discord's rate limits to members. Never rejects. */
  correct(replies: OpenReply[]): Promise<void>;
}

/** Milliseconds. */
const CLAIM_MS = 60_000;
/** Between two looks while a reply may still be gone on with, in milliseconds. */
const POLL_INTERVAL_MS = 15_000;

export function createReplyCorrections(dependencies: CorrectionDependencies): ReplyCorrections {
  const { processes, handedOver, store, sealingKey, log, signal } = dependencies;
  let lookingAgain: NodeJS.Timeout | undefined;

  async function list(): Promise<OpenReply[]> {
    try {
      const running = new Set((await processes?.())?.map(({ id }) => id));
      // First: whoever takes one notes its reply before.
      const waiting = await handedOver?.();
      const replies = await readOpenReplies(store, { sealingKey, running, log });
      const left = replies.filter(({ interactionId }) => !waiting?.has(interactionId));
      if (left.length < replies.length) lookAgain();
      return left;
    } catch (error) {
      log.warn(describeError(error), 'could not correct the replies that an earlier process left unfinished');
      return [];
    }
  }

  /** Nobody may have gone on with what waits. */
  function lookAgain(): void {
    clearTimeout(lookingAgain);
    lookingAgain = setTimeout(async () => signal.aborted || correct(await list()), POLL_INTERVAL_MS).unref();
  }

  const correct = (replies: OpenReply[]) => correctReplies(replies, dependencies);
  return { list, correct };
}

async function correctReplies(replies: OpenReply[], { client, commands, store, log, signal }: CorrectionDependencies): Promise<void> {
  for (const reply of replies) {
    if (signal.aborted) return;
    // One of several processes is enough.
    const hasClaimed = await store.compareAndSet(`correcting:${reply.key}`, null, true, { expiresInMs: CLAIM_MS }).catch(() => false);
    if (!hasClaimed) continue;
    try {
      await correctReply(reply, client, commands);
    } catch (error) {
      log.warn(describeError(error), 'could not correct a reply that an earlier process left unfinished');
      // Discord may work again at the next start, but what it refuses now it will refuse then.
      if (!(error instanceof DiscordAPIError)) continue;
    }
    await store.delete(reply.key).catch((error: unknown) => log.warn(describeError(error), 'a corrected reply is still noted as open'));
  }
}

async function correctReply(
  { channelId, messageId, token, locale }: OpenReply,
  { rest, application }: Client<true>,
  commands: CorrectionDependencies['commands'],
): Promise<void> {
  const route = token === null ? Routes.channelMessage(channelId, messageId) : Routes.webhookMessage(application.id, token, messageId);
  const auth = token === null;
  const message = (await rest.get(route, { auth })) as APIMessage;
  const body = findCorrection(message, commands, wordsFor(locale));
  if (body) await rest.patch(route, { auth, body });
}

/** The fields to change; null if the reply was final and only its note was left. */
function findCorrection(message: APIMessage, commands: CorrectionDependencies['commands'], t: Words): object | null {
  if ((message.flags ?? 0) & MessageFlags.Loading) return asEdit(notice(t.general.interruptedByRestart));
  for (const { afterRestart } of commands) {
    const correction = afterRestart?.(message, t);
    if (correction) return correction;
  }
  return null;
}
