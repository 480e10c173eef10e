// Notes in the store which replies are still going to change, and what each of them is, so that after a kill the next process can correct
// those that still say "Speaking now". What members wrote, and what their files are called, is in the reply itself, and not noted again.
import { type APIMessage, type Client, DiscordAPIError, type Interaction, MessageFlags, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import { keepTrying } from '../async/waiting.ts';
import { asEdit, notice } from '../discord/cards.ts';
import type { NotedReply, NoteReply, ReplyKind } from '../discord/command.ts';
import { describeError } from '../discord/errors.ts';
import { type Translator, translatorFor } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { interruptedReply } from '../say/message.ts';
import { readAs, type Store, seal, unseal, whileStoreFails } from '../store/index.ts';
import { interruptedTranscript } from '../transcription/message.ts';
import type { NoteVoiceMessage } from '../transcription/voice-messages/options.ts';
import type { OpenVoiceMessage, VoiceMessages } from '../transcription/voice-messages/types.ts';
import { interruptedOwnVoice } from '../voice-catalogue/own-voice-views.ts';

/** How to correct a reply of each kind after its process was killed: returns the fields to change, or null if the reply was final. */
const interrupted: Record<ReplyKind, (reply: Pick<APIMessage, 'components'>, t: Translator) => object | null> = {
  say: interruptedReply,
  transcript: interruptedTranscript,
  'own-voice': interruptedOwnVoice,
  // Whatever it says by now is final.
  thinking: () => null,
};

/** Members' own messages that are being answered: another process continues with them, once. */
const VOICE_MESSAGE_KINDS = ['voice-message', 'voice-message-again'] as const;

type NotedKind = ReplyKind | (typeof VOICE_MESSAGE_KINDS)[number];

/** Notes the replies to one interaction. Nothing here rejects: a reply works even if it cannot be noted. */
export interface OpenReplies {
  note: NoteReply;
  /** Notes the reply of a command that still says "thinking", unless one is noted already. */
  noteThinking(): void;
  /** Marks all of them as final. */
  close(): Promise<void>;
}

interface Dependencies {
  t: Translator;
  publicT: Translator;
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
  /** Null if it was noted by a version that didn't note it. */
  kind: NotedKind | null;
  /** For an unanswered voice message, that message's id. */
  interactionId: string;
  channelId: string;
  messageId: string;
  /** Token of the interaction; null if the bot can edit the message with its own. */
  token: string | null;
  /** The language it is in, as `Translator.locale`. */
  locale: string;
}

/** A reply as it is in the store, under `reply:interaction:message`, or `reply:interaction:message:process`. */
const storedReply = z.object({
  /** The first version didn't note it. */
  kind: z.literal([...(Object.keys(interrupted) as ReplyKind[]), ...VOICE_MESSAGE_KINDS]).optional(),
  channelId: z.string(),
  locale: z.string(),
  /** Sealed. */
  token: z.string().optional(),
  processId: z.string().optional(),
});

const PREFIX = 'reply:';
/** Stands for the id of the first reply, which can only be reached with the interaction's token. */
const ORIGINAL = '@original';
/** Nobody looks at older ones, far up in their channel. */
const KEEP_MS = 30 * 24 * 3600_000;
/** Life of an interaction's token: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages */
const TOKEN_MS = 15 * 60_000;
/** What the bot needs to read its own message: https://discord.com/developers/docs/resources/message#get-channel-message */
const READ_PERMISSIONS = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

/**
 * The bot can edit a public reply in a channel it can read at any time. Any other can only be changed with the interaction's token, which
 * is stored sealed, until it expires or the reply is final. https://github.com/discord/discord-api-docs/issues/3090
 */
export function createOpenReplies(interaction: Interaction, { t, publicT, store, sealingKey, log, processId }: Dependencies): OpenReplies {
  const owner = processId === undefined ? {} : { processId };
  // Not compared with Discord's clock: this machine's may be wrong.
  const arrivedAt = performance.now();
  const notes: NotedReply[] = [];

  async function write(key: string, kind: ReplyKind, messageId: string, isPrivate: boolean): Promise<void> {
    const { token, channelId } = interaction;
    const { locale } = isPrivate ? t : publicT;
    if (interaction.inCachedGuild() && !isPrivate && messageId !== ORIGINAL) {
      // If the bot cannot read it, the next press of one of its buttons corrects it.
      if (interaction.appPermissions.has(READ_PERMISSIONS))
        await store.set(key, { kind, channelId, locale, ...owner }, { expiresInMs: KEEP_MS });
      return;
    }
    const expiresInMs = TOKEN_MS - (performance.now() - arrivedAt);
    if (expiresInMs > 0) await store.set(key, { kind, channelId, locale, token: seal(token, sealingKey), ...owner }, { expiresInMs });
  }

  const note: NoteReply = (kind, id, isPrivate) => {
    // Discord's answer to a first response was lost, and with it the id.
    const messageId = id ?? ORIGINAL;
    // During a handoff, two processes note the same reply.
    const key = [`${PREFIX}${interaction.id}`, messageId, processId ?? []].flat().join(':');
    const warn = (error: unknown) => log.warn(describeError(error), 'could not record whether a reply is still open');
    const noted = noteUntilForgotten(key, () => write(key, kind, messageId, isPrivate), { store, warn });
    notes.push(noted);
    return noted;
  };

  return {
    note,
    noteThinking() {
      if (notes.length === 0 && interaction.isCommand() && interaction.deferred && !interaction.replied)
        note('thinking', ORIGINAL, interaction.ephemeral ?? false);
    },
    async close() {
      await Promise.all(notes.map(({ forget }) => forget()));
    },
  };
}

/** Notes voice messages that are being answered, each under a key of its own if that is begun again: the former note is then deleted. */
export function createVoiceMessageNotes({ store, log, processId }: Pick<Dependencies, 'store' | 'log' | 'processId'>): NoteVoiceMessage {
  const warn = (error: unknown) => log.warn(describeError(error), 'could not record whether a voice message is being answered');
  return async ({ channelId, messageId, again }) => {
    const kind: NotedKind = again ? 'voice-message-again' : 'voice-message';
    const key = [`${PREFIX}${messageId}`, messageId, processId ?? (again ? 'again' : [])].flat().join(':');
    const owner = processId === undefined ? {} : { processId };
    const write = () => store.set(key, { kind, channelId, locale: '', ...owner }, { expiresInMs: KEEP_MS });
    const { noted, forget } = noteUntilForgotten(key, write, { store, warn });
    await noted;
    return forget;
  };
}

/** Tries until the note is written or no longer needed: a process that is killed right after an outage of the store leaves it behind as well. */
function noteUntilForgotten(
  key: string,
  write: () => Promise<void>,
  { store, warn }: { store: Store; warn: (error: unknown) => void },
): NotedReply {
  let isNeeded = true;
  const noted = keepTrying(async () => {
    if (isNeeded) await write();
  }, whileStoreFails(warn));
  return {
    noted,
    async forget() {
      if (!isNeeded) return;
      isNeeded = false;
      await noted;
      await store.delete(key).catch(warn);
    },
  };
}

/**
 * The replies left behind by processes that no longer run, except those that another one has continued. Call it before this process notes
 * any reply.
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
  /** The reply that a key is about, no matter which process noted it. */
  const replyOf = (key: string) => key.split(':').slice(0, 3).join(':');
  const open = new Set(entries.flatMap(({ key, processId }) => (running.has(processId ?? '') ? [replyOf(key)] : [])));
  return entries.flatMap(({ key, kind = null, channelId, locale, token: sealed }) => {
    if (open.has(replyOf(key))) return [];
    const [, interactionId = '', messageId = ''] = key.split(':');
    const token = sealed === undefined ? null : unseal(sealed, sealingKey);
    // Its token was sealed with another bot token, so nobody can correct it.
    return sealed !== undefined && token === null ? [] : [{ key, kind, interactionId, channelId, messageId, token, locale }];
  });
}

