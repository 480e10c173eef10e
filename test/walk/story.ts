// What members do to a bot: every command, button, menu and form, and every way of being read, in several acts with a bot each.
import type { MannersName } from '../../src/local/voice-service/manners.ts';
import { playAct } from './act.ts';
import type { Recorder } from './recorder.ts';
import { readAloud } from './story-reading.ts';
import { goThroughTheRest, withMoods, withoutCredit } from './story-rest.ts';
import { speak } from './story-say.ts';
import { setUp } from './story-settings.ts';
import { transcribe } from './story-transcribe.ts';
import { findVoices } from './story-voices.ts';

const USUAL = { readMessages: true, voiceMakers: 'everyone', cacheBytes: 8_000_000, discord: { members: 3 } } as const;

/** @param like whose manners the voice service has */
type Play = (recorder: Recorder, like: MannersName) => Promise<void>;

export const acts: Record<string, Play> = {
  // The first one: only in the first world of a process are ids the same each time, on which depends whose voice is whose.
  reading: (recorder, like) => playAct(recorder, 'messages are read aloud', { ...USUAL, service: { like } }, readAloud),
  say: (recorder, like) => playAct(recorder, 'texts are spoken', { ...USUAL, service: { like } }, speak),
  settings: (recorder, like) =>
    playAct(recorder, 'settings and dictionaries', { ...USUAL, service: { like }, voiceMakers: 'admins' }, setUp),
  voices: (recorder, like) => playAct(recorder, 'voices', { ...USUAL, service: { like } }, findVoices),
  transcribe: (recorder, like) => playAct(recorder, 'recordings are transcribed', { ...USUAL, service: { like } }, transcribe),
  rest: (recorder, like) =>
    playAct(
      recorder,
      'everything else',
      { ...USUAL, service: { like }, voiceMakers: 'operators', discord: { guilds: 2, members: 3 } },
      goThroughTheRest,
    ),
  moods: (recorder, like) => playAct(recorder, 'a model that understands moods', { model: 's2.1-pro', service: { like } }, withMoods),
  poor: (recorder, like) =>
    playAct(
      recorder,
      'no credit, and few requests at a time',
      { service: { like, credit: '0' }, operatorsAreOthers: true, inOneGuild: true, cooldown: { burst: 4, perMs: 3600_000 } },
      withoutCredit,
    ),
};
