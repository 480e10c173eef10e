// The player: frames leave in time, no sooner and no later than they should, and none of them is lost.
import { describe, expect, it } from 'vitest';
import { createPlayer } from '../../src/voice/player.ts';

const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

/** A line that notes what is sent over it, and when. */
function openLine() {
  const sent: { frame: number | 'silence'; at: number }[] = [];
  const line = {
    sent,
    open: true,
    quieted: 0,
    heard: Number.POSITIVE_INFINITY,
    confirmed: 0,
    send(frame: Buffer) {
      if (line.open) sent.push({ frame: frame.equals(SILENCE) ? 'silence' : frame.readUInt16BE(0), at: performance.now() });
      return line.open;
    },
    quiet() {
      line.quieted += 1;
    },
    heardUntil: () => line.heard,
    confirm() {
      line.confirmed += 1;
    },
    frames: () => sent.flatMap(({ frame }) => (frame === 'silence' ? [] : [frame])),
  };
  return line;
}

async function* numbered(count: number, onPull: (index: number) => void = () => {}): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    onPull(index);
    yield Uint8Array.of(index >> 8, index & 0xff, 1);
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const never = new AbortController().signal;

/** Nothing else runs for so long. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the player', () => {
  it('sends the first frame at once, the others at 20 ms each, and five of silence', async () => {
    const line = openLine();
    const player = createPlayer(line);
    const sounded = Promise.withResolvers<void>();
    await player.play(numbered(30), never, () => sounded.resolve());
    await player.silent();
    expect(line.sent.map(({ frame }) => frame)).toEqual([...range(30), ...Array(5).fill('silence')]);
    expect(line.quieted).toBe(1);
    // It may be late where the machine is, never early.
    expect((line.sent[29]?.at ?? 0) - (line.sent[0]?.at ?? 0)).toBeGreaterThan(29 * 20 - 10);
  });

  // A machine that stands still for itself just then may take it past what is made up for.
  it('makes up for a short standstill, so that the sound does not last longer', { retry: 3 }, async () => {
    const line = openLine();
    const player = createPlayer(line);
    let standstill = 0;
    await player.play(numbered(20), never, () => {
      if (line.sent.length === 5) {
        block(70);
        standstill = performance.now();
      }
    });
    const after = line.sent.slice(5).filter(({ at }) => at < standstill + 15);
    expect(after.length).toBeGreaterThanOrEqual(2);
    expect(line.frames()).toEqual(range(20));
  });

  it('is soon on one beat with others, whenever they began', async () => {
    let isSameTurn = false;
    let together = 0;
    const [first, second] = [openLine(), openLine()];
    const watched = (line: typeof first, onSend: () => void) => ({
      ...line,
      send(frame: Buffer) {
        onSend();
        return line.send(frame);
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
    const playing = one.play(numbered(40), never, (position) => position === 3 && begun.resolve());
    await begun.promise;
    // Between two beats.
    block(10);
    await other.play(numbered(25), never, () => {});
    await playing;
    expect(together).toBeGreaterThan(10);
    expect([first.frames(), second.frames()]).toEqual([range(40), range(25)]);
  });

  it('goes on from where it was after a long one, without a burst', async () => {
    const line = openLine();
    const player = createPlayer(line);
    let standstill = 0;
    await player.play(numbered(20), never, () => {
      if (line.sent.length === 5) {
        block(400);
        standstill = performance.now();
      }
    });
    // Twenty frames of 20 ms were missed.
    const after = line.sent.slice(5).filter(({ at }) => at < standstill + 15);
    expect(after.length).toBeLessThanOrEqual(2);
    expect(line.frames()).toEqual(range(20));
  });

  it('keeps its frames while the line is closed', async () => {
    const line = openLine();
    line.open = false;
    const player = createPlayer(line);
    const pulled = Promise.withResolvers<void>();
    const played = player.play(
      numbered(10, (index) => index === 3 && pulled.resolve()),
      never,
      () => {
        if (line.sent.length === 5) {
          line.open = false;
          setImmediate(() => {
            line.open = true;
            player.wake();
          });
        }
      },
    );
    await pulled.promise;
    expect(line.sent).toEqual([]);
    line.open = true;
    player.wake();
    await played;
    expect(line.frames()).toEqual(range(10));
  });

  it('pulls no more than a few frames ahead', async () => {
    const line = openLine();
    let most = 0;
    await createPlayer(line).play(
      numbered(30, (index) => {
        most = Math.max(most, index + 1 - line.sent.length);
      }),
      never,
      () => {},
    );
    expect(most).toBeLessThanOrEqual(5);
  });

  it('frees its source at an abort, and rejects with the reason', async () => {
    const line = openLine();
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
    const played = createPlayer(line).play(frames(), abort.signal, () => abort.abort(reason));
    await expect(played).rejects.toBe(reason);
    await freed.promise;
    expect(line.frames()).toEqual([0]);
  });

  it('sends nothing once it has ended', async () => {
    const line = openLine();
    const player = createPlayer(line);
    const abort = new AbortController();
    const played = player.play(numbered(1000), abort.signal, () => {
      player.end();
      abort.abort();
    });
    await expect(played).rejects.toThrow();
    await player.silent();
    expect(line.sent).toHaveLength(1);
  });

  describe('when the line breaks', () => {
    /** Plays; once so many were sent, the line has been deaf for `unheard` frames, and then it is joined anew. */
    async function playThroughBreak(count: number, sentAt: number, unheard: number) {
      const line = openLine();
      const player = createPlayer(line);
      const positions: number[] = [];
      let broke = false;
      await player.play(numbered(count), never, (position) => {
        positions.push(position);
        if (broke || position !== sentAt) return;
        broke = true;
        // Just before the first of those that nobody heard.
        player.rewind(unheard === 0 ? performance.now() : (line.sent[sentAt - unheard]?.at ?? 0) - 0.001);
      });
      return { frames: line.frames(), positions };
    }

    it('begins anew what less than 3 s were heard of', async () => {
      const { frames, positions } = await playThroughBreak(40, 20, 0);
      expect(frames).toEqual([...range(20), ...range(40)]);
      expect(positions.at(-1)).toBe(40);
    });

    it('goes on from what nobody heard, when 3 s were heard before', async () => {
      const { frames, positions } = await playThroughBreak(170, 160, 8);
      expect(frames).toEqual([...range(160), ...range(170).slice(152)]);
      expect(positions.at(-1)).toBe(170);
    });
  });

  it('is not done before it is known that the end was heard', async () => {
    const line = openLine();
    line.heard = 0;
    const player = createPlayer(line);
    let done = false;
    const played = player
      .play(numbered(10), never, () => {})
      .then(() => {
        done = true;
      });
    await player.silent();
    await expect.poll(() => line.frames().length).toBe(10);
    expect(line.confirmed).toBe(1);
    expect(done).toBe(false);
    player.rewind(0);
    player.wake();
    await expect.poll(() => line.frames().length).toBe(20);
    expect(done).toBe(false);
    line.heard = performance.now();
    player.wake();
    await played;
    expect(line.frames()).toEqual([...range(10), ...range(10)]);
  });
});
