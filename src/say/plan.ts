// From what a member wants said to what the voice service is asked for: the text made speakable and cut, the voices, the speed, the volume.
import { type ChatInputCommandInteraction, Locale, type ModalSubmitInteraction, type RepliableInteraction } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { within } from '../async/waiting.ts';
import type { Dictionaries } from '../dictionary/dictionaries.ts';
import type { ComponentInteraction, InteractionContext } from '../discord/command.ts';
import { UserError } from '../discord/errors.ts';
import type { HandOver } from '../discord/handovers.ts';
import type { IsOperator } from '../discord/operators.ts';
import type { FindSpeaking } from '../discord/playback.ts';
import { channelNameFor, type IsServerMuted, listenersIn } from '../discord/voice-channels.ts';
import { joinSentences } from '../locales/format.ts';
import { inPlace } from '../locales/in-place.ts';
import type { Translator } from '../locales/index.ts';
import { languageName } from '../locales/language-names.ts';
import {
  isUnknownVoice,
  type Mood,
  makeSpeakable,
  type Pin,
  type SoundScope,
  type SpeechEngine,
  type SpeechRequest,
  truncateSpeech,
} from '../speech/index.ts';
import { createTextKey, keepText, type Store } from '../store/index.ts';
import { type ChosenVoice, type GuildSettings, LONGEST_TEXT, type MemberSettings, type Settings } from '../store/settings.ts';
import { asMarkdown, asPlain, escapeMarkup } from '../text/untrusted-text.ts';
import type { Sessions } from '../voice/types.ts';
import { baseOf, INSTALLABLE, type LanguageVoices, languageOfText, speaks } from '../voices/language-voices.ts';
import { isHandle, type VoiceOwners, type VoiceUser } from '../voices/owners.ts';
import { MAX_TITLE_LENGTH, type UsableVoices, usableVoices, type VoiceTitles, voiceUserOf } from '../voices/titles.ts';
import { ASK_FROM_SHARE, type CreditService, type Spending } from '../wallet/index.ts';

/** How a text is spoken. */
export interface VoiceOptions {
  /** `id` of the voice model; '' = the service's default voice; null = whichever is set for the member, the channel or the server. */
  voice: string | null;
  /** 0.5 to 2; null = as set by the member. */
  speed: number | null;
  /** Absent or null = none. */
  mood?: Mood | null;
}

export interface SayRequest extends VoiceOptions {
  /** The text as typed. */
  text: string;
  /** Which of the dictionary's entries apply (BCP 47); absent = the voice's own. */
  language?: string;
  /** The member wants to hear it although the voice doesn't speak its language. */
  anyway?: boolean;
}

/** Longest name or id of a voice that can be typed: as long as an autocomplete choice may be. */
export const MAX_VOICE = 100;

/** The longest text: as long as a message may be; Discord itself takes no more. */
export const MAX_TEXT = 2000;

/** Rounds to two decimals; nobody hears more. */
export function roundSpeed(speed: number): number {
  return Math.round(speed * 100) / 100;
}

/** What speaking needs besides the interaction. */
export interface SayContext extends InteractionContext {
  speech: SpeechEngine;
  sessions: Sessions;
  settings: Settings;
  credit: CreditService;
  store: Store;
  dictionaries: Dictionaries;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  /** Null if the service's voices get texts in every language. */
  languageVoices: LanguageVoices | null;
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
  /** The scripts that the service's voices speak, by their Unicode names; null if that isn't known. */
  spokenScripts: readonly string[] | null;
  speakingIn: FindSpeaking;
  /** Absent if this is the only process. */
  handOver?: HandOver | undefined;
}

/** Milliseconds: Discord waits 3 s for the reply, and members are waiting for the sound. */
const FETCH_MEMBERS_MS = 500;
const MAX_FETCHED_MEMBERS = 5;
/** Volume factor: 20 dB can be undone in a file without audible loss. */
export const MIN_FILE_VOLUME = 0.1;

/** Where a request can come from: the command itself, a button of its replies, or the form behind one. */
export type SayInteraction = ChatInputCommandInteraction | ComponentInteraction | ModalSubmitInteraction;

