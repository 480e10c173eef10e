// Every command there is.
import { captions } from './captions.ts';
import { credit } from './credit.ts';
import { dictionary } from './dictionary.ts';
import { help } from './help.ts';
import { leave } from './leave.ts';
import { privacy } from './privacy.ts';
import { queue } from './queue.ts';
import { read } from './read.ts';
import { readAloud } from './read-aloud.ts';
import { say, sayWithMood } from './say.ts';
import { settings } from './settings.ts';
import { skip } from './skip.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';
import { stopReading } from './stop-reading.ts';
import { transcribe, transcribeMessage } from './transcribe.ts';
import { makeVoice, voice } from './voice.ts';
import { voices } from './voices.ts';

export const commands = [
  say,
  read,
  readAloud,
  stopReading,
  queue,
  skip,
  stop,
  leave,
  transcribe,
  transcribeMessage,
  captions,
  voices,
  voice,
  makeVoice,
  dictionary,
  credit,
  settings,
  status,
  help,
  privacy,
];

/** The commands to offer: `/say` takes a mood only if the model understands moods, and `/read` needs READ_MESSAGES. */
export function offeredCommands({ moods, readsMessages }: { moods: boolean; readsMessages: boolean }) {
  const offered = commands.filter((command) => readsMessages || !('needsMessages' in command));
  return offered.map((command) => (moods && command === say ? sayWithMood : command));
}
