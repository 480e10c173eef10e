// The reply of /say: a public message that shows how an utterance is doing, with its controls; and the private question before it, if
// there is one.
import {
  type APIComponentInContainer,
  type APIMessage,
  type AttachmentPayload,
  ButtonStyle,
  channelMention,
  GuildMember,
  type Message,
  MessageFlags,
} from 'discord.js';
import { within } from '../async/waiting.ts';
import {
  type Accent,
  asEdit,
  button,
  type CardMessage,
  card,
  cards,
  file as fileCard,
  limits,
  menu,
  notice,
  readButtonIds,
  readTexts,
  row,
  text,
} from '../discord/cards.ts';
import type { ComponentInteraction, InteractionContext } from '../discord/command.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { isTokenExpired } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import type { Translator } from '../locales/index.ts';
import { KEEP_QUESTION_MS, KEEP_REPLY_MS } from '../store/index.ts';
import { MOODS, type Mood } from '../synthesis/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { handleOf } from '../voice-catalogue/owners.ts';
import { type Voice, voiceName } from '../voice-catalogue/voice-name.ts';
import type { Outcome } from '../voice-session/types.ts';
import type { SayContext, SayInteraction, VoiceOptions } from './context.ts';
import { keepTextOf, type Plan, roundSpeed, shareToConfirm } from './plan.ts';
import { readShownText } from './shown-text.ts';

type ReplyMessage = CardMessage & { files?: AttachmentPayload[] };

export interface SayReply {
  /** Null before it has been sent. */
  readonly messageId: string | null;
  /** Whether everybody sees it from the start. */
  readonly isPublic: boolean;
  /** Sends the first response. Discord waits 3 s for it. */
  begin(): Promise<unknown>;
  show(message: ReplyMessage): Promise<unknown>;
  delete(): Promise<unknown>;
}

/** How a request is replied to. */
export interface ReplyOptions {
  /** Default: the reply to the interaction. */
  reply?: SayReply;
  /** The member has agreed to the cost. */
  isConfirmed?: boolean;
  /** The voice was named in /say, which makes it the member's own. */
  keepsVoice?: boolean;
  /** Called once the request is accepted, just before the reply begins. */
  onStart?: () => void;
}

type ReplyContext = Pick<InteractionContext, 'noteReply' | 't'>;

/** Where a reply begins, and where what it shows goes. */
export type ReplyPolicy =
  /** The response to the interaction is the reply. */
  | { kind: 'response'; isPrivate: boolean }
  /** For requests that may well be refused: begins in private, and replies in public once the utterance is playing or queued. */
  | { kind: 'cautious' }
  /** A new message after the private question that was just answered. Public, unless the bot is a guest. */
  | { kind: 'after question'; question: ComponentInteraction }
  /** Another process has begun the reply. `messageId`: null if that process hadn't sent the message yet. */
  | { kind: 'resumed'; messageId: string | null };

/** Names the response to an interaction among its messages. */
const RESPONSE = '@original';

