// What screen readers hear of a message: its words when it arrives, and what is new in them when it is edited.
import type { APIMessage } from 'discord-api-types/v10';
import { announce, withoutFigures } from '../announce.ts';
import { afterRender, channelTitle, displayName, findChannel, state } from '../state.ts';

const MAX_LENGTH = 400;
const MAX_REMEMBERED = 200;

/** By message: the lines that were announced. */
const announced = new Map<string, Set<string>>();

export function announceMessage(message: APIMessage): void {
  const { id, author, channel_id } = message;
  if (author.id === state.me?.id) return;
  if (channel_id !== state.channelId) {
    if (!announced.has(id)) announce(`New message in ${channelTitle(findChannel(channel_id))}`);
    remember(id, new Set());
    return;
  }
  // Read from the page, as only there mentions have names; a moment later, as times are filled in by then.
  afterRender(() =>
    setTimeout(() => {
      const lines = readLines(id);
      const before = announced.get(id);
      remember(id, new Set(lines.map(withoutFigures)));
      const fresh = lines.filter((line) => !before?.has(withoutFigures(line)));
      if (fresh.length > 0) announce(`${displayName(author)}: ${joinLines(fresh)}`.slice(0, MAX_LENGTH));
    }),
  );
}

/** With a full stop after each line but the last, unless it ends a sentence by itself. */
function joinLines(lines: readonly string[]): string {
  return lines.reduce((before, line) => `${before}${/[.!?…。]$/.test(before) ? ' ' : '. '}${line}`);
}

function readLines(id: string): string[] {
  const elements = document.querySelectorAll<HTMLElement>(
    `#message-${id} :is(.markdown > *, .poll-question, .sticker, .embed-author, .embed-title, discord-embed-footer, .file-name)`,
  );
  return [...elements].map((element) => textIn(element).replace(/\s+/g, ' ').trim()).filter(Boolean);
}

function textIn(element: HTMLElement): string {
  if (element instanceof HTMLImageElement) return element.alt;
  return [...element.querySelectorAll('.bar')].reduce((text, bar) => text.replace(bar.textContent, ''), element.innerText);
}

function remember(id: string, lines: Set<string>): void {
  announced.delete(id);
  announced.set(id, lines);
  const [oldest] = announced.keys();
  if (announced.size > MAX_REMEMBERED && oldest !== undefined) announced.delete(oldest);
}