export interface Plan extends VoiceChoice {
  request: SayRequest;
  /** The text as replies show it. */
  shown: string;
  /** Key to store the text under for the reply's buttons; null if they can read it from the reply, or don't need it. */
  textKey: string | null;
  /** The text as the service gets it. */
  spoken: string;
  /** Characters that the service is asked for; 0 if the sound is pinned. */
  characters: number;
  /** The sound in the first voice, if it was said here before and is cached. The caller must release it. */
  pin: Pin | null;
  /** The server or member that the cached sound belongs to. */
  scope: SoundScope;
  /** Which language's default voice speaks if none is named (BCP 47); null = the server's. */
  language: string | null;
  /** Whether the end is left out because the text is longer than allowed. */
  isCut: boolean;
  speed: number;
  volume: number;
  /** Whether the reply shows the text. */
  showText: boolean;
  /** Whether to stay in the channel afterwards. */
  stay: boolean;
}

/** @param channelId of the voice channel; null for a file @throws UserError if nothing in the text can be spoken; StoreError */
export async function makePlan(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  channelId: string | null,
): Promise<Plan> {
  const user = voiceUserOf(interaction);
  const { userId, guildId } = user;
  const [member, guild, replaceWords] = await Promise.all([
    context.settings.member(userId),
    guildId === null ? null : context.settings.guild(guildId),
    context.dictionaries.for(guildId, userId),
    fetchMentionedMembers(interaction, request.text),
  ]);
  const names = namesFor(interaction, channelId);
  const { locale, guildLocale } = interaction;
  const detecting = languageOfText(request.text, context.publicT.locale);
  const usable = usableVoices(user, context);
  const chosen = await voicesFor(request, { member, guild, channelId }, { usable, defaultVoice: context.defaultVoice });
  const spokenIn = { text: await detecting, usual: guild?.language ?? (guildLocale === Locale.EnglishUS ? null : guildLocale) ?? locale };
  const { voices, wanted, hidden = [] } = request.anyway ? chosen : await inLanguage(chosen, spokenIn, context);
  // Before the text is cut, because the limit applies to what is spoken.
  const whole = replaceWords(toSpeakableText(request.text, names, context.publicT), request.language ?? languageOf(voices[0], context));
  const shown = shownText(request.text, names);
  const showText = guild?.showText ?? true;
  const spoken = truncateSpeech(whole, guild?.lengthCap ?? LONGEST_TEXT, context.publicT('say.andSoOn'));
  const plan = {
    request,
    shown,
    textKey: readShownText(shown) === request.text ? null : createTextKey(),
    spoken,
    isCut: spoken !== whole,
    language: spokenIn.text ?? spokenIn.usual,
    scope: guildId === null ? { userId } : { guildId },
    voices,
    wanted,
    hidden,
    speed: roundSpeed(request.speed ?? member.speed),
    volume: guild?.volume ?? 1,
    showText,
    stay: guild?.stay ?? false,
  };
  // Sound that was cached at a low volume is no good as a file.
  const canUseCache = channelId !== null || plan.volume >= MIN_FILE_VOLUME;
  const pin = canUseCache ? await context.speech.pin(toSpeechRequest(plan, plan.voices[0]), userId) : null;
  return { ...plan, pin, characters: pin ? 0 : spoken.length };
}

/** Keeps the text for the buttons of the reply, if they can't read it there. @throws StoreError */
export async function keepTextOf(
  { textKey, request }: Plan,
  { user }: SayInteraction,
  { store }: SayContext,
  expiresInMs: number,
): Promise<void> {
  if (textKey !== null) await keepText(store, user.id, textKey, request.text, expiresInMs);
}

export function toSpeechRequest(
  plan: Pick<Plan, 'request' | 'spoken' | 'language' | 'speed' | 'volume' | 'scope'>,
  voice: Voice,
): SpeechRequest {
  const { request, spoken, language, speed, volume, scope } = plan;
  return { text: spoken, referenceId: voice?.id ?? null, language, speed, mood: request.mood ?? null, volume, scope };
}

/** Use in a server that the bot is not a member of counts as outside of servers, because such a server has no budget. */
export function spendingOf(interaction: SayInteraction, { characters }: Plan): Spending {
  const guildId = interaction.inCachedGuild() ? interaction.guildId : null;
  return { kind: 'speech', amount: characters, guildId, memberId: interaction.user.id };
}

/** Bytes that the service bills if it is asked for the text. */
export function billedFor(plan: Parameters<typeof toSpeechRequest>[0], { speech }: Pick<SayContext, 'speech'>): number {
  return speech.bytesOf(toSpeechRequest(plan, null));
}

/** The share of the balance, 0 to 1, that the member must confirm first; null if it is small or unknown. */
export function shareToConfirm(plan: Plan, context: Pick<SayContext, 'credit' | 'speech'>): number | null {
  if (plan.characters === 0) return null;
  const share = context.credit.shareOfBalance({ kind: 'speech', billed: billedFor(plan, context) });
  return share === null || share < ASK_FROM_SHARE ? null : share;
}

