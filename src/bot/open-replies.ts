// Notes in the store which replies are still going to change, so that after a kill the next process can correct those that still say
// "Speaking now".
import { type Interaction, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import type { Words } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { readAs, type Store, seal, unseal } from '../store/index.ts';
import type { NoteReply } from './command.ts';
import { describeError } from './error-boundary.ts';

/** The replies to one interaction. Nothing here rejects: a reply that cannot be noted is a reply all the same. */
export interface OpenReplies {
  note: NoteReply;
  /** Notes the reply of a command that still says "thinking", unless one is noted already. */
  noteThinking(): void;
  /** Marks all of them as final. */
  close(): Promise<void>;
}

interface Dependencies {
  words: Words;
  publicWords: Words;
  store: Store;
  /** Seals the tokens of interactions in the store. */
  sealingKey: Uint8Array;
  log: Log;
  /** Id of this process, if others share the store. */
  processId?: string | undefined;
}

/** A reply that an earlier process left behind. */
export interface OpenReply {
  /** Key of its note in the store. */
  key: string;
  interactionId: string;
  channelId: string;
  messageId: string;
  /** Token of the interaction; null if the bot can edit the message with its own. */
  token: string | null;
  /** The language it is in, as `Words.locale`. */
  locale: string;
}

/** A reply as it is in the store. */
const storedReply = z.object({
  channelId: z.string(),
  messageId: z.string(),
  locale: z.string(),
  /** Sealed. */
  token: z.string().optional(),
  processId: z.string().optional(),
});

const PREFIX = 'reply:';
/** Stands for the first reply, by the interaction's token only. */
const ORIGINAL = '@original';
/** Older ones are far up in their channel. */
const KEEP_MS = 30 * 24 * 3600_000;
/** Life of an interaction's token: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages */
const TOKEN_MS = 15 * 60_000;
/** To read one's own message: https://discord.com/developers/docs/resources/message#get-channel-message */
const READ_PERMISSIONS = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

/**
 * The bot can edit a public reply in a channel it can read at any time. Any other can only be changed with the interaction's token, which
 * is stored sealed, for as long as it lives and the reply is not final. https://github.com/discord/discord-api-docs/issues/3090
 */
export function createOpenReplies(
  interaction: Interaction,
  { words, publicWords, store, sealingKey, log, processId }: Dependencies,
): OpenReplies {
  const owner = processId === undefined ? {} : { processId };
  /** The key of each note being written; null if nothing is noted. */
  const notes = new Set<Promise<string | null>>();

  async function write(messageId: string, isPrivate: boolean): Promise<string | null> {
    const { id, token, channelId, createdTimestamp } = interaction;
    // Two processes note the same reply while one hands it over to the other.
    const key = [`${PREFIX}${id}`, messageId, processId ?? []].flat().join(':');
    const { locale } = isPrivate ? words : publicWords;
    if (interaction.inCachedGuild() && !isPrivate && messageId !== ORIGINAL) {
      // If the bot cannot read it, the next press of one of its buttons corrects it.
      if (!interaction.appPermissions.has(READ_PERMISSIONS)) return null;
      await store.set(key, { channelId, messageId, locale, ...owner }, { expiresInMs: KEEP_MS });
      return key;
    }
    const expiresInMs = createdTimestamp + TOKEN_MS - Date.now();
    if (expiresInMs <= 0) return null;
    await store.set(key, { channelId, messageId, locale, token: seal(token, sealingKey), ...owner }, { expiresInMs });
    return key;
  }

  async function remove(note: Promise<string | null>): Promise<void> {
    if (!notes.delete(note)) return;
    const key = await note;
    if (key !== null) await store.delete(key).catch(warn);
  }

  const warn = (error: unknown) => log.warn(describeError(error), 'could not record whether a reply is still open');

  const note: NoteReply = (messageId, isPrivate) => {
    if (messageId == null) return { noted: Promise.resolve(), forget: async () => {} };
    const written = write(messageId, isPrivate).catch((error: unknown) => {
      warn(error);
      return null;
    });
    notes.add(written);
    return { noted: written, forget: () => remove(written) };
  };

  return {
    note,
    noteThinking() {
      if (notes.size === 0 && interaction.isCommand() && interaction.deferred && !interaction.replied)
        note(ORIGINAL, interaction.ephemeral ?? false);
    },
    async close() {
      await Promise.all([...notes].map(remove));
    },
  };
}

/**
 * What processes left behind that no longer run, unless another one goes on with it. Call it before this process notes any reply.
 * @param running ids of processes @throws StoreError
 */
export async function readOpenReplies(
  store: Store,
  { sealingKey, running, log }: { sealingKey: Uint8Array; running: ReadonlySet<string>; log: Log },
): Promise<OpenReply[]> {
  const entries = (await store.list(PREFIX)).flatMap(([key, value]) => {
    const reply = readAs(storedReply, value, log, 'open reply');
    return reply ? [{ key, ...reply }] : [];
  });
  /** `reply:interaction:message`, whichever process has noted it. */
  const replyOf = (key: string) => key.split(':').slice(0, 3).join(':');
  const open = new Set(entries.flatMap(({ key, processId }) => (running.has(processId ?? '') ? [replyOf(key)] : [])));
  return entries.flatMap(({ key, channelId, messageId, locale, token: sealed }) => {
    if (open.has(replyOf(key))) return [];
    const token = sealed === undefined ? null : unseal(sealed, sealingKey);
    // Sealed with another bot token: nobody can correct it.
    return sealed !== undefined && token === null
      ? []
      : [{ key, interactionId: key.split(':')[1] ?? '', channelId, messageId, token, locale }];
  });
}