// Corrects the replies that killed processes left behind: those that still say that something is going on, or offer to stop it.

interface CorrectionDependencies {
  /** All running processes; absent = this is the only one. */
  processes?: (() => Promise<{ id: string }[]>) | undefined;
  /** Ids of interactions that wait, for a short time, until a process continues them; absent = this is the only process. */
  handedOver?: (() => Promise<ReadonlySet<string>>) | undefined;
  client: Client<true>;
  /** Goes on with voice messages. */
  voiceMessages: Pick<VoiceMessages, 'canResume' | 'resume'>;
  store: Store;
  /** Seals the tokens of interactions in the store. */
  sealingKey: Uint8Array;
  log: Log;
  /** Aborted when the bot shuts down; what is left is corrected by the next process. */
  signal: AbortSignal;
}

export interface ReplyCorrections {
  /** The replies left behind by processes that no longer run. Call it before this process notes any reply. Never rejects. */
  list(): Promise<OpenReply[]>;
  /** Corrects one reply at a time, to leave Discord's rate limits to members. Never rejects. */
  correct(replies: OpenReply[]): Promise<void>;
}

/** Milliseconds for which one process claims the correction of a reply. */
const CLAIM_MS = 60_000;
/** Milliseconds between two checks of a reply that another process may still continue. */
const POLL_INTERVAL_MS = 15_000;