export function createReply(interaction: SayInteraction, { noteReply, t }: ReplyContext, policy: ReplyPolicy): SayReply {
  const isPrivate = policy.kind === 'response' ? policy.isPrivate : policy.kind === 'after question' && isGuest(interaction);
  const resumedId = policy.kind === 'resumed' ? policy.messageId : null;
  const ephemeral = { flags: MessageFlags.Ephemeral as const };
  const started = () => asEdit(notice(t('general.started'), 'done'));
  let messageId = resumedId;
  /** Which of the interaction's messages is the reply; null if it is still to be sent, as a follow-up. */
  let edited = policy.kind === 'response' ? RESPONSE : resumedId;
  let shown: Message | null = null;

  async function send(message: ReplyMessage): Promise<Message> {
    // Without this edit, the follow-up would take the place of the deferred response, and be as private.
    if (policy.kind === 'cautious' && !interaction.replied) await interaction.editReply(started());
    const sent = await interaction.followUp(isPrivate ? { ...message, flags: [message.flags, MessageFlags.Ephemeral] } : message);
    edited = messageId = sent.id;
    noteReply('say', sent.id, isPrivate);
    return sent;
  }

  async function edit(message: ReplyMessage, id: string): Promise<Message> {
    try {
      return await interaction.editReply({ ...asEdit(message), message: id });
    } catch (error) {
      // After 15 minutes in the queue the token has expired, but if the bot sees the channel, it can edit the reply like any message of its own.
      if (!isTokenExpired(error)) throw error;
      const sent = shown ?? (resumedId === null ? null : await interaction.channel?.messages.fetch(resumedId));
      if (!sent) throw error;
      return sent.edit(asEdit(message));
    }
  }

  return {
    isPublic: edited !== null && !isPrivate,
    get messageId() {
      return messageId;
    },
    async begin() {
      if (policy.kind === 'cautious') await interaction.deferReply(ephemeral);
      // A follow-up to a deleted message would say that the original was deleted.
      else if (policy.kind === 'after question') await policy.question.update(started());
      else if (policy.kind === 'response') {
        const { interaction: callback } = await interaction.deferReply({ ...(isPrivate && ephemeral), withResponse: true });
        messageId = callback.responseMessageId;
        noteReply('say', messageId, isPrivate);
      } else if (resumedId !== null) await noteReply('say', resumedId, false).noted;
    },
    async show(message) {
      shown = await (edited === null ? send(message) : edit(message, edited));
    },
    delete: async () => edited !== null && interaction.deleteReply(edited),
  };
}

/**
 * Begins the reply, and keeps what its menu needs. If that fails, it rejects once the reply has begun: an error that comes before could not be
 * told in it, nor in a reply of its own. @throws DiscordAPIError, StoreError
 */
export async function beginReply(reply: SayReply, interaction: SayInteraction, context: SayContext, plan: Plan): Promise<void> {
  const keeping = plan.showText ? keepTextOf(plan, interaction, context, KEEP_REPLY_MS) : null;
  const [replyResult, keepResult] = await Promise.allSettled([reply.begin(), keeping]);
  for (const result of [replyResult, keepResult]) if (result.status === 'rejected') throw result.reason;
}

/** Milliseconds. A service refuses a text before it makes any sound; Discord waits 3 s for a reply to begin. */
const REFUSAL_MS = 500;

/**
 * Whether the text is refused before its reply has to begin. Everybody sees a public reply from the start: it would have to be deleted, and
 * the private one that follows would say that the original message was deleted.
 * @param heard settles with the first sound, or with what went wrong before it
 */
export async function isRefusedAtOnce({ isPublic }: SayReply, heard: Promise<unknown>): Promise<boolean> {
  // Observed in any case, because the caller looks at `heard` only once the reply has begun.
  const refused = heard.then(
    () => false,
    () => true,
  );
  return isPublic && within(REFUSAL_MS, refused, false);
}

// The question before speaking a text that costs much, or that the member expected to be free.

export interface Question {
  output: Output;
  /** Id of the voice channel. */
  channelId?: string | null;
  /** Whether to ask even if it costs little, but something; default false. */
  always?: boolean;
}

/** Asks the member in private, if there is a reason to. @returns whether they were asked, so their press continues @throws StoreError */
export async function askFirst(
  interaction: SayInteraction,
  context: SayContext,
  plan: Plan,
  { output, channelId = null, always = false }: Question,
): Promise<boolean> {
  const share = shareToConfirm(plan, context);
  if (share === null && !(always && plan.characters > 0)) return false;
  await keepTextOf(plan, interaction, context, KEEP_QUESTION_MS);
  const question = confirmMessage(context.t, plan, share, output, channelId);
  await interaction.reply({ ...question, flags: [question.flags, MessageFlags.Ephemeral] });
  return true;
}

// The messages of /say: who says what in which voice, its state, and its controls.

/** Separates the facts of a card. */
export const SEPARATOR = ' · ';
const MAX_NAME = 80;

/** The member, as shown in the server. */
export interface Speaker {
  id: string;
  name: string;
}

