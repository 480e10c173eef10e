// Speech in real time: a websocket made to look like a response whose body is the audio, so that its turn, timeouts, aborts and the check
// of its first bytes are those of every other call.
//
// It is a `ws` rather than undici's WebSocket, because that one can't be paused (no back-pressure), doesn't tell when a message has been
// written, closes only after a handshake (an abort must end it at once), and hides the status of a refused upgrade.
import { Readable } from 'node:stream';
import { decode, encode } from '@msgpack/msgpack';
import { errors } from 'undici';
import { type RawData, WebSocket } from 'ws';
import { createRedactor } from '../text/redactor.ts';
import { errorFromEvent, type Headers } from './error-mapping.ts';
import { ApiError } from './errors.ts';
import { inspectMsgpack, type RawResponse, type SendProgress } from './http.ts';
import { liveAudio, liveError, liveFinish, speechContentTypes, type TtsBody } from './schemas.ts';
import { unsupportedError } from './unsupported-operations.ts';

export interface LiveSpeechRequest {
  /** Address with the scheme ws or wss. */
  url: string;
  /** The fields of text-to-speech without the text. */
  start: Omit<TtsBody, 'text'>;
  texts: AsyncIterator<string>;
  /** Has each text spoken as soon as it has come. */
  flush: boolean;
  apiKey: string;
  /** Milliseconds for the connection, TLS and the upgrade, for which a service has nothing to compute. */
  connectTimeout: number;
  /** Milliseconds without sound, in one go or in sum, that the service may fall behind once it has begun. */
  idleTimeout: number;
}

/** A second of WAV at 48 kHz has 96 KB. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/**
 * Bytes a second, half of what the lowest useful bit rate of a voice has: a service that sends less falls behind. Without a limit, one byte
 * a second would hold the call's turn forever, because such a call has no deadline.
 */
const MIN_BYTES_PER_SECOND = 500;
/** How long the service may take to close its side. */
const CLOSE_MS = 1_000;
const MESSAGE_LIMITS = { depth: 16, values: 10_000 };
/** Characters of what was sent that are kept out of errors: the latest. */
const MAX_PRIVATE_TEXT = 20_000;

/** Whether the texts have been started: they can't be read twice, so the call can't be repeated. */
export interface LiveSpeech {
  hasStarted(): boolean;
  /**
   * Resolves once the service has accepted or refused the upgrade; a refusal is an ordinary response.
   * @param progress `isSent` is set once a text has been sent, for which the service may charge
   */
  open(headers: Record<string, string>, signal: AbortSignal, progress: SendProgress): Promise<RawResponse>;
}