/**
 * Only members who did something since the bot started are cached. Other mentioned members are fetched, so that they are called by
 * name; those who are not found in time are "someone".
 */
async function fetchMentionedMembers({ client, guild }: SayInteraction, text: string): Promise<void> {
  const ids = [...text.matchAll(/<@!?(\d{17,20})>/g)].map(([, id = '']) => id);
  const unknown = [...new Set(ids)].filter((id) => !guild?.members.cache.has(id) && !client.users.cache.has(id));
  if (unknown.length === 0) return;
  const fetching = unknown.slice(0, MAX_FETCHED_MEMBERS).map((id) => (guild ? guild.members.fetch(id) : client.users.fetch(id)));
  await within(FETCH_MEMBERS_MS, Promise.allSettled(fetching));
}

/** Names from memory that the member and the listeners in the voice channel may know. */
export function namesFor({ client, guild, user }: SayInteraction, voiceChannelId: string | null = null): MentionNames {
  const viewers = [user.id, ...(guild && voiceChannelId !== null ? listenersIn(guild, voiceChannelId) : [])];
  return {
    user: (id) => guild?.members.cache.get(id)?.displayName ?? client.users.cache.get(id)?.displayName,
    role: (id) => guild?.roles.cache.get(id)?.name,
    channel: (id) => (guild ? channelNameFor(guild, id, viewers) : undefined),
  };
}

function toSpeakableText(text: string, names: MentionNames, t: Translator): string {
  if (text === '') throw new UserError((t) => t('say.noText'));
  const spoken = makeSpeakable(text, inPlace(t), names);
  if (spoken === null) throw new UserError((t) => t('say.nothingSpeakable'));
  return spoken;
}

// Which voice speaks, and which one if the service no longer has it.

/** null = the service's default voice. */
export type Voice = ChosenVoice | null;

const MAX_RECENT = 10;
/** How many titles are suggested if no voice matches. */
export const CLOSEST = 3;

/** Which voices speak a text. */
export interface VoiceChoice {
  /** Tried in this order until the service has one. */
  voices: [Voice, ...Voice[]];
  /** The one that was chosen: the first of them, unless the member may not use it here any more. */
  wanted: Voice;
  /** Ids of voices that members made, which nobody else may read. */
  hidden?: string[];
}

/**
 * The voices to try: the one named, then those set for the member, the channel, the server and by the operator, then the service's default.
 * An id that was never seen is tried alone: it may be a typo, and the service's answer tells.
 * @throws UserError if the voice of a button isn't for this member; StoreError
 */
export async function voicesFor(
  { voice: wanted }: Pick<SayRequest, 'voice'>,
  chosenBy: { member: MemberSettings; guild: GuildSettings | null; channelId: string | null },
  { usable, defaultVoice }: { usable: Pick<UsableVoices, 'resolve' | 'accessOf'>; defaultVoice: string | null },
): Promise<VoiceChoice> {
  const { member, guild, channelId } = chosenBy;
  const known = [member.voice, ...member.recent, ...member.favourites];
  const find = async (id: string) => known.find((voice) => voice?.id === id && voice.title !== null) ?? usable.resolve(id);
  if (wanted === '') return { voices: [null], wanted: null };
  const named = wanted === null ? null : await find(wanted);
  if (named?.title === null && isHandle(named.id)) throw new UserError((t) => t('say.voiceNotHere'));
  if (named?.title === null) return { voices: [named], wanted: named };
  const chosen = [
    named,
    member.voice,
    channelId === null ? null : guild?.channelVoices[channelId],
    guild?.voice,
    defaultVoice === null ? null : await find(defaultVoice),
  ].filter((voice) => voice !== null && voice !== undefined);
  const different = chosen.filter(({ id }, index) => chosen.findIndex((other) => other.id === id) === index);
  const access = await Promise.all(different.map(({ id }) => usable.accessOf(id)));
  const [first = null, ...others] = [...different.filter((_, index) => access[index] !== 'refused'), null];
  const hidden = different.filter((_, index) => access[index] === 'own').map(({ id }) => id);
  return { voices: [first, ...others], wanted: different[0] ?? null, hidden };
}

/** What the built-in default voice speaks. */
const DEFAULT_LANGUAGES = ['en'];

