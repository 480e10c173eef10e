// A voice service that transcribes as a test tells it to.
import { afterAll, beforeAll } from 'vitest';
import { answerJson, type Behaviour, type MisbehavingService, startMisbehavingService } from './misbehaving-service.ts';
import { type Parley, startParley } from './parley.ts';

interface TranscribingService extends MisbehavingService {
  /** Meets the next transcriptions with this. */
  behave(behaviour: Behaviour): void;
  /** Holds the next transcriptions back; gives what lets them go on, each with this answer. */
  hold(): (answer?: Behaviour) => void;
}

/** A result of this many segments of a second each. */
export function segmentsOf(count: number): { text: string; duration: number; segments: { text: string; start: number; end: number }[] } {
  const segments = Array.from({ length: count }, (_, index) => ({
    text: `This is sentence number ${index}.`,
    start: index,
    end: index + 1,
  }));
  return { text: segments.map(({ text }) => text).join(' '), duration: count, segments };
}

/** Gives two segments for whatever it is sent, until it is told otherwise. Its credit is 50, for ever. */
async function startTranscribingService(): Promise<TranscribingService> {
  const usual = answerJson(200, segmentsOf(2));
  let behaviour = usual;
  const service = await startMisbehavingService((request, response) => {
    if (request.url === '/v1/asr') behaviour(request, response);
    else if (request.url?.startsWith('/wallet/')) answerJson(200, { credit: '50' })(request, response);
    else answerJson(200, { total: 0, items: [] })(request, response);
  });
  return {
    ...service,
    behave(next) {
      behaviour = next;
    },
    hold() {
      const held: Parameters<Behaviour>[] = [];
      behaviour = (...given) => held.push(given);
      return (answer = usual) => {
        behaviour = usual;
        for (const given of held) answer(...given);
      };
    },
  };
}

/** A Parley on such a service, for all the tests of a file: both are there while they run; `logged` grows with each line of its log. */
export function useTranscribingParley(): { parley: Parley; service: TranscribingService; logged: string[] } {
  const [parley, service] = [{} as Parley, {} as TranscribingService];
  const logged: string[] = [];
  beforeAll(async () => {
    Object.assign(service, await startTranscribingService());
    Object.assign(parley, await startParley({ service: { url: service.url, key: 'key' }, logTo: (line) => logged.push(line) }));
  });
  afterAll(async () => {
    await parley.close?.();
    await service.close?.();
  });
  return { parley, service, logged };
}
