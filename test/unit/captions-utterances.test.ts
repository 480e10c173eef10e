// What was said, on its way to the voice service: its place in time, its sound as a file, and its turn.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDecoder } from 'libopus-wasm';
import { describe, expect, it } from 'vitest';
import { createOggDemuxer } from '../../src/audio/ogg/demuxer.ts';
import { createTimeLine, joinUtterances, toOgg, type Utterance } from '../../src/captions/utterance.ts';
import { type CallResult, createUtteranceQueue } from '../../src/captions/utterance-queue.ts';
import { answerJson, connect, openMisbehavingService } from '../helpers/misbehaving-service.ts';
import { soundsOf, toPackets } from '../helpers/sound.ts';
import { RATE } from '../helpers/speech.ts';

const tone = Float32Array.from({ length: RATE }, (_, at) => 0.2 * Math.sin((2 * Math.PI * 440 * at) / RATE));
const packets = await toPackets(tone);
/** Everything from a position to another. */
const all = (from: number, to: number) => ({ start: from, end: to, from, to });

function filled(options: Partial<Parameters<typeof soundsOf>[2]> = {}) {
  const line = createTimeLine('member');
  for (const sound of soundsOf('member', packets, { at: 1000, ...options })) if (sound.kind !== 'pause') line.add(sound);
  return line;
}

/** Seconds, and the samples at 48 kHz. */
async function decodeOgg(ogg: Uint8Array) {
  const decoder = await createDecoder({ sampleRate: 48_000, channels: 1 });
  const samples = createOggDemuxer()
    .push(ogg)
    .flatMap((item) => (item.kind === 'packet' ? [...decoder.decodeFloat(item.data)] : []));
  decoder.free();
  return { seconds: samples.length / 48_000, samples };
}

const levelOf = (samples: readonly number[]) => Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('the time line of a member', () => {
  it('takes the packets of what was said, with its times, and keeps the rest', () => {
    const line = filled();
    const { startedAt, endedAt, seconds, parts } = line.take({ start: 9600, end: 19_200, from: 4800, to: 24_000 });
    expect(parts.map(({ position }) => position / 960)).toEqual(Array.from({ length: 20 }, (_, number) => number + 5));
    expect(seconds).toBeCloseTo(0.4);
    expect(startedAt).toBeCloseTo(performance.timeOrigin + 1200, 3);
    expect(endedAt).toBeCloseTo(performance.timeOrigin + 1400, 3);
    expect(line.take(all(0, 48_000)).parts).toHaveLength(30);
  });

  it('places what follows a pause where it was said, and what is counted a little late or early beside the packet before', () => {
    const line = createTimeLine('member');
    const add = (at: number) => line.add({ kind: 'packet', userId: 'member', at, samples: 960, opus: Uint8Array.of(0xf8) })?.position;
    expect([add(0), add(20), add(46), add(60), add(560), add(580)]).toEqual([0, 960, 1920, 2880, 26_880, 27_840]);
    // The clock is corrected by a quarter of a second: nothing is on top of anything else.
    expect([add(350), add(370), add(890)]).toEqual([28_800, 29_760, 54_720]);
  });

  it('takes no more of a member than the time that has passed, but for a second, however long their packets claim to be', () => {
    const line = createTimeLine('member');
    const samples = 5_760;
    const add = (at: number) => line.add({ kind: 'packet', userId: 'member', at, samples, opus: Uint8Array.of(0xf8) });
    // Packets of 120 ms, fifty a second, for ten seconds.
    const taken = Array.from({ length: 500 }, (_, number) => add(number * 20)).filter((part) => part !== null);
    expect((taken.at(-1)?.position ?? 0) / 48_000).toBeLessThan(11.5);
    expect(taken.length).toBeGreaterThan(80);
    // After they have been silent, they are heard again as anybody else is.
    expect([15_000, 15_120, 15_240].map(add)).not.toContain(null);
  });

  it('takes what was said out of thousands of the shortest packets without holding anybody up', () => {
    const before = process.cpuUsage();
    for (let round = 0; round < 10; round++) {
      const line = createTimeLine('member');
      for (let number = 0; number < 11_600; number++)
        line.add({ kind: 'packet', userId: 'member', at: number * 2.5, samples: 120, opus: Uint8Array.of(0xe0) });
      expect(line.take(all(0, 15 * 48_000)).parts).toHaveLength(6_000);
    }
    // It was a second and more.
    const { user } = process.cpuUsage(before);
    expect(user / 1000).toBeLessThan(400);
  });

  it('keeps 30 s at most, forgets what is no longer needed, and wipes the sound itself', () => {
    const line = createTimeLine('member');
    const sounds = Array.from({ length: 2000 }, (_, number) => ({
      ...{ kind: 'packet' as const, userId: 'member', at: number * 20, samples: 960, opus: Uint8Array.of(0xf8, 1, 2) },
    }));
    for (const sound of sounds) line.add(sound);
    line.forgetBefore(1_910_000);
    expect(line.wipe()).toBeCloseTo(0.22);
    expect([...(sounds.at(-1)?.opus ?? [])]).toEqual([0, 0, 0]);
    expect(line.wipe()).toBe(0);
    for (const sound of sounds) line.add({ ...sound, at: sound.at + 40_000 });
    expect(line.wipe()).toBeCloseTo(30, 1);
  });
});

