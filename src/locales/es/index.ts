// Spanish: every word a member reads.
import type { Words } from '../words.ts';
import { captions } from './captions.ts';
import { commands } from './commands.ts';
import { credit } from './credit.ts';
import { dictionary } from './dictionary.ts';
import { errors } from './errors.ts';
import { access, attachments, general, voiceChannels } from './general.ts';
import { help } from './help.ts';
import { ownVoices } from './own-voices.ts';
import { privacy } from './privacy.ts';
import { heard, reading, readingNotices } from './reading.ts';
import { queue, say } from './say.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { transcription } from './transcription.ts';
import { voiceMessages } from './voice-messages.ts';
import { voices } from './voices.ts';

export default {
  locale: 'es',
  access,
  attachments,
  captions,
  commands,
  credit,
  dictionary,
  errors,
  general,
  heard,
  help,
  ownVoices,
  privacy,
  queue,
  reading,
  readingNotices,
  say,
  settings,
  status,
  transcription,
  voiceChannels,
  voiceMessages,
  voices,
} satisfies Words;
