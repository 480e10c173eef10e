// Replies that are still to change, noted in the store: what a killed process left behind must not say "Speaking now" for ever.
import { type Interaction, PermissionFlagsBits } from 'discord.js';
import type { Log } from '../log.ts';
import { loadSealingKey, type Store, seal, unseal } from '../store/index.ts';
import type { NoteReply } from './command.ts';
import { describeError } from './error-boundary.ts';

/** The replies to one interaction. None of it ever rejects: a reply that cannot be noted is a reply all the same. */
export interface OpenReplies {
  note: NoteReply;
  /** All of them are final. */
  close(): Promise<void>;
}

/** One that an earlier process left behind. */
export interface OpenReply {
  /** In the store. */
  key: string;
  channelId: string;
  messageId: string;
  /** Of its interaction; null where my own token does, or where it cannot be read. */
  token: string | null;
}

const PREFIX = 'reply:';
/** What is older is far up in its channel. */
const KEPT_MS = 30 * 24 * 3600_000;
/** Life of an interaction's token: https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
const TOKEN_MS = 15 * 60_000;
/** To read a message of mine: https://docs.discord.com/developers/resources/message#get-channel-message */
const TO_READ = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

/**
 * A public reply in a channel that I see is mine to change at any time. Of any other, an interaction's token is all that can change it
 * after a restart: it is kept sealed, as long as it lives and the reply is not final.
 * https://github.com/discord/discord-api-docs/issues/3090
 */
export function createOpenReplies(interaction: Interaction, store: Store, log: Log): OpenReplies {
  const noted: Promise<string | null>[] = [];

  async function write(messageId: string, isPrivate: boolean): Promise<string | null> {
    const { id, token, channelId, createdTimestamp } = interaction;
    const isInGuild = interaction.inCachedGuild();
    const key = `${PREFIX}${id}:${messageId}`;
    if (isInGuild && !isPrivate) {
      // Elsewhere the next press of one of its buttons corrects it.
      if (!interaction.appPermissions.has(TO_READ)) return null;
      await store.set(key, { channelId, messageId }, { expiresInMs: KEPT_MS });
      return key;
    }
    const left = createdTimestamp + TOKEN_MS - Date.now();
    if (left <= 0) return null;
    const sealed = seal(token, await loadSealingKey(store, 'replies'));
    await store.set(key, { channelId, messageId, token: sealed }, { expiresInMs: left });
    return key;
  }

  async function forget(written: Promise<string | null>): Promise<void> {
    const key = await written;
    if (key !== null) await store.delete(key).catch(warn);
  }

  const warn = (error: unknown) => log.warn(describeError(error), 'a reply could not be noted as open, or as final');

  return {
    note(messageId, isPrivate) {
      if (messageId == null) return async () => {};
      const written = write(messageId, isPrivate).catch((error: unknown) => {
        warn(error);
        return null;
      });
      noted.push(written);
      return async () => {
        const place = noted.indexOf(written);
        if (place < 0) return;
        noted.splice(place, 1);
        await forget(written);
      };
    },
    async close() {
      await Promise.all(noted.splice(0).map(forget));
    },
  };
}

/** What an earlier process left behind. To be called before any reply of this one is noted. Rejects with StoreError. */
export async function readOpenReplies(store: Store): Promise<OpenReply[]> {
  const entries = await store.list(PREFIX);
  if (entries.length === 0) return [];
  const secret = await loadSealingKey(store, 'replies');
  return entries.flatMap(([key, value]) => {
    const { channelId, messageId, token: sealed } = value as { channelId: string; messageId: string; token?: string };
    const token = sealed === undefined ? null : unseal(sealed, secret);
    // Sealed with another key: nobody can do anything about it.
    return sealed !== undefined && token === null ? [] : [{ key, channelId, messageId, token }];
  });
}
