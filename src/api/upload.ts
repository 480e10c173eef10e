// Audio on its way up: multipart or msgpack, written piece by piece so that a file is never held twice, nor a stream at all.
import { Readable } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import { ApiError } from './errors.ts';
import type { TranscribeRequest } from './types.ts';

export interface Upload {
  headers: Record<string, string>;
  /** The body anew, for each try. */
  body(): Readable;
  /** False once a stream has been begun: it cannot be read twice. */
  canRepeat(): boolean;
  /** What the caller's stream threw, or null. */
  failure(): ApiError | null;
  /** Ends the caller's stream, read or not. Does not reject; may never settle where the stream does not. */
  close(): Promise<void>;
}

/** Bytes that go to the socket at once. */
const pieceSize = 64 * 1024;

/** Throws ApiError for a stream whose length nobody knows and that is asked to travel as msgpack, which wants it first. */
export function createUpload(request: TranscribeRequest): Upload {
  const { audio } = request;
  const size = sizeOf(request);
  if (request.encoding === 'msgpack') {
    if (size === null) {
      if (!(audio instanceof Uint8Array)) void endStream(audio, null);
      throw new ApiError(
        'validation',
        'Audio sent as msgpack must be given as bytes or with its size, for its length comes first. Use multipart for any other stream.',
      );
    }
    return uploadOf(audio, size, 'application/msgpack', msgpackBefore(size), msgpackAfter(request));
  }
  const boundary = `parley-${crypto.randomUUID()}`;
  const [before, after] = multipartAround(request, boundary);
  return uploadOf(audio, size, `multipart/form-data; boundary=${boundary}`, before, after);
}

/** Bytes, or null where they are not known. */
function sizeOf({ audio, size }: TranscribeRequest): number | null {
  if (audio instanceof Uint8Array) return audio.length;
  return size !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : null;
}

function uploadOf(
  audio: TranscribeRequest['audio'],
  size: number | null,
  contentType: string,
  before: Uint8Array,
  after: Uint8Array,
): Upload {
  const isStream = !(audio instanceof Uint8Array);
  let source: AsyncIterator<Uint8Array> | null = null;
  let failure: ApiError | null = null;

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield before;
    if (isStream) {
      source = audio[Symbol.asyncIterator]();
      yield* counted(source);
    } else {
      for (let at = 0; at < audio.length; at += pieceSize) yield audio.subarray(at, at + pieceSize);
    }
    yield after;
  }

  /** What was announced, to the byte: the service is else left waiting for the rest, or takes what comes after it for a request. */
  async function* counted(iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (let step = await nextOf(iterator); !step.done; step = await nextOf(iterator)) {
      bytes += step.value.length;
      if (size !== null && bytes > size) throw fail(`The audio to transcribe is longer than the ${size} bytes that it was said to have.`);
      yield step.value;
    }
    if (size !== null && bytes < size) throw fail(`The audio to transcribe ended after ${bytes} of ${size} bytes.`);
  }

  // Only what the caller's stream throws is its failure: a broken connection is thrown into `pieces` too, at its yields.
  async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
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
      ...(size === null ? {} : { 'content-length': String(before.length + size + after.length) }),
    },
    body: () => Readable.from(pieces(), { objectMode: false, highWaterMark: pieceSize }),
    canRepeat: () => source === null,
    failure: () => failure,
    close: async () => {
      if (isStream) await endStream(audio, source);
    },
  };
}

/** Ends a stream of the caller's, begun (then with its iterator) or not, so that no download behind it is left open. */
async function endStream(audio: AsyncIterable<Uint8Array>, begun: AsyncIterator<Uint8Array> | null): Promise<void> {
  try {
    // A Node stream's iterator leaves the stream alone when it has not begun.
    if (audio instanceof Readable) audio.on('error', () => {}).destroy();
    else await (begun ?? audio[Symbol.asyncIterator]()).return?.();
  } catch {
    // How it ends is not the call's concern any more.
  }
}

/** The parts' text around the file's bytes. The fields come first, so that a server knows them before the file ends. */
function multipartAround(request: TranscribeRequest, boundary: string): [before: Uint8Array, after: Uint8Array] {
  const field = (name: string, value: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const language = request.language ? field('language', withoutBreaks(request.language)) : '';
  const timestamps = field('ignore_timestamps', String(request.ignoreTimestamps ?? false));
  // Escaped as browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
  const filename = withoutBreaks(request.filename ?? 'audio').replaceAll('"', '%22');
  const contentType = withoutBreaks(request.contentType ?? 'application/octet-stream');
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="audio"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`;
  return [Buffer.from(language + timestamps + file), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

const withoutBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ');

/** A map of three entries whose first is `audio`, a binary of 32-bit length: https://github.com/msgpack/msgpack/blob/master/spec.md */
function msgpackBefore(length: number): Uint8Array {
  const head = Buffer.alloc(5);
  head[0] = 0xc6;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([Buffer.of(0x83), encode('audio'), head]);
}

const msgpackAfter = (request: TranscribeRequest): Uint8Array =>
  Buffer.concat([
    encode('language'),
    encode(request.language ?? null),
    encode('ignore_timestamps'),
    encode(request.ignoreTimestamps ?? false),
  ]);
