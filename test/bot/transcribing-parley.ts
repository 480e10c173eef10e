// A Parley on a voice service that transcribes whatever it is given, the way a test says.
import { beforeEach } from 'vitest';
import { answerJson, answerToFree, type Behaviour, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type ParleyOptions, startParley, useStarted } from '../helpers/parley.ts';

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
async function startTranscribingService() {
  const defaultBehaviour = answerJson(200, segmentsOf(2));
  let behaviour = defaultBehaviour;
  const service = await startMisbehavingService((request, response, body) => {
    (answerToFree(request.url) ?? behaviour)(request, response, body);
  });
  return {
    ...service,
    /** Sets the behaviour for the next transcriptions. */
    behave(next: Behaviour) {
      behaviour = next;
    },
    /** Holds the next transcriptions back; returns a function that answers them all. */
    hold(): (answer?: Behaviour) => void {
      const held: Parameters<Behaviour>[] = [];
      behaviour = (...given) => held.push(given);
      return (answer = defaultBehaviour) => {
        behaviour = defaultBehaviour;
        for (const given of held) answer(...given);
      };
    },
  };
}

/** A Parley on such a service, for all the tests of a file; `logged` grows with each line of its log. The latest are shown if a test fails. */
export function useTranscribingParley(options: Omit<ParleyOptions, 'service'> = {}) {
  const logged: string[] = [];
  const service = useStarted(startTranscribingService);
  const on = () => ({ url: service.url, key: 'key' });
  const parley = useStarted(() => startParley({ service: on(), logTo: (line) => logged.push(line), ...options }));
  beforeEach(({ onTestFailed }) => onTestFailed(() => console.error(logged.slice(-5).join(''))));
  return { parley, service, logged };
}
