// Writes captions into a channel: one message at a time, edited as people speak, each line "**Name** words".
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { Caption } from './listening.ts';
import type { Line, Runs } from './stored.ts';

/** How messages get into the channel. All methods reject with DiscordAPIError and the like. */
export interface CaptionMessages {
  /** Resolves with the id of the message. */
  send(content: string): Promise<string>;
  edit(messageId: string, content: string): Promise<unknown>;
  delete(messageId: string): Promise<unknown>;
  /** Null if the message is gone. */
  read(messageId: string): Promise<string | null>;
  /** Whether nothing more can be written there. */
  isLost(error: unknown): boolean;
  /** Whether the message is gone. */
  isGone(error: unknown): boolean;
}

export interface Writer {
  /** @param name as the server shows it */
  add(caption: Caption, name: string): void;
  /** Adds a line of ours, in Markdown. */
  note(sentence: string): void;
  /** Says how far behind the captions are, in Markdown, below the last line or in a message of its own; null = they aren't. */
  setBehind(sentence: string | null): void;
  /** Removes all lines of a member, also from earlier messages. Resolves with how many. @throws DiscordAPIError, StoreError */
  removeAll(memberId: string): Promise<number>;
  /** Writes what hasn't been written yet, without a pause. Resolves once that is done, or can't be. */
  flush(): Promise<void>;
  /** Writes nothing more. Call after `flush`. */
  close(): void;
}

export interface WriterOptions {
  guildId: string;
  messages: CaptionMessages;
  runs: Pick<Runs, 'saveLines' | 'deleteLines' | 'listLines'>;
  /** Nothing more can be written in the channel. */
  onLost(error: unknown): void;
  log: Log;
  pauses?: typeof PAUSES | undefined;
}

/** Milliseconds from one change of a message to the next: Discord allows five in five seconds. And of silence, after which a new message begins. */
const PAUSES = { edit: 1_200, silence: 30_000 };
/** UTF-16 units of a message, after which a new one begins. */
const MAX_MESSAGE = 1_500;
/** UTF-16 units of a line: nobody says more in one breath, but a service may answer anything. */
const MAX_LINE = 1_300;
/** Names on Discord are shorter. */
const MAX_NAME = 60;

/** The line of a caption; it has no line break, and nothing in it is formatted but the name. Null if nothing of it is visible. */
export function captionLine(name: string, text: string): string | null {
  const words = asMarkdown(text, MAX_LINE);
  return words === '' ? null : `**${asMarkdown(name, MAX_NAME) || '?'}** ${words}`;
}

/** The name and the words of such a line; null for a line of ours. */
export function readCaptionLine(line: string): { name: string; text: string } | null {
  const [, name, text] = /^\*\*((?:\\.|[^\\*])+)\*\* (.+)$/su.exec(line) ?? [];
  const asWritten = (escaped: string) => escaped.replace(/\\(.)/gsu, '$1');
  return name === undefined || text === undefined ? null : { name: asWritten(name), text: asWritten(text) };
}

interface WrittenLine {
  text: string;
  line: Line;
}

interface Draft {
  /** Null before it is sent. */
  id: string | null;
  lines: WrittenLine[];
  /** What the message says by now. */
  shown: string;
  /** Whose lines are stored, in writing. */
  saved: string;
}