export function speakerOf({ user, member }: Pick<SayInteraction, 'user' | 'member'>): Speaker {
  return { id: user.id, name: member instanceof GuildMember ? member.displayName : user.displayName };
}

export interface Status {
  accent: Accent;
  sentence: string;
}

export interface SayView {
  speaker: Speaker;
  plan: Plan;
  voice: Voice;
  status: Status;
  /** Id of the voice channel, if it was named. */
  channelId?: string | null | undefined;
  /** A small line below the text. */
  note?: string | null | undefined;
  /** Title of the voice that speaks in place of the default one. */
  standIn?: string | null | undefined;
  /** The part of the text that the voice leaves out. */
  leftOut?: string | null | undefined;
  /** Name of a file of the message. */
  file?: string | null | undefined;
  /** Whether a replay can be spoken in a voice channel; default true. */
  hasVoiceChannel?: boolean;
}

/** An utterance in the queue. */
export interface Live {
  id: string;
  isPlaying: boolean;
}

/** How the menu of a reply finds the text and the voice for a replay. */
export interface Again extends VoiceOptions {
  ownerId: string;
  /** Key of the stored text; empty if the reply shows it as it was typed, null if it must not be repeated. */
  textKey: string | null;
  /** See SayView; default true. */
  hasVoiceChannel?: boolean | undefined;
}

/** @param live null once it has ended */
export function sayMessage(t: Translator, view: SayView, live: Live | null): CardMessage {
  const { plan, speaker, voice, file, hasVoiceChannel } = view;
  const textKey = plan.showText ? (plan.textKey ?? '') : null;
  const voiceId = voice?.id ?? '';
  const isHidden = plan.hidden?.includes(voiceId) ?? false;
  const again = {
    ownerId: speaker.id,
    textKey,
    voice: isHidden ? handleOf(voiceId) : voiceId,
    speed: plan.speed,
    mood: plan.request.mood ?? null,
    hasVoiceChannel,
  };
  return sayCard(t, view, file ? fileCard(file) : null, live ? liveButtons(t, live, again) : againControls(t, again));
}

export function sayCard(t: Translator, view: SayView, ...rest: (APIComponentInContainer | null)[]): CardMessage {
  const { speaker, plan, voice, status, channelId, note, standIn, leftOut } = view;
  const facts = [
    asMarkdown(voiceName(voice, t), limits.choiceName),
    plan.speed === 1 ? null : t('say.speed', { factor: plan.speed }),
    plan.request.mood ? t(`commands.say.moods.${plan.request.mood}`) : null,
    channelId ? channelMention(channelId) : null,
    plan.isCut ? t('say.shortened') : null,
    status.sentence,
  ];
  return cards(
    card(
      status.accent,
      text(`**${asMarkdown(speaker.name, MAX_NAME) || '?'}**`),
      // The menu reads the text from here, by its position.
      text(plan.showText ? plan.shown : `-# ${t('say.textHidden')}`),
      note ? text(`-# ${note}`) : null,
      standIn ? text(`-# ${t('say.standIn', { usedVoice: standIn })}`) : null,
      leftOut ? text(`-# ${t('say.leftOut', { typed: leftOut })}`) : null,
      text(`-# ${facts.filter((fact) => fact !== null).join(SEPARATOR)}`),
      ...rest,
    ),
  );
}

/** What a text becomes, as in custom_ids: 's' = speech in a voice channel, 'm' = a voice message, 'f' = a file. */
export type Output = 's' | 'm' | 'f';

/**
 * Asks the member before a large part of the credit is spent.
 * @param share of the balance, 0 to 1; null if it is small or unknown, but the member could expect the sound to be free
 */
export function confirmMessage(t: Translator, plan: Plan, share: number | null, output: Output, channelId: string | null): CardMessage {
  const id = confirmId.writeIfItFits({ output, channelId: channelId ?? '', textKey: plan.textKey ?? '', options: plan.request });
  const count = plan.spoken.length;
  const question =
    id === null
      ? t('say.tooExpensive', { share: share ?? 0, count })
      : share === null
        ? t('say.confirmMaking', { count })
        : t('say.confirm', { share, count });
  const yes = id === null ? null : row(button(share === null ? t('say.makeButton') : t('say.confirmButton'), id, ButtonStyle.Primary));
  return cards(card('waiting', text(question), text(plan.shown), yes));
}

