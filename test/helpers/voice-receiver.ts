// What a member in a voice channel heard, as tests ask about it: numbered frames (see voice-bot.ts) in the order of arrival.
import { EventEmitter, once } from 'node:events';
import type { Listener } from '../../src/local/discord/voice/types.ts';
import { numberOf } from './voice-bot.ts';

export interface Receiver {
  /** Numbers of the frames heard; silence frames left out. */
  readonly frames: number[];
  /** Resolves when this frame, or a later one, was heard. */
  heard(frame: number): Promise<void>;
}

export function createReceiver(listener: Listener): Receiver {
  const frames: number[] = [];
  const news = new EventEmitter();
  listener.onHeard(({ opus }) => {
    if (opus.length <= 3) return;
    frames.push(numberOf(opus));
    news.emit('frame');
  });
  return {
    frames,
    async heard(frame) {
      while (!frames.some((number) => number >= frame)) await once(news, 'frame', { signal: AbortSignal.timeout(15_000) });
    },
  };
}

/** from, from + 1, … to. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
