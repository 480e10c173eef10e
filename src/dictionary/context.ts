// What /dictionary needs beside the interaction.
import type { Attachments } from '../bot/attachments.ts';
import type { InteractionContext } from '../bot/command.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import type { Dictionaries } from './index.ts';

export interface DictionaryContext extends InteractionContext {
  attachments: Attachments;
  dictionaries: Dictionaries;
  settings: Settings;
  store: Store;
}