/** A text that the chosen voice, or every voice there is, would make gibberish of. */
export class ForeignTextError extends UserError {
  /** One that speaks it; null if there is none. */
  readonly speaking: ChosenVoice | null;

  constructor(language: string, speaking: ChosenVoice | null) {
    super((t) => {
      const name = languageName(language, t.locale);
      if (speaking) return t('say.otherVoiceSpeaks', { language: name });
      return t(INSTALLABLE.includes(baseOf(language)) ? 'say.voiceInstallable' : 'say.noVoiceSpeaks', { language: name });
    });
    this.speaking = speaking;
  }
}

/**
 * The voices for a text in this language. If nobody has chosen one, one that speaks it; else the chosen ones, unless they make gibberish of it.
 * @param language of the text, if that is certain, and what is usual for who reads or writes it (BCP 47) @throws ForeignTextError
 */
async function inLanguage(
  choice: VoiceChoice,
  { text, usual }: { text: string | null; usual: string },
  { languageVoices, voiceTitles }: Pick<SayContext, 'languageVoices' | 'voiceTitles'>,
): Promise<VoiceChoice> {
  if (!languageVoices) return choice;
  const [first] = choice.voices;
  const known = first ? voiceTitles.languages(first.id) : DEFAULT_LANGUAGES;
  const language = text ?? (first ? null : usual);
  if (language === null || known.length === 0 || speaks(known, language)) return choice;
  const model = await languageVoices.for(language);
  const voice = model && { id: model.id, title: model.title };
  if (!first && voice) return { ...choice, voices: [voice], wanted: voice };
  if (text === null) return choice;
  throw new ForeignTextError(text, voice);
}

/** The voice with this id. */
export function findVoice(voices: readonly Voice[], id: string | null): Voice {
  return voices.find((voice) => voice?.id === id) ?? null;
}

/** The language that the voice speaks (BCP 47); null if there are several, or none is known. */
function languageOf(voice: Voice, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): string | null {
  const [language, ...others] = voice ? voiceTitles.languages(voice.id) : [];
  return others.length === 0 ? (language ?? null) : null;
}

/** The voice that a member typed. Whether they are an operator is asked only if it matters, because that may take a request to Discord. */
export async function resolveVoice(
  typed: string,
  user: VoiceUser,
  context: Pick<SayContext, 'voiceTitles' | 'voiceOwners' | 'isOperator'>,
): Promise<ChosenVoice> {
  const usable = usableVoices(user, context);
  const voice = await usable.resolve(typed);
  if (voice.title !== null) return voice;
  const ofOperators = await usable.resolve(typed, 'operators');
  if (ofOperators.title !== null && (await context.isOperator(user.userId))) return ofOperators;
  return usable.fetch(typed);
}

/** For places where Discord formats nothing; cleaned, because titles and ids come from the service or were typed. */
export function voiceName(voice: Voice, t: Translator): string {
  return voice ? asPlain(voice.title ?? '', MAX_TITLE_LENGTH) || asPlain(voice.id, MAX_TITLE_LENGTH) || '?' : t('say.defaultVoice');
}

/** A UserError if the member can do something about it: a voice that does not exist, a speed that the service does not support. */
export function explainRefusal(error: unknown, voice: Voice, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): unknown {
  if (voice && isUnknownVoice(error)) {
    const closest = voice.title === null ? voiceTitles.closest(voice.id, CLOSEST).map(({ title }) => title) : [];
    return new UserError(
      (t) =>
        closest.length === 0
          ? t('say.unknownVoice', { typed: voiceName(voice, t) })
          : t('say.unknownVoiceClosest', { typed: voiceName(voice, t), closest }),
      { cause: error },
    );
  }
  const limit = findLengthLimit(error);
  if (limit !== null) return new UserError((t) => t('say.tooSlow', { count: limit }), { cause: error });
  return isSpeedRefusal(error) ? new UserError((t) => t('say.speedUnsupported'), { cause: error }) : error;
}

/** About how many characters a slow voice can say, if this text is too long for it; else null. */
function findLengthLimit(error: unknown): number | null {
  const refusal = error instanceof ApiError ? error.details.find(({ type }) => type === 'too_slow') : undefined;
  const [limit] = /\d+/.exec(refusal?.ctx ?? '') ?? [];
  return limit === undefined ? null : Number(limit);
}

/** Whether the service may accept another text: this one is in a script that the voice doesn't speak, say, or too long for it. */
export function isTextRefusal(explained: unknown): explained is Error {
  const error = explained instanceof UserError ? explained.cause : explained;
  return error instanceof ApiError && error.kind === 'validation' && !isUnknownVoice(error) && !isSpeedRefusal(error);
}

