// The player: frames leave on time, neither early nor late, and none is lost. The clock is the tests' own.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPlayer } from '../../src/voice-session/player.ts';

const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

/** Records what is sent to it, and when. */
function createSink() {
  const sent: { frame: number | 'silence'; at: number }[] = [];
  const sink = {
    sent,
    open: true,
    stopped: 0,
    arrivedUntil: Number.POSITIVE_INFINITY,
    confirmed: 0,
    send(frame: Buffer) {
      if (sink.open) sent.push({ frame: frame.equals(SILENCE) ? 'silence' : frame.readUInt16BE(0), at: performance.now() });
      return sink.open;
    },
    stopSpeaking() {
      sink.stopped += 1;
    },
    deliveredUntil: () => sink.arrivedUntil,
    confirmDelivery() {
      sink.confirmed += 1;
    },
    failures: [] as unknown[],
    onFailure(error: unknown) {
      sink.failures.push(error);
    },
    frames: () => sent.flatMap(({ frame }) => (frame === 'silence' ? [] : [frame])),
  };
  return sink;
}

async function* numbered(count: number, onPull: (index: number) => void = () => {}): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    onPull(index);
    yield Uint8Array.of(index >> 8, index & 0xff, 1);
  }
}

/** What the player keeps up to date; `onSent` is called with each number of packets sent. */
const progress = (onSent: (position: number) => void = () => {}) => ({
  set sent(position: number) {
    onSent(position);
  },
  started: Promise.withResolvers<number>(),
});

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const never = new AbortController().signal;

/** Milliseconds for which the clock went on, but no timer. */
let stoodStill = 0;

