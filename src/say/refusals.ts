// Why the service refuses a text, as members are told.
import { ApiError } from '../api/index.ts';
import { AudioError } from '../audio/index.ts';
import { putAddition, UserError } from '../discord/errors.ts';
import { findLengthLimit, isScriptRefusal, isSpeedRefusal, isUnknownVoice } from '../synthesis/index.ts';
import { type Voice, voiceName } from '../voice-catalogue/voice-name.ts';
import type { SayContext } from './context.ts';
import { CLOSEST } from './voice-choice.ts';

/** A UserError if the member can do something about it: a voice that does not exist, a speed that the service does not support. */
export function explainRefusal(error: unknown, voice: Voice, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): unknown {
  if (voice && isUnknownVoice(error)) {
    const closest = voice.title === null ? voiceTitles.closest(voice.id, CLOSEST).map(({ title }) => title) : [];
    return new UserError(
      (t) =>
        closest.length === 0
          ? t('say.unknownVoice', { typed: voiceName(voice, t) })
          : t('say.unknownVoiceClosest', { typed: voiceName(voice, t), closest }),
      { cause: error },
    );
  }
  const limit = findLengthLimit(error);
  if (limit !== null) return new UserError((t) => t('say.tooSlow', { count: limit }), { cause: error });
  if (isScriptRefusal(error)) return new UserError((t) => t('say.unreadable'), { cause: error });
  return isSpeedRefusal(error) ? new UserError((t) => t('say.speedUnsupported'), { cause: error }) : error;
}

/** Has the member told that a sound which can't be heard still counts. The sentence for an ApiError says so itself. */
export function sayIfCharged(error: unknown, characters: number): void {
  if (error instanceof AudioError && characters > 0) putAddition(error, (t) => t('say.chargedUnheard', { count: characters }));
}

/** Whether the service may accept another text: this one is in a script that the voice doesn't speak, say, or too long for it. */
export function isTextRefusal(explained: unknown): explained is Error {
  const error = explained instanceof UserError ? explained.cause : explained;
  return error instanceof ApiError && error.kind === 'validation' && !isUnknownVoice(error) && !isSpeedRefusal(error);
}
