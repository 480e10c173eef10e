// What is stored about captions, none of it words or names: who has agreed to be heard, the captions that are on, and whose line is which in
// their messages.
import { z } from 'zod';
import type { Log } from '../log.ts';
import { readAs, type Store, update } from '../store/index.ts';

/** How long an agreement is kept after it was given. */
const CONSENT_MS = 90 * 24 * 3600_000;
/** How long captions that a process left behind are kept, with the record of who said which line. */
const RUN_MS = 24 * 3600_000;
/** Milliseconds until the next attempt at something that the store must not miss. */
export const STORE_AGAIN_MS = 10_000;

/** A member's agreement to be heard. */
interface Consent {
  /** The language that they speak, in BCP 47; null = the server's hint. */
  language: string | null;
}

const consentSchema = z.object({
  language: z.string().max(20).nullable(),
  /** When it ends, in milliseconds since 1970; not stored before. */
  until: z.number().optional(),
});

/** All methods reject with StoreError. */
export interface Consents {
  find(guildId: string, memberId: string): Promise<Consent | null>;
  keep(guildId: string, memberId: string, consent: Consent): Promise<void>;
  /** Changes one that is still there, which goes on to end when it would have: the member may have withdrawn it in another process. */
  change(guildId: string, memberId: string, consent: Consent): Promise<void>;
  delete(guildId: string, memberId: string): Promise<void>;
  /** The servers in which the member has agreed. */
  guildsOf(memberId: string): Promise<string[]>;
  deleteAll(memberId: string): Promise<void>;
}

export function createConsents(store: Store, log: Log): Consents {
  const prefixOf = (memberId: string) => `captions-consent:${memberId}:`;
  const keyOf = (guildId: string, memberId: string) => prefixOf(memberId) + guildId;
  return {
    find: async (guildId, memberId) => readAs(consentSchema, await store.get(keyOf(guildId, memberId)), log, 'consent to captions'),
    keep: (guildId, memberId, { language }) =>
      store.set(keyOf(guildId, memberId), { language, until: Date.now() + CONSENT_MS }, { expiresInMs: CONSENT_MS }),
    async change(guildId, memberId, { language }) {
      const key = keyOf(guildId, memberId);
      const consent = readAs(consentSchema, await store.get(key), log, 'consent to captions');
      const until = consent?.until ?? Date.now() + CONSENT_MS;
      await update(store, key, (value) => value && { language, until }, { expiresInMs: Math.max(1, until - Date.now()) });
    },
    delete: (guildId, memberId) => store.delete(keyOf(guildId, memberId)),
    guildsOf: async (memberId) => (await store.list(prefixOf(memberId))).map(([key]) => key.slice(prefixOf(memberId).length)),
    deleteAll: (memberId) => store.deleteAll(prefixOf(memberId)),
  };
}

const runSchema = z.object({
  voiceChannelId: z.string(),
  /** The chat or the thread in which the captions are written. */
  textChannelId: z.string(),
  /** The channel in which they were started. */
  startedIn: z.string(),
  startedBy: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  panelId: z.string(),
  captioned: z.array(z.object({ memberId: z.string(), language: z.string().nullable() })),
  /** What the status of the voice channel was before it said that captions are on; null = it doesn't say so. */
  status: z.object({ before: z.string().nullable() }).nullable(),
  /** Seconds charged so far. */
  seconds: z.number(),
  /** When a process last worked on it. */
  seenAt: z.number(),
});
/** Captions that are on in a guild: what another process needs to go on with them. */
export type Run = z.infer<typeof runSchema>;

/** Whose lines a message has, in their order; null = one of ours. Times in milliseconds since 1970. */
export type Line = [memberId: string | null, startedAt: number, endedAt: number];

const linesSchema = z.array(z.tuple([z.string().nullable(), z.number(), z.number()]));

/** All methods reject with StoreError. */
export interface Runs {
  load(guildId: string): Promise<Run | null>;
  /** Those of all guilds. */
  list(): Promise<[guildId: string, run: Run][]>;
  save(guildId: string, run: Run): Promise<void>;
  /** Changes one that is still there, or else `missing`; null = it is gone. `change` may run again. */
  change(guildId: string, change: (run: Run) => Run, missing?: Run | null): Promise<Run | null>;
  /** Forgets it, with the lines of its messages. */
  delete(guildId: string): Promise<void>;
  saveLines(guildId: string, messageId: string, lines: readonly Line[]): Promise<void>;
  /** Keeps the lines of all messages as long as if they had just been written. */
  renewLines(guildId: string): Promise<void>;
  deleteLines(guildId: string, messageId: string): Promise<void>;
  /** The messages in the order in which they were written. */
  listLines(guildId: string): Promise<[messageId: string, lines: Line[]][]>;
}

export function createRuns(store: Store, log: Log): Runs {
  const options = { expiresInMs: RUN_MS };
  const read = (value: unknown) => readAs(runSchema, value as object | null, log, 'captions that are on');
  const linesKey = (guildId: string, messageId: string) => linesPrefix(guildId) + messageId;
  return {
    load: async (guildId) => read(await store.get(runKey(guildId))),
    list: async () =>
      (await store.list(runKey(''))).flatMap(([key, value]): [string, Run][] => {
        const run = read(value);
        return run ? [[key.slice(runKey('').length), run]] : [];
      }),
    save: (guildId, run) => store.set(runKey(guildId), run, options),
    async change(guildId, change, missing = null) {
      let changed: Run | null = null;
      await update(
        store,
        runKey(guildId),
        (value) => {
          const run = read(value) ?? missing;
          changed = run && change(run);
          return changed;
        },
        options,
      );
      return changed;
    },
    async delete(guildId) {
      await store.delete(runKey(guildId));
      await store.deleteAll(linesPrefix(guildId));
    },
    saveLines: (guildId, messageId, lines) => store.set(linesKey(guildId, messageId), [...lines], options),
    async renewLines(guildId) {
      for (const [key] of await store.list(linesPrefix(guildId))) await update(store, key, (value) => value, options);
    },
    deleteLines: (guildId, messageId) => store.delete(linesKey(guildId, messageId)),
    async listLines(guildId) {
      const found = (await store.list(linesPrefix(guildId))).flatMap(([key, value]): [string, Line[]][] => {
        const lines = readAs(linesSchema, value, log, 'lines of captions');
        return lines ? [[key.slice(linesPrefix(guildId).length), lines]] : [];
      });
      return found.sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1));
    },
  };
}

const runKey = (guildId: string) => `captions:${guildId}`;
const linesPrefix = (guildId: string) => `captions-lines:${guildId}:`;

/** Prefixes of all keys about captions that are on in a server. */
export function guildCaptionsKeys(guildId: string): { key: string; prefix: string } {
  return { key: runKey(guildId), prefix: linesPrefix(guildId) };
}