export function createWriter({ guildId, messages, runs, onLost, log, pauses = PAUSES }: WriterOptions): Writer {
  /** The message that lines are added to comes last; those before it are complete, but not all of it may be written yet. */
  let drafts: Draft[] = [];
  let behind: string | null = null;
  /** `performance.now()` */
  let lastAddedAt = Number.NEGATIVE_INFINITY;
  let lastChangeAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function contentOf(draft: Draft): string {
    const status = behind !== null && draft === drafts.at(-1) ? [`-# ${behind}`] : [];
    return [...draft.lines.map(({ text }) => text), ...status].join('\n');
  }

  const ownersOf = (draft: Draft) => JSON.stringify(draft.lines.map(({ line }) => line));
  const isDone = (draft: Draft) => contentOf(draft) === draft.shown && ownersOf(draft) === draft.saved;
  const findUnwritten = () => drafts.find((draft) => !isDone(draft));

  /** The message that a text of this length is added to. */
  function draftFor(length: number): Draft {
    const now = performance.now();
    const current = drafts.at(-1);
    const isFull = current !== undefined && contentOf(current).length + length >= MAX_MESSAGE;
    const isNew = !current || isFull || now - lastAddedAt >= pauses.silence;
    lastAddedAt = now;
    if (!isNew) return current;
    const draft: Draft = { id: null, lines: [], shown: '', saved: '[]' };
    drafts.push(draft);
    return draft;
  }

  function addLine(text: string, line: Line): void {
    if (isClosed) return;
    const { lines } = draftFor(text.length);
    // In the order in which people began to speak: somebody who spoke for longer comes before those who were done sooner.
    lines.splice(lines.findLastIndex((one) => one.line[1] <= line[1]) + 1, 0, { text, line });
    schedule();
  }

  function schedule(): void {
    if (timer !== undefined || isClosed) return;
    const wait = Math.max(0, lastChangeAt + pauses.edit - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      writing = writing.then(writeNext);
    }, wait);
  }

  /** Makes one change, and schedules the next. Never rejects; resolves with false if it failed. */
  async function writeNext(): Promise<boolean> {
    const draft = findUnwritten();
    if (!draft) return true;
    try {
      await write(draft, contentOf(draft));
    } catch (error) {
      if (messages.isLost(error)) {
        onLost(error);
        return false;
      }
      log.warn(describeError(error), 'captions could not be written; trying again');
      lastChangeAt = performance.now();
      schedule();
      return false;
    }
    lastChangeAt = performance.now();
    drafts = drafts.filter((one, index) => index === drafts.length - 1 || !isDone(one));
    if (findUnwritten()) schedule();
    return true;
  }

  /** If the store fails, the words are written all the same, and whose they are is stored as soon as it works again. @throws DiscordAPIError, StoreError */
  async function write(draft: Draft, content: string): Promise<void> {
    if (content !== draft.shown) {
      try {
        if (draft.id === null) draft.id = await messages.send(content);
        else if (content !== '') await messages.edit(draft.id, content);
        else {
          // All it said was how far behind they were.
          await messages.delete(draft.id);
          draft.id = null;
        }
        draft.shown = content;
      } catch (error) {
        if (draft.id === null || !messages.isGone(error)) throw error;
        // A moderator has deleted it: what was in it stays deleted, and what has been said since goes into another message.
        const gone = draft.shown.split('\n');
        const { id, lines } = draft;
        Object.assign(draft, { id: null, lines: lines.filter(({ text }) => !gone.includes(text)), shown: '', saved: '[]' });
        await runs.deleteLines(guildId, id);
        return;
      }
    }
    const owners = ownersOf(draft);
    if (draft.id === null || owners === draft.saved) return;
    await runs.saveLines(
      guildId,
      draft.id,
      draft.lines.map(({ line }) => line),
    );
    draft.saved = owners;
  }

  async function flush(): Promise<void> {
    for (let isWritten = true; isWritten && findUnwritten(); ) {
      clearTimeout(timer);
      timer = undefined;
      const one = writing.then(writeNext);
      writing = one;
      isWritten = await one;
    }
    await writing;
  }

  /** @throws DiscordAPIError, StoreError */
  async function removeFromDrafts(memberId: string): Promise<number> {
    let count = 0;
    // One that is being written may still have them.
    await writing;
    for (const draft of [...drafts]) {
      const left = draft.lines.filter(({ line: [id] }) => id !== memberId);
      if (left.length === draft.lines.length) continue;
      count += draft.lines.length - left.length;
      draft.lines = left;
      if (left.length > 0) continue;
      drafts = drafts.filter((one) => one !== draft);
      if (draft.id === null) continue;
      await messages.delete(draft.id);
      await runs.deleteLines(guildId, draft.id);
    }
    await flush();
    return count;
  }

  /** @throws DiscordAPIError, StoreError */
  async function removeFromEarlier(memberId: string): Promise<number> {
    let count = 0;
    for (const [messageId, lines] of await runs.listLines(guildId)) {
      if (drafts.some(({ id }) => id === messageId) || !lines.some(([id]) => id === memberId)) continue;
      count += await removeLines(messages, messageId, (_, index) => lines[index]?.[0] === memberId);
      const left = lines.filter(([id]) => id !== memberId);
      if (left.length === 0) await runs.deleteLines(guildId, messageId);
      else await runs.saveLines(guildId, messageId, left);
    }
    return count;
  }

  return {
    add({ userId, startedAt, endedAt, text }, name) {
      const line = captionLine(name, text);
      if (line !== null) addLine(line, [userId, startedAt, endedAt]);
    },
    note(sentence) {
      const now = Date.now();
      addLine(`-# ${sentence.replace(/\s+/g, ' ')}`, [null, now, now]);
    },
    setBehind(sentence) {
      behind = sentence;
      if (sentence !== null && !isClosed) draftFor(sentence.length);
      if (findUnwritten()) schedule();
    },
    removeAll: async (memberId) => (await removeFromDrafts(memberId)) + (await removeFromEarlier(memberId)),
    flush,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Removes lines from a message that was written before, or all of it if none is left. Resolves with how many. @throws DiscordAPIError */
export async function removeLines(
  messages: CaptionMessages,
  messageId: string,
  isRemoved: (line: string, index: number) => boolean,
): Promise<number> {
  const lines = (await messages.read(messageId))?.split('\n') ?? [];
  const left = lines.filter((line, index) => !isRemoved(line, index));
  if (left.length === lines.length) return 0;
  if (left.length === 0) await messages.delete(messageId);
  else await messages.edit(messageId, left.join('\n'));
  return lines.length - left.length;
}
