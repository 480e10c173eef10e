// What a member wants said, and how it is written in the custom_id of a button or form, which therefore works after a restart.

import type { Dictionaries } from '../dictionary/dictionaries.ts';
import { customId, limits } from '../discord/cards.ts';
import type { InteractionContext } from '../discord/command.ts';
import type { HandOver } from '../discord/handovers.ts';
import type { IsOperator } from '../discord/operators.ts';
import type { IsServerMuted } from '../discord/permissions.ts';
import type { FindSpeaking } from '../discord/speaking.ts';
import { MOODS, type Mood, type SpeechEngine } from '../speech/index.ts';
import type { Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import type { Sessions } from '../voice/types.ts';
import type { VoiceOwners } from '../voices/owners.ts';
import type { VoiceTitles } from '../voices/titles.ts';
import type { CreditService } from '../wallet/index.ts';

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
}

/** Longest name or id of a voice that can be typed: as long as an autocomplete choice may be. */
export const MAX_VOICE = 100;

/** The longest text: as long as a message may be; Discord itself takes no more. */
export const MAX_TEXT = 2000;

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

/**
 * `prefix:part:manner:voice`, or null if the id of the voice is too long for a custom_id. The manner is the speed, followed by the mood. The
 * other parts are ids.
 */
export function voiceOptionsId(prefix: string, parts: string[], { voice, speed, mood }: VoiceOptions): string | null {
  const manner = `${speed === null ? '' : roundSpeed(speed)}${mood ? MOOD_LETTERS[mood] : ''}`;
  const others = [...parts, manner, voice === null ? '' : '='];
  const room = limits.customId - [prefix, ...others].join(':').length;
  return (voice?.length ?? 0) > room ? null : customId(prefix, ...others) + (voice ?? '');
}

/** @param parts the end of such an id, split at its colons */
export function parseVoiceOptions([manner = '', ...voice]: string[]): VoiceOptions {
  const id = voice.join(':');
  const [, speed, letter] = /^([\d.]*)(\w?)$/.exec(manner) ?? [];
  const factor = Number(speed);
  return {
    voice: id.startsWith('=') ? id.slice(1) : null,
    speed: factor >= 0.5 && factor <= 2 ? factor : null,
    mood: MOODS.find((mood) => MOOD_LETTERS[mood] === letter) ?? null,
  };
}

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
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
  speakingIn: FindSpeaking;
  /** Absent if this is the only process. */
  handOver?: HandOver | undefined;
}
