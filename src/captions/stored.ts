// What is stored about captions, none of it words or names: who has agreed to be heard, and the captions that are on. Whose line is which in
// their messages is in posted-words/lines.ts.
import { z } from 'zod';
import type { Log } from '../log.ts';
import { linesPrefixes } from '../posted-words/lines.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import { readAs, type Store, update, type Value } from '../store/index.ts';

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
  /** The text channels that it was given in. */
  channelIds: string[];
}

const consentSchema = z.object({
  language: z.string().max(20).nullable(),
  /** When it ends, in milliseconds since 1970; not stored before. */
  until: z.number().optional(),
  /** Where it was given, and when it ends there. Earlier versions store no channels, and leave out those that are there. */
  channels: z.array(z.object({ id: z.string(), until: z.number() })).default([]),
});

/** All methods reject with StoreError. */
export interface Consents {
  find(guildId: string, memberId: string): Promise<Consent | null>;
  /** Keeps one that is given in this channel, besides those given in others. @param isMeant false once the member has withdrawn it */
  keep(
    guildId: string,
    memberId: string,
    agreement: Pick<Consent, 'language'> & { channelId: string },
    isMeant?: () => boolean,
  ): Promise<void>;
  /** Changes one that is still there, which goes on to end when it would have: the member may have withdrawn it in another process. */
  change(guildId: string, memberId: string, changed: Pick<Consent, 'language'>): Promise<void>;
  delete(guildId: string, memberId: string): Promise<void>;
  /** The servers in which the member has agreed. */
  guildsOf(memberId: string): Promise<string[]>;
  deleteAll(memberId: string): Promise<void>;
}

