// A service that never stops sending sound is limited by the longest that its text can take: in time once decoded, in bytes before.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { PACKET_MS } from '../../src/audio/index.ts';
import { explainError } from '../../src/discord/errors.ts';
import { en } from '../../src/locales/index.ts';
import { createSpeech, type SpeechRequest } from '../../src/synthesis/index.ts';
import { answer, type Behaviour, connect, openMisbehavingService } from '../helpers/misbehaving-service.ts';
import { mp3Of, tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';

const never = new AbortController().signal;
const TEXT = 'Hello.';
/** Seconds, as documented: 30, and one for each character. */
const BOUND = 30 + TEXT.length;

/** Sends the beginning, and then the rest again and again for as long as it is taken. */
function endlessly(head: Uint8Array, rest: Uint8Array, contentType: string): { behave: Behaviour; ended: Promise<number> } {
  const ended = Promise.withResolvers<number>();
  let bytes = 0;
  const behave = (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': contentType });
    response.on('error', () => {});
    response.on('close', () => ended.resolve(bytes));
    response.write(head);
    const more = () => {
      if (response.destroyed) return;
      bytes += rest.length;
      if (response.write(rest)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };
  return { behave, ended: ended.promise };
}

const second = tone(440, 1, 48_000);
const wav = wavOf(second, 48_000);
/** A header that states no length, as those of streams. */
const streamed = Buffer.from(wav.subarray(0, 44));
streamed.writeUInt32LE(0xffffffff, 4);
streamed.writeUInt32LE(0xffffffff, 40);

async function play(request: SpeechRequest, behave: Behaviour): Promise<{ seconds: number; error: unknown }> {
  const service = await openMisbehavingService(behave);
  const utterance = createSpeech({ api: connect(service.url), format: 'wav' }).utterance(request);
  let frames = 0;
  try {
    for await (const _ of utterance.open(never)) frames += 1;
    return { seconds: (frames * PACKET_MS) / 1000, error: null };
  } catch (error) {
    return { seconds: (frames * PACKET_MS) / 1000, error };
  }
}

describe('speech that never ends', () => {
  it('is ended after the longest that its text can be, together with the connection', async () => {
    const mp3 = await mp3Of([tone(440, 1, 44_100)], 44_100);
    const { behave, ended } = endlessly(mp3, mp3, 'audio/mpeg');
    const { seconds, error } = await play({ text: TEXT }, behave);
    expect(error).toMatchObject({ name: 'AudioError', kind: 'endless' });
    expect(seconds).toBe(BOUND);
    await ended;
  });

  it('may take twice as long at half speed', async () => {
    const { behave } = endlessly(streamed, wav.subarray(44), 'audio/wav');
    const { seconds, error } = await play({ text: TEXT, speed: 0.5 }, behave);
    expect(error).toMatchObject({ name: 'AudioError', kind: 'endless' });
    expect(seconds).toBe(2 * BOUND);
  });

  it('in the second piece of a text is limited by that piece, not by the whole text', async () => {
    const sentence = 'Here is a sentence that goes on for a while, so that only one of its kind fits into the first of all the pieces.';
    const { behave } = endlessly(streamed, wav.subarray(44), 'audio/wav');
    const short = answer(200, wav, { 'content-type': 'audio/wav' });
    let calls = 0;
    const { seconds, error } = await play({ text: Array(3).fill(sentence).join(' ') }, (request, response) =>
      (calls++ === 0 ? short : behave)(request, response),
    );
    expect(error).toMatchObject({ kind: 'endless' });
    expect(seconds).toBeGreaterThan(30 + 2 * sentence.length);
    expect(seconds).toBeLessThan(30 + 2 * sentence.length + 5);
  });

  it('that cannot be decoded is limited by its bytes', async () => {
    const { behave, ended } = endlessly(await mp3Of([tone(440, 1, 44_100)], 44_100), Buffer.alloc(64 * 1024), 'audio/mpeg');
    const { seconds, error } = await play({ text: TEXT }, behave);
    expect(error).toMatchObject({ kind: 'endless' });
    expect(seconds).toBeLessThan(2);
    // And what the sockets hold.
    expect(await ended).toBeLessThan(BOUND * 64_000 + 8 * 1024 * 1024);
  });

  it('fails as a file: it is limited by its bytes, and called endless rather than too large', async () => {
    const mp3 = await mp3Of([tone(440, 1, 44_100)], 44_100);
    const { behave, ended } = endlessly(mp3, mp3, 'audio/mpeg');
    const service = await openMisbehavingService(behave);
    const file = createSpeech({ api: connect(service.url), format: 'mp3' }).file({ text: TEXT });
    const error = await file.then(
      () => expect.fail('it became a file'),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ kind: 'endless' });
    expect(explainError(error)?.(en)).toContain('didn’t stop talking');
    expect(await ended).toBeLessThan(BOUND * 64_000 + 8 * 1024 * 1024);
  });
});
