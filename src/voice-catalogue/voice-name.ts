// What a voice is called where people read it.
import type { Translator } from '../locales/index.ts';
import type { ChosenVoice } from '../store/settings.ts';
import { asPlain } from '../text/untrusted-text.ts';

/** null = the service's default voice. */
export type Voice = ChosenVoice | null;

/** UTF-16 units of a title that are kept: as many as Discord's menus and choices show. */
export const MAX_TITLE_LENGTH = 100;

/** For places where Discord formats nothing; cleaned, because titles and ids come from the service or were typed. */
export function voiceName(voice: Voice, t: Translator): string {
  return voice ? titleOf(voice) : t('say.defaultVoice');
}

/** Never blank, because Discord would reject that: services have blank titles, and any kind of id. */
export function titleOf({ title, id }: ChosenVoice): string {
  return asPlain(title ?? '', MAX_TITLE_LENGTH) || asPlain(id, MAX_TITLE_LENGTH) || '?';
}
