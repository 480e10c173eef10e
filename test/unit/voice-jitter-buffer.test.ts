// One speaker's packets in order, whatever the network and the speaker's clock do to them. Time is the test's own.
import { expect, it } from 'vitest';
import { createJitterBuffer, type SpeakerSound } from '../../src/voice-session/jitter-buffer.ts';
import { createRandom } from '../helpers/random.ts';

const FRAME = 960;

/** A jitter buffer that is told of the time every 20 ms, and what it lets go. */
function openBuffer() {
  let now = 100_000;
  const heard: SpeakerSound[] = [];
  let opened = 0;
  /** Numbers of packets that can't be decrypted. */
  const broken = new Set<number>();
  const open = (payload: Buffer) => {
    opened += 1;
    return broken.has(numberOf(payload)) ? null : payload;
  };
  const buffer = createJitterBuffer(open, (sound) => heard.push(sound));
  return {
    heard,
    /** "3" for the packet with this number, "-" for a loss, "|" for a pause. */
    order: () =>
      heard.map((sound) => (sound.kind === 'packet' ? String(numberOf(sound.opus)) : sound.kind === 'lost' ? '-' : '|')).join(' '),
    opened: () => opened,
    now: () => now,
    /** A packet with this number arrives; its sequence number and time follow from that unless they are given. */
    arrive(number: number, { sequence = number, timestamp = number * FRAME, isBroken = false, toc = 0xf8 } = {}) {
      if (isBroken) broken.add(number);
      return buffer.push({ ssrc: 1, sequence: sequence & 0xffff, timestamp: timestamp >>> 0 }, packet(number, toc), now);
    },
    pass(ms: number) {
      for (const until = now + ms; now < until; ) {
        now = Math.min(until, now + 20);
        buffer.advance(now);
      }
    },
    /** Time passes without anything being read. */
    standStill(ms: number) {
      now += ms;
    },
    end: () => buffer.end(now),
    wipe: () => buffer.wipe(),
  };
}

function packet(number: number, toc: number): Buffer {
  return Buffer.of(toc, number & 0xff, (number >> 8) & 0xff, number >> 16);
}

function numberOf(opus: Uint8Array): number {
  return (opus[1] as number) | ((opus[2] as number) << 8) | ((opus[3] as number) << 16);
}

/** A buffer in the middle of speech: packets 0 to `count - 1` have been heard. */
function openSpeech(count = 5) {
  const speech = openBuffer();
  for (let number = 0; number < count; number++) {
    speech.arrive(number);
    speech.pass(20);
  }
  speech.pass(60);
  expect(speech.order()).toBe(Array.from({ length: count }, (_, number) => number).join(' '));
  speech.heard.length = 0;
  return speech;
}

it('lets packets in order go at once', () => {
  const speech = openSpeech(5);
  speech.arrive(5);
  expect(speech.order()).toBe('5');
});

it('puts packets that overtook each other in order', () => {
  const speech = openSpeech(5);
  for (const number of [6, 5, 9, 7, 8]) speech.arrive(number);
  expect(speech.order()).toBe('5 6 7 8 9');
});

it('gives up no packet that is read together with later ones, however long those before have waited', () => {
  const speech = openSpeech(5);
  speech.arrive(6);
  speech.standStill(400);
  for (const number of [8, 5, 7]) speech.arrive(number);
  speech.pass(20);
  expect(speech.order()).toBe('5 6 7 8');
});

it('begins with the earliest packet, though another one came first', () => {
  const speech = openBuffer();
  for (const number of [1, 0, 2]) speech.arrive(number);
  speech.pass(60);
  expect(speech.order()).toBe('0 1 2');
});

it('waits 60 ms for a missing packet, then reports it as lost', () => {
  const speech = openSpeech(5);
  speech.arrive(6);
  speech.pass(40);
  expect(speech.order()).toBe('');
  speech.pass(20);
  expect(speech.order()).toBe('- 6');
  expect(speech.heard[0]).toMatchObject({ kind: 'lost', samples: FRAME });
});

it('waits longer once packets have come later than that, and less again after a while', () => {
  const speech = openSpeech(5);
  speech.arrive(6);
  speech.pass(100);
  expect(speech.arrive(5)).toBe('late');
  speech.arrive(8);
  speech.pass(80);
  speech.arrive(7);
  expect(speech.order()).toBe('- 6 7 8');
  speech.heard.length = 0;
  speech.pass(60_000);
  speech.arrive(10);
  speech.pass(60);
  expect(speech.order()).toBe('| 10');
});

it('decrypts packets in order, and neither duplicates nor late ones', () => {
  const speech = openSpeech(5);
  const opened = speech.opened();
  expect(speech.arrive(4)).toBe('duplicate');
  speech.arrive(6);
  expect(speech.arrive(6)).toBe('duplicate');
  expect(speech.opened()).toBe(opened);
  speech.pass(60);
  expect(speech.arrive(5)).toBe('late');
  expect(speech.opened()).toBe(opened + 1);
});

it('reports a packet that could not be decrypted as lost, in its place', () => {
  const speech = openSpeech(5);
  speech.arrive(6, { isBroken: true });
  speech.arrive(5);
  speech.arrive(7);
  expect(speech.order()).toBe('5 - 7');
});

it('reports no more than half a second as lost: then it is a pause', () => {
  const speech = openSpeech(5);
  for (let number = 5; number < 105; number++) {
    speech.arrive(number, { isBroken: true });
    speech.pass(20);
  }
  speech.arrive(105);
  expect(speech.order()).toBe(`${'- '.repeat(25)}| 105`);
});