describe('what is sent', () => {
  it('is the packets themselves', () => {
    const ogg = toOgg(filled().take(all(0, 48_000)));
    const sent = createOggDemuxer()
      .push(ogg)
      .flatMap((item) => (item.kind === 'packet' ? [item.data] : []));
    expect(sent.map((data) => Buffer.from(data).toString('hex'))).toEqual(packets.map((data) => Buffer.from(data).toString('hex')));
  });

  it('has decoders conceal what was lost, so that times stay true', async () => {
    const isLost = (number: number) => number % 10 === 5;
    const { seconds, samples } = await decodeOgg(toOgg(filled({ isLost }).take(all(0, 48_000))));
    expect(seconds).toBeCloseTo(1);
    const whole = levelOf(samples.slice(9600, 38_400));
    // The 25th packet.
    expect(levelOf(samples.slice(24_000, 24_960))).toBeGreaterThan(whole / 2);
  });

  it('is silent where nothing was sent', async () => {
    const line = filled();
    for (const sound of soundsOf('member', packets, { at: 2400 })) if (sound.kind !== 'pause') line.add(sound);
    const { seconds, samples } = await decodeOgg(toOgg(line.take(all(0, 200_000))));
    expect(seconds).toBeCloseTo(2.4);
    expect(levelOf(samples.slice(55_000, 66_000))).toBeLessThan(0.005);
    expect(levelOf(samples.slice(72_000, 110_000))).toBeGreaterThan(0.1);
  });

  it('is joined without the pauses between', async () => {
    const [first, second] = [filled().take(all(0, 24_000)), filled({ at: 9000 }).take(all(24_000, 48_000))];
    const joined = joinUtterances([first, second]);
    expect(joined).toMatchObject({ startedAt: first.startedAt, endedAt: second.endedAt, seconds: 1 });
    expect((await decodeOgg(toOgg(joined))).seconds).toBeCloseTo(1);
  });
});

