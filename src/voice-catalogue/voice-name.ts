// What a voice is called where people read it.
import type { Translator } from '../locales/index.ts';
import type { ChosenVoice } from '../store/settings.ts';
import { asPlain } from '../text/untrusted-text.ts';
import { MAX_TITLE_LENGTH } from './titles.ts';

/** null = the service's default voice. */
export type Voice = ChosenVoice | null;

/** For places where Discord formats nothing; cleaned, because titles and ids come from the service or were typed. */
export function voiceName(voice: Voice, t: Translator): string {
  return voice ? asPlain(voice.title ?? '', MAX_TITLE_LENGTH) || asPlain(voice.id, MAX_TITLE_LENGTH) || '?' : t('say.defaultVoice');
}
