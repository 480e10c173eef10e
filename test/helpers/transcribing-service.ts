// A voice service whose transcriptions are controlled by a test.
import { afterAll, beforeAll } from 'vitest';
import { answerJson, answerToFree, type Behaviour, type MisbehavingService, startMisbehavingService } from './misbehaving-service.ts';
import { type Parley, type ParleyOptions, startParley } from './parley.ts';

interface TranscribingService extends MisbehavingService {
  /** Sets the behaviour for the next transcriptions. */
  behave(behaviour: Behaviour): void;
  /** Holds the next transcriptions back; returns a function that answers them all. */
  hold(): (answer?: Behaviour) => void;
}

/** A result with this many segments of one second each. */
export function segmentsOf(count: number): { text: string; duration: number; segments: { text: string; start: number; end: number }[] } {
  const segments = Array.from({ length: count }, (_, index) => ({
    text: `This is sentence number ${index}.`,
    start: index,
    end: index + 1,
  }));
  return { text: segments.map(({ text }) => text).join(' '), duration: count, segments };
}

/** Returns two segments for any recording, unless told otherwise. Its credit is always 50. */
async function startTranscribingService(): Promise<TranscribingService> {
  const defaultBehaviour = answerJson(200, segmentsOf(2));
  let behaviour = defaultBehaviour;
  const service = await startMisbehavingService((request, response) => {
    (answerToFree(request.url) ?? behaviour)(request, response);
  });
  return {
    ...service,
    behave(next) {
      behaviour = next;
    },
    hold() {
      const held: Parameters<Behaviour>[] = [];
      behaviour = (...given) => held.push(given);
      return (answer = defaultBehaviour) => {
        behaviour = defaultBehaviour;
        for (const given of held) answer(...given);
      };
    },
  };
}

/** A Parley on such a service, for all the tests of a file: both are there while they run; `logged` grows with each line of its log. */
export function useTranscribingParley(options: Omit<ParleyOptions, 'service'> = {}): {
  parley: Parley;
  service: TranscribingService;
  logged: string[];
} {
  const [parley, service] = [{} as Parley, {} as TranscribingService];
  const logged: string[] = [];
  beforeAll(async () => {
    Object.assign(service, await startTranscribingService());
    Object.assign(parley, await startParley({ service: { url: service.url, key: 'key' }, logTo: (line) => logged.push(line), ...options }));
  });
  afterAll(async () => {
    await parley.close?.();
    await service.close?.();
  });
  return { parley, service, logged };
}
