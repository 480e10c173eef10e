// Every sentence that a member reads: the cause, then the next step. In one place, a file for each topic, ready for other languages.
import { access } from './access.ts';
import { anywhere } from './anywhere.ts';
import { credit } from './credit.ts';
import { help } from './help.ts';
import { privacy } from './privacy.ts';
import { settings } from './settings.ts';
import { speaking } from './speaking.ts';
import { status } from './status.ts';
import { transcribing } from './transcribing.ts';
import { voices } from './voices.ts';

export { newsSentence } from './credit.ts';
export { apiSentence, budgetSentence, voiceSentence } from './failures.ts';

export const sentences = {
  ...anywhere,
  ...access,
  ...speaking,
  ...transcribing,
  ...voices,
  ...credit,
  ...settings,
  ...status,
  ...help,
  ...privacy,
} as const;
