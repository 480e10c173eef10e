// Which voice speaks, which one if the service no longer has it, and what is remembered of the choice.
import type { RepliableInteraction } from 'discord.js';
import { UserError } from '../discord/errors.ts';
import { joinSentences } from '../locales/format.ts';
import type { Translator } from '../locales/index.ts';
import { baseOf, languageName } from '../locales/language-names.ts';
import type { ChosenVoice, GuildSettings, MemberSettings } from '../store/settings.ts';
import { asPlain } from '../text/untrusted-text.ts';
import { INSTALLABLE, speaks } from '../voice-catalogue/language-voices.ts';
import { isHandle, type VoiceUser } from '../voice-catalogue/owners.ts';
import { type UsableVoices, usableVoices } from '../voice-catalogue/titles.ts';
import { MAX_TITLE_LENGTH, type Voice, voiceName } from '../voice-catalogue/voice-name.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';

const MAX_RECENT = 10;
/** How many titles are suggested if no voice matches. */
export const CLOSEST = 3;

/** Which voices speak a text. */
export interface VoiceChoice {
  /** The voices to try, in this order, until the service has one. */
  voices: [Voice, ...Voice[]];
  /** The voice that was chosen: the first of `voices`, unless the member may not use it here any more. */
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
  const savedVoices = [member.voice, ...member.recent, ...member.favourites];
  const find = async (id: string) => savedVoices.find((voice) => voice?.id === id && voice.title !== null) ?? usable.resolve(id);
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

/** Whether a language (BCP 47) is written in Latin letters. */
const isLatin = (language: string): boolean => new Intl.Locale(language).maximize().script === 'Latn';

/** A text that the chosen voice, or every voice there is, would make gibberish of. */
export class ForeignTextError extends UserError {
  /** A voice that speaks the language of the text; null if there is none. */
  readonly speaking: ChosenVoice | null;
  /** Whether the voice knows its letters at least, and can try. */
  readonly isLegible: boolean;

  /** @param known languages of the voice, BCP 47 */
  constructor(language: string, known: readonly string[], speaking: ChosenVoice | null) {
    super((t) => {
      const name = languageName(language, t.locale);
      if (speaking) return t('say.otherVoiceSpeaks', { language: name });
      return t(INSTALLABLE.includes(baseOf(language)) ? 'say.voiceInstallable' : 'say.noVoiceSpeaks', { language: name });
    });
    this.speaking = speaking;
    this.isLegible = isLatin(language) || !known.every(isLatin);
  }
}

/**
 * The voices for a text: if nobody has chosen one, a voice that speaks its language; otherwise the chosen ones, unless they would make
 * gibberish of it.
 * @param language `text`: that of the text, if it is certain; `usual`: that of whoever reads or writes it (BCP 47) @throws ForeignTextError
 */
export async function inLanguage(
  choice: VoiceChoice,
  { text, usual }: { text: string | null; usual: string },
  { languageVoices, voiceTitles }: Pick<SayContext, 'languageVoices' | 'voiceTitles'>,
): Promise<VoiceChoice> {
  if (!languageVoices) return choice;
  const [first] = choice.voices;
  const spokenLanguages = first ? voiceTitles.languages(first.id) : DEFAULT_LANGUAGES;
  const language = text ?? (first ? null : usual);
  if (language === null || spokenLanguages.length === 0 || speaks(spokenLanguages, language)) return choice;
  const model = await languageVoices.for(language);
  const voice = model && { id: model.id, title: model.title };
  if (!first && voice) return { ...choice, voices: [voice], wanted: voice };
  if (text === null) return choice;
  throw new ForeignTextError(text, spokenLanguages, voice);
}

/** The title of a voice that speaks in place of the default one; null if there is none. */
export function standInTitle(id: string | null, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): string | null {
  return id === null ? null : asPlain(voiceTitles.resolve(id).title ?? id, MAX_TITLE_LENGTH);
}

/** The voice with this id. */
export function findVoice(voices: readonly Voice[], id: string | null): Voice {
  return voices.find((voice) => voice?.id === id) ?? null;
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
