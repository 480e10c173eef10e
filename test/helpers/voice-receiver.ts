// What a member in a voice channel heard: numbered frames (see voice-bot.ts) in the order of arrival.
import type { Listener } from '../../src/local/discord/voice/types.ts';
import { numberOf } from './voice-bot.ts';
import { createWaiter } from './waiter.ts';

export interface Receiver {
  /** Numbers of the frames heard, without silence. */
  readonly frames: number[];
  /** Resolves when this frame or a later one has been heard. */
  heard(frame: number): Promise<void>;
}

export function createReceiver(listener: Listener): Receiver {
  const frames: number[] = [];
  const waiter = createWaiter();
  listener.onHeard(({ opus }) => {
    if (opus.length <= 3) return;
    frames.push(numberOf(opus));
    waiter.notify();
  });
  return {
    frames,
    async heard(frame) {
      await waiter.until(
        () => frames.find((number) => number >= frame),
        () => `frame ${frame}; ${frames.length} were heard, the last is ${frames.at(-1)}`,
      );
    },
  };
}

/** from, from + 1, … to. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