export function createLiveSpeech(request: LiveSpeechRequest): LiveSpeech {
  let started = false;
  return {
    hasStarted: () => started,
    open(headers, signal, progress) {
      const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
      const socket = new WebSocket(request.url, { headers, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
      const giveUp = (error: unknown) => {
        reject(error);
        socket.terminate();
      };
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(
        () => giveUp(new errors.ConnectTimeoutError('The websocket was not opened in time.')),
        request.connectTimeout,
      );
      if (signal.aborted) onAbort();
      // Until the call is over: the signal is the call's own, and the body may be waiting for an event.
      signal.addEventListener('abort', onAbort, { once: true });

      let upgradeHeaders: Headers = {};
      socket.on('error', reject);
      socket.once('upgrade', (response) => {
        upgradeHeaders = response.headers;
      });
      socket.once('open', () => {
        started = true;
        const { body, dueForMs } = exchange(socket, request, progress);
        const contentType = speechContentTypes[request.start.format ?? 'mp3'];
        resolve({ statusCode: 101, headers: { ...upgradeHeaders, 'content-type': contentType }, body, dueForMs });
      });
      socket.once('unexpected-response', (_request, response) => {
        const { statusCode = 0, headers } = response;
        if (statusCode > 299) return resolve({ statusCode, headers, body: response });
        // It answered as if no upgrade had been asked for.
        response.destroy();
        reject(unsupportedError('live-speech', statusCode));
      });
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

/** Sends the texts and receives the audio, both no faster than the other side takes them. */
function exchange(socket: WebSocket, { start, texts, flush, apiKey, idleTimeout }: LiveSpeechRequest, progress: SendProgress) {
  /**
   * When the service was last sent something, on the clock of `performance.now`; null if it may be waiting for the caller's next text. After
   * a flush it isn't, until some sound has come.
   */
  let dueSince: number | null = null;
  let isTextMissing = false;
  let isFinished = false;
  let privateText = '';
  /** When sound last came, or the service was last kept waiting for its reader or a text; null before the first sound. */
  let goingSince: number | null = null;
  let behindMs = 0;

  const body = new Readable({
    read() {
      if (!socket.isPaused) return;
      socket.resume();
      goingSince = performance.now();
    },
    destroy(error, done) {
      socket.terminate();
      void endTexts(texts);
      done(error);
    },
  });
  // What the service sent along with its upgrade may fail before anybody has the body.
  body.on('error', () => {});
  const violation = (problem: string) =>
    body.destroy(new ApiError('protocol', `The voice service sent ${problem} over its websocket. Try again.`, { status: 101 }));
  const failure = (status: number | null, message: string | null) =>
    body.destroy(errorFromEvent(status, message ?? '', createRedactor(apiKey, privateText, start.reference_id)));

  function isTooSlow(bytes: number): boolean {
    const now = performance.now();
    behindMs = Math.max(0, behindMs + now - (goingSince ?? now) - (1000 * bytes) / MIN_BYTES_PER_SECOND);
    goingSince = now;
    return behindMs > idleTimeout;
  }

  function receive(data: RawData, isBinary: boolean): void {
    // What follows the end, or was underway when the reader left, is of no interest.
    if (isFinished || body.destroyed) return;
    const message = isBinary ? readMessage(data as Buffer) : null;
    if (message === null) return void violation(isBinary ? 'something that is not a msgpack map' : 'text');
    switch (message.event) {
      case 'audio': {
        const audio = liveAudio.safeParse(message).data?.audio;
        if (!audio) return void violation('an audio event without audio');
        if (audio.length === 0) return;
        if (isTooSlow(audio.length)) {
          const message = 'The voice service sent its sound too slowly to be heard. Try again.';
          return void body.destroy(new ApiError('timeout', message, { status: 101, retryable: true }));
        }
        if (!body.push(audio)) socket.pause();
        if (isTextMissing) dueSince = null;
        return;
      }
      case 'finish': {
        const finish = liveFinish.safeParse(message).data;
        if (finish?.reason === 'error') return void failure(finish.status, finish.message);
        // The body ends once the socket has closed: services count open sockets, and the next call may follow at once.
        isFinished = true;
        socket.close(1000);
        setTimeout(() => socket.terminate(), CLOSE_MS).unref();
        return;
      }
      case 'error': {
        const event = liveError.safeParse(message).data;
        const isTooMany = typeof event?.max_concurrency === 'number';
        return void failure(isTooMany ? 429 : (event?.status ?? null), event?.error ?? event?.message ?? null);
      }
    }
  }

  const send = (event: object): Promise<void> =>
    new Promise((resolve, reject) => socket.send(encode(event, { ignoreUndefined: true }), (error) => (error ? reject(error) : resolve())));

  async function sendTexts(): Promise<void> {
    await send({ event: 'start', request: { ...start, text: '' } });
    for (let hasText = false; ; ) {
      isTextMissing = true;
      if (!flush) dueSince = null;
      const { done, value: text } = await texts.next().catch((cause: unknown) => {
        throw new ApiError('aborted', 'The texts to speak could not be read to their end.', { cause });
      });
      isTextMissing = false;
      dueSince = performance.now();
      if (goingSince !== null) goingSince = dueSince;
      if (done && !hasText) throw new ApiError('validation', 'There is no text to speak.');
      if (done) return send({ event: 'stop' });
      if (text === '') continue;
      hasText = true;
      privateText = (privateText + text).slice(-MAX_PRIVATE_TEXT);
      progress.isSent = true;
      await send({ event: 'text', text });
      if (flush) await send({ event: 'flush' });
    }
  }

  socket.on('message', receive);
  socket.on('error', (error) => body.destroy(error));
  socket.once('close', (code) => {
    if (isFinished) return void body.push(null);
    const message = `The websocket of the voice service was closed (${code}) before the speech was finished. Try again.`;
    body.destroy(new ApiError('protocol', message, { status: 101, retryable: true }));
  });
  void sendTexts().catch((error: unknown) => {
    // A message that couldn't be sent isn't the cause: the socket says why it closed.
    if (error instanceof ApiError) body.destroy(error);
  });
  return { body, dueForMs: () => (dueSince === null ? 0 : performance.now() - dueSince) };
}

function readMessage(data: Buffer): Record<string, unknown> | null {
  if (inspectMsgpack(data, MESSAGE_LIMITS) !== null) return null;
  try {
    const message = decode(data);
    return typeof message === 'object' && message !== null && 'event' in message ? { ...message } : null;
  } catch {
    return null;
  }
}

/** Ends the caller's iteration, started or not. Never rejects. */
export async function endTexts(texts: AsyncIterator<string>): Promise<void> {
  try {
    await texts.return?.();
  } catch {
    // The call is over; how the texts end no longer matters.
  }
}
