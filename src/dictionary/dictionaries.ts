// The dictionaries of servers and members: how words are said. This file stores them, and combines what applies to a member's texts.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Interaction } from 'discord.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createInTurn, createTogetherByKey, type InTurn } from '../async/waiting.ts';
import { isAdmin } from '../discord/access.ts';
import type { Attachments } from '../discord/attachments.ts';
import type { InteractionContext } from '../discord/command.ts';
import { UserError } from '../discord/errors.ts';
import { baseOf } from '../locales/language-names.ts';
import { type Store, update, type Value } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import { type Entry, entrySchema, type FoldedText, foldText } from './entry.ts';

/** Whose dictionary it is. */
export type Owner = { guildId: string } | { userId: string };

/** The most entries of a server, and of a member. */
const MAX_OF_GUILD = 1000;
const MAX_OF_MEMBER = 50;

/** Limit for all compiled dictionaries together: enough for thousands of usual size. */
const MAX_COMPILED_BYTES = 100 * 1024 * 1024;
/** Entries that are compiled before it yields: a few milliseconds of work, even with the longest words. */
const COMPILED_AT_A_TIME = 50;

/** Returns the text as it is to be spoken. @param language of the text (BCP 47); null = not known */
export type ReplaceWords = (text: string, language: string | null) => string;

/** All methods reject with StoreError on failure. */
export interface Dictionaries {
  /**
   * What applies to a member's texts: the server's entries and their own, which win if both have the same word. Call it for each text, so
   * a change applies to the very next one. @param guildId null outside of servers
   */
  for(guildId: string | null, memberId: string): Promise<ReplaceWords>;
  entries(owner: Owner): Promise<Entry[]>;
  /**
   * Changes an owner's entries. No change by others is lost.
   * @param change returns the entries to keep, and may be called again; what it throws is passed on, and changes nothing
   */
  change(owner: Owner, change: (entries: Entry[]) => Entry[]): Promise<Entry[]>;
  clear(owner: Owner): Promise<void>;
  /** Runs one import after another, so only one file at a time is in memory and being read. */
  inTurn: InTurn;
}

export function maxEntries(owner: Owner): number {
  return 'guildId' in owner ? MAX_OF_GUILD : MAX_OF_MEMBER;
}

const entriesSchema = z.array(entrySchema);

interface Compiled {
  version: unknown;
  dictionary: CompiledDictionary;
}

const EMPTY = compileDictionary([]);

export function createDictionaries(store: Store): Dictionaries {
  const inTurn = createInTurn();
  const compiled = new LRUCache<string, Compiled>({ maxSize: MAX_COMPILED_BYTES });
  /** By keys and versions of dictionaries. */
  const compileTogether = createTogetherByKey<string, CompiledDictionary>();

  const read = async (key: string): Promise<Entry[]> => parse(await store.get(key));

  async function load(owner: Owner): Promise<CompiledDictionary> {
    const key = storeKey(owner);
    // The version is read before the entries: if they change in between, they are read again the next time.
    const version = await store.get(versionKey(key));
    if (version === null) return EMPTY;
    const cached = compiled.get(key);
    if (cached?.version === version) return cached.dictionary;
    return compileTogether(`${key} ${version}`, () => compile(key, version));
  }

  async function compile(key: string, version: unknown): Promise<CompiledDictionary> {
    const entries = await read(key);
    const dictionary = compileDictionary([]);
    for (let at = 0; at < entries.length; at += COMPILED_AT_A_TIME) {
      if (at > 0) await nextTurn();
      compileDictionary(entries.slice(at, at + COMPILED_AT_A_TIME), dictionary);
    }
    compiled.set(key, { version, dictionary }, { size: bytesOf(dictionary) + 1 });
    return dictionary;
  }

  async function change(key: string, edit: (entries: Entry[]) => Entry[]): Promise<Entry[]> {
    try {
      const changed = await update(store, key, (value) => {
        const entries = edit(parse(value));
        return entries.length === 0 ? null : entries;
      });
      // Other processes notice the new version.
      if (changed === null) await store.delete(versionKey(key));
      // Another process may have added something in between.
      if (changed !== null || (await store.get(key)) !== null) await store.set(versionKey(key), randomUUID());
      return changed ?? [];
    } finally {
      compiled.delete(key);
    }
  }

  return {
    async for(guildId, memberId) {
      const own = load({ userId: memberId });
      const dictionaries = await Promise.all(guildId === null ? [own] : [own, load({ guildId })]);
      return (text, language) => replaceWords(text, language, dictionaries);
    },
    entries: (owner) => read(storeKey(owner)),
    change: (owner, by) => change(storeKey(owner), by),
    clear: async (owner) => void (await change(storeKey(owner), () => [])),
    inTurn,
  };
}

