// What members do to a bot: every command, button, menu and form, and every way of being read, in several acts with a bot each.
import { playAct } from './act.ts';
import type { Recorder } from './recorder.ts';
import { readAloud } from './story-reading.ts';
import { goThroughTheRest, withMoods, withoutCredit } from './story-rest.ts';
import { speak } from './story-say.ts';
import { setUp } from './story-settings.ts';
import { transcribe } from './story-transcribe.ts';
import { findVoices } from './story-voices.ts';

const USUAL = { readMessages: true, voiceMakers: 'everyone', cacheBytes: 8_000_000, discord: { members: 3 } } as const;

export const acts: Record<string, (recorder: Recorder) => Promise<void>> = {
  // The first one: only in the first world of a process are ids the same each time, on which depends whose voice is whose.
  reading: (recorder) => playAct(recorder, 'messages are read aloud', USUAL, readAloud),
  say: (recorder) => playAct(recorder, 'texts are spoken', USUAL, speak),
  settings: (recorder) => playAct(recorder, 'settings and dictionaries', { ...USUAL, voiceMakers: 'admins' }, setUp),
  voices: (recorder) => playAct(recorder, 'voices', USUAL, findVoices),
  transcribe: (recorder) => playAct(recorder, 'recordings are transcribed', USUAL, transcribe),
  rest: (recorder) =>
    playAct(recorder, 'everything else', { ...USUAL, voiceMakers: 'operators', discord: { guilds: 2, members: 3 } }, goThroughTheRest),
  moods: (recorder) => playAct(recorder, 'a model that understands moods', { model: 's2.1-pro' }, withMoods),
  poor: (recorder) =>
    playAct(
      recorder,
      'no credit, and few requests at a time',
      { service: { credit: '0' }, operatorsAreOthers: true, inOneGuild: true, cooldown: { burst: 4, perMs: 3600_000 } },
      withoutCredit,
    ),
};
