// What engines answer to /v1/models and /v1/audio/voices, in the many shapes there are. Entries that can't be read are skipped.

export interface VoiceEntry {
  name: string;
  /** Another name for people, or null. */
  title: string | null;
  description: string | null;
  gender: string | null;
  /** Language tags. */
  languages: string[];
  /** The model that has this voice, or null if the engine doesn't say. */
  model: string | null;
}

export interface ModelEntry {
  id: string;
  /** Such as `text-to-speech`, or null. */
  task: string | null;
  voices: VoiceEntry[];
}

/** More than any engine has; a list of millions would only be a fault. */
const MAX_ENTRIES = 2_000;
const MAX_TEXT = 100;
/** Characters read for each one shown: the rest is not looked at. */
const READ_AHEAD = 8;

/** @returns null if it is no list of voices at all */
export function readVoices(answer: unknown): VoiceEntry[] | null {
  return listIn(answer, ['voices', 'data', 'items'])?.flatMap((entry) => readVoice(entry, null, [])) ?? null;
}

/** @returns null if it is no list of models at all */
export function readModels(answer: unknown): ModelEntry[] | null {
  const list = listIn(answer, ['data', 'models', 'items']);
  if (!list) return null;
  return list.flatMap((entry) => {
    if (typeof entry === 'string') return [{ id: entry, task: null, voices: [] }];
    const id = textIn(entry, ['id', 'name', 'model']);
    if (id === null) return [];
    const languages = languagesIn(entry);
    const voices = listIn(entry, ['voices'])?.flatMap((voice) => readVoice(voice, id, languages)) ?? [];
    return [{ id, task: textIn(entry, ['task', 'type']), voices }];
  });
}

/** The usual model if it has this task, else the first that has it, or the only one there is. @param names of models that have it */
export function chooseModel(models: readonly ModelEntry[], task: string, names: RegExp, usual: string): string {
  const fit = models.filter((model) => model.task === task || names.test(model.id));
  const [only] = models.length === 1 ? models : [];
  return (fit.find(({ id }) => id === usual) ?? fit[0] ?? only)?.id ?? usual;
}

function readVoice(entry: unknown, ofModel: string | null, ofLanguages: string[]): VoiceEntry[] {
  const name = typeof entry === 'string' ? toLine(entry) : textIn(entry, ['voice_id', 'id', 'name', 'value', 'voice']);
  if (!name) return [];
  const title = textIn(entry, ['title', 'display_name', 'label', 'name']);
  const languages = languagesIn(entry);
  return [
    {
      name,
      title: title === name ? null : title,
      description: textIn(entry, ['description']),
      gender: textIn(entry, ['gender']),
      languages: languages.length > 0 ? languages : ofLanguages,
      model: textIn(entry, ['model_id', 'model']) ?? ofModel,
    },
  ];
}

/** The array itself, or the one under the first of these names. */
function listIn(value: unknown, names: string[]): unknown[] | null {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES);
  const list = names.map((name) => fieldOf(value, name)).find(Array.isArray);
  return list?.slice(0, MAX_ENTRIES) ?? null;
}

function textIn(value: unknown, names: string[]): string | null {
  for (const name of names) {
    const text = fieldOf(value, name);
    if (typeof text === 'string' && toLine(text)) return toLine(text);
  }
  return null;
}

function languagesIn(entry: unknown): string[] {
  const languages = ['languages', 'language', 'locale', 'lang'].map((name) => fieldOf(entry, name)).find((value) => value);
  return [languages].flat().slice(0, MAX_TEXT).flatMap(toLanguageTag);
}

/** `en_US` becomes `en-US`; names of languages and nonsense are left out. */
export function toLanguageTag(value: unknown): string[] {
  if (typeof value !== 'string' || !/^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(value)) return [];
  try {
    return Intl.getCanonicalLocales(value.replaceAll('_', '-'));
  } catch {
    return [];
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** One line without control characters. */
function toLine(text: string): string {
  return text
    .slice(0, READ_AHEAD * MAX_TEXT)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
}
