// Our own messages with somebody's words in a channel, which may be an archived thread, and what it means if Discord refuses one.
import { randomBytes } from 'node:crypto';
import { type APIMessage, type APIThreadChannel, type Client, RESTJSONErrorCodes as Code, DiscordAPIError, Routes } from 'discord.js';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';

/** All methods reject with DiscordAPIError and the like. What they change in an archived thread brings it back, unless it is locked. */
export interface WordsChannel {
  readonly id: string;
  /** Resolves with the id of the message. */
  send(content: string): Promise<string>;
  edit(messageId: string, content: string): Promise<void>;
  /** Does nothing if it is gone, or its channel is. */
  delete(messageId: string): Promise<void>;
  /** The text of a message of ours; null if it is gone. */
  read(messageId: string): Promise<string | null>;
  /** Our messages among the 100 after this one, the oldest first, and after which there are more; null = there are none. */
  listAfter(messageId: string): Promise<{ messages: APIMessage[]; next: string | null }>;
  /** Makes a change that discord.js has a method for. */
  change<T>(act: () => Promise<T>): Promise<T>;
  /** Archives the thread again if it was brought back here. Never rejects. */
  archiveAgain(): Promise<void>;
}

/** Discord's limit for a page. */
const PAGE = 100;

export function openWordsChannel(client: Client<true>, channelId: string, log: Log): WordsChannel {
  const { rest } = client;
  let isBroughtBack = false;

  async function change<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (codeOf(error) !== Code.InvalidActionOnArchivedThread) throw error;
      const { thread_metadata: thread } = (await rest.get(Routes.channel(channelId))) as APIThreadChannel;
      // Nobody should write in a locked thread.
      if (thread?.locked) throw error;
      await rest.patch(Routes.channel(channelId), { body: { archived: false } });
      isBroughtBack = true;
      return act();
    }
  }

  const isOurs = ({ author }: APIMessage) => author.id === client.user.id;
  /** A message with somebody's words notifies nobody. */
  const bodyOf = (content: string) => ({ body: { content, allowed_mentions: { parse: [] } } });

  return {
    id: channelId,
    change,
    async send(content) {
      const { nonce, enforceNonce } = sentOnce();
      const body = { ...bodyOf(content).body, nonce, enforce_nonce: enforceNonce };
      return ((await change(() => rest.post(Routes.channelMessages(channelId), { body }))) as APIMessage).id;
    },
    async edit(messageId, content) {
      await change(() => rest.patch(Routes.channelMessage(channelId, messageId), bodyOf(content)));
    },
    async delete(messageId) {
      await change(() => rest.delete(Routes.channelMessage(channelId, messageId))).catch((error: unknown) => {
        if (!isGone(error) && !isChannelGone(error)) throw error;
      });
    },
    async read(messageId) {
      try {
        const message = (await rest.get(Routes.channelMessage(channelId, messageId))) as APIMessage;
        return isOurs(message) ? message.content : null;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    async listAfter(messageId) {
      const query = new URLSearchParams({ after: messageId, limit: String(PAGE) });
      const messages = (await rest.get(Routes.channelMessages(channelId), { query })) as APIMessage[];
      messages.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      return { messages: messages.filter(isOurs), next: messages.length < PAGE ? null : (messages.at(-1)?.id ?? null) };
    },
    async archiveAgain() {
      if (!isBroughtBack) return;
      isBroughtBack = false;
      await rest
        .patch(Routes.channel(channelId), { body: { archived: true } })
        .catch((error: unknown) => log.debug(describeError(error), 'could not archive a thread again'));
    },
  };
}

/** Has Discord post a message once, though discord.js sends it again if the connection is lost. Discord allows 25 characters. */
export function sentOnce(): { nonce: string; enforceNonce: true } {
  return { nonce: randomBytes(12).toString('hex'), enforceNonce: true };
}

function codeOf(error: unknown): number | string | null {
  return error instanceof DiscordAPIError ? error.code : null;
}

/** The message is gone. */
export function isGone(error: unknown): boolean {
  return codeOf(error) === Code.UnknownMessage;
}

/** The channel is gone, or its server. */
export function isChannelGone(error: unknown): boolean {
  return codeOf(error) === Code.UnknownChannel || codeOf(error) === Code.UnknownGuild;
}

const LOCKED: unknown[] = [Code.InvalidActionOnArchivedThread, Code.ThreadLocked];
const FORBIDDEN: unknown[] = [Code.MissingAccess, Code.MissingPermissions];

/** Nothing can be written there any more. */
export function isLost(error: unknown): boolean {
  return isChannelGone(error) || [...LOCKED, ...FORBIDDEN].includes(codeOf(error));
}

/** Discord will never take this text, there at least. */
export function isRefused(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 400 && !LOCKED.includes(error.code);
}

/** Discord has refused it, so nothing was changed. */
export function isAnswered(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status < 500;
}

/** Why something couldn't be deleted. */
export type Obstacle = 'locked' | 'forbidden' | 'failed';

export function obstacleOf(error: unknown): Obstacle {
  if (LOCKED.includes(codeOf(error))) return 'locked';
  return FORBIDDEN.includes(codeOf(error)) ? 'forbidden' : 'failed';
}