export function createReplyCorrections(dependencies: CorrectionDependencies): ReplyCorrections {
  const { processes, handedOver, store, sealingKey, log, signal } = dependencies;
  let lookingAgain: NodeJS.Timeout | undefined;

  async function list(): Promise<OpenReply[]> {
    try {
      const running = new Set((await processes?.())?.map(({ id }) => id));
      // Read first: a process that takes one notes its reply before it does.
      const waiting = await handedOver?.();
      const replies = await readOpenReplies(store, { sealingKey, running, log });
      const left = replies.filter(({ interactionId }) => !waiting?.has(interactionId));
      if (left.length < replies.length) lookAgain([]);
      return left;
    } catch (error) {
      log.warn(describeError(error), 'could not correct the replies that an earlier process left unfinished');
      if (processes) lookAgain([]);
      return [];
    }
  }

  /** Checks later whether anybody has continued what is waiting. @param left what this process could not correct yet */
  function lookAgain(left: OpenReply[]): void {
    clearTimeout(lookingAgain);
    lookingAgain = setTimeout(async () => {
      // Without others, this process couldn't tell the replies that it has noted meanwhile from those of the process before.
      if (!signal.aborted) await correct(processes ? await list() : left);
    }, POLL_INTERVAL_MS).unref();
  }

  async function correct(replies: OpenReply[]): Promise<void> {
    const left = await correctReplies(replies, dependencies);
    if (left.length > 0) lookAgain(left);
  }

  return { list, correct };
}

/** Resolves with those that are left for later, or for another process. */
async function correctReplies(replies: OpenReply[], dependencies: CorrectionDependencies): Promise<OpenReply[]> {
  const { voiceMessages, store, log, signal } = dependencies;
  const left: OpenReply[] = [];
  for (const reply of replies) {
    if (signal.aborted) return [];
    if (isVoiceMessage(reply) && !voiceMessages.canResume(toVoiceMessage(reply))) {
      left.push(reply);
      continue;
    }
    // One process is enough.
    const hasClaimed = await store.compareAndSet(`correcting:${reply.key}`, null, true, { expiresInMs: CLAIM_MS }).catch(() => null);
    if (hasClaimed === null) left.push(reply);
    if (!hasClaimed) continue;
    try {
      await correctReply(reply, dependencies);
    } catch (error) {
      log.warn(describeError(error), 'could not correct a reply that an earlier process left unfinished');
      // An outage may be over at the next start, but what Discord refuses now it will refuse then.
      if (!(error instanceof DiscordAPIError)) continue;
    }
    await store.delete(reply.key).catch((error: unknown) => log.warn(describeError(error), 'a corrected reply is still noted as open'));
  }
  return left;
}

function isVoiceMessage({ kind }: OpenReply): boolean {
  return VOICE_MESSAGE_KINDS.some((one) => one === kind);
}

function toVoiceMessage({ kind, channelId, messageId }: OpenReply): OpenVoiceMessage {
  return { channelId, messageId, again: kind === 'voice-message-again' };
}

async function correctReply(reply: OpenReply, { client, voiceMessages }: CorrectionDependencies): Promise<void> {
  const { kind, channelId, messageId, token, locale } = reply;
  if (kind === 'voice-message' || kind === 'voice-message-again') return voiceMessages.resume(toVoiceMessage(reply));
  const { rest, application } = client;
  const route = token === null ? Routes.channelMessage(channelId, messageId) : Routes.webhookMessage(application.id, token, messageId);
  const auth = token === null;
  const message = (await rest.get(route, { auth })) as APIMessage;
  const body = findCorrection(kind, message, translatorFor(locale));
  if (body) await rest.patch(route, { auth, body });
}

/** The fields to change; null if the reply was final and only its note was left. */
function findCorrection(kind: ReplyKind | null, message: APIMessage, t: Translator): object | null {
  if ((message.flags ?? 0) & MessageFlags.Loading) return asEdit(notice(t('general.interruptedByRestart')));
  if (kind !== null) return interrupted[kind](message, t);
  // Each kind recognises its own replies by their buttons.
  return Object.values(interrupted).reduce<object | null>((correction, correct) => correction ?? correct(message, t), null);
}