export function createConsents(store: Store, log: Log): Consents {
  const prefixOf = (memberId: string) => `captions-consent:${memberId}:`;
  const keyOf = (guildId: string, memberId: string) => prefixOf(memberId) + guildId;
  const read = (value: Value) => readAs(consentSchema, value, log, 'consent to captions');
  const channelsOf = (value: Value) => (read(value)?.channels ?? []).filter(({ until }) => until > Date.now());
  return {
    async find(guildId, memberId) {
      const value = await store.get(keyOf(guildId, memberId));
      const consent = read(value);
      return consent && { language: consent.language, channelIds: channelsOf(value).map(({ id }) => id) };
    },
    async keep(guildId, memberId, { language, channelId }, isMeant = () => true) {
      const until = Date.now() + CONSENT_MS;
      const others = (value: Value) => channelsOf(value).filter(({ id }) => id !== channelId);
      const add = (value: Value) => (isMeant() ? { language, until, channels: [...others(value), { id: channelId, until }] } : value);
      await update(store, keyOf(guildId, memberId), add, { expiresInMs: CONSENT_MS });
    },
    async change(guildId, memberId, { language }) {
      const key = keyOf(guildId, memberId);
      const until = read(await store.get(key))?.until ?? Date.now() + CONSENT_MS;
      const change = (value: Value) => value && { language, until, channels: channelsOf(value) };
      await update(store, key, change, { expiresInMs: Math.max(1, until - Date.now()) });
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
  /** Milliseconds since 1970. Tells the captions of a guild apart: they may have several panels, one after the other. */
  startedAt: z.number(),
  /** The latest panel. */
  panelId: z.string(),
  /** Absent = an earlier version has stored it. */
  firstPanelId: z.string().exactOptional(),
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

/** Names captions, as the message before all of theirs. */
export const idOf = ({ firstPanelId, panelId }: Pick<Run, 'firstPanelId' | 'panelId'>): string => firstPanelId ?? panelId;

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

/** All methods reject with StoreError. */
export interface Runs {
  load(guildId: string): Promise<Run | null>;
  /** The runs of all guilds. */
  list(): Promise<[guildId: string, run: Run][]>;
  save(guildId: string, run: Run): Promise<void>;
  /** Changes a run that is still there, or else `missing`; null = it is gone. `change` may run again. */
  change(guildId: string, change: (run: Run) => Run, missing?: Run | null): Promise<Run | null>;
  /** Forgets the guild's run. */
  delete(guildId: string): Promise<void>;
  /** From now on, no process goes on with these captions; what is left to do is to post their transcript, and then `forgetEnded`. */
  end(guildId: string, run: Run, end: End): Promise<void>;
  loadEnded(guildId: string, panelId: string): Promise<EndedRun | null>;
  /** The ended runs of all guilds. */
  listEnded(): Promise<[guildId: string, run: EndedRun][]>;
  /** Forgets them. */
  forgetEnded(guildId: string, ended: Pick<Run, 'startedAt' | 'panelId'>): Promise<void>;
  /**
   * Leaves a member out of captions, also of those that have ended but for their last words.
   * @param guildId null = in all servers
   */
  leaveOut(guildId: string | null, memberId: string): Promise<void>;
}

export function createRuns(store: Store, log: Log): Runs {
  const options = { expiresInMs: RUN_MS };
  const read = (value: Value) => readAs(runSchema, value, log, 'captions that are on');
  const readEnded = (value: Value) => readAs(endedRunSchema, value, log, 'captions that have ended');
  const listWith = async <T>(prefix: string, parse: (value: Value) => T | null): Promise<[key: string, T][]> =>
    (await store.list(prefix)).flatMap(([key, value]): [string, T][] => {
      const parsed = parse(value);
      return parsed === null ? [] : [[key.slice(prefix.length), parsed]];
    });
  const list = () => listWith(runKey(''), read);
  /** Forgets these captions; others that have begun meanwhile stay. */
  async function forgetOn(guildId: string, startedAt: number): Promise<void> {
    await update(store, runKey(guildId), (value) => (read(value)?.startedAt === startedAt ? null : value), options);
  }

  return {
    load: async (guildId) => read(await store.get(runKey(guildId))),
    list,
    save: (guildId, run) => store.set(runKey(guildId), run, options),
    change(guildId, change, missing = null) {
      const changeStored = (value: Value) => {
        const run = read(value) ?? missing;
        return run && change(run);
      };
      return update(store, runKey(guildId), changeStored, options);
    },
    delete: (guildId) => store.delete(runKey(guildId)),
    async end(guildId, run, end) {
      const stored = read(await store.get(runKey(guildId)));
      // Another process may have left somebody out.
      const captioned = stored?.startedAt === run.startedAt ? stored.captioned : run.captioned;
      // Under a key of its own: earlier versions, which would ignore a mark in the other, don't go on with it either.
      await store.set(endedKey(guildId, run.panelId), { ...run, captioned, end }, options);
      await forgetOn(guildId, run.startedAt);
    },
    loadEnded: async (guildId, panelId) => readEnded(await store.get(endedKey(guildId, panelId))),
    listEnded: async () =>
      (await listWith(ENDED_PREFIX, readEnded)).map(([key, run]): [string, EndedRun] => [key.slice(0, key.indexOf(':')), run]),
    async forgetEnded(guildId, { startedAt, panelId }) {
      await forgetOn(guildId, startedAt);
      await store.delete(endedKey(guildId, panelId));
    },
    async leaveOut(guildId, memberId) {
      const isOther = (member: Run['captioned'][number]) => member.memberId !== memberId;
      const leaveOutOfEnded = (value: Value) => {
        const run = readEnded(value);
        return run && { ...run, captioned: run.captioned.filter(isOther) };
      };
      const runs = guildId === null ? await list() : [[guildId, await this.load(guildId)] as const];
      for (const [id, run] of runs)
        if (run && !run.captioned.every(isOther))
          await this.change(id, (current) => ({ ...current, captioned: current.captioned.filter(isOther) }));
      for (const [key] of await store.list(ENDED_PREFIX + (guildId === null ? '' : `${guildId}:`)))
        await update(store, key, leaveOutOfEnded, options);
    },
  };
}

/** Forgets captions that have ended, with whose lines they had unless other captions have begun meanwhile. @throws StoreError */
export async function forgetEnded(
  runs: Runs,
  words: PostedWords,
  guildId: string,
  ended: Pick<Run, 'startedAt' | 'panelId' | 'firstPanelId'>,
): Promise<void> {
  const on = await runs.load(guildId);
  if (on === null || on.startedAt === ended.startedAt) await words.forgetCaptions(guildId, idOf(ended));
  await runs.forgetEnded(guildId, ended);
}

const runKey = (guildId: string) => `captions:${guildId}`;
const ENDED_PREFIX = 'captions-ended:';
const endedKey = (guildId: string, panelId: string) => `${ENDED_PREFIX}${guildId}:${panelId}`;

/** The key and the prefixes of everything about captions in a server. */
export function guildCaptionsKeys(guildId: string): { key: string; prefixes: string[] } {
  return { key: runKey(guildId), prefixes: [...linesPrefixes(guildId), `${ENDED_PREFIX}${guildId}:`] };
}
