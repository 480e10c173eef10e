// The voices of an engine behind HTTP, as the catalogue shows them: names that people can read, and languages as far as they are known.
import { createHash } from 'node:crypto';
import type { ListedVoice } from '../engine.ts';
import { chooseModel, type ModelEntry, toLanguageTag, type VoiceEntry } from './lists.ts';

/** What every engine of this shape knows, if it lists no voices: https://platform.openai.com/docs/guides/text-to-speech */
const USUAL_VOICES = ['alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer'];
const USUAL_MODEL = 'tts-1';
const SPEAKS = /tts|text-to-speech|speech-?synth|kokoro|piper|orpheus|chatterbox|bark|parler|dia\b|supertonic/i;

/** Kokoro's naming: a letter for the language, one for the gender, then the name. https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md */
const KOKORO_NAME = /^([abefhijpz])([fm])_(\w+)$/;
const KOKORO_LANGUAGES: Record<string, string> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es',
  f: 'fr',
  h: 'hi',
  i: 'it',
  j: 'ja',
  p: 'pt-BR',
  z: 'zh',
};
/** Piper's naming: locale, name, quality. https://github.com/rhasspy/piper/blob/master/VOICES.md */
const PIPER_NAME = /^([a-z]{2,3}_[A-Z]{2})-(\w+)-(x_low|low|medium|high)$/;

const MAX_ID = 100;

/** @param voices null if the engine has no list of them */
export function toListedVoices(models: readonly ModelEntry[], voices: readonly VoiceEntry[] | null): ListedVoice[] {
  /** Speaks unless a voice belongs to another one. */
  const model = chooseModel(models, 'text-to-speech', SPEAKS, USUAL_MODEL);
  const ofModels = models.flatMap((entry) => entry.voices);
  const usual = USUAL_VOICES.map((name) => ({ name, title: null, description: null, gender: null, languages: [], model: null }));
  const [entries = usual] = [ofModels, voices ?? []].filter((list) => list.length > 0);
  const listed = new Map<string, ListedVoice>();
  for (const entry of entries) {
    const voice = toListedVoice(entry, model);
    listed.set(voice.id, voice);
  }
  return withDistinctTitles([...listed.values()]);
}

function toListedVoice(entry: VoiceEntry, model: string): ListedVoice {
  const { name } = entry;
  const [, letter = '', sex, kokoro] = KOKORO_NAME.exec(name) ?? [];
  const [, locale, piper] = PIPER_NAME.exec(name) ?? [];
  const gender = entry.gender ?? { f: 'female', m: 'male' }[sex ?? ''] ?? null;
  const guessed = toLanguageTag(KOKORO_LANGUAGES[letter] ?? locale);
  return {
    id: toId(entry.model === null ? name : `${entry.model}.${name}`),
    voice: { remote: name, model: entry.model ?? model },
    title: entry.title ?? toTitle(kokoro ?? piper ?? name),
    description: entry.description ?? '',
    languages: entry.languages.length > 0 ? entry.languages : guessed,
    tags: gender ? [gender.toLowerCase()] : [],
  };
}

/** The name itself where it can be an id, so that it is the same tomorrow; else what is readable of it, and a hash. */
function toId(name: string): string {
  const clean = name.replace(/[^\w.-]+/g, '-');
  if (clean === name && name.length <= MAX_ID) return name;
  return `${clean.slice(0, MAX_ID - 9)}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

function toTitle(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Members choose by title: those that are there twice get the engine's name too. */
function withDistinctTitles(voices: ListedVoice[]): ListedVoice[] {
  const counts = Map.groupBy(voices, ({ title }) => title);
  return voices.map((voice) =>
    counts.get(voice.title)?.length === 1 ? voice : { ...voice, title: `${voice.title} (${voice.voice.remote})` },
  );
}