/** How an utterance has ended. */
export function outcomeStatus(
  t: Translator,
  outcome: Exclude<Outcome, { ended: 'handed-over' }>,
  { fromCache, characters }: { fromCache: boolean; characters: number },
): Status {
  const { seconds } = outcome;
  if (outcome.ended === 'failed')
    return { accent: 'failed', sentence: seconds > 0 ? t('say.interrupted', { seconds }) : t('say.notSpoken') };
  const isUnheard = outcome.ended !== 'played' && seconds === 0;
  if (isUnheard)
    return {
      accent: 'neutral',
      sentence: !fromCache && characters > 0 ? t('say.cancelledCharged', { count: characters }) : t('say.cancelled'),
    };
  const took = fromCache ? t('say.fromCache') : characters > 0 ? t('say.characters', { count: characters }) : null;
  const end = { played: t('say.spoken', { seconds }), skipped: t('say.skipped'), stopped: t('say.stopped') }[outcome.ended];
  const sentence = [end, took].filter((part) => part !== null).join(SEPARATOR);
  return { accent: outcome.ended === 'played' ? 'done' : 'neutral', sentence };
}

/**
 * Stop and Skip while it plays, Cancel while it waits. If the bot is killed, the menu that replaces them is made from the first one's
 * custom_id, where a voice with a long id is left out.
 */
function liveButtons(t: Translator, { id: utterance, isPlaying }: Live, { ownerId, textKey, ...options }: Again) {
  const first = isPlaying ? stopId : cancelId;
  const whole = { utterance, ownerId, textKey: textKey ?? HIDDEN, options };
  const id =
    first.writeIfItFits(whole) ??
    first.writeIfItFits({ ...whole, options: { ...options, voice: null } }) ??
    first.write({ utterance, ownerId });
  return isPlaying
    ? row(button(t('say.stopButton'), id), button(t('say.skipButton'), skipId.write({ utterance, ownerId })))
    : row(button(t('say.cancelButton'), id));
}

/** Replaces the key of a text that must not be repeated. */
const HIDDEN = '-';

/** The controls of a text that has ended: a menu; without the text, only "Say more". */
function againControls(t: Translator, { ownerId, textKey, hasVoiceChannel = true, ...options }: Again) {
  const idOf = (id: typeof againId) =>
    id.writeIfItFits({ ownerId, options }) ?? id.writeIfItFits({ ownerId, options: { ...options, voice: null } });
  const moreId = idOf(sayMoreId);
  if (textKey === null) return moreId === null || !hasVoiceChannel ? null : row(button(t('say.sayMore'), moreId));
  const id = idOf(againId);
  if (id === null) return null;
  return row(
    menu(id, t('say.moreMenu'), [
      ...(hasVoiceChannel ? [{ label: t('say.replay'), value: `replay:${textKey}` }] : []),
      { label: t('say.saveAsFile'), value: `file:${textKey}` },
      { label: t('say.sendAsVoiceMessage'), value: `message:${textKey}` },
      ...(hasVoiceChannel ? [{ label: t('say.sayMore'), value: 'more' }] : []),
      ...(textKey === '' ? [] : [{ label: t('say.showText'), value: `show:${textKey}` }]),
    ]),
  );
}

// A reply of /say as Discord returns it, from which its menu and buttons read what they need.

export type SentMessage = Pick<APIMessage, 'components'>;

export function toSentMessage({ components }: Message): SentMessage {
  return { components: components.map((component) => component.toJSON()) };
}

/** The text of a reply that shows it as it was typed; null if there is none. */
export function readText({ components }: SentMessage): string | null {
  const shown = readTexts(components)[1];
  return shown === undefined ? null : readShownText(shown);
}

/** Corrects a reply whose process was killed with the utterance in its queue; null if the reply already says how that ended. */
export function interruptedReply(message: SentMessage, t: Translator) {
  return withoutLiveButtons(message, t, t('say.interruptedByRestart'));
}

