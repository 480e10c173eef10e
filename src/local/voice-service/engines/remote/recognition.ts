// Recognition by an engine behind HTTP: POST /v1/audio/transcriptions. Uploads are decoded here first, which tells how long they really
// are: damaged and overlong ones never reach the engine, and credit is held for the others before it starts.
import { FormData } from 'undici';
import { concat } from '../../../../audio/bytes.ts';
import { detectFormat } from '../../../../audio/index.ts';
import { MAX_SECONDS } from '../../../../decoding/limits.ts';
import type { Decoder } from '../decode/decoder.ts';
import { EngineError, type TranscribeRequest, type Transcript, type TranscriptSegment, type Upload } from '../engine.ts';
import { toMilliseconds } from '../limits.ts';
import { createConnection, type EngineAddress, type EngineConnection, type EngineNews, parseAnswer, readList } from './connection.ts';
import { chooseModel, readModels, toLanguageTag } from './lists.ts';

/** An hour of speech may take a small machine as long, and nothing comes before all of it is recognised. */
const WAITS = { firstMs: 3_600_000, nextMs: 60_000 };
const USUAL_MODEL = 'whisper-1';
const LISTENS = /whisper|transcri|parakeet|canary|moonshine|sense-?voice|voxtral|\b(asr|stt)\b/i;
/** One for each word of several hours. */
const MAX_SEGMENTS = 100_000;

interface RemoteRecognitionOptions {
  address: EngineAddress;
  decoder: Decoder;
  onNews(news: EngineNews): void;
  waits?: Partial<typeof WAITS> | undefined;
}

export function createRemoteRecognition({ address, decoder, onNews, waits }: RemoteRecognitionOptions) {
  const connection = createConnection({ address, setting: 'LOCAL_TRANSCRIPTION', onNews, waits: { ...WAITS, ...waits } });
  let model: string | undefined;
  /** Whether the engine takes `verbose_json`, which has times; some models only take `json`. */
  let hasTimes = true;

  /** @throws EngineError `unavailable` if the engine is down, or is none */
  async function check(): Promise<void> {
    model = await findModel(connection);
    const empty = new FormData();
    empty.append('model', '');
    await connection.requirePath({ method: 'POST', path: '/v1/audio/transcriptions', form: empty });
    connection.works();
  }

  /** Seconds; null for a format that only the engine may know. */
  async function measure(audio: Upload, signal?: AbortSignal): Promise<number | null> {
    try {
      return (await decoder.decode(audio, signal)).seconds;
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'unsupported-format') return null;
      throw error;
    }
  }

  async function recognise(request: TranscribeRequest, format: 'verbose_json' | 'json'): Promise<Answer> {
    model ??= await findModel(connection);
    const call = {
      method: 'POST',
      path: '/v1/audio/transcriptions',
      form: toForm(request, model, format),
      signal: request.signal,
    } as const;
    const response = await connection.call(call).catch((error) => {
      // The engine may have another one by the next time.
      model = undefined;
      throw error;
    });
    const text = await connection.readText(response);
    const answer = readAnswer(text, response.contentType);
    if (!answer)
      throw connection.fail(
        `the engine at ${connection.host} answers a recording with something that is no transcript. Look at its own log.`,
      );
    connection.works();
    return answer;
  }

  return {
    async transcribe(request: TranscribeRequest): Promise<Transcript> {
      const { audio, timestamps, signal, onDecoded } = request;
      const measured = await measure(audio, signal);
      if (measured !== null) onDecoded?.(measured);
      const answer = await recognise(request, hasTimes ? 'verbose_json' : 'json').catch(async (error: EngineError) => {
        if (error.kind !== 'refused' || !hasTimes) throw error;
        const plain = await recognise(request, 'json');
        hasTimes = false;
        return plain;
      });
      const seconds = measured ?? answer.duration;
      if (seconds === null)
        throw new EngineError('unsupported-format', 'The length of this recording cannot be told. Send it as MP3, WAV or Ogg.');
      if (measured === null) {
        requireLength(seconds);
        onDecoded?.(seconds);
      }
      return { text: answer.text, duration: toMilliseconds(seconds), segments: timestamps ? toSegments(answer.segments, seconds) : [] };
    },

    check,

    async warmUp(): Promise<void> {
      await Promise.all([check(), decoder.warmUp()]);
    },

    close: connection.close,
  };
}

