// Calls that fail but may have been billed: their errors say so, and the client never repeats them.
import { describe, expect, it } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import {
  answer,
  answerAudio,
  answerJson,
  type Behaviour,
  beforeTheBody,
  connect,
  cut,
  failureOf,
  hang,
  openMisbehavingService,
  reset,
  stall,
} from '../helpers/misbehaving-service.ts';

const text = 'Good morning';
/** These begin when the request has been sent. */
const quick = { timeouts: { headers: 200, idle: 200 } };
const usual = {};

describe('a text-to-speech request that was sent to its end', () => {
  it.each<[string, Behaviour, typeof quick | typeof usual]>([
    ['is met by a reset', reset, usual],
    ['is not answered in time', hang, quick],
    ['is answered by silence', stall(10), quick],
    ['is answered with audio that breaks off', cut(10), usual],
    ['is answered with something other than audio', answerJson(200, { message: 'done' }), usual],
    ['is answered by a proxy whose service broke off', answer(502, 'bad gateway'), usual],
    ['is answered by a proxy whose service fell silent', answer(504, 'gateway timeout'), usual],
  ])('and %s may have been billed, and is not sent again', async (_, behaviour, options) => {
    const service = await openMisbehavingService(behaviour, answerAudio());
    expect(await failureOf(connect(service.url, options).speak({ text }))).toMatchObject({ mayHaveBeenBilled: true });
    await service.request(1);
    expect(service.requests).toHaveLength(1);
  });

  it('may have been billed when its caller ends it, or the client is closed', async () => {
    const service = await openMisbehavingService(hang);
    const api = connect(service.url);
    const caller = new AbortController();
    const aborted = failureOf(api.speak({ text }, { signal: caller.signal }));
    const closed = failureOf(api.speak({ text }));
    await service.request(2);
    caller.abort();
    expect(await aborted).toMatchObject({ kind: 'aborted', mayHaveBeenBilled: true });
    await api.close();
    expect(await closed).toMatchObject({ kind: 'aborted', mayHaveBeenBilled: true });
  });

  it.each([400, 401, 402, 404, 422])('and is refused with %i is free', async (status) => {
    const service = await openMisbehavingService(answerJson(status, { status, message: 'No.' }));
    expect(await failureOf(connect(service.url).speak({ text }))).toMatchObject({ status, mayHaveBeenBilled: false });
  });

  it.each([408, 429, 500, 503])('and is refused with %i is free, and sent again', async (status) => {
    const service = await openMisbehavingService(answer(status, ''), answerAudio());
    await connect(service.url).speak({ text });
    expect(service.requests).toHaveLength(2);
    const refusing = await openMisbehavingService(answer(status, ''));
    expect(await failureOf(connect(refusing.url).speak({ text }))).toMatchObject({ status, mayHaveBeenBilled: false });
    expect(refusing.requests).toHaveLength(3);
  });
});

it('a text-to-speech request for which there is no connection is free', async () => {
  const service = await openMisbehavingService(hang);
  await service.close();
  expect(await failureOf(connect(service.url).speak({ text }))).toMatchObject({ kind: 'server', mayHaveBeenBilled: false });
});

it('a text-to-speech request that is still waiting for its turn is free', async () => {
  const service = await openMisbehavingService(hang);
  const api = connect(service.url, { concurrency: 1 });
  const first = failureOf(api.speak({ text }));
  await service.request(1);
  const caller = new AbortController();
  const waiting = failureOf(api.speak({ text }, { signal: caller.signal }));
  caller.abort();
  expect(await waiting).toMatchObject({ kind: 'aborted', mayHaveBeenBilled: false });
  await api.close();
  await first;
});

it('a call that costs nothing is never billed, and is repeated', async () => {
  const service = await openMisbehavingService(reset);
  expect(await failureOf(connect(service.url).listModels())).toMatchObject({ mayHaveBeenBilled: false });
  expect(service.requests).toHaveLength(3);
});

describe('a transcription', () => {
  it.each<[string, Behaviour]>([
    ['a reset', reset],
    ['no response in time', hang],
    ["a response that isn't a transcript", answer(200, '<html>')],
  ])('that ends in %s may have been billed, and is not sent again', async (_, behaviour) => {
    // The time for a transcription includes sending it.
    const timers = holdTimers();
    const service = await openMisbehavingService(behaviour);
    const call = connect(service.url, { timeouts: { transcription: timers.ms } }).transcribe({ audio: new Uint8Array(1000) });
    const failure = failureOf(call);
    await service.request(1);
    if (behaviour === hang) timers.expire();
    expect(await failure).toMatchObject({ mayHaveBeenBilled: true });
    expect(service.requests).toHaveLength(1);
  });

  it('whose upload breaks off is free, and the service sees that it is incomplete', async () => {
    const seen = Promise.withResolvers<boolean>();
    const watch = beforeTheBody((request) => {
      request.on('error', () => {}).resume();
      request.on('close', () => seen.resolve(request.complete));
    });
    const service = await openMisbehavingService(watch);
    async function* audio() {
      yield new Uint8Array(100_000);
      await service.request(1);
      throw new Error('enough');
    }
    expect(await failureOf(connect(service.url).transcribe({ audio: audio() }))).toMatchObject({
      kind: 'aborted',
      mayHaveBeenBilled: false,
    });
    expect(await seen.promise).toBe(false);
  });

  it('for which there is no connection is free', async () => {
    const service = await openMisbehavingService(hang);
    await service.close();
    const call = connect(service.url).transcribe({ audio: new Uint8Array(1000) });
    expect(await failureOf(call)).toMatchObject({ kind: 'server', mayHaveBeenBilled: false });
  });

  it('may have been billed once the service has its last byte, even before the client learns that', async () => {
    const service = await openMisbehavingService(
      beforeTheBody((request) => {
        let left = Number(request.headers['content-length']);
        request
          .on('error', () => {})
          .on('data', ({ length }: Buffer) => {
            left -= length;
            if (left === 0) request.socket.resetAndDestroy();
          });
      }),
    );
    const call = connect(service.url).transcribe({ audio: new Uint8Array(5_000_000) });
    expect(await failureOf(call)).toMatchObject({ mayHaveBeenBilled: true });
  });

  it('that is refused is free', async () => {
    const service = await openMisbehavingService(answerJson(413, { status: 413, message: 'too large' }));
    const call = connect(service.url).transcribe({ audio: new Uint8Array(1000) });
    expect(await failureOf(call)).toMatchObject({ status: 413, mayHaveBeenBilled: false });
  });
});
