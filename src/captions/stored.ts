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
  /** What the service billed for them: each utterance is rounded up. Absent = an earlier version didn't count it. */
  billedSeconds: z.number().exactOptional(),
  /** When a process last worked on it. */
  seenAt: z.number(),
});
/** Captions that are on in a guild: what another process needs to go on with them. */
export type Run = z.infer<typeof runSchema>;

/** Why captions ended: the sentence that says so, and who turned them off. */
const endSchema = z.object({
  reason: z.enum(['stopped', 'nobody', 'moved', 'left', 'channelGone', 'lost', 'unwritable', 'interrupted', 'unavailable']),
  /** Null unless somebody turned them off. */
  memberId: z.string().nullable(),
});
export type End = z.infer<typeof endSchema>;

const endedRunSchema = runSchema.extend({ end: endSchema });
/** Captions that have ended, whose transcript isn't posted yet. */
export type EndedRun = z.infer<typeof endedRunSchema>;

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
  /** From now on, no process goes on with these captions; what is left to do is to post their transcript, and then `forgetEnded`. */
  end(guildId: string, run: Run, end: End): Promise<void>;
  loadEnded(guildId: string, panelId: string): Promise<EndedRun | null>;
  /** Those of all guilds. */
  listEnded(): Promise<[guildId: string, run: EndedRun][]>;
  /** Forgets them, with the lines of their messages unless other captions have begun meanwhile. */
  forgetEnded(guildId: string, panelId: string): Promise<void>;
  /**
   * Leaves a member out of captions, also of those that have ended but for their last words.
   * @param guildId null = in all servers
   */
  leaveOut(guildId: string | null, memberId: string): Promise<void>;
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
  const readEnded = (value: unknown) => readAs(endedRunSchema, value as object | null, log, 'captions that have ended');
  const listWith = async <T>(prefix: string, parse: (value: unknown) => T | null): Promise<[key: string, T][]> =>
    (await store.list(prefix)).flatMap(([key, value]): [string, T][] => {
      const parsed = parse(value);
      return parsed === null ? [] : [[key.slice(prefix.length), parsed]];
    });
  const list = () => listWith(runKey(''), read);
  const linesKey = (guildId: string, messageId: string) => linesPrefix(guildId) + messageId;
  /** Other captions that have begun meanwhile stay. */
  async function forgetOn(guildId: string, panelId: string): Promise<void> {
    await update(store, runKey(guildId), (value) => (read(value)?.panelId === panelId ? null : value), options);
  }

  return {
    load: async (guildId) => read(await store.get(runKey(guildId))),
    list,
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
    async end(guildId, run, end) {
      const stored = read(await store.get(runKey(guildId)));
      // Another process may have left somebody out.
      const captioned = stored?.panelId === run.panelId ? stored.captioned : run.captioned;
      // Under a key of its own: earlier versions, which would ignore a mark in the other, don't go on with it either.
      await store.set(endedKey(guildId, run.panelId), { ...run, captioned, end }, options);
      await forgetOn(guildId, run.panelId);
    },
    loadEnded: async (guildId, panelId) => readEnded(await store.get(endedKey(guildId, panelId))),
    listEnded: async () =>
      (await listWith(ENDED_PREFIX, readEnded)).map(([key, run]): [string, EndedRun] => [key.slice(0, key.indexOf(':')), run]),
    async forgetEnded(guildId, panelId) {
      await forgetOn(guildId, panelId);
      if ((await store.get(runKey(guildId))) === null) await store.deleteAll(linesPrefix(guildId));
      await store.delete(endedKey(guildId, panelId));
    },
    async leaveOut(guildId, memberId) {
      const isOther = (one: Run['captioned'][number]) => one.memberId !== memberId;
      const runs = guildId === null ? await list() : [[guildId, await this.load(guildId)] as const];
      for (const [id, run] of runs)
        if (run && !run.captioned.every(isOther)) await this.change(id, (one) => ({ ...one, captioned: one.captioned.filter(isOther) }));
      for (const [key] of await store.list(ENDED_PREFIX + (guildId === null ? '' : `${guildId}:`)))
        await update(
          store,
          key,
          (value) => {
            const run = readEnded(value);
            return run && { ...run, captioned: run.captioned.filter(isOther) };
          },
          options,
        );
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
const ENDED_PREFIX = 'captions-ended:';
const endedKey = (guildId: string, panelId: string) => `${ENDED_PREFIX}${guildId}:${panelId}`;
const linesPrefix = (guildId: string) => `captions-lines:${guildId}:`;

/** The key and the prefixes of everything about captions in a server. */
export function guildCaptionsKeys(guildId: string): { key: string; prefixes: string[] } {
  return { key: runKey(guildId), prefixes: [linesPrefix(guildId), `${ENDED_PREFIX}${guildId}:`] };
}
