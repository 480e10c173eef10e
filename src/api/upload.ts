// Audio being uploaded as multipart or msgpack, written piece by piece: a file is never held twice, a stream not even once.
import { Readable } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import { ApiError } from './errors.ts';
import type { AudioFile, TranscribeRequest, UploadProgress } from './types.ts';

export interface Upload {
  headers: Record<string, string>;
  /** A new body, for each attempt. */
  body(): Readable;
  /** False once a stream has been started: it can't be read twice. */
  canRepeat(): boolean;
  /** What a stream of the caller threw, or null. */
  failure(): ApiError | null;
  /** Ends the caller's streams, read or not. Never rejects; if one never settles, neither does this. */
  close(): Promise<void>;
}

/** Bytes written to the socket at once. */
const PIECE_BYTES = 64 * 1024;

/** @throws ApiError `validation` for a stream of unknown length as msgpack, which needs the length first */
export function createUpload(original: TranscribeRequest): Upload {
  const request = { ...original, language: original.language ? toLanguageHint(original.language) : null };
  const { audio } = request;
  const size = sizeOf(request);
  if (request.encoding === 'msgpack') {
    if (size === null) {
      if (!(audio instanceof Uint8Array)) void endStream(audio, null);
      throw new ApiError(
        'validation',
        'Audio sent as msgpack must be given as bytes or with its size, because its length comes first. Use multipart for any other stream.',
      );
    }
    return createBody('application/msgpack', [msgpackHead(size), request, msgpackTail(request)]);
  }
  const fields: Field[] = [['ignore_timestamps', String(request.ignoreTimestamps ?? false)]];
  if (request.language) fields.unshift(['language', request.language]);
  return createMultipart(fields, [['audio', request]]);
}

/**
 * A language as hosted services take it: two letters of ISO 639-1 in lower case, `pt` for `pt-BR`. Null for one that has none.
 * @param language BCP 47, or anything a member may have typed
 */
export function toLanguageHint(language: string): string | null {
  const [typed = ''] = language.trim().toLowerCase().split(/[-_]/);
  if (!/^[a-z]{2,3}$/.test(typed)) return null;
  // `eng` is `en`, and `iw` is `he`.
  const { language: canonical = typed } = new Intl.Locale(typed);
  return [canonical, typed].find(({ length }) => length === 2) ?? null;
}

export type Field = [name: string, value: string];

/** Bytes, or null if unknown. */
function sizeOf({ audio, size }: AudioFile): number | null {
  if (audio instanceof Uint8Array) return audio.length;
  return size !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : null;
}

/** A body of these parts; what isn't bytes is a file whose content is read while it is sent. */
function createBody(contentType: string, parts: readonly (Uint8Array | AudioFile)[], onProgress: UploadProgress = () => {}): Upload {
  const streams = parts.flatMap((part) => (part instanceof Uint8Array || part.audio instanceof Uint8Array ? [] : [part.audio]));
  const started = new Map<AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array>>();
  const sizes = parts.map((part) => (part instanceof Uint8Array ? part.length : sizeOf(part)));
  const total = sizes.reduce<number | null>((sum, size) => (sum === null || size === null ? null : sum + size), 0);
  let failure: ApiError | null = null;

  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      const bytes = part instanceof Uint8Array ? part : part.audio;
      if (bytes instanceof Uint8Array) {
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
      } else {
        const iterator = bytes[Symbol.asyncIterator]();
        started.set(bytes, iterator);
        yield* checkSize(iterator, sizeOf(part as AudioFile));
      }
    }
  }

  async function* counted(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const piece of pieces()) {
      yield piece;
      sent += piece.length;
      onProgress(sent, total);
    }
  }

  /** A stream must match its announced size: the service would wait for the rest, or take the excess for another request. */
  async function* checkSize(iterator: AsyncIterator<Uint8Array>, size: number | null): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (let step = await readNext(iterator); !step.done; step = await readNext(iterator)) {
      bytes += step.value.length;
      if (size !== null && bytes > size) throw fail(`The audio to upload is longer than the ${size} bytes that were announced.`);
      yield step.value;
    }
    if (size !== null && bytes < size) throw fail(`The audio to upload ended after ${bytes} of ${size} bytes.`);
  }

  // Only what the caller's stream throws is its failure: a broken connection is also thrown into `pieces`, at its yields.
  async function readNext(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await iterator.next();
    } catch (cause) {
      throw fail('The audio to upload could not be read to its end.', cause);
    }
  }

  function fail(message: string, cause?: unknown): ApiError {
    failure = new ApiError('aborted', message, { cause });
    return failure;
  }

  return {
    // Some services refuse chunked bodies.
    headers: { 'content-type': contentType, ...(total === null ? {} : { 'content-length': String(total) }) },
    body: () => Readable.from(counted(), { objectMode: false, highWaterMark: PIECE_BYTES }),
    canRepeat: () => started.size === 0,
    failure: () => failure,
    close: async () => {
      await Promise.all(streams.map((stream) => endStream(stream, started.get(stream) ?? null)));
    },
  };
}

/** Ends the caller's stream, so that no download behind it stays open. @param started its iterator, if it has been started */
async function endStream(audio: AsyncIterable<Uint8Array>, started: AsyncIterator<Uint8Array> | null): Promise<void> {
  try {
    // The iterator of a Node stream leaves the stream alone if it hasn't been started.
    if (audio instanceof Readable) audio.on('error', () => {}).destroy();
    else await (started ?? audio[Symbol.asyncIterator]()).return?.();
  } catch {
    // The call is over; how the stream ends no longer matters.
  }
}

/** A form whose fields come first, so that a server knows them before the files end. */
export function createMultipart(fields: Field[], files: [name: string, file: AudioFile][], onProgress?: UploadProgress): Upload {
  const boundary = `parley-${crypto.randomUUID()}`;
  const head = fields
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('');
  const parts: (Uint8Array | AudioFile)[] = [];
  let before = head;
  for (const [name, file] of files) {
    // Escaped as browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
    const filename = withoutLineBreaks(file.filename ?? 'audio').replaceAll('"', '%22');
    const contentType = withoutLineBreaks(file.contentType ?? 'application/octet-stream');
    before += `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`;
    parts.push(Buffer.from(before), file);
    before = '\r\n';
  }
  parts.push(Buffer.from(`${before}--${boundary}--\r\n`));
  return createBody(`multipart/form-data; boundary=${boundary}`, parts, onProgress);
}

const withoutLineBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ');

/** A map of three entries, the first being `audio`, a bin 32: https://github.com/msgpack/msgpack/blob/master/spec.md */
function msgpackHead(length: number): Uint8Array {
  const bin32 = Buffer.alloc(5);
  bin32[0] = 0xc6;
  bin32.writeUInt32BE(length, 1);
  return Buffer.concat([Buffer.of(0x83), encode('audio'), bin32]);
}

const msgpackTail = (request: TranscribeRequest & { language: string | null }): Uint8Array =>
  Buffer.concat([encode('language'), encode(request.language), encode('ignore_timestamps'), encode(request.ignoreTimestamps ?? false)]);
