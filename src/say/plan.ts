// From what a member wants said to what the voice service is asked for: the text made speakable and cut, the voices, the speed, the volume.
import { Locale } from 'discord.js';
import { within } from '../async/waiting.ts';
import { ASK_FROM_SHARE, type Spending } from '../charging/index.ts';
import { UserError } from '../discord/errors.ts';
import { channelNameFor, listenersIn } from '../discord/voice-channels.ts';
import { inPlace } from '../locales/in-place.ts';
import type { Translator } from '../locales/index.ts';
import { createTextKey, keepText } from '../store/index.ts';
import { LONGEST_TEXT } from '../store/settings.ts';
import { makeSpeakable, type Pin, type SoundScope, type SpeechRequest, truncateSpeech } from '../synthesis/index.ts';
import { languageOfText } from '../voice-catalogue/language-voices.ts';
import { usableVoices, voiceUserOf } from '../voice-catalogue/titles.ts';
import type { Voice } from '../voice-catalogue/voice-name.ts';
import { roundSpeed, type SayContext, type SayInteraction, type SayRequest } from './context.ts';
import { type Destination, offerOtherVoice } from './refused-text.ts';
import { type MentionNames, readShownText, shownText } from './shown-text.ts';
import { ForeignTextError, inLanguage, type VoiceChoice, voicesFor } from './voice-choice.ts';

/** Milliseconds: Discord waits 3 s for the reply, and members are waiting for the sound. */
const FETCH_MEMBERS_MS = 500;
const MAX_FETCHED_MEMBERS = 5;
/** Volume factor: 20 dB can be undone in a file without audible loss. */
export const MIN_FILE_VOLUME = 0.1;

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

/**
 * Makes a plan. If the voice doesn't speak the language of the text, there are buttons below the refusal that send it again.
 * @param channelId of the voice channel; null for a file @throws UserError if nothing in the text can be spoken; StoreError
 */
export async function makePlan(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  channelId: string | null,
  destination: Destination,
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
  const offerAndThrow = async (error: unknown): Promise<never> => {
    if (error instanceof ForeignTextError) await offerOtherVoice(error, interaction, context, request, destination);
    throw error;
  };
  const choice = request.anyway ? chosen : await inLanguage(chosen, spokenIn, context).catch(offerAndThrow);
  const { voices, wanted, hidden = [] } = choice;
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

/** The language that the voice speaks (BCP 47); null if there are several, or none is known. */
function languageOf(voice: Voice, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): string | null {
  const [language, ...others] = voice ? voiceTitles.languages(voice.id) : [];
  return others.length === 0 ? (language ?? null) : null;
}
