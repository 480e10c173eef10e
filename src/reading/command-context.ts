// What the commands for reading aloud need beside the interaction.
import type { InteractionContext } from '../bot/command.ts';
import type { MessageAccess } from '../bot/message-access.ts';
import type { CreditService } from '../credit/index.ts';
import type { Settings } from '../settings/index.ts';
import type { IsServerMuted } from '../voice/server-mutes.ts';
import type { Sessions } from '../voice/types.ts';
import type { Reading } from './types.ts';

export interface ReadingCommandContext extends InteractionContext {
  reading: Reading;
  sessions: Sessions;
  settings: Settings;
  credit: CreditService;
  isServerMuted: IsServerMuted;
  /** Whether channels can be read now. */
  messageAccess: () => MessageAccess;
}
