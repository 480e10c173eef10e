// Attachments as streams: read from Discord's own addresses alone, within limits of size and time, and known to be audio.
import { Agent, request } from 'undici';
import { en } from '../locales/en/index.ts';
import { UserError } from './user-error.ts';

/** What services of this kind take at most; a larger file would be sent for nothing. */
export const MAX_BYTES = 20 * 1024 * 1024;
/** Milliseconds to the first byte, and without any byte. */
const SILENCE_MS = 15_000;
/** Milliseconds that Discord may take for all of the bytes; those that the reader takes between them do not count. */
const WAITING_MS = 2 * 60_000;
/** A download that waits for its reader for longer, because all calls to the service are taken, is let go of before Discord ends it. */
const REST_MS = 5_000;
/** Deleted, or the signature of the link has expired. */
const GONE = [403, 404, 410];
/** Enough to know audio by. */
const SNIFF_BYTES = 12;

/** The part of Discord's attachment that is needed here. */
interface AttachmentFacts {
  name: string;
  url: string;
  /** Bytes, as Discord says. */
  size: number;
}

export interface Attachments {
  /** @throws UserError for what needs no reading to be refused: another origin, 0 bytes, too large. */
  check(attachment: AttachmentFacts): void;
  /**
   * Opens the stream and looks at its first bytes. It may be begun to be read much later; it may be left early, also before it has
   * begun (`return()`); it throws UserError when it breaks off. `onRead` is told how many bytes were handed on, and when they were all.
   * @throws UserError where it cannot be read or is no audio.
   */
  openAudio(
    attachment: AttachmentFacts,
    signal: AbortSignal,
    onRead?: (bytes: number, isWhole: boolean) => void,
  ): Promise<AsyncIterableIterator<Uint8Array>>;
  /** The whole of a small text file. @throws UserError where it cannot be read or is longer than `limit` bytes. */
  readText(attachment: AttachmentFacts, signal: AbortSignal, limit?: number): Promise<string>;
  close(): Promise<void>;
}

/** `origins`: where attachments may be read from, and nowhere else, whatever a message says. `now` in ms. */
export function createAttachments(
  origins: string[],
  { silenceMs = SILENCE_MS, restMs = REST_MS, now = () => performance.now() } = {},
): Attachments {
  const agent = new Agent({ headersTimeout: silenceMs, bodyTimeout: silenceMs, connect: { timeout: silenceMs } });

  async function* read(attachment: AttachmentFacts, signal: AbortSignal, limit: number): AsyncGenerator<Uint8Array> {
    // undici follows no redirect by itself, and so never to elsewhere.
    const response = await request(attachment.url, { dispatcher: agent, signal }).catch((cause: unknown) => {
      throw new UserError(en.attachments.downloadFailed(attachment.name), { cause });
    });
    try {
      if (GONE.includes(response.statusCode)) throw new UserError(en.attachments.downloadGone(attachment.name));
      if (response.statusCode !== 200) throw new UserError(en.attachments.downloadFailed(attachment.name));
      let bytes = 0;
      let waited = 0;
      let asked = now();
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        waited += now() - asked;
        bytes += chunk.length;
        if (bytes > limit) throw new UserError(en.attachments.tooLarge(attachment.name, Math.max(bytes, attachment.size), limit));
        // The service was told that size, and takes no more.
        if (bytes > attachment.size) throw new UserError(en.attachments.downloadOversized(attachment.name));
        if (waited > WAITING_MS) throw new UserError(en.attachments.downloadSlow(attachment.name));
        yield chunk;
        asked = now();
      }
      if (bytes === 0) throw new UserError(en.attachments.empty(attachment.name));
      if (bytes < attachment.size) throw new UserError(en.attachments.downloadIncomplete(attachment.name));
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(en.attachments.downloadIncomplete(attachment.name), { cause: error });
    } finally {
      response.body.on('error', () => {}).destroy();
    }
  }

  function check({ name, url, size }: AttachmentFacts, limit = MAX_BYTES): void {
    if (!origins.includes(URL.parse(url)?.origin ?? '')) throw new UserError(en.attachments.notFromDiscord(name));
    if (size === 0) throw new UserError(en.attachments.empty(name));
    if (size > limit) throw new UserError(en.attachments.tooLarge(name, size, limit));
  }

  return {
    check: (attachment) => check(attachment),
    async openAudio(attachment, signal, onRead = () => {}) {
      check(attachment);
      const chunks = read(attachment, signal, MAX_BYTES);
      const begun: Uint8Array[] = [];
      let length = 0;
      while (length < SNIFF_BYTES) {
        const { value, done } = await chunks.next();
        if (done) break;
        begun.push(value);
        length += value.length;
      }
      const head = Buffer.concat(begun);
      if (!looksLikeAudio(head)) {
        await chunks.return(undefined);
        throw new UserError(en.attachments.notAudio(attachment.name));
      }
      return handOn(head, chunks, { restMs, anew: () => read(attachment, signal, MAX_BYTES), onRead });
    },
    async readText(attachment, signal, limit = MAX_BYTES) {
      check(attachment, limit);
      return Buffer.concat(await Array.fromAsync(read(attachment, signal, limit))).toString();
    },
    close: () => agent.destroy(),
  };
}

interface HandOnOptions {
  restMs: number;
  /** The same bytes from their beginning; nothing is opened before they are asked for. */
  anew(): AsyncGenerator<Uint8Array>;
  onRead(bytes: number, isWhole: boolean): void;
}

/** Not a generator: one that has not begun would not end what is behind it. */
function handOn(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  { restMs, anew, onRead }: HandOnOptions,
): AsyncIterableIterator<Uint8Array> {
  let chunks = rest;
  let first: Uint8Array | null = head;
  let bytes = 0;
  const rested = setTimeout(() => {
    rest.return(undefined).catch(() => {});
    chunks = anew();
    first = null;
  }, restMs).unref();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      clearTimeout(rested);
      const step = first ? { value: first, done: false as const } : await chunks.next();
      first = null;
      bytes += step.value?.length ?? 0;
      onRead(bytes, step.done === true);
      return step;
    },
    return() {
      clearTimeout(rested);
      return chunks.return(undefined);
    },
  };
}

/**
 * Is it audio? Told by the first bytes, for names and types of uploads are whatever the sender wrote. True for containers that may
 * hold sound (a film counts: its sound is transcribed) and for bare MP3 and AAC.
 */
export function looksLikeAudio(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1');
  return (
    /^(RIFF|RF64).{4}WAVE/s.test(text) ||
    /^FORM.{4}AIF[FC]/s.test(text) ||
    /^(OggS|fLaC|caff|ID3|#!AMR)/.test(text) ||
    // MP4, M4A and 3GP; Matroska and WebM; ASF (WMA).
    /^.{4}ftyp/s.test(text) ||
    text.startsWith('\x1aE\xdf\xa3') ||
    text.startsWith('\x30\x26\xb2\x75') ||
    isFrame(head)
  );
}

/** A frame header of MPEG audio layer II or III, or of AAC (ADTS). Layer I is left out: the mark of UTF-16 text looks like it. */
function isFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 0xf) < 13;
  const version = (second >> 3) & 3;
  return layer !== 3 && version !== 1 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
}
