// The websocket /v1/tts/live: text comes in pieces, and is spoken sentence by sentence as one continuous sound while more of it comes.
import { encode } from '@msgpack/msgpack';
import type { FastifyInstance } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { type LiveFinish, liveStart, liveText, type TtsRequest } from '../../../api/schemas.ts';
import { type Call, callOf } from '../auth.ts';
import { clientLeft, fieldError, type HttpError, httpError, parseWith, toHttpError } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import type { Manners } from '../manners.ts';
import { asObject, parseMsgpack } from '../request-body.ts';
import { createSentenceQueue, type SentenceQueue } from '../sentence-queue.ts';
import type { Hold } from '../wallet.ts';
import type { OpenWebsocket } from '../websocket.ts';
import { findVoice, holdPrice, isSlow, rejectUnsupported, type SpeechOptions, toSpeakRequest } from './speech-request.ts';

const LIVE_PATH = '/v1/tts/live';
/** "Policy violation": https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const CLOSE_REFUSED = 1008;
const CLOSE_FAILED = 1011;

/**
 * Each sentence is paid for when its turn comes. It is refunded if the service fails at it, or if the client leaves before its first
 * byte; what was spoken before stays paid, and what was never reached costs nothing.
 */
export function liveRoute(app: FastifyInstance, openWebsocket: OpenWebsocket, options: SpeechOptions): void {
  app.get(LIVE_PATH, async (request, reply) => {
    const call = callOf(request);
    const model = request.headers.model?.toString();
    const isFree = options.manners.priceOfSpeech('a', model) === 0n;
    if (!isFree && options.wallet.balance(call.userId) === 0n)
      throw httpError(402, 'The credit is used up, and speech costs credit. Add credit.');
    const socket = await openWebsocket(request, reply);
    await serve(socket, call, model, options);
  });
}

async function serve(
  socket: WebSocket,
  call: Call,
  model: string | undefined,
  { readCatalogue, wallet, engines, limits, manners, now }: SpeechOptions,
): Promise<void> {
  const inbox = openInbox(socket, limits);
  call.signal.addEventListener('abort', () => inbox.stop(), { once: true });
  try {
    const { wanted, queue } = await inbox.started;
    rejectUnsupported(wanted, limits);
    // How long the text will be isn't known yet.
    const voice = findVoice(await readCatalogue(), { ...wanted, text: null }, call.userId);

    /** For the sentence whose turn it is. */
    let hold = null as Hold | null;
    let isHeard = false;
    async function* paidTexts(): AsyncGenerator<string> {
      for await (const text of isSlow(voice, engines) ? queue.gatheredTexts() : queue.texts()) {
        hold = holdPrice(wallet, call.userId, manners.priceOfSpeech(text, model));
        isHeard = false;
        yield manners.toSpoken(text, model, now());
        wallet.settle(hold);
      }
    }
    try {
      const speech = { text: paidTexts(), voice, model, signal: call.signal };
      for await (const audio of engines.speak(toSpeakRequest(wanted, speech))) {
        isHeard = true;
        await sendEvent(socket, { event: 'audio', audio });
      }
    } catch (error) {
      const hasLeft = call.signal.aborted || socket.readyState !== socket.OPEN;
      // Neither has an effect after a settlement.
      if (hold && hasLeft && isHeard) wallet.settle(hold);
      else if (hold) wallet.refund(hold);
      throw error;
    }
    if (!hold) throw fieldError('body', ['text'], 'missing', 'There was no text to speak.');
    // Before the end is sent: a client that knows it has everything may call again.
    call.release();
    await sendEvent(socket, { event: 'finish', reason: 'stop' });
    socket.close(1000);
  } catch (error) {
    inbox.stop();
    await refuse(socket, call, manners.toError(toHttpError(error), LIVE_PATH), manners);
  }
}

async function refuse(socket: WebSocket, call: Call, { status, message }: HttpError, { tellsLiveStatus }: Manners): Promise<void> {
  call.release();
  await sendEvent(socket, { event: 'finish', reason: 'error', ...(tellsLiveStatus && { status }), message }).catch(() => {});
  socket.close(status >= 500 ? CLOSE_FAILED : CLOSE_REFUSED);
}

type ServerEvent = { event: 'audio'; audio: Uint8Array } | ({ event: 'finish' } & Partial<LiveFinish>);

/** Resolves once the message has left for the network, so that a slow reader slows the synthesis. Rejects if the client has left. */
function sendEvent(socket: WebSocket, event: ServerEvent): Promise<void> {
  return new Promise((resolve, reject) => socket.send(encode(event), (error) => (error ? reject(error) : resolve())));
}

interface Inbox {
  /** Resolves with the first message, and the queue that the text goes to from then on. */
  started: Promise<{ wanted: TtsRequest; queue: SentenceQueue }>;
  /** Ignores whatever still comes. */
  stop(): void;
}

/** Reads what the client sends. What is wrong with it fails `started`, or the queue after that. */
function openInbox(socket: WebSocket, limits: Limits): Inbox {
  const { promise: started, resolve, reject } = Promise.withResolvers<{ wanted: TtsRequest; queue: SentenceQueue }>();
  started.catch(() => {});
  let queue = null as SentenceQueue | null;
  let length = 0;
  const fail = (error: unknown) => {
    stop();
    reject(error);
    queue?.stop(error);
  };
  const idle = () => fail(httpError(408, `No text came for ${limits.liveIdleMs / 1000} s. Connect again when there is some.`));
  const startTimer = setTimeout(idle, limits.liveIdleMs);

  const add = (text: string) => {
    length += text.length;
    if (length <= limits.textLength) return queue?.add(text);
    const max = limits.textLength.toLocaleString('en');
    throw fieldError('body', ['text'], 'too_big', `The text is too long: at most ${max} characters in one connection. Open another.`);
  };
  const receive = (data: RawData, isBinary: boolean) => {
    if (!isBinary) throw httpError(400, 'Send binary messages, each of them one msgpack map: this one was text.');
    const message = asObject(parseMsgpack(data as Buffer));
    if (queue === null) {
      if (message.event !== 'start') throw httpError(400, 'The first message must be the event start, with the request.');
      const wanted = parseWith(liveStart, message, 'body').request;
      clearTimeout(startTimer);
      queue = createSentenceQueue({ maxLength: wanted.chunk_length, idleMs: limits.liveIdleMs, onIdle: idle });
      resolve({ wanted, queue });
      add(wanted.text);
    } else if (message.event === 'start') throw httpError(400, 'The event start came twice. Open another connection for another request.');
    else if (message.event === 'text') add(parseWith(liveText, message, 'body').text);
    else if (message.event === 'flush') queue.flush();
    else if (message.event === 'stop') queue.end();
    // Any other event may be one of a newer protocol.
  };
  const onMessage = (data: RawData, isBinary: boolean) => {
    try {
      receive(data, isBinary);
    } catch (error) {
      fail(error);
    }
  };
  function stop(): void {
    clearTimeout(startTimer);
    socket.off('message', onMessage);
    queue?.stop();
  }
  socket.on('message', onMessage);
  // A message that breaks the websocket's own rules; `ws` closes the connection with the right code.
  socket.on('error', fail);
  socket.once('close', () => fail(clientLeft()));
  return { started, stop };
}