/** Whether the service refuses the speed. */
export function isSpeedRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ loc }) => loc.includes('prosody') || loc.includes('speed'));
}

/**
 * Saves the voice and the speed that a member chose, for their next texts; later calls return the first one's promise. A voice that isn't
 * known may not exist: `rememberVoice` saves it once it has been heard. Rejects with StoreError, which may go unobserved.
 */
export function createChoiceSaver(
  { user }: SayInteraction,
  { settings }: Pick<SayContext, 'settings'>,
  { voice, speed }: { voice: Voice; speed: number | null },
): () => Promise<void> {
  let saving: Promise<void> | undefined;
  async function save(): Promise<void> {
    const change = { ...(voice !== null && voice.title !== null && { voice }), ...(speed !== null && { speed }) };
    if (Object.keys(change).length > 0) await settings.changeMember(user.id, (member) => ({ ...member, ...change }));
  }
  return () => {
    saving ??= save();
    saving.catch(() => {});
    return saving;
  };
}

/**
 * After the first sound: lists the voice first in the member's recent ones, and tells them if it is not the one that was set. A voice named
 * by an id that was not known before becomes the member's own. Failures are reported to the member. Never rejects.
 */
export async function rememberVoice(
  interaction: RepliableInteraction,
  { settings, voiceOwners, reportError }: Pick<SayContext, 'settings' | 'voiceOwners' | 'reportError'>,
  { wanted, used, isKept }: { wanted: Voice; used: Voice; isKept: boolean },
): Promise<void> {
  try {
    if (wanted !== used) {
      const owned = wanted && (await voiceOwners.find(wanted.id));
      const isTheirs = owned?.ownerId === interaction.user.id;
      const replaced = (t: Translator) => t('say.voiceReplaced', { goneVoice: voiceName(wanted, t), usedVoice: voiceName(used, t) });
      await reportError(interaction, new UserError((t) => (isTheirs ? joinSentences(t, replaced(t), t('say.voiceIsYours')) : replaced(t))));
    }
    if (!used) return;
    const isNew = isKept && wanted === used && used.title === null;
    const { recent, voice } = await settings.member(interaction.user.id);
    if (recent[0]?.id === used.id && (!isNew || voice?.id === used.id)) return;
    await settings.changeMember(interaction.user.id, (member) => {
      const others = member.recent.filter(({ id }) => id !== used.id && id !== wanted?.id);
      return { ...member, voice: isNew ? used : member.voice, recent: [used, ...others].slice(0, MAX_RECENT) };
    });
  } catch (error) {
    await reportError(interaction, error);
  }
}

// The text of a reply: cut to about two lines, with names in place of mentions. If it is exactly what was typed, the menu reads it from
// there.

/** About two lines in Discord's window. */
const SHOWN_LENGTH = 140;
/** Limit of all text displays of a message, with room left for its other parts. */
const WHOLE_LENGTH = 3_500;

/** What Discord shows of a mention; undefined if it isn't known. */
export interface MentionNames {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** The text in one paragraph, not formatted. Never empty. */
export function shownText(text: string, names: MentionNames): string {
  return escapeMarkup(asPlain(asShown(text, names), SHOWN_LENGTH)) || '…';
}

/** The whole text, with its line breaks. Never empty. */
export function wholeText(text: string, names: MentionNames): string {
  return asMarkdown(asShown(text, names), WHOLE_LENGTH, { keepLines: true }) || '…';
}

/** What was typed, provided that it could be shown unchanged. */
export function readShownText(shown: string): string {
  return shown.replace(/\\([\s\S])/g, '$1');
}

/** Replaces mentions and emoji with their names and covers spoilers, because replies show text without formatting. */
function asShown(text: string, { user, role, channel }: MentionNames): string {
  return text
    .replace(/\|\|[\s\S]+?\|\|/g, '█████')
    .replace(/<@!?(\d{17,20})>/g, (mention, id) => named('@', user(id)) ?? mention)
    .replace(/<@&(\d{17,20})>/g, (mention, id) => named('@', role(id)) ?? mention)
    .replace(/<#(\d{17,20})>/g, (mention, id) => named('#', channel(id)) ?? mention)
    .replace(/<a?(:\w{2,32}:)\d{17,20}>/g, '$1');
}

function named(sign: string, name: string | undefined): string | null {
  return name === undefined ? null : sign + name;
}