it('reports a long gap as a pause alone', () => {
  const speech = openSpeech(5);
  speech.arrive(100);
  speech.pass(60);
  expect(speech.order()).toBe('| 100');
});

it('tells silence from loss: sequence numbers go on while time jumps', () => {
  const speech = openSpeech(5);
  const spoken = speech.now();
  speech.arrive(5);
  speech.pass(140);
  expect(speech.order()).toBe('5 |');
  speech.pass(860);
  speech.arrive(6, { timestamp: 55 * FRAME });
  expect(speech.order()).toBe('5 | 6');
  const [first, pause, second] = speech.heard.map(({ at }) => at) as [number, number, number];
  expect(pause - first).toBeCloseTo(20);
  expect(second - first).toBeCloseTo(1000);
  expect(first).toBeLessThanOrEqual(spoken);
});

it('reports a packet that was lost in silence as a loss and a pause', () => {
  const speech = openSpeech(5);
  speech.arrive(6, { timestamp: 30 * FRAME });
  speech.pass(60);
  expect(speech.order()).toBe('- | 6');
});

it.each([
  ['60 ms', 0x18, 2880],
  ['20 ms of stereo', 0xfc, 960],
  ['two frames of 20 ms', 0xf9, 1920],
])('reads the length of packets of %s', (_, toc, samples) => {
  const speech = openBuffer();
  for (const number of [0, 1, 3]) {
    speech.arrive(number, { timestamp: number * samples, toc });
    speech.pass(samples / 48);
  }
  speech.pass(80);
  expect(speech.heard.map((sound) => ('samples' in sound ? sound.samples : null))).toEqual([samples, samples, samples, samples]);
  expect(speech.order()).toBe('0 1 - 3');
});

it('goes on where sequence numbers and times begin anew at their ends', () => {
  const speech = openBuffer();
  const at = (number: number) => ({ sequence: number + 65_530, timestamp: number * FRAME + 2 ** 32 - 3000 });
  for (const numbers of [[0], [1], [2], [3], [4], [], [6, 5], [7], [], [9]]) {
    for (const number of numbers) speech.arrive(number, at(number));
    speech.pass(20);
  }
  speech.pass(60);
  expect(speech.order()).toBe('0 1 2 3 4 5 6 7 - 9');
  const times = speech.heard.map((sound) => sound.at);
  expect((times.at(-1) as number) - (times[0] as number)).toBeCloseTo(180);
});

it('begins anew when a client starts over with other numbers, but not for a single stray packet', () => {
  const speech = openSpeech(5);
  expect(speech.arrive(5, { sequence: 40_000 })).toBe('late');
  speech.arrive(5);
  for (const number of [6, 7, 8]) {
    speech.arrive(number, { sequence: 20_000 + number, timestamp: 5000 + number * FRAME });
    speech.pass(20);
  }
  speech.pass(40);
  expect(speech.order()).toBe('5 | 7 8');
});

it('gives times by RTP, so that a stalled network changes nothing about when something was said', () => {
  const speech = openSpeech(100);
  const began = speech.now() - 60;
  speech.pass(400);
  for (let number = 100; number < 120; number++) speech.arrive(number);
  const times = speech.heard.filter(({ kind }) => kind === 'packet').map(({ at }) => at - began);
  expect(times[0]).toBeCloseTo(0);
  expect(times.at(-1)).toBeCloseTo(19 * 20);
});

it('corrects its clock when a client counts no time while silent', () => {
  const speech = openSpeech(100);
  speech.pass(10_000);
  speech.arrive(100);
  expect(speech.heard.at(-1)?.at).toBeCloseTo(speech.now());
});

it('keeps the time of an hour without a pause, with a clock that drifts, jitter and loss', () => {
  const speech = openBuffer();
  const random = createRandom(28);
  const count = 3600 * 50;
  // Half a second in the hour: more than quartz drifts.
  const frameMs = 20 * (1 + 0.5 / 3600);
  const began = speech.now();
  let worst = 0;
  const waiting: { number: number; due: number }[] = [];
  for (let number = 0; number < count; number++) {
    if (random() > 0.02) waiting.push({ number, due: began + number * frameMs + random() * 40 });
    waiting.sort((a, b) => a.due - b.due);
    while (waiting[0] && waiting[0].due <= speech.now()) speech.arrive((waiting.shift() as { number: number }).number);
    speech.pass(began + number * frameMs - speech.now());
    for (const sound of speech.heard.splice(0)) {
      if (sound.kind === 'packet' && number > 100)
        worst = Math.max(worst, Math.abs(sound.at - (began + (numberOf(sound.opus) - 1) * frameMs)));
    }
  }
  expect(worst).toBeLessThan(60);
});

it('holds a bounded number of packets', () => {
  const speech = openSpeech(5);
  for (let number = 6; number < 200; number++) speech.arrive(number);
  expect(speech.heard.length).toBeGreaterThan(90);
});

it('overwrites what it holds when it is wiped', () => {
  const heard: SpeakerSound[] = [];
  const buffer = createJitterBuffer(
    (payload) => payload,
    (sound) => heard.push(sound),
  );
  const payload = Buffer.of(0xf8, 1, 2, 3);
  buffer.push({ ssrc: 1, sequence: 1, timestamp: 0 }, payload, 0);
  buffer.wipe();
  buffer.advance(1000);
  buffer.end(2000);
  expect([...payload]).toEqual([0, 0, 0, 0]);
  expect(heard).toEqual([]);
});

it('lets everything go at the end, then says that there is silence', () => {
  const speech = openSpeech(5);
  for (const number of [6, 8]) speech.arrive(number);
  speech.end();
  expect(speech.order()).toBe('- 6 - 8 |');
});
