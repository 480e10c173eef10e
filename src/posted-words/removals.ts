// What is to be deleted of somebody's words: noted in the store before anybody is told, and tried until Discord has done it, over restarts,
// by whichever process has the server.
import type { Client } from 'discord.js';
import { z } from 'zod';
import { type createInTurnByKey, poll, within } from '../async/waiting.ts';
import { describeError, UserError } from '../discord/errors.ts';
import type { Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { readAs, type Store, StoreError, type Value } from '../store/index.ts';
import { isChannelGone, type Obstacle, obstacleOf, openWordsChannel, type WordsChannel } from './channel.ts';

const KINDS = ['answer', 'captions', 'transcript'] as const;

/** Somebody's words in one place. */
export interface Removal {
  /**
   * Where they are: in the answers to a voice message, in the messages of captions, or in the transcript of captions and in the messages that
   * it was made of.
   */
  kind: (typeof KINDS)[number];
  guildId: string;
  channelId: string;
  /** Of the voice message, of the captions' panel, or of the transcript's message. */
  id: string;
  /** The member whose words they are. */
  memberId: string;
}

const noteSchema = z.object({
  /** Of captions, what was said up to then, in milliseconds since 1970. */
  at: z.number(),
  /** Of a transcript, what was said up to then, in seconds; null = all. */
  upTo: z.number().nullable(),
  /** Why the last attempt failed. */
  obstacle: z.enum(['locked', 'forbidden', 'failed']).nullable(),
  isDone: z.boolean(),
});
type Note = z.infer<typeof noteSchema>;

export type NotedRemoval = Removal & Pick<Note, 'at' | 'upTo'>;

/** How many lines or messages were deleted. */
export interface Removed {
  count: number;
  /** Whether the note is kept although everything was deleted: words that were on their way may still arrive. */
  keepsNote?: boolean;
}

/** Deletes what there is. Null = another process has to. @throws UserError if it is impossible; DiscordAPIError, StoreError */
export type Remover = (removal: NotedRemoval, channel: WordsChannel) => Promise<Removed | null>;

/** Why a removal is left after an attempt; null = it is still going on. */
export type Left = Obstacle | null;

export interface Removals {
  /** Each kind has one, given before `begin`. */
  handle(kind: Removal['kind'], remover: Remover): void;
  /**
   * Notes what is to be deleted, and deletes it. Resolves once that is done or has failed, or takes too long, with what isn't done yet: it is
   * tried for 30 days. @throws StoreError if nothing was noted; UserError if it is impossible
   */
  remove(removals: readonly (Removal & { at?: number; upTo?: number })[]): Promise<{ count: number; left: Left[] }>;
  /** What isn't done yet of a member's. @throws StoreError */
  leftOf(memberId: string): Promise<Left[]>;
  /** All that was asked for since captions began, done or not. @throws StoreError */
  ofCaptions(panelId: string): Promise<NotedRemoval[]>;
  /**
   * Forgets the removals of these captions: all of them, because their transcript is what counts now, or those that are done.
   * @throws StoreError
   */
  forgetCaptions(panelId: string, which: 'all' | 'done'): Promise<void>;
  /** Whose words in captions of a server are still to be deleted. @throws StoreError */
  membersLeftIn(guildId: string): Promise<Set<string>>;
  /** Goes on with what is left, once the client is ready. */
  begin(): void;
  /** Resolves when nothing is being deleted any more. */
  close(): Promise<unknown>;
}

export interface RemovalTiming {
  /** Between two looks at what processes have noted, in milliseconds. */
  lookMs?: number;
  /** After a first failure, in milliseconds; each further one doubles it. */
  againMs?: number;
}

export type InTurnByKey = ReturnType<typeof createInTurnByKey<string>>;

export interface RemovalsOptions {
  client: Client<true>;
  store: Store;
  inTurn: InTurnByKey;
  /** With several processes: whether this one has the server. */
  hasGuild: (guildId: string) => boolean;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  timing?: RemovalTiming | undefined;
}

const PREFIX = 'words-removal:';
const KEEP_MS = 30 * 24 * 3600_000;
/** Removals that are done are noted for as long as captions that a process left behind. */
const KEEP_DONE_MS = 24 * 3600_000;
const LOOK_MS = 3_000;
const AGAIN_MS = 5_000;
const MOST_MS = 3600_000;
/** How long members wait for a removal before they are told that it goes on. */
const WAIT_MS = 20_000;
const POLL_MS = 250;

const keyOf = ({ memberId, guildId, channelId, kind, id }: Removal) => `${PREFIX}${[memberId, guildId, channelId, kind, id].join(':')}`;

function toRemoval(key: string): Removal | null {
  const [memberId, guildId, channelId, kind, id] = key.slice(PREFIX.length).split(':');
  const knownKind = KINDS.find((name) => name === kind);
  return memberId && guildId && channelId && knownKind && id ? { memberId, guildId, channelId, kind: knownKind, id } : null;
}

export function createRemovals({ client, store, inTurn, hasGuild, log, now, timing = {} }: RemovalsOptions): Removals {
  const { lookMs = LOOK_MS, againMs = AGAIN_MS } = timing;
  const removers = new Map<Removal['kind'], Remover>();
  /** By key: how often it has failed here, and when it is tried again, by `performance.now()`. */
  const failures = new Map<string, { count: number; again: number }>();
  const running = new Map<string, Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;

  const read = (value: Value) => readAs(noteSchema, value, log, 'note of words to delete');

  /** @throws StoreError */
  async function list(prefix: string): Promise<{ key: string; removal: Removal; note: Note }[]> {
    return (await store.list(prefix)).flatMap(([key, value]) => {
      const [removal, note] = [toRemoval(key), read(value)];
      return removal && note ? [{ key, removal, note }] : [];
    });
  }

  const listLeft = async (prefix: string) => (await list(prefix)).filter(({ note }) => !note.isDone);

  /** One attempt. @throws UserError, StoreError */
  function attempt(removal: Removal): Promise<number> {
    const key = keyOf(removal);
    const done = inTurn(key, () => perform(key, removal)).finally(() => {
      if (running.get(key) === done) running.delete(key);
    });
    running.set(key, done);
    return done;
  }

  async function perform(key: string, removal: Removal): Promise<number> {
    const value = await store.get(key);
    const note = read(value);
    const remover = removers.get(removal.kind);
    if (!note || note.isDone) failures.delete(key);
    if (!note || note.isDone || !remover || isClosing) return 0;
    const channel = openWordsChannel(client, removal.channelId, log);
    const removed = await remover({ ...removal, at: note.at, upTo: note.upTo }, channel).catch((error: unknown) => {
      if (isChannelGone(error)) return { count: 0 };
      return error instanceof Error ? error : new Error(String(error));
    });
    await channel.archiveAgain();
    if (removed === null) return 0;
    if (removed instanceof Error && !(removed instanceof UserError)) {
      await noteFailure(key, value, note, removed);
      return 0;
    }
    failures.delete(key);
    // A newer note about the same words stays.
    if ('keepsNote' in removed && removed.keepsNote)
      await store.compareAndSet(key, value, { ...note, obstacle: null, isDone: true }, { expiresInMs: KEEP_DONE_MS });
    else await store.compareAndSet(key, value, null);
    if (removed instanceof UserError) throw removed;
    return removed.count;
  }

  async function noteFailure(key: string, value: Value, note: Note, error: Error): Promise<void> {
    const count = (failures.get(key)?.count ?? 0) + 1;
    failures.set(key, { count, again: performance.now() + Math.min(MOST_MS, againMs * 2 ** (count - 1)) });
    if (count === 1) log.warn(describeError(error), 'words could not be deleted; trying again until they are');
    if (error instanceof StoreError) return;
    const obstacle = obstacleOf(error);
    if (obstacle === note.obstacle) return;
    await store.compareAndSet(key, value, { ...note, obstacle }, { expiresInMs: Math.max(1, note.at + KEEP_MS - now()) });
  }

  async function review(): Promise<void> {
    for (const { key, removal } of await listLeft(PREFIX)) {
      const isDue = (failures.get(key)?.again ?? 0) <= performance.now();
      if (isDue && !running.has(key) && hasGuild(removal.guildId)) attempt(removal).catch(warn);
    }
  }

  const warn = (error: unknown) => log.warn(describeError(error), 'could not look for words to delete; trying again');

  function look(): void {
    timer = setTimeout(
      () =>
        void review()
          .catch(warn)
          .finally(() => isClosing || look()),
      lookMs,
    ).unref();
  }

  /** Resolves when other processes have done it, or failed, with what is left. @throws StoreError */
  async function wait(keys: ReadonlySet<string>, until: number): Promise<Left[]> {
    const members = new Set([...keys].map((key) => `${PREFIX}${toRemoval(key)?.memberId ?? ''}:`));
    let remaining: Awaited<ReturnType<typeof listLeft>> = [];
    const areDone = async () => {
      remaining = (await Promise.all([...members].map(listLeft))).flat().filter(({ key }) => keys.has(key));
      return remaining.every(({ note }) => note.obstacle !== null) || isClosing;
    };
    await poll(areDone, { everyMs: POLL_MS, maxMs: until - performance.now(), ref: false });
    return remaining.map(({ note }) => note.obstacle);
  }

  return {
    handle(kind, remover) {
      removers.set(kind, remover);
    },
    async remove(removals) {
      const until = performance.now() + WAIT_MS;
      for (const { at = now(), upTo = null, ...removal } of removals) {
        const note: Note = { at, upTo, obstacle: null, isDone: false };
        await store.set(keyOf(removal), note, { expiresInMs: KEEP_MS });
        failures.delete(keyOf(removal));
      }
      const here = removals.filter(({ guildId }) => hasGuild(guildId));
      const counts = Promise.all(here.map((removal) => attempt(removal)));
      const count = (await within(WAIT_MS, counts, [])).reduce((sum, count) => sum + count, 0);
      return { count, left: await wait(new Set(removals.map(keyOf)), until) };
    },
    leftOf: async (memberId) => (await listLeft(`${PREFIX}${memberId}:`)).map(({ note }) => note.obstacle),
    ofCaptions: async (panelId) =>
      (await list(PREFIX)).flatMap(({ removal, note }) =>
        removal.kind === 'captions' && removal.id === panelId ? [{ ...removal, at: note.at, upTo: note.upTo }] : [],
      ),
    async forgetCaptions(panelId, which) {
      for (const { key, removal, note } of await list(PREFIX))
        if (removal.kind === 'captions' && removal.id === panelId && (which === 'all' || note.isDone)) await store.delete(key);
    },
    membersLeftIn: async (guildId) =>
      new Set(
        (await listLeft(PREFIX)).flatMap(({ removal: { kind, guildId: where, memberId } }) =>
          kind === 'captions' && where === guildId ? [memberId] : [],
        ),
      ),
    begin() {
      void review().catch(warn);
      if (!isClosing) look();
    },
    close() {
      isClosing = true;
      clearTimeout(timer);
      return Promise.allSettled(running.values());
    },
  };
}

/** What members are told of what is left. */
export function leftSentence(t: Translator, left: readonly Left[]): string {
  return t('privacy.wordsLeft', { obstacle: left.find((obstacle) => obstacle !== null) ?? 'waiting' });
}
