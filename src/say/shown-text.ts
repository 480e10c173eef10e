// The text of a reply: cut to about two lines, with names in place of mentions. If it is exactly what was typed, the menu reads it from
// there.
import { asMarkdown, asPlain, escapeMarkup } from '../text/untrusted-text.ts';

/** About two lines in Discord's window. */
const SHOWN_LENGTH = 140;
/** Limit of all text displays of a message, with room left for its other parts. */
const WHOLE_LENGTH = 3_500;

/** What Discord shows of a mention; undefined if it isn't known. */
export interface MentionNames {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** The text in one paragraph, not formatted. Never empty. */
export function shownText(text: string, names: MentionNames): string {
  return escapeMarkup(asPlain(asShown(text, names), SHOWN_LENGTH)) || '…';
}

/** The whole text, with its line breaks. Never empty. */
export function wholeText(text: string, names: MentionNames): string {
  return asMarkdown(asShown(text, names), WHOLE_LENGTH, { keepLines: true }) || '…';
}

/** What was typed, provided that it could be shown unchanged. */
export function readShownText(shown: string): string {
  return shown.replace(/\\([\s\S])/g, '$1');
}

/** Replaces mentions and emoji with their names and covers spoilers, because replies show text without formatting. */
function asShown(text: string, { user, role, channel }: MentionNames): string {
  return text
    .replace(/\|\|[\s\S]+?\|\|/g, '█████')
    .replace(/<@!?(\d{17,20})>/g, (mention, id) => withSign('@', user(id)) ?? mention)
    .replace(/<@&(\d{17,20})>/g, (mention, id) => withSign('@', role(id)) ?? mention)
    .replace(/<#(\d{17,20})>/g, (mention, id) => withSign('#', channel(id)) ?? mention)
    .replace(/<a?(:\w{2,32}:)\d{17,20}>/g, '$1');
}

function withSign(sign: string, name: string | undefined): string | null {
  return name === undefined ? null : sign + name;
}
