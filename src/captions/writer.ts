// Writes captions into a channel: one message at a time, edited as people speak, each line "**Name** words".
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { isAnswered, isGone, isLost, isRefused, type WordsChannel } from '../posted-words/channel.ts';
import { type Line, lineOf, writeWhatIsTaken } from '../posted-words/lines.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import type { Caption } from './listening.ts';

export interface Writer {
  /** @param name as the server shows it */
  add(caption: Caption, name: string): void;
  /** Adds a line of ours, in Markdown. */
  note(sentence: string): void;
  /** Says how far behind the captions are, in Markdown, below the last line or in a message of its own; null = they aren't. */
  setBehind(sentence: string | null): void;
  /**
   * Removes all lines of a member that they had said by then, also from earlier messages. Resolves with how many.
   * @param at milliseconds since 1970 @throws DiscordAPIError, StoreError
   */
  removeAll(memberId: string, at: number): Promise<number>;
  /** Writes what hasn't been written yet, without a pause. Resolves once that is done, or can't be, or after `maxMs`. */
  flush(maxMs?: number): Promise<void>;
  /** Writes nothing more. Call after `flush`. */
  close(): void;
}

export interface WriterOptions {
  guildId: string;
  channel: WordsChannel;
  /** The id of a message in the channel that is older than any of these. */
  since: string;
  words: Pick<PostedWords, 'inTurn' | 'lines'>;
  /** Nothing more can be written in the channel. */
  onLost(error: unknown): void;
  /** Discord never takes a line of this member. */
  onRefused(memberId: string): void;
  log: Log;
  pauses?: typeof PAUSES | undefined;
}

/** Milliseconds from one change of a message to the next: Discord allows five in five seconds. And of silence, after which a new message begins. */
const PAUSES = { edit: 1_200, silence: 30_000 };
/** UTF-16 units of a message, after which a new one begins. */
const MAX_MESSAGE = 1_500;
/** Milliseconds for which what is left at the end is tried. */
const FLUSH_MS = 10_000;

/** Two of the same words by the same member are two lines. */
interface WrittenLine {
  text: string;
  line: Line;
}

interface Draft {
  /** Null before it is sent. */
  id: string | null;
  /** What it is to say. */
  lines: WrittenLine[];
  /** What the message says by now, without lines of ours about the moment; and with them. */
  written: WrittenLine[];
  shown: string;
  /** What it may say, if Discord hasn't answered. */
  attempted: WrittenLine[] | null;
}

