// The voice models of the service: read from a catalogue file, kept sorted in memory, filtered and paged from there.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ModelEntity, type ModelListQuery, modelStates, modelTypes, trainModes, visibilities } from '../../api/schemas.ts';
import { chooseDefault, type DefaultVoices, isPrompt } from './default-voices.ts';
import {
  ENGINE_VOICES,
  type EngineVoice,
  ESPEAK_VOICES,
  type Espeak,
  isNatural,
  type NaturalSpeed,
  type RemoteVoice,
} from './engines/index.ts';
import { SAMPLE_TEXTS } from './sample-texts.ts';
import { soundVersion } from './sound-version.ts';

const id = z.string().regex(/^[\w.-]{1,100}$/, 'must be letters, digits, points, underscores and hyphens');

function isPossible({ base, pitchHz, rate }: EngineVoice): boolean {
  const limits = ENGINE_VOICES[base];
  const isWithin = (value: number | undefined, { min, max }: { min: number; max: number }) =>
    value === undefined || (value >= min && value <= max);
  return limits !== undefined && isWithin(pitchHz, limits.pitchHz) && isWithin(rate, limits.rate);
}

/** A model in the file: the spec's field names, and what the service needs to speak in its voice. */
const fileModel = z.strictObject({
  _id: id,
  type: z.enum(modelTypes).default('tts'),
  title: z.string(),
  /** Filtered by, but not part of a response. */
  title_language: z.string().default('en'),
  description: z.string(),
  train_mode: z.enum(trainModes).default('full'),
  state: z.enum(modelStates).default('trained'),
  tags: z.array(z.string()),
  samples: z.array(z.strictObject({ title: z.string(), text: z.string() })).default([]),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().optional(),
  languages: z.array(z.string()).default(['en']),
  visibility: z.enum(visibilities).default('public'),
  lock_visibility: z.boolean().default(false),
  like_count: z.int().min(0).default(0),
  mark_count: z.int().min(0).default(0),
  shared_count: z.int().min(0).default(0),
  task_count: z.int().min(0).default(0),
  /** `_id` of an author; a private model belongs to the user with the same id. */
  author: id,
  /** Of what speaks: samples that another version of it has made aren't used. */
  sound_version: z.string().default(soundVersion(null)),
  voice: z
    .union([
      z
        .strictObject({ base: z.enum(Object.keys(ENGINE_VOICES)), pitchHz: z.number().optional(), rate: z.number().optional() })
        .refine(isPossible, 'is beyond what this base can do: see ENGINE_VOICES'),
      z.strictObject({ remote: z.string(), model: z.string() }),
    ])
    .optional(),
});

const catalogueFile = z.strictObject({
  authors: z.array(z.strictObject({ _id: id, nickname: z.string() })),
  /** Speaks if no `reference_id` is given, unless a natural voice does. */
  default_model: id,
  models: z.array(fileModel),
});

type FileModel = Omit<z.output<typeof fileModel>, 'voice'> & { voice?: CatalogueModel['voice'] };

export type CatalogueFile = z.input<typeof catalogueFile>;

/** One model in memory: what is sent, except URLs, which depend on how the service is reached. */
export interface CatalogueModel {
  entity: Omit<ModelEntity, 'cover_image' | 'samples' | 'author'>;
  author: { _id: string; nickname: string };
  samples: { title: string; text: string }[];
  /** Absent if it cannot speak. */
  voice: EngineVoice | RemoteVoice | undefined;
  /** Samples that another version of the voice has made aren't used. */
  soundVersion: string;
  /** It comes with the service, so nobody may change it. */
  isBundled: boolean;
  /** Gain in dB, on top of the request's. */
  volumeDb: number;
  /** Folded. */
  search: { title: string; titleLanguage: string; tags: Set<string>; languages: string[] };
}

export interface Catalogue {
  /** The model that speaks this text if no `reference_id` is given; null = it isn't known yet. */
  defaultFor(text: string | null, speed: number): CatalogueModel;
  /** Replaces what comes with the service, and the voices that speak by default. */
  arrange(arrangement: Arrangement): void;
  /** Adds a model, or replaces the one with its id. */
  put(model: CatalogueModel): void;
  remove(id: string): void;
  /** Finds a model by its id, whatever its state; null if it does not exist, or is private and another user's. */
  find(id: string, userId: string | null): CatalogueModel | null;
  hasAuthor(id: string): boolean;
  list(query: ModelListQuery, userId: string): { total: number; items: CatalogueModel[] };
}

