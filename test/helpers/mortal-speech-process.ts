// The process that finds speech, but a packet of two bytes kills it.
import type { ToSpeechProcess } from '../../src/captions/speech-finder.ts';
import '../../src/captions/speech-process.ts';

process.on('message', ({ order = [] }: { order?: ToSpeechProcess[] }) => {
  for (const message of order) if (message.kind === 'sound' && message.part.opus?.length === 2) process.exit(7);
});
