// What speaking is asked with, and what it needs.
import type { ChatInputCommandInteraction, ModalSubmitInteraction } from 'discord.js';
import type { CreditService } from '../charging/index.ts';
import type { Dictionaries } from '../dictionary/dictionaries.ts';
import type { ComponentInteraction, InteractionContext } from '../discord/command.ts';
import type { HandOver } from '../discord/handovers.ts';
import type { IsOperator } from '../discord/operators.ts';
import type { FindSpeaking } from '../discord/speaking.ts';
import type { IsServerMuted } from '../discord/voice-channels.ts';
import type { Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import type { Mood, SpeechEngine } from '../synthesis/index.ts';
import type { LanguageVoices } from '../voice-catalogue/language-voices.ts';
import type { VoiceOwners } from '../voice-catalogue/owners.ts';
import type { VoiceTitles } from '../voice-catalogue/titles.ts';
import type { Sessions } from '../voice-session/types.ts';

/** How a text is spoken. */
export interface VoiceOptions {
  /** `id` of the voice model; '' = the service's default voice; null = whichever is set for the member, the channel or the server. */
  voice: string | null;
  /** 0.5 to 2; null = as set by the member. */
  speed: number | null;
  /** Absent or null = none. */
  mood?: Mood | null;
}

/** Rounds to two decimals; nobody hears more. */
export function roundSpeed(speed: number): number {
  return Math.round(speed * 100) / 100;
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

/** Where a request can come from: the command itself, a button of its replies, or the form behind one. */
export type SayInteraction = ChatInputCommandInteraction | ComponentInteraction | ModalSubmitInteraction;
