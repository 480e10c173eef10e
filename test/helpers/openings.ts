// What sentences with arguments begin with, for tests that wait for one of them and are about something else.
import type { Messages } from '../../src/locales/messages.ts';
import { readMessages } from '../../src/locales/translator.ts';

const english = readMessages('en');

/** All before its first argument: "Spoken (" of "Spoken (12 seconds)". @throws if it begins with one, because every text contains that */
export function openingOf(key: keyof Messages): string {
  const [opening = ''] = (english[key] ?? '').split('{');
  if (opening === '') throw new Error(`${key} begins with an argument`);
  return opening;
}