function parse(value: Value): Entry[] {
  return entriesSchema.catch([]).parse(value ?? []);
}

function storeKey(owner: Owner): string {
  return 'guildId' in owner ? `dictionary:guild:${owner.guildId}` : `dictionary:member:${owner.userId}`;
}

function versionKey(key: string): string {
  return `dictionary-version:${key.slice('dictionary:'.length)}`;
}

/** What /dictionary needs besides the interaction. */
export interface DictionaryContext extends InteractionContext {
  attachments: Attachments;
  dictionaries: Dictionaries;
  settings: Settings;
  store: Store;
}

// Whose dictionary an interaction is about, and who may change it.

export type Scope = 'server' | 'me';

export interface Subject {
  scope: Scope;
  owner: Owner;
  mayChange: boolean;
}

type Context = Pick<DictionaryContext, 'settings'>;

/**
 * The dictionary to show: the server's, unless the member asked for their own, or there is no server.
 * @throws UserError if the server's was asked for outside of servers; StoreError
 */
export async function findSubject(interaction: Interaction, context: Context, wanted: string | null): Promise<Subject> {
  const ofMember: Subject = { scope: 'me', owner: { userId: interaction.user.id }, mayChange: true };
  if (wanted === 'me') return ofMember;
  if (interaction.inCachedGuild()) {
    const { dictionaryRoles } = await context.settings.guild(interaction.guildId);
    const mayChange = isAdmin(interaction.memberPermissions) || interaction.member.roles.cache.hasAny(...dictionaryRoles);
    return { scope: 'server', owner: { guildId: interaction.guildId }, mayChange };
  }
  if (wanted === 'server') throw new UserError((t) => t('dictionary.notInGuild'));
  return ofMember;
}

/** Nobody reads a longer list of roles. */
const MAX_NAMED = 5;

/**
 * The dictionary to change: the one that was asked for, otherwise the server's if the member may change it, otherwise their own.
 * @throws UserError if they may not change the one they asked for; StoreError
 */
export async function findSubjectToChange(interaction: Interaction, context: Context, wanted: string | null): Promise<Subject> {
  const subject = await findSubject(interaction, context, wanted);
  if (subject.mayChange) return subject;
  if (wanted === null) return findSubject(interaction, context, 'me');
  const { dictionaryRoles } = await context.settings.guild(interaction.guildId ?? '');
  throw new UserError((t) =>
    dictionaryRoles.length === 0 || dictionaryRoles.length > MAX_NAMED
      ? t('dictionary.adminsOnly')
      : t('dictionary.notAllowed', { roles: dictionaryRoles }),
  );
}

// Finds the words of dictionaries in a text and replaces them with what is said, in one pass whose cost depends on the length of the text
// and hardly on the number of entries.

/** A dictionary as a tree: each step is one UTF-16 unit of a folded word. */
export interface CompiledDictionary {
  /** Maps a node and a unit, as one number, to the next node. One map for all nodes takes a tenth of the memory of a map for each. */
  steps: Map<number, number>;
  /** The entries whose word ends at a node. */
  ends: Map<number, Entry[]>;
}

const ROOT = 0;
const UNITS = 0x10000;

/** Characters that all replacements together may add. More of a text is never spoken, so what follows need not be replaced. */
const MAX_ADDED = 4000;