describe('the queue of what was said', () => {
  /** Calls that end when the test says so. A clock that the test moves. */
  function setUp() {
    const clock = { now: 1_000_000 };
    const calls: { id: string; signal: AbortSignal; turn(): void; end(result: CallResult): void }[] = [];
    const seen: string[] = [];
    const queue = createUtteranceQueue({
      call: (utterance, signal, turn) =>
        new Promise((end) => calls.push({ id: `${utterance.userId} ${Math.round(utterance.seconds)}`, signal, turn, end })),
      onWords: ({ userId }, text) => seen.push(`${userId}: ${text}`),
      onBehind: (seconds) => seen.push(`behind ${seconds}`),
      onDropped: (userId, seconds) => seen.push(`dropped ${userId} ${seconds}`),
      now: () => clock.now,
    });
    const say = (userId: string, startedAt: number, seconds = 2) => {
      const parts = [{ position: 0, samples: seconds * 48_000, opus: Uint8Array.of(0xf8, 7) }];
      const utterance: Utterance = {
        userId,
        startedAt: clock.now + startedAt * 1000,
        endedAt: clock.now + (startedAt + seconds) * 1000,
        seconds,
        parts,
      };
      queue.add(utterance);
      return utterance;
    };
    /** Lets the call be made and answered. */
    const answer = async (number: number, result: CallResult = { kind: 'heard', text: 'words' }) => {
      const call = calls[number];
      call?.turn();
      call?.end(result);
      await nextTurn();
    };
    const pass = (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        clock.now += 1000;
        queue.review();
      }
    };
    const ids = () => calls.map(({ id }) => id);
    return { queue, calls, seen, say, answer, pass, ids };
  }

  it('calls and delivers in the order in which members began to speak', async () => {
    const { say, calls, ids, seen, answer } = setUp();
    say('first', 0);
    // Somebody who began later stops earlier.
    say('third', 4);
    say('second', 2, 6);
    expect(ids()).toEqual(['first 2']);
    calls[0]?.turn();
    calls[1]?.turn();
    expect(ids()).toEqual(['first 2', 'second 6', 'third 2']);
    await answer(2);
    await answer(0);
    expect(seen).toEqual(['first: words']);
    await answer(1);
    expect(seen).toEqual(['first: words', 'second: words', 'third: words']);
  });

  it('delivers nothing for words that were not understood', async () => {
    const { say, seen, answer, queue } = setUp();
    say('silent', 0);
    const emptied = queue.emptied();
    await answer(0, { kind: 'heard', text: '' });
    await emptied;
    expect(seen).toEqual([]);
  });

  it('joins what a member said once the service is 15 s behind, up to 15 s of sound', async () => {
    const { say, calls, ids, seen, pass, answer } = setUp();
    say('slow', 0);
    for (let at = 2; at < 14; at += 4) {
      say('one', at);
      say('other', at + 2, 7);
    }
    expect(ids()).toEqual(['slow 2']);
    pass(18);
    expect(seen).toEqual(['behind 15']);
    calls[0]?.turn();
    expect(ids()).toEqual(['slow 2', 'one 6']);
    calls[1]?.turn();
    expect(ids()).toEqual(['slow 2', 'one 6', 'other 14']);
    calls[2]?.turn();
    expect(ids()).toEqual(['slow 2', 'one 6', 'other 14', 'other 7']);
    for (const number of [0, 1, 2, 3]) await answer(number);
    expect(seen).toEqual(['behind 15', 'slow: words', 'behind 0', 'one: words', 'other: words', 'other: words']);
  });

  it('drops what is 60 s old, the oldest first, and says so', () => {
    const { say, calls, seen, pass } = setUp();
    say('waiting for a slot', 0);
    say('old', 2);
    say('new', 30);
    pass(70);
    expect(seen.filter((event) => event.startsWith('dropped'))).toEqual(['dropped waiting for a slot 2', 'dropped old 2']);
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(calls[1]?.id).toBe('old 2');
  });

  it('waits as long as the service asks, loses what it refused, and keeps what it was not asked', async () => {
    const { say, ids, seen, pass, answer } = setUp();
    say('refused', 0);
    say('kept', 2);
    await answer(0, { kind: 'failed', waitMs: 10_000 });
    await expect.poll(() => seen).toEqual(['dropped refused 2']);
    const before = ids();
    pass(9);
    expect(ids()).toEqual(before);
    pass(2);
    await answer(1, { kind: 'postponed', waitMs: 5_000 });
    pass(6);
    expect(ids().slice(1)).toEqual(['kept 2', 'kept 2']);
    await answer(2);
    expect(seen).toEqual(['dropped refused 2', 'kept: words']);
  });

  it('survives a service that refuses everything for a minute: drops what is too old by then, and sends the rest joined', async () => {
    const { say, ids, seen, pass, answer } = setUp();
    say('early', 0);
    await answer(0, { kind: 'postponed', waitMs: 60_000 });
    pass(30);
    say('late', 0);
    say('late', 3);
    pass(30);
    expect(ids()).toEqual(['early 2', 'early 2']);
    await answer(1, { kind: 'postponed', waitMs: 5_000 });
    pass(5);
    expect(ids().slice(2)).toEqual(['late 4']);
    await answer(2);
    expect(seen.filter((event) => !event.startsWith('behind'))).toEqual(['dropped early 2', 'late: words']);
    expect([seen[0], seen.at(-1)]).toEqual(['behind 15', 'behind 0']);
  });

  it('drops the oldest of what has waited together while the service goes on refusing, and keeps the rest', async () => {
    const { say, calls, ids, seen, pass, answer } = setUp();
    for (let second = 0; second < 100; second++) {
      if (second % 10 === 0) say('one', 0, 1);
      pass(1);
      await answer(calls.length - 1, { kind: 'postponed', waitMs: 5_000 });
    }
    expect(seen.slice(0, 6)).toEqual(['behind 15', 'behind 30', 'behind 45', 'behind 60', 'dropped one 1', 'behind 45']);
    expect(seen.filter((event) => event.startsWith('dropped'))).toEqual(Array(4).fill('dropped one 1'));
    pass(6);
    // A fifth has become too old meanwhile.
    expect(ids().at(-1)).toBe('one 5');
    await answer(calls.length - 1);
    expect(seen.slice(-2)).toEqual(['one: words', 'behind 0']);
  });

  it('drops what has not become words when it ends, and delivers the rest', async () => {
    const { queue, say, calls, seen, answer } = setUp();
    say('unanswered', 0);
    say('answered', 2);
    calls[0]?.turn();
    await answer(1);
    queue.end();
    expect(seen).toEqual(['dropped unanswered 2', 'answered: words']);
    expect(calls[0]?.signal.aborted).toBe(true);
  });

  it('forgets a member: aborts their calls, wipes the sound, delivers nothing, and goes on with the others', async () => {
    const { queue, say, calls, seen, answer } = setUp();
    const [asked, waiting] = [say('gone', 0), say('gone', 2)];
    say('stays', 4);
    calls[0]?.turn();
    queue.forget('gone');
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect([asked, waiting].flatMap(({ parts }) => parts.map(({ opus }) => [...(opus ?? [])]))).toEqual([
      [0, 0],
      [0, 0],
    ]);
    await answer(2);
    await answer(0);
    await answer(1);
    expect(seen).toEqual(['stays: words']);
  });

  it('takes turns with those of other servers: one with much to say doesn’t hold up another', async () => {
    const service = await openMisbehavingService(answerJson(200, { text: 'words', duration: 1, segments: [] }));
    // One call at a time, since captions leave one free.
    const api = connect(service.url, { concurrency: 2 });
    const called: string[] = [];
    const openQueue = () =>
      createUtteranceQueue({
        async call({ userId }, signal, onTurn) {
          const audio = Uint8Array.of(1);
          const began = () => {
            called.push(userId);
            onTurn();
          };
          const { text } = await api.transcribe({ audio, language: null }, { signal, priority: 'spare', onTurn: began });
          return { kind: 'heard', text };
        },
        ...{ onWords() {}, onBehind() {}, onDropped() {}, now: () => 0 },
      });
    const [large, small] = [openQueue(), openQueue()];
    const say = (queue: typeof large, userId: string, startedAt: number) =>
      queue.add({ userId, startedAt, endedAt: startedAt, seconds: 1, parts: [] });
    for (let at = 0; at < 5; at++) say(large, 'of many', at);
    for (let at = 0; at < 2; at++) say(small, 'of few', at);
    await Promise.all([large.emptied(), small.emptied()]);
    expect(called).toEqual(['of many', 'of few', 'of many', 'of few', 'of many', 'of many', 'of many']);
  });
});
