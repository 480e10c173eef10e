import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { createSpeech, SpeechTooLargeError } from '../../src/synthesis/index.ts';
import { answer, type Behaviour, connect, cut, openMisbehavingService, stall, thrownBy } from '../helpers/misbehaving-service.ts';
import { mp3Of, pcm16, tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';
import { answerInParts, expectNoResourcesInUse, LONG } from '../helpers/utterances.ts';

afterEach(expectNoResourcesInUse);

describe('a file', () => {
  const speechWith = async (format: 'mp3' | 'pcm', behaviour: Behaviour) => {
    const service = await openMisbehavingService(behaviour);
    return { service, speech: createSpeech({ api: connect(service.url), format }) };
  };

  test("is the service's own bytes, from one call however long the text", async () => {
    const mp3 = await mp3Of([tone(440, 0.5, 44_100)], 44_100);
    const { service, speech } = await speechWith('mp3', answer(200, mp3, { 'content-type': 'application/octet-stream' }));
    const file = await speech.file({ text: LONG });
    expect(file.extension).toBe('mp3');
    expect(Buffer.from(file.bytes)).toEqual(Buffer.from(mp3));
    expect(service.requests.length).toBe(1);
  });

  test('of bare samples gets the header that players need', async () => {
    const pcm = pcm16(tone(440, 0.1, 44_100));
    const { speech } = await speechWith('pcm', answer(200, pcm, { 'content-type': 'application/octet-stream' }));
    const file = await speech.file({ text: 'Hello.' });
    expect(file.extension).toBe('wav');
    expect(Buffer.from(file.bytes)).toEqual(Buffer.from(wavOf(pcm, 44_100)));
  });

  const header = wavOf(new Uint8Array(0), 44_100);
  test.each([
    [
      'WAV',
      Buffer.concat([header.subarray(0, 36), Buffer.from('LIST\xf4\x01\0\0', 'latin1'), Buffer.alloc(500), header.subarray(36)]),
      'empty',
    ],
    ['MP3', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x03\x74', 'latin1'), Buffer.alloc(500)]), 'not-audio'],
  ] as const)('that is no more than the beginning of one (%s) fails', async (_, bytes, kind) => {
    const { speech } = await speechWith('mp3', answer(200, bytes, { 'content-type': 'application/octet-stream' }));
    expect(await thrownBy(speech.file({ text: 'Hello.' }))).toMatchObject({ name: 'AudioError', kind });
  });

  test('past its limit is refused at once, and the call ended', async () => {
    const parts = answerInParts(Buffer.alloc(50_000, 0x55), 'audio/mpeg');
    const { speech } = await speechWith('mp3', parts.behave);
    expect(await thrownBy(speech.file({ text: 'Hello.' }, { maxBytes: 20_000 }))).toBeInstanceOf(SpeechTooLargeError);
    expect(new SpeechTooLargeError(8 * 1024 * 1024).message).toContain('8.0 MiB');
    await parts.closed;
  });

  test('that is cut off or aborted fails', async () => {
    const { speech } = await speechWith('mp3', cut(5000));
    expect(await thrownBy(speech.file({ text: 'Hello.' }))).toBeInstanceOf(ApiError);
    const slow = await speechWith('mp3', stall(5000));
    const abort = new AbortController();
    const file = thrownBy(slow.speech.file({ text: 'Hello.' }, { signal: abort.signal }));
    const { disconnected } = await slow.service.request(1);
    abort.abort();
    expect(await file).toMatchObject({ kind: 'aborted' });
    await disconnected;
  });
});
