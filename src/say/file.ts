// Speech as a file: the service's own bytes, under a name that says what is in it.
import type { AttachmentPayload } from 'discord.js';
import { type Context, UserError } from '../command.ts';
import { sentences } from '../sentences/index.ts';
import { type SpeechFile, SpeechTooLargeError } from '../speech/index.ts';
import { type Plan, requestOf } from './plan.ts';
import { explainRefusal, isVoiceGone, type Voice } from './voices.ts';

/** In the first of the voices that the service has. @throws UserError, ApiError, AudioError */
export async function makeFile(
  { speech, signal }: Pick<Context, 'speech' | 'signal'>,
  plan: Plan,
  maxBytes: number,
): Promise<{ voice: Voice; name: string; payload: AttachmentPayload }> {
  const left = [...plan.voices];
  for (;;) {
    const voice = left.shift() ?? null;
    try {
      const file = await speech.file(requestOf(plan, voice), { signal, maxBytes });
      const name = fileName(plan.wish.text, file);
      return { voice, name, payload: { name, attachment: Buffer.from(file.bytes) } };
    } catch (error) {
      if (error instanceof SpeechTooLargeError) throw new UserError(sentences.fileTooLarge(maxBytes));
      if (left.length === 0 || !isVoiceGone(error)) throw explainRefusal(error, voice);
    }
  }
}

/** The first words, in characters that every file system takes. */
function fileName(text: string, { extension }: SpeechFile): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${Array.from(words.join('-')).slice(0, 40).join('').toLowerCase() || 'speech'}.${extension}`;
}