/** @param dictionary the one that the entries are added to: a large one is compiled in parts */
export function compileDictionary(
  entries: readonly Entry[],
  dictionary: CompiledDictionary = { steps: new Map(), ends: new Map() },
): CompiledDictionary {
  const { steps, ends } = dictionary;
  // The root, and one for each step.
  let nodes = steps.size + 1;
  for (const entry of entries) {
    let node = ROOT;
    const word = foldText(entry.word).keys.join('');
    for (let at = 0; at < word.length; at++) {
      const step = node * UNITS + word.charCodeAt(at);
      node = steps.get(step) ?? nodes++;
      steps.set(step, node);
    }
    if (node !== ROOT) ends.set(node, [...(ends.get(node) ?? []), entry]);
  }
  return dictionary;
}

/**
 * The most memory it takes, in bytes: up to 72 for a step, in a map that has just grown; for an entry, twice its two texts and 400 more.
 */
export function bytesOf({ steps, ends }: CompiledDictionary): number {
  let bytes = 72 * steps.size;
  for (const entries of ends.values()) for (const { word, spoken } of entries) bytes += 400 + 2 * (word.length + spoken.length);
  return bytes;
}

/**
 * Replaces whole words, the longest one where several begin, and never what it has put in itself: a → b and b → a swap the two.
 * @param language of the text (BCP 47), for entries of one language; null = not known, which lets all entries count
 * @param dictionaries if several have the same word, the first one's entry counts
 */
export function replaceWords(text: string, language: string | null, dictionaries: readonly CompiledDictionary[]): string {
  const filled = dictionaries.filter(({ ends }) => ends.size > 0);
  if (filled.length === 0) return text;
  const folded = foldText(text);
  let replaced = '';
  let copied = 0;
  let room = MAX_ADDED;
  for (let at = 0; at < folded.keys.length; ) {
    const match = startsWord(folded, at) ? findLongest(folded, at, language, filled) : null;
    if (!match) {
      at++;
      continue;
    }
    const start = folded.starts[at] as number;
    const end = folded.starts[match.end] as number;
    room -= Math.max(0, match.entry.spoken.length - (end - start));
    if (room < 0) break;
    replaced += folded.text.slice(copied, start) + match.entry.spoken;
    copied = end;
    at = match.end;
  }
  return copied === 0 ? text : replaced + folded.text.slice(copied);
}

interface Found {
  entry: Entry;
  /** The unit after the word. */
  end: number;
}

function findLongest(folded: FoldedText, from: number, language: string | null, dictionaries: readonly CompiledDictionary[]): Found | null {
  let longest: Found | null = null;
  for (const { steps, ends } of dictionaries) {
    let node: number | undefined = ROOT;
    for (let at = from; at < folded.keys.length; at++) {
      const key = folded.keys[at] as string;
      for (let unit = 0; unit < key.length && node !== undefined; unit++) node = steps.get(node * UNITS + key.charCodeAt(unit));
      if (node === undefined) break;
      const end = at + 1;
      if (longest && end <= longest.end) continue;
      const entries = ends.get(node);
      const entry: Entry | undefined = entries && endsWord(folded, end) ? chooseEntry(entries, language) : undefined;
      if (entry) longest = { entry, end };
    }
  }
  return longest;
}

/** Prefers an entry for this language to one for all languages. If the language isn't known, it is the other way round. */
function chooseEntry(entries: readonly Entry[], language: string | null): Entry | undefined {
  const forAll = entries.find((entry) => entry.language === null);
  if (language === null) return forAll ?? entries[0];
  return entries.find((entry) => entry.language === baseOf(language)) ?? forAll;
}

/** In scripts without spaces, a word can start anywhere. Where scripts meet, as in "GPT를", a new word starts. */
function startsWord({ kinds }: FoldedText, at: number): boolean {
  const kind = kinds[at];
  return !((kind === 'letter' || kind === 'hangul') && kinds[at - 1] === kind);
}

/** Korean appends particles to words, so Hangul may follow. */
function endsWord({ kinds }: FoldedText, end: number): boolean {
  return !(kinds[end - 1] === 'letter' && kinds[end] === 'letter');
}
