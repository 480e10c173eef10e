// Audio being uploaded as multipart or msgpack, written piece by piece: a file is never held twice, a stream not even once.
import { Readable } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import { ApiError } from './errors.ts';
import type { TranscribeRequest } from './types.ts';

export interface Upload {
  headers: Record<string, string>;
  /** A new body, for each attempt. */
  body(): Readable;
  /** False once a stream has been started: it can't be read twice. */
  canRepeat(): boolean;
  /** What the caller's stream threw, or null. */
  failure(): ApiError | null;
  /** Ends the caller's stream, read or not. Never rejects; if the stream never settles, neither does this. */
  close(): Promise<void>;
}

/** Bytes written to the socket at once. */
const PIECE_BYTES = 64 * 1024;

/** @throws ApiError `validation` for a stream of unknown length as msgpack, which needs the length first */
export function createUpload(request: TranscribeRequest): Upload {
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
    return createBody(audio, size, 'application/msgpack', msgpackHead(size), msgpackTail(request));
  }
  const boundary = `parley-${crypto.randomUUID()}`;
  const [head, tail] = multipartEnvelope(request, boundary);
  return createBody(audio, size, `multipart/form-data; boundary=${boundary}`, head, tail);
}

/** Bytes, or null if unknown. */
function sizeOf({ audio, size }: TranscribeRequest): number | null {
  if (audio instanceof Uint8Array) return audio.length;
  return size !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : null;
}

function createBody(
  audio: TranscribeRequest['audio'],
  size: number | null,
  contentType: string,
  head: Uint8Array,
  tail: Uint8Array,
): Upload {
  const isStream = !(audio instanceof Uint8Array);
  let started: AsyncIterator<Uint8Array> | null = null;
  let failure: ApiError | null = null;

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield head;
    if (isStream) {
      started = audio[Symbol.asyncIterator]();
      yield* checkSize(started);
    } else {
      for (let at = 0; at < audio.length; at += PIECE_BYTES) yield audio.subarray(at, at + PIECE_BYTES);
    }
    yield tail;
  }

  /** A stream must match its announced size: the service would wait for the rest, or take the excess for another request. */
  async function* checkSize(iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (let step = await readNext(iterator); !step.done; step = await readNext(iterator)) {
      bytes += step.value.length;
      if (size !== null && bytes > size) throw fail(`The audio to transcribe is longer than the ${size} bytes that were announced.`);
      yield step.value;
    }
    if (size !== null && bytes < size) throw fail(`The audio to transcribe ended after ${bytes} of ${size} bytes.`);
  }

  // Only what the caller's stream throws is its failure: a broken connection is also thrown into `pieces`, at its yields.
  async function readNext(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await iterator.next();
    } catch (cause) {
      throw fail('The audio to transcribe could not be read to its end.', cause);
    }
  }

  function fail(message: string, cause?: unknown): ApiError {
    failure = new ApiError('aborted', message, { cause });
    return failure;
  }

  return {
    headers: {
      'content-type': contentType,
      // Some services refuse chunked bodies.
      ...(size === null ? {} : { 'content-length': String(head.length + size + tail.length) }),
    },
    body: () => Readable.from(pieces(), { objectMode: false, highWaterMark: PIECE_BYTES }),
    canRepeat: () => started === null,
    failure: () => failure,
    close: async () => {
      if (isStream) await endStream(audio, started);
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

/** The text before and after the file's bytes. The fields come first, so that a server knows them before the file ends. */
function multipartEnvelope(request: TranscribeRequest, boundary: string): [head: Uint8Array, tail: Uint8Array] {
  const field = (name: string, value: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const language = request.language ? field('language', withoutLineBreaks(request.language)) : '';
  const timestamps = field('ignore_timestamps', String(request.ignoreTimestamps ?? false));
  // Escaped as browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
  const filename = withoutLineBreaks(request.filename ?? 'audio').replaceAll('"', '%22');
  const contentType = withoutLineBreaks(request.contentType ?? 'application/octet-stream');
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="audio"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`;
  return [Buffer.from(language + timestamps + file), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

const withoutLineBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ');

/** A map of three entries, the first being `audio`, a bin 32: https://github.com/msgpack/msgpack/blob/master/spec.md */
function msgpackHead(length: number): Uint8Array {
  const bin32 = Buffer.alloc(5);
  bin32[0] = 0xc6;
  bin32.writeUInt32BE(length, 1);
  return Buffer.concat([Buffer.of(0x83), encode('audio'), bin32]);
}

const msgpackTail = (request: TranscribeRequest): Uint8Array =>
  Buffer.concat([
    encode('language'),
    encode(request.language ?? null),
    encode('ignore_timestamps'),
    encode(request.ignoreTimestamps ?? false),
  ]);