/**
 * The reply without the buttons that end its utterance, and with this status; with null, another process or edit is about to set the
 * status. Returns null if the reply has no such buttons.
 */
export function withoutLiveButtons(message: SentMessage, t: Translator, status: string | null) {
  const [live] = readButtonIds(message.components).flatMap((id) => stopId.read(id) ?? cancelId.read(id) ?? skipId.read(id) ?? []);
  if (live === undefined) return null;
  const again = readAgain(live);
  const texts = readTexts(message.components);
  const shown = status === null ? texts : [...texts.slice(0, -1), replaceLast(texts.at(-1) ?? '', status)];
  return asEdit(cards(card(status === null ? 'neutral' : 'failed', ...shown.map(text), again && againControls(t, again))));
}

function replaceLast(facts: string, status: string): string {
  return [...facts.split(SEPARATOR).slice(0, -1), status].join(SEPARATOR);
}

/** Null if the custom_id had no room for the options, or there is nothing to say again. */
function readAgain({ ownerId, textKey, options }: LiveUtterance): Again | null {
  if (textKey === undefined) return null;
  return { ...(options ?? { voice: null, speed: null, mood: null }), ownerId, textKey: textKey === HIDDEN ? null : textKey };
}

// The custom_ids of the buttons and menus above, and of the form behind one of them.

/** A mood takes one letter of a custom_id, because ids of voices need the room. */
const MOOD_LETTERS: Record<Mood, string> = {
  happy: 'h',
  excited: 'e',
  calm: 'c',
  sad: 's',
  angry: 'a',
  scared: 'f',
  whispering: 'w',
  shouting: 'l',
};

/** `manner:voice`. The manner is the speed, followed by the mood; a voice begins with a `=`. Ids of voices may contain anything. */
export const voiceOptions = {
  isRest: true,
  write({ voice, speed, mood }: VoiceOptions) {
    const manner = `${speed === null ? '' : roundSpeed(speed)}${mood ? MOOD_LETTERS[mood] : ''}`;
    return `${manner}:${voice === null ? '' : `=${voice}`}`;
  },
  read(written: string): VoiceOptions {
    const [manner = '', ...rest] = written.split(':');
    const voice = rest.join(':');
    const [, speed, letter] = /^([\d.]*)(\w?)$/.exec(manner) ?? [];
    const factor = Number(speed);
    return {
      voice: voice.startsWith('=') ? voice.slice(1) : null,
      speed: factor >= 0.5 && factor <= 2 ? factor : null,
      mood: MOODS.find((mood) => MOOD_LETTERS[mood] === letter) ?? null,
    };
  },
} as const;

/** An utterance that plays or waits, and what it takes to say it again. */
const live = {
  utterance: part.text,
  ownerId: part.text,
  textKey: part.optional(part.text),
  options: part.optional(voiceOptions),
};
type LiveUtterance = NonNullable<ReturnType<typeof stopId.read>>;

/** Ends this utterance and, if it is playing, also its owner's waiting ones. */
export const stopId = customId('say-stop', live);
/** Ends only this utterance, even if it has just begun. */
export const cancelId = customId('say-cancel', live);
/** Ends only this utterance, whether it plays or waits. */
export const skipId = customId('say-skip', live);
/** A menu of `replay:textKey`, `file:textKey`, `message:textKey`, `show:textKey` and `more`. */
export const againId = customId('say-again', { ownerId: part.text, options: voiceOptions });
export const sayMoreId = customId('say-more', { ownerId: part.text, options: voiceOptions });
/** Below refusals that an earlier version has posted; refused-text.ts has those of this version. */
export const earlierEditId = customId('say-edit', { textKey: part.text, options: voiceOptions });
/** Below a question that only the member sees. */
export const confirmId = customId('say-confirm', {
  output: part.oneOf<Output>('s', 'm', 'f'),
  channelId: part.text,
  textKey: part.text,
  options: voiceOptions,
});
/** The form in which another text is written. */
export const sayMoreFormId = customId('say-more', { options: voiceOptions });