/** The catalogue that comes with the service. */
export function readBundledCatalogue(): CatalogueFile {
  return JSON.parse(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8'));
}

/** What comes with the service, and which of it speaks if no `reference_id` is given. */
interface Arrangement {
  file: CatalogueFile;
  /** Null = the default of the file, whatever the text. */
  defaults: DefaultVoices | null;
}

/** What voices that don't keep up are tagged with. */
const SLOW = 'slow';

const ESPEAK_AUTHOR = { _id: 'espeak', nickname: 'espeak-ng' };

/** The catalogue with those voices of espeak-ng that this machine has, after all others. */
export function withEspeakVoices(file: CatalogueFile, espeak: Espeak | null): CatalogueFile {
  if (!espeak) return file;
  const voices = Object.entries(ESPEAK_VOICES).filter(([, { program }]) => espeak.voices.has(program));
  const models = voices.map(([base, { language, title, about }]) => ({
    _id: base,
    title,
    title_language: language,
    description: `${about}. Speaks at once on any computer.`,
    tags: [about.includes('a woman') ? 'female' : 'male', 'robot'],
    languages: [language],
    samples: [{ title: 'Hello', text: SAMPLE_TEXTS[language.split('-')[0] ?? ''] ?? '' }],
    created_at: '2026-11-27T09:00:00.000Z',
    author: ESPEAK_AUTHOR._id,
    sound_version: soundVersion(espeak),
    voice: { base },
  }));
  return { ...file, authors: [...file.authors, ESPEAK_AUTHOR], models: [...file.models, ...models] };
}

/**
 * The catalogue as this machine can speak it: where natural voices keep up they come first, and the first of them is the default one unless
 * Flite is to be; where they don't, they come last, and the first of them speaks texts that it begins soon with.
 * @param natural null leaves them out
 */
export function arrangeVoices(file: CatalogueFile, natural: NaturalSpeed | null, defaultEngine: 'auto' | 'flite'): Arrangement {
  const standIn = file.default_model;
  const [naturals = [], others = []] = [true, false].map((wanted) => file.models.filter(({ voice }) => isNatural(voice ?? {}) === wanted));
  const [first] = naturals;
  if (!natural || !first?.voice || !('base' in first.voice))
    return { file: { ...file, models: others }, defaults: { natural: null, standIn } };
  const isDefault = defaultEngine === 'auto';
  return {
    file: natural.keepsUp
      ? { ...file, default_model: isDefault ? first._id : standIn, models: [...naturals, ...others] }
      : { ...file, models: [...others, ...naturals.map((model) => ({ ...model, tags: [SLOW, ...model.tags] }))] },
    defaults: { natural: isDefault && isPrompt(natural) ? { id: first._id, base: first.voice.base, speed: natural } : null, standIn },
  };
}

/**
 * Checks and indexes a catalogue.
 * @throws Error that names the position in the file
 */
export function createCatalogue(arrangement: Arrangement): Catalogue {
  /** What callers have made. */
  const own = new Map<string, CatalogueModel>();
  const ownAuthors = new Set<string>();
  let bundled = index(arrangement);
  const sortAll = () => {
    const all = [...bundled.byId.values(), ...own.values()];
    return { score: sortBy(all, score), task_count: sortBy(all, (m) => m.entity.task_count), created_at: sortBy(all, createdAt) };
  };
  let sorted = sortAll();
  const byId = (wanted: string) => own.get(wanted) ?? bundled.byId.get(wanted);
  return {
    defaultFor(text, speed) {
      const { defaults, defaultModel } = bundled;
      return (defaults && text !== null && byId(chooseDefault(defaults, text, speed))) || defaultModel;
    },
    arrange(changed) {
      bundled = index(changed);
      sorted = sortAll();
    },
    put(model) {
      own.set(model.entity._id, model);
      ownAuthors.add(model.author._id);
      sorted = sortAll();
    },
    remove(id) {
      own.delete(id);
      sorted = sortAll();
    },
    hasAuthor: (id) => ownAuthors.has(id) || bundled.authors.has(id),
    find: (id, userId) => {
      const model = byId(id);
      return model && (model.entity.visibility !== 'private' || model.author._id === userId) ? model : null;
    },
    list: (query, userId) => {
      const matches = createFilter(query, userId);
      const start = (query.page_number - 1) * query.page_size;
      const items: CatalogueModel[] = [];
      let total = 0;
      for (const model of sorted[query.sort_by]) {
        if (!matches(model)) continue;
        if (total >= start && items.length < query.page_size) items.push(model);
        total += 1;
      }
      return { total, items };
    },
  };
}

/** @throws Error that names the position in the file */
function index({ file, defaults }: Arrangement) {
  const parsed = catalogueFile.safeParse(file);
  if (!parsed.success) throw new Error(`The catalogue is not right:\n${z.prettifyError(parsed.error)}`);
  const authors = new Map(parsed.data.authors.map((author) => [author._id, author]));
  const byId = new Map<string, CatalogueModel>();
  for (const model of parsed.data.models) {
    const author = authors.get(model.author);
    if (!author) throw new Error(`The catalogue is not right: "${model._id}" has the unknown author "${model.author}".`);
    if (byId.has(model._id)) throw new Error(`The catalogue is not right: "${model._id}" is there twice.`);
    byId.set(model._id, toModel(model, author));
  }
  const defaultModel = byId.get(parsed.data.default_model);
  if (!defaultModel?.voice)
    throw new Error(`The catalogue is not right: "${parsed.data.default_model}" cannot be the default, it does not speak.`);

  return { authors, byId, defaultModel, defaults };
}

/** @param model checked, or made by the service itself */
export function toModel(model: FileModel, author: { _id: string; nickname: string }): CatalogueModel {
  const { author: _author, voice, samples, title_language, sound_version, ...fields } = model;
  return {
    entity: {
      ...fields,
      updated_at: model.updated_at ?? model.created_at,
      unliked: false,
      liked: false,
      marked: false,
    },
    author,
    samples,
    voice,
    soundVersion: sound_version,
    isBundled: true,
    volumeDb: 0,
    search: {
      title: fold(model.title),
      titleLanguage: fold(title_language),
      tags: new Set(model.tags.map(fold)),
      languages: model.languages.map(fold),
    },
  };
}

/** Ignores case and compatibility forms: "clara" finds "Ｃlara". */
const fold = (text: string) => text.normalize('NFKC').toLowerCase();

/** The sort key `score`, which the spec does not define: how popular a model is. */
const score = ({ entity }: CatalogueModel) =>
  3 * entity.like_count + 2 * entity.mark_count + 4 * entity.shared_count + entity.task_count / 10;

const createdAt = ({ entity }: CatalogueModel) => Date.parse(entity.created_at);

/** Highest first; ties in the order of the catalogue, so that no model is on two pages or on none. */
function sortBy(models: CatalogueModel[], key: (model: CatalogueModel) => number): CatalogueModel[] {
  return models.toSorted((a, b) => key(b) - key(a));
}

/**
 * A model must pass all filters, and match any value of each; "en" also matches "en-GB". Lists show public models and the caller's own
 * private ones, and with `self` all of the caller's, whatever their visibility.
 */
function createFilter(query: ModelListQuery, userId: string): (model: CatalogueModel) => boolean {
  const title = query.title === null ? null : fold(query.title);
  const tags = query.tag?.map(fold) ?? null;
  const languages = query.language?.map(fold) ?? null;
  const titleLanguages = query.title_language?.map(fold) ?? null;
  const authorId = query.self ? userId : query.author_id;
  return ({ entity, author, search }) => {
    if (authorId !== null && author._id !== authorId) return false;
    const isVisible = query.self || entity.visibility === 'public' || (entity.visibility === 'private' && author._id === userId);
    if (!isVisible) return false;
    if (title !== null && !search.title.includes(title)) return false;
    if (tags !== null && !tags.some((tag) => search.tags.has(tag))) return false;
    if (languages !== null && !search.languages.some((has) => matchesLanguage(has, languages))) return false;
    return titleLanguages === null || matchesLanguage(search.titleLanguage, titleLanguages);
  };
}

const matchesLanguage = (language: string, wanted: string[]) => wanted.some((want) => language === want || language.startsWith(`${want}-`));
