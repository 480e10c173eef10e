// Reads attachments as streams: from allowed origins only, within limits of size and time, and only if they are audio.
import type { Attachment as DiscordAttachment } from 'discord.js';
import { Agent, request } from 'undici';
import { readWhole } from '../async/whole.ts';
import { looksLikeAudio, SIGNATURE_BYTES } from '../audio/containers/formats.ts';
import { UserError } from './errors.ts';

/** The most that services of this kind are known to accept; the spec names no limit. A larger file would be sent in vain. */
export const MAX_BYTES = 20 * 1024 * 1024;
/** Milliseconds without a byte, including until the first. */
const SILENCE_MS = 15_000;
/** Milliseconds Discord may take for the whole file, not counting the time that our reader takes. */
const MAX_WAIT_MS = 2 * 60_000;
/**
 * If its reader is still waiting for a free call after so many milliseconds, a download is closed, and restarted later. Discord would close
 * it.
 */
const PARK_MS = 5_000;
/** The file was deleted, or its signed link has expired. */
const GONE_STATUSES = [403, 404, 410];

const AUDIO_EXTENSIONS = /\.(mp3|wav|ogg|oga|opus|flac|m4a|mp4|mov|webm|mkv|aac|aiff?|wma)$/i;

/**
 * What Discord offers in the file picker of a command, and whatever it doesn't count as sound or video by itself: ten at most.
 * https://docs.discord.com/developers/reference#file-type-filtering
 */
export const RECORDING_TYPES = ['audio', 'video', '.oga', '.opus', '.aif', '.aiff', '.wma', '.amr', '.caf', '.mkv'] as const;

/** The part of a Discord attachment that is read. `size` is in bytes, according to Discord. */
type Attachment = Pick<DiscordAttachment, 'name' | 'url' | 'size'>;

export interface Attachments {
  /** @throws UserError if the attachment can be refused unread: another origin, empty, too large */
  check(attachment: Attachment): void;
  /**
   * Opens the stream and checks its first bytes. Reading may start much later, and `return()` may be called at any time, also before
   * the first read. The stream throws UserError if it breaks off.
   * @param onRead called with the number of bytes passed on so far, and whether that is all
   * @throws UserError if it cannot be read or is not audio
   */
  openAudio(
    attachment: Attachment,
    signal: AbortSignal,
    onRead?: (bytes: number, isComplete: boolean) => void,
  ): Promise<AsyncIterableIterator<Uint8Array>>;
  /** Reads a small text file. @throws UserError if it cannot be read or is longer than `limit` bytes */
  readText(attachment: Attachment, signal: AbortSignal, limit: number): Promise<string>;
  close(): Promise<void>;
}

/** Whether Discord says that it is a recording: voice messages, and files that are called audio or video. */
export function isRecording({ contentType, name, duration }: Pick<DiscordAttachment, 'contentType' | 'name' | 'duration'>): boolean {
  return duration !== null || /^(audio|video)\//.test(contentType ?? '') || AUDIO_EXTENSIONS.test(name);
}

/** @param origins attachments are read from these only, whatever a message says @param options `now` in milliseconds */
export function createAttachments(
  origins: string[],
  { silenceMs = SILENCE_MS, parkMs = PARK_MS, now = () => performance.now() } = {},
): Attachments {
  const agent = new Agent({ headersTimeout: silenceMs, bodyTimeout: silenceMs, connect: { timeout: silenceMs } });

  async function* download(attachment: Attachment, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { name, url, size } = attachment;
    // undici does not follow redirects, so nothing is read from elsewhere.
    const response = await request(url, { dispatcher: agent, signal }).catch((cause: unknown) => {
      throw new UserError((t) => t('attachments.downloadFailed', { file: name }), { cause });
    });
    try {
      if (GONE_STATUSES.includes(response.statusCode)) throw new UserError((t) => t('attachments.downloadGone', { file: name }));
      if (response.statusCode !== 200) throw new UserError((t) => t('attachments.downloadFailed', { file: name }));
      let bytes = 0;
      let waitedMs = 0;
      let askedAt = now();
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        waitedMs += now() - askedAt;
        bytes += chunk.length;
        // The service was told the size that was checked, and takes no more.
        if (bytes > size) throw new UserError((t) => t('attachments.downloadOversized', { file: name }));
        if (waitedMs > MAX_WAIT_MS) throw new UserError((t) => t('attachments.downloadSlow', { file: name }));
        yield chunk;
        askedAt = now();
      }
      if (bytes === 0) throw new UserError((t) => t('attachments.empty', { file: name }));
      if (bytes < size) throw new UserError((t) => t('attachments.downloadIncomplete', { file: name }));
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError((t) => t('attachments.downloadIncomplete', { file: name }), { cause: error });
    } finally {
      response.body.on('error', () => {}).destroy();
    }
  }

  function check({ name, url, size }: Attachment, limit = MAX_BYTES): void {
    if (!origins.includes(URL.parse(url)?.origin ?? '')) throw new UserError((t) => t('attachments.notFromDiscord', { file: name }));
    if (size === 0) throw new UserError((t) => t('attachments.empty', { file: name }));
    if (size > limit) throw new UserError((t) => t('attachments.tooLarge', { file: name, bytes: size, limit }));
  }

  return {
    check: (attachment) => check(attachment),
    async openAudio(attachment, signal, onRead = () => {}) {
      check(attachment);
      const chunks = download(attachment, signal);
      const head = await readHead(chunks);
      if (!looksLikeAudio(head)) {
        await chunks.return(undefined);
        throw new UserError((t) => t('attachments.notAudio', { file: attachment.name }));
      }
      return parkable(head, chunks, { parkMs, restart: () => download(attachment, signal), onRead });
    },
    async readText(attachment, signal, limit) {
      check(attachment, limit);
      const tooLarge = () => new UserError((t) => t('attachments.downloadOversized', { file: attachment.name }));
      return (await readWhole(download(attachment, signal), limit, tooLarge)).toString();
    },
    close: () => agent.destroy(),
  };
}

async function readHead(chunks: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < SIGNATURE_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    read.push(value);
    length += value.length;
  }
  return Buffer.concat(read);
}

interface ParkOptions {
  parkMs: number;
  /** The same bytes from the beginning; opens nothing until it is read. */
  restart(): AsyncGenerator<Uint8Array>;
  onRead(bytes: number, isComplete: boolean): void;
}

/**
 * The head and the rest of a download, which is closed if nobody reads for `parkMs`, and restarted on the first read. Not a generator:
 * `return()` on one that has not started would not close the download.
 */
function parkable(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  { parkMs, restart, onRead }: ParkOptions,
): AsyncIterableIterator<Uint8Array> {
  let chunks = rest;
  let first: Uint8Array | null = head;
  let bytes = 0;
  const parking = setTimeout(() => {
    rest.return(undefined).catch(() => {});
    chunks = restart();
    first = null;
  }, parkMs).unref();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      clearTimeout(parking);
      const step = first ? { value: first, done: false as const } : await chunks.next();
      first = null;
      bytes += step.value?.length ?? 0;
      onRead(bytes, step.done === true);
      return step;
    },
    return() {
      clearTimeout(parking);
      return chunks.return(undefined);
    },
  };
}
