// What a voice says in place of what can't be spoken.
import type { Translator } from './translator.ts';

/** For links, spoilers and mentions of what isn't known, and the language that all of it is in. */
export function inPlace(t: Translator) {
  return {
    link: t('heard.inPlace.link'),
    spoiler: t('heard.inPlace.spoiler'),
    someone: t('heard.inPlace.someone'),
    role: t('heard.inPlace.role'),
    channel: t('heard.inPlace.channel'),
    locale: t.locale,
  };
}
