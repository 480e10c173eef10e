// A worker thread that runs the pipeline for the main thread: bytes come in and packets go out in messages.
import { parentPort } from 'node:worker_threads';
import { createVoiceLoudness, type VoiceLoudness } from '../level/loudness-meter.ts';
import { BATCH_PACKETS, encodeParts, warmUp } from '../pipeline.ts';
import { AudioError, type AudioPart } from '../types.ts';
import type { FromWorker, ToWorker } from './pool.ts';
import { lowerPriority } from './priority.ts';

type Message<Type extends ToWorker['type']> = Extract<ToWorker, { type: Type }>;

interface Sound {
  handleAnswer(answer: Message<'part' | 'bytes' | 'source-failed'>): void;
  handleTaken(packets: number): void;
  close(): void;
}

const sounds = new Map<number, Sound>();
const post = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'open') {
    sounds.set(message.id, openSound(message));
    return;
  }
  const sound = sounds.get(message.id);
  if (message.type === 'close') sound?.close();
  else if (message.type === 'taken') sound?.handleTaken(message.packets);
  else sound?.handleAnswer(message);
});
lowerPriority();
await warmUp();
post({ type: 'ready' });

function openSound({ id, options, loudness }: Message<'open'>): Sound {
  const stop = new AbortController();
  let pending: PromiseWithResolvers<Message<'part' | 'bytes'>> | null = null;
  let learnt: number[] = [];
  let room = BATCH_PACKETS;
  let wake: (() => void) | null = null;

  function request(what: 'part' | 'bytes'): Promise<Message<'part' | 'bytes'>> {
    pending = Promise.withResolvers();
    post({ type: 'request', id, what });
    return pending.promise;
  }

  async function* parts(): AsyncGenerator<AudioPart> {
    for (;;) {
      const answer = await request('part');
      if (answer.type !== 'part' || !answer.part) return;
      yield { ...answer.part, source: bytes() };
    }
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const answer = await request('bytes');
      if (answer.type !== 'bytes' || !answer.bytes) return;
      yield answer.bytes;
    }
  }

  function postPackets(packets: Uint8Array[]): void {
    if (packets.length > 0 || learnt.length > 0) post({ type: 'packets', id, packets, learnt });
    learnt = [];
  }

  async function run(): Promise<void> {
    let failure: { kind: AudioError['kind'] | null; message: string } | null = null;
    try {
      const voice = loudness && withObserver(createVoiceLoudness(loudness), (power) => learnt.push(power));
      const batches = encodeParts(parts(), { ...options, signal: stop.signal, ...(voice ? { loudness: voice } : {}) });
      for await (const packets of batches) {
        postPackets(packets);
        room -= packets.length;
        while (room <= 0 && !stop.signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
        if (stop.signal.aborted) break;
      }
    } catch (error) {
      failure = { kind: error instanceof AudioError ? error.kind : null, message: error instanceof Error ? error.message : String(error) };
    }
    postPackets([]);
    sounds.delete(id);
    post({ type: 'ended', id, failure });
  }

  void run();
  return {
    handleAnswer(answer) {
      if (answer.type === 'source-failed') pending?.reject(new Error('The source failed'));
      else pending?.resolve(answer);
    },
    handleTaken(count) {
      room += count;
      wake?.();
    },
    close() {
      stop.abort();
      wake?.();
    },
  };
}

/** The same voice; `onLearnt` sees what is added to it. */
function withObserver(voice: VoiceLoudness, onLearnt: (power: number) => void): VoiceLoudness {
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