// For all tests at once, since players share a timer. Time passes as soon as everybody waits for it.
beforeAll(() => {
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync');
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + stoodStill);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the player', () => {
  it('sends the first frame at once, the others 20 ms apart, then five of silence', async () => {
    const sink = createSink();
    const player = createPlayer(sink);
    const begun = performance.now();
    await player.play(numbered(30), never, progress());
    await player.silent();
    expect(sink.sent.map(({ frame }) => frame)).toEqual([...range(30), ...Array(5).fill('silence')]);
    expect(sink.sent.map(({ at }) => at - begun)).toEqual(range(35).map((index) => 20 * index));
    expect(sink.stopped).toBe(1);
  });

  it('catches up after a short standstill, and the sound takes no longer', async () => {
    const sink = createSink();
    const player = createPlayer(sink);
    let standstill = 0;
    await player.play(
      numbered(20),
      never,
      progress(() => {
        if (sink.sent.length === 5) {
          stoodStill += 70;
          standstill = performance.now();
        }
      }),
    );
    const after = sink.sent.slice(5).filter(({ at }) => at < standstill + 10);
    expect(after).toHaveLength(3);
    expect(sink.frames()).toEqual(range(20));
  });

  it('soon ticks together with other players, whenever they began', async () => {
    let isSameTurn = false;
    let together = 0;
    const [first, second] = [createSink(), createSink()];
    const watched = (sink: typeof first, onSend: () => void) => ({
      ...sink,
      send(frame: Buffer) {
        onSend();
        return sink.send(frame);
      },
    });
    const one = createPlayer(
      watched(first, () => {
        isSameTurn = true;
        setImmediate(() => {
          isSameTurn = false;
        });
      }),
    );
    const other = createPlayer(watched(second, () => (together += Number(isSameTurn))));
    const begun = Promise.withResolvers<void>();
    const playing = one.play(
      numbered(40),
      never,
      progress((position) => position === 3 && begun.resolve()),
    );
    await begun.promise;
    // To begin between two ticks.
    await vi.advanceTimersByTimeAsync(10);
    await other.play(numbered(25), never, progress());
    await playing;
    expect(together).toBeGreaterThan(10);
    expect([first.frames(), second.frames()]).toEqual([range(40), range(25)]);
  });

  it('resumes where it was after a long standstill, without a burst', async () => {
    const sink = createSink();
    const player = createPlayer(sink);
    let standstill = 0;
    await player.play(
      numbered(20),
      never,
      progress(() => {
        if (sink.sent.length === 5) {
          stoodStill += 400;
          standstill = performance.now();
        }
      }),
    );
    // Twenty frames of 20 ms were missed.
    const after = sink.sent.slice(5).filter(({ at }) => at < standstill + 10);
    expect(after).toHaveLength(1);
    expect(sink.frames()).toEqual(range(20));
  });

  it('sends nothing more after a failure, which it reports, and other players go on', async () => {
    const [failing, other] = [createSink(), createSink()];
    const failure = new Error('the frame could not be encrypted');
    const breaking = createPlayer({
      ...failing,
      send(frame: Buffer) {
        if (failing.sent.length === 5) throw failure;
        return failing.send(frame);
      },
    });
    const abort = new AbortController();
    const broken = breaking.play(numbered(40), abort.signal, progress());
    await createPlayer(other).play(numbered(40), never, progress());
    expect(failing.failures).toEqual([failure]);
    expect([failing.frames(), other.frames()]).toEqual([range(5), range(40)]);
    breaking.wake();
    await breaking.silent();
    expect(failing.frames()).toEqual(range(5));
    abort.abort();
    await expect(broken).rejects.toThrow();
    const next = createSink();
    await createPlayer(next).play(numbered(5), never, progress());
    expect(next.frames()).toEqual(range(5));
  });

  it('keeps its frames while the sink is closed', async () => {
    const sink = createSink();
    sink.open = false;
    const player = createPlayer(sink);
    const pulled = Promise.withResolvers<void>();
    const played = player.play(
      numbered(10, (index) => index === 3 && pulled.resolve()),
      never,
      progress(() => {
        if (sink.sent.length === 5) {
          sink.open = false;
          setImmediate(() => {
            sink.open = true;
            player.wake();
          });
        }
      }),
    );
    await pulled.promise;
    expect(sink.sent).toEqual([]);
    sink.open = true;
    player.wake();
    await played;
    expect(sink.frames()).toEqual(range(10));
  });

  it('pulls no more than a few frames ahead', async () => {
    const sink = createSink();
    let most = 0;
    await createPlayer(sink).play(
      numbered(30, (index) => {
        most = Math.max(most, index + 1 - sink.sent.length);
      }),
      never,
      progress(),
    );
    expect(most).toBeLessThanOrEqual(5);
  });

  it('releases its source when aborted, and rejects with the reason', async () => {
    const sink = createSink();
    const abort = new AbortController();
    const freed = Promise.withResolvers<void>();
    async function* frames() {
      try {
        yield* numbered(1000);
      } finally {
        freed.resolve();
      }
    }
    const reason = new Error('enough');
    const played = createPlayer(sink).play(
      frames(),
      abort.signal,
      progress(() => abort.abort(reason)),
    );
    await expect(played).rejects.toBe(reason);
    await freed.promise;
    expect(sink.frames()).toEqual([0]);
  });

  it('sends nothing once it has ended', async () => {
    const sink = createSink();
    const player = createPlayer(sink);
    const abort = new AbortController();
    const played = player.play(
      numbered(1000),
      abort.signal,
      progress(() => {
        player.end();
        abort.abort();
      }),
    );
    await expect(played).rejects.toThrow();
    await player.silent();
    expect(sink.sent).toHaveLength(1);
  });

  describe('when the connection breaks', () => {
    /** Plays `count` frames. After `sentAt` of them, the last `unheard` turn out not to have been delivered. */
    async function playThroughBreak(count: number, sentAt: number, unheard: number) {
      const sink = createSink();
      const player = createPlayer(sink);
      const positions: number[] = [];
      let broke = false;
      await player.play(
        numbered(count),
        never,
        progress((position) => {
          positions.push(position);
          if (broke || position !== sentAt) return;
          broke = true;
          // Just before the first that nobody heard.
          player.rewind(unheard === 0 ? performance.now() : (sink.sent[sentAt - unheard]?.at ?? 0) - 0.001);
        }),
      );
      return { frames: sink.frames(), positions };
    }

    it('starts over if less than 3 s were heard', async () => {
      const { frames, positions } = await playThroughBreak(40, 20, 0);
      expect(frames).toEqual([...range(20), ...range(40)]);
      expect(positions.at(-1)).toBe(40);
    });

    it('resumes at the first frame that nobody heard if 3 s were heard', async () => {
      const { frames, positions } = await playThroughBreak(170, 160, 8);
      expect(frames).toEqual([...range(160), ...range(170).slice(152)]);
      expect(positions.at(-1)).toBe(170);
    });
  });

  it('is not done until the end is known to be delivered', async () => {
    const sink = createSink();
    sink.arrivedUntil = 0;
    const player = createPlayer(sink);
    let done = false;
    const played = player.play(numbered(10), never, progress()).then(() => {
      done = true;
    });
    await player.silent();
    await expect.poll(() => sink.frames().length).toBe(10);
    expect(sink.confirmed).toBe(1);
    expect(done).toBe(false);
    player.rewind(0);
    player.wake();
    await expect.poll(() => sink.frames().length).toBe(20);
    expect(done).toBe(false);
    sink.arrivedUntil = performance.now();
    player.wake();
    await played;
    expect(sink.frames()).toEqual([...range(10), ...range(10)]);
  });
});
