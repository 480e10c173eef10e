// The text of a reply: cut to about two lines, with names in place of mentions, and read back by the menu if it stands there as it was typed.
import { asMarkdown, asPlain, escapeMarkup } from '../text/untrusted-text.ts';

/** Two lines in Discord's window. */
const SHOWN_LENGTH = 140;
/** As long as text displays may be in all, with room for the rest of the message. */
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

/** All of it, with its lines. Never empty. */
export function wholeText(text: string, names: MentionNames): string {
  return asMarkdown(asShown(text, names), WHOLE_LENGTH, { keepLines: true }) || '…';
}

/** What was typed, unless that was changed to be shown. */
export function readShownText(shown: string): string {
  return shown.replace(/\\([\s\S])/g, '$1');
}

/** Mentions and emoji by name, spoilers covered: the formatting that would do so is not applied. */
function asShown(text: string, { user, role, channel }: MentionNames): string {
  return text
    .replace(/\|\|[\s\S]+?\|\|/g, '█████')
    .replace(/<@!?(\d{17,20})>/g, (mention, id) => named('@', user(id)) ?? mention)
    .replace(/<@&(\d{17,20})>/g, (mention, id) => named('@', role(id)) ?? mention)
    .replace(/<#(\d{17,20})>/g, (mention, id) => named('#', channel(id)) ?? mention)
    .replace(/<a?(:\w{2,32}:)\d{17,20}>/g, '$1');
}

function named(sign: string, name: string | undefined): string | null {
  return name === undefined ? null : sign + name;
}
