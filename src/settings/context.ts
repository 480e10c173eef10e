// What the settings panel needs beside the interaction.
import type { Api } from '../api/index.ts';
import type { Attachments } from '../bot/attachments.ts';
import type { InteractionContext } from '../bot/command.ts';
import type { MessageAccess } from '../bot/message-access.ts';
import type { IsOperator } from '../bot/operators.ts';
import type { OperatorBudgets } from '../credit/index.ts';
import type { Store } from '../store/index.ts';
import type { Sessions } from '../voice/types.ts';
import type { VoiceOwners } from '../voices/owners.ts';
import type { VoiceTitles } from '../voices/titles.ts';
import type { Settings } from './index.ts';

export interface SettingsContext extends InteractionContext {
  api: Api;
  attachments: Attachments;
  settings: Settings;
  sessions: Sessions;
  store: Store;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  /** The operator's daily budgets, which admins may tighten. */
  budgets: OperatorBudgets;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  isOperator: IsOperator;
  /** Who may make voices: admins choose roles only if the operator leaves it to them. */
  voiceMakers: 'operators' | 'admins' | 'everyone';
  /** Whether channels can be read aloud now. */
  messageAccess: () => MessageAccess;
}
