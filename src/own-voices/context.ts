// What making voices needs beside the interaction.
import type { Attachments } from '../bot/attachments.ts';
import type { InteractionContext } from '../bot/command.ts';
import type { IsOperator } from '../bot/operators.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import type { VoiceOwners } from '../voices/owners.ts';
import type { VoiceMaker } from './maker.ts';
import type { VoiceMakers } from './permission.ts';

export interface OwnVoicesContext extends InteractionContext {
  attachments: Attachments;
  settings: Settings;
  store: Store;
  isOperator: IsOperator;
  voiceMaker: VoiceMaker;
  voiceMakers: VoiceMakers;
  voiceOwners: VoiceOwners;
  /** `voiceService`: the host that recordings are sent to; null = the service on this machine. */
  privacyFacts: { voiceService: string | null };
}
