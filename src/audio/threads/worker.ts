// A thread that prepares sound: the same path as in the main thread, with bytes and packets passed in messages.
import { parentPort } from 'node:worker_threads';
import { AudioError } from '../errors.ts';
import { createVoiceLoudness, type VoiceLoudness } from '../level/leveller.ts';
import { type AudioPart, encodeParts } from '../pipeline.ts';
import { warmUp } from '../warm-up.ts';
import { AHEAD, type FromThread, type ToThread } from './messages.ts';
import { lowerPriority } from './priority.ts';

type Order<Kind extends ToThread['to']> = Extract<ToThread, { to: Kind }>;

interface MovedSound {
  answer(order: Order<'part' | 'bytes' | 'broken'>): void;
  taken(packets: number): void;
  close(): void;
}

const sounds = new Map<number, MovedSound>();
const tell = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', (order: ToThread) => {
  if (order.to === 'open') {
    sounds.set(order.id, openSound(order));
    return;
  }
  const sound = sounds.get(order.id);
  if (order.to === 'close') sound?.close();
  else if (order.to === 'taken') sound?.taken(order.packets);
  else sound?.answer(order);
});
lowerPriority();
await warmUp();
tell({ from: 'ready' });

function openSound({ id, options, loudness }: Order<'open'>): MovedSound {
  const stop = new AbortController();
  let asked: PromiseWithResolvers<Order<'part' | 'bytes'>> | null = null;
  let learnt: number[] = [];
  let room = AHEAD;
  let wake: (() => void) | null = null;

  function ask(what: 'part' | 'bytes'): Promise<Order<'part' | 'bytes'>> {
    asked = Promise.withResolvers();
    tell({ from: 'wants', id, what });
    return asked.promise;
  }

  async function* parts(): AsyncGenerator<AudioPart> {
    for (;;) {
      const answer = await ask('part');
      if (answer.to !== 'part' || !answer.part) return;
      yield { ...answer.part, source: bytes() };
    }
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const answer = await ask('bytes');
      if (answer.to !== 'bytes' || !answer.bytes) return;
      yield answer.bytes;
    }
  }

  function hand(packets: Uint8Array[]): void {
    if (packets.length > 0 || learnt.length > 0) tell({ from: 'packets', id, packets, learnt });
    learnt = [];
  }

  async function run(): Promise<void> {
    let failure: { kind: AudioError['kind'] | null; message: string } | null = null;
    try {
      const voice = loudness && listenTo(createVoiceLoudness(loudness), (power) => learnt.push(power));
      const frames = encodeParts(parts(), { ...options, signal: stop.signal, ...(voice ? { loudness: voice } : {}) });
      for await (const packets of frames) {
        hand(packets);
        room -= packets.length;
        while (room <= 0 && !stop.signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
        if (stop.signal.aborted) break;
      }
    } catch (error) {
      failure = { kind: error instanceof AudioError ? error.kind : null, message: error instanceof Error ? error.message : String(error) };
    }
    hand([]);
    sounds.delete(id);
    tell({ from: 'ended', id, failure });
  }

  void run();
  return {
    answer(order) {
      if (order.to === 'broken') asked?.reject(new Error('The source failed'));
      else asked?.resolve(order);
    },
    taken(count) {
      room += count;
      wake?.();
    },
    close() {
      stop.abort();
      wake?.();
    },
  };
}

/** The same memory, with somebody who is told what it learns. */
function listenTo(voice: VoiceLoudness, onLearnt: (power: number) => void): VoiceLoudness {
  return {
    add(power) {
      voice.add(power);
      onLearnt(power);
    },
    get blocks() {
      return voice.blocks;
    },
    integrated: voice.integrated,
    copy: voice.copy,
  };
}