export function createWriter({ guildId, channel, since, words, onLost, onRefused, log, pauses = PAUSES }: WriterOptions): Writer {
  const { lines: posted } = words;
  /** The message that lines are added to comes last; those before it are complete, but not all of it may be written yet. */
  let drafts: Draft[] = [];
  let behind: string | null = null;
  /** `performance.now()` */
  let lastAddedAt = Number.NEGATIVE_INFINITY;
  let lastChangeAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let lastError: unknown = null;
  let isClosed = false;

  function contentOf(draft: Draft, lines: readonly WrittenLine[] = draft.lines): string {
    const status = behind !== null && draft === drafts.at(-1) ? [`-# ${behind}`] : [];
    return [...lines.map(({ text }) => text), ...status].join('\n');
  }

  const isDone = (draft: Draft) => draft.attempted === null && contentOf(draft) === draft.shown && isSame(draft.lines, draft.written);
  const findUnwritten = () => drafts.find((draft) => !isDone(draft));

  /** The message that a text of this length is added to. */
  function draftFor(length: number): Draft {
    const now = performance.now();
    const current = drafts.at(-1);
    const isFull = current !== undefined && contentOf(current).length + length >= MAX_MESSAGE;
    const isNew = !current || isFull || now - lastAddedAt >= pauses.silence;
    lastAddedAt = now;
    if (!isNew) return current;
    const draft: Draft = { id: null, lines: [], written: [], shown: '', attempted: null };
    drafts.push(draft);
    return draft;
  }

  function addLine(text: string, line: Line): void {
    if (isClosed) return;
    const { lines } = draftFor(text.length);
    // In the order in which people began to speak: somebody who spoke for longer comes before those who were done sooner.
    lines.splice(lines.findLastIndex((other) => other.line[1] <= line[1]) + 1, 0, { text, line });
    schedule();
  }

  function schedule(): void {
    if (timer !== undefined || isClosed) return;
    const wait = Math.max(0, lastChangeAt + pauses.edit - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      void writeNext();
    }, wait);
  }

  /** Makes one change, and schedules the next. Never rejects; resolves with whether it worked. */
  async function writeNext(): Promise<'written' | 'failed' | 'lost'> {
    try {
      await words.inTurn(channel.id, async () => {
        const draft = findUnwritten();
        if (draft) await write(draft);
      });
    } catch (error) {
      lastError = error;
      if (isLost(error)) {
        onLost(error);
        return 'lost';
      }
      log.warn(describeError(error), 'captions could not be written; trying again');
      lastChangeAt = performance.now();
      schedule();
      return 'failed';
    }
    lastChangeAt = performance.now();
    drafts = drafts.filter((draft, index) => index === drafts.length - 1 || !isDone(draft));
    if (findUnwritten()) schedule();
    return 'written';
  }

  /** @throws DiscordAPIError, StoreError */
  async function write(draft: Draft): Promise<void> {
    await findOut(draft);
    const kept = draft.written.filter((line) => draft.lines.includes(line));
    // A change that removes lines goes first: see posted-words/lines.ts.
    const isRemoval = kept.length < draft.written.length;
    const target = isRemoval ? kept : [...draft.lines];
    try {
      const refused = await writeWhatIsTaken(target, (accepted) => put(draft, accepted), isRemoval ? [] : kept);
      if (refused.length > 0 && !(await areLaterOnesTaken(draft, kept, refused))) return;
      for (const line of refused) leaveOut(draft, line);
    } catch (error) {
      if (draft.id === null || !isGone(error)) throw error;
      // A moderator has deleted the message: what was in it stays deleted, and what has been said since goes into another message.
      const { id, written } = draft;
      Object.assign(draft, { id: null, lines: draft.lines.filter((line) => !written.includes(line)), written: [], shown: '' });
      await posted.forget(guildId, id);
    }
  }

  /** Discord may refuse a line because of an earlier line, by a rule that is newer: then the later lines go into another message. */
  async function areLaterOnesTaken(draft: Draft, kept: readonly WrittenLine[], refused: readonly WrittenLine[]): Promise<boolean> {
    if (draft.id === null || kept.length === 0 || !isSame(draft.written, kept)) return true;
    try {
      await channel.edit(draft.id, draft.shown);
      return true;
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
    draft.lines = draft.lines.filter((line) => !refused.includes(line));
    const next: Draft = { id: null, lines: [...refused], written: [], shown: '', attempted: null };
    drafts.splice(drafts.indexOf(draft) + 1, 0, next);
    return false;
  }

  function leaveOut(draft: Draft, refusedLine: WrittenLine): void {
    draft.lines = draft.lines.filter((line) => line !== refusedLine);
    const [memberId] = refusedLine.line;
    if (memberId !== null) onRefused(memberId);
  }

  /** @throws DiscordAPIError, StoreError */
  async function put(draft: Draft, lines: readonly WrittenLine[]): Promise<void> {
    const content = contentOf(draft, lines);
    const { id } = draft;
    if (content === draft.shown && isSame(lines, draft.written)) return;
    draft.attempted = [...lines];
    const owners = lines.map(({ line }) => line);
    try {
      if (id !== null) await posted.change(guildId, channel, { id, content, lines: owners });
      else if (content !== '') {
        const message = await posted.post(guildId, channel, { content, lines: owners }, since);
        if (message.content === content) Object.assign(draft, { id: message.id, written: [...lines], shown: content });
        else adopt(draft, message);
      }
    } catch (error) {
      if (isAnswered(error)) draft.attempted = null;
      throw error;
    }
    if (id !== null || content === '') Object.assign(draft, { written: [...lines], shown: content });
    // The message only said how far behind the captions were, or all of its lines were removed.
    if (content === '') draft.id = null;
    draft.attempted = null;
  }

  function adopt(draft: Draft, message: { id: string; content: string; lines: readonly Line[] }): void {
    const ownLines = [...new Set([...draft.written, ...(draft.attempted ?? []), ...draft.lines])];
    const written = message.lines.flatMap((line) => ownLines.find((ownLine) => String(ownLine.line) === String(line)) ?? []);
    Object.assign(draft, { id: message.id, shown: message.content, written });
  }

  /** Finds out whether the last change was made, if Discord hasn't answered it. @throws DiscordAPIError, StoreError */
  async function findOut(draft: Draft): Promise<void> {
    if (draft.attempted === null) return;
    const message = draft.id === null ? (await posted.settle(guildId, channel)).at(-1) : await posted.look(guildId, channel, draft.id);
    if (message) adopt(draft, message);
    draft.attempted = null;
  }

  async function flush(maxMs = FLUSH_MS): Promise<void> {
    for (const until = performance.now() + maxMs; findUnwritten(); ) {
      clearTimeout(timer);
      timer = undefined;
      const done = await writeNext();
      if (done === 'lost' || (done === 'failed' && performance.now() + pauses.edit >= until)) break;
      if (done === 'failed') await sleep(pauses.edit);
    }
    // Waits for what is being written.
    await words.inTurn(channel.id, async () => {});
  }

  /** @throws DiscordAPIError, StoreError */
  async function removeFromDrafts(isTheirs: (line: Line) => boolean): Promise<number> {
    const removed = new Set<WrittenLine>();
    for (const draft of drafts) {
      for (const written of [...draft.lines, ...draft.written]) if (isTheirs(written.line)) removed.add(written);
      draft.lines = draft.lines.filter((line) => !removed.has(line));
    }
    await flush(0);
    const isLeft = drafts.some(({ written, attempted }) => [...written, ...(attempted ?? [])].some((line) => removed.has(line)));
    if (isLeft) throw lastError;
    return removed.size;
  }

  /** @throws DiscordAPIError, StoreError */
  async function removeFromEarlier(isTheirs: (line: Line) => boolean): Promise<number> {
    let count = 0;
    // A process that was killed may have left a change open.
    await words.inTurn(channel.id, () => posted.settle(guildId, channel));
    for (const [messageId, lines] of await posted.list(guildId, since)) {
      if (!lines.some(isTheirs)) continue;
      count += await words.inTurn(channel.id, async () =>
        drafts.some(({ id }) => id === messageId) ? 0 : posted.remove(guildId, channel, messageId, isTheirs),
      );
    }
    return count;
  }

  return {
    add({ userId, startedAt, endedAt, text }, name) {
      const line = lineOf(name, text);
      if (line !== null) addLine(line, [userId, startedAt, endedAt]);
    },
    note(sentence) {
      const now = Date.now();
      addLine(`-# ${sentence.replace(/\s+/g, ' ')}`, [null, now, now]);
    },
    setBehind(sentence) {
      if (sentence === behind) return;
      behind = sentence;
      if (sentence !== null && !isClosed) draftFor(sentence.length);
      if (findUnwritten()) schedule();
    },
    async removeAll(memberId, at) {
      const isTheirs = ([id, , endedAt]: Line) => id === memberId && endedAt <= at;
      return (await removeFromDrafts(isTheirs)) + (await removeFromEarlier(isTheirs));
    },
    flush,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function isSame(a: readonly WrittenLine[], b: readonly WrittenLine[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