async function findModel(connection: EngineConnection): Promise<string> {
  const models = (await readList(connection, '/v1/models', readModels)) ?? [];
  return chooseModel(models, 'automatic-speech-recognition', LISTENS, USUAL_MODEL);
}

/** The name of the member's file stays here; engines tell the format by the ending. */
function toForm({ audio, language, timestamps }: TranscribeRequest, model: string, format: string): FormData {
  const form = new FormData();
  form.append('model', model);
  form.append('response_format', format);
  if (timestamps && format === 'verbose_json') form.append('timestamp_granularities[]', 'segment');
  // Engines take the language alone: "pt-BR" is "pt".
  const [code] = toLanguageTag(language?.trim())[0]?.split('-') ?? [];
  if (code) form.append('language', code);
  const parts = (audio instanceof Uint8Array ? [audio] : audio) as Uint8Array<ArrayBuffer>[];
  form.append('file', new Blob(parts), `recording.${endingOf(parts)}`);
  return form;
}

const ENDINGS: Record<string, string> = { flac: 'flac', mov: 'm4a', matroska: 'webm', ogg: 'ogg', amr: 'amr', aac: 'aac' };

/** Bytes of the beginning that tell the format. */
const HEAD = 4096;

function endingOf(parts: readonly Uint8Array[]): string {
  let head: Uint8Array = new Uint8Array(0);
  for (const part of parts) if (head.length < HEAD) head = concat([head, part.subarray(0, HEAD - head.length)]);
  const detected = detectFormat(head, true);
  if (detected?.format === 'opus') return 'ogg';
  if (detected?.format === 'other') return ENDINGS[detected.demuxer ?? ''] ?? 'mp3';
  return detected?.format === 'wav' ? 'wav' : 'mp3';
}

interface Answer {
  text: string;
  /** Seconds. */
  duration: number | null;
  segments: unknown[];
}

/** @returns null for what is no transcript */
function readAnswer(body: string, contentType: string): Answer | null {
  if (/^text\/plain\b/i.test(contentType) && !body.trimStart().startsWith('{')) return { text: body.trim(), duration: null, segments: [] };
  const value = parseAnswer(body);
  if (typeof value !== 'object' || value === null) return null;
  const { text, duration, segments } = value as Record<string, unknown>;
  if (typeof text !== 'string') return null;
  return { text: text.trim(), duration: toSeconds(duration), segments: Array.isArray(segments) ? segments.slice(0, MAX_SEGMENTS) : [] };
}

/** Some send numbers as text. */
function toSeconds(value: unknown): number | null {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** Those with words and times, kept within the recording. */
function toSegments(segments: unknown[], duration: number): TranscriptSegment[] {
  return segments.flatMap((segment) => {
    if (typeof segment !== 'object' || segment === null) return [];
    const { text, start, end } = segment as Record<string, unknown>;
    const [from, to] = [toSeconds(start), toSeconds(end)];
    if (typeof text !== 'string' || text.trim() === '' || from === null || to === null) return [];
    const begins = toMilliseconds(Math.min(from, duration));
    return [{ text: text.trim(), start: begins, end: Math.max(begins, toMilliseconds(Math.min(to, duration))) }];
  });
}

function requireLength(seconds: number): void {
  if (seconds <= MAX_SECONDS) return;
  throw new EngineError('too-long', `The recording is longer than ${MAX_SECONDS / 60} minutes. Send a shorter one.`);
}
