// What speaking needs beside the interaction.
import type { InteractionContext } from '../bot/command.ts';
import type { HandOver } from '../bot/handovers.ts';
import type { IsOperator } from '../bot/operators.ts';
import type { FindSpeaking } from '../bot/speaking.ts';
import type { CreditService } from '../credit/index.ts';
import type { Dictionaries } from '../dictionary/index.ts';
import type { Settings } from '../settings/index.ts';
import type { SpeechEngine } from '../speech/index.ts';
import type { Store } from '../store/index.ts';
import type { IsServerMuted } from '../voice/server-mutes.ts';
import type { Sessions } from '../voice/types.ts';
import type { VoiceOwners } from '../voices/owners.ts';
import type { VoiceTitles } from '../voices/titles.ts';

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
  /** Absent if there is no other process. */
  handOver?: HandOver | undefined;
}
