// The list of the queue: what is playing and how far it is, and what comes next.
import { userMention } from 'discord.js';
import { button, type CardMessage, card, cards, row, section, separator, text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { QueueItem } from '../voice/types.ts';
import { SEPARATOR } from './message.ts';

/** With their buttons these take 38 of the 40 components of a message. */
const PAGE_SIZE = 10;
const BAR_LENGTH = 16;
/** Seconds: less is not worth a number, as lengths are estimated. */
const ALMOST_DONE = 2;

/** One page of the queue; the last one if it has become shorter. @param canRemove whose texts have a button to remove them */
export function queueMessage(t: Words, items: QueueItem[], wantedPage: number, canRemove: (item: QueueItem) => boolean): CardMessage {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.floor(wantedPage) || 1), pages);
  const shown = items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const parts = shown.map((item) => {
    const lines = linesOf(t, item);
    const label = item.playing ? t.say.skipButton : t.queue.removeButton;
    return canRemove(item) ? section(button(label, customId('queue', 'remove', page, item.id)), lines) : text(lines);
  });
  const [playing, ...waiting] = page === 1 ? parts : [null, ...parts];
  // Below the section: beside its button there isn't room for the bar on a phone.
  const progress = page === 1 && items[0] ? progressOf(t, items[0]) : null;
  const turners = [
    page > 1 ? button(t.general.previousPage, customId('queue', 'previous', page - 1)) : null,
    page < pages ? button(t.general.nextPage, customId('queue', 'next', page + 1)) : null,
  ];
  return cards(
    card(
      'speaking',
      ...(playing ? [text(`### ${t.queue.nowPlaying}`), playing, progress === null ? null : text(progress)] : []),
      ...(waiting.length > 0 ? [playing ? separator() : null, text(`### ${t.queue.upNext}`), ...waiting] : []),
      pages > 1 ? text(`-# ${t.queue.pageOf(page, pages)}`) : null,
      row(...turners),
    ),
  );
}

/** At most 350 characters. */
function linesOf(t: Words, item: QueueItem): string {
  const { voice = null, text: said = null, seconds = null } = item.label ?? {};
  const facts = [userMention(item.memberId), asMarkdown(voice ?? t.say.defaultVoice, 60)];
  if (!item.playing && seconds !== null) facts.push(t.queue.lasts(Math.max(1, seconds)));
  const head = item.playing ? facts : [`**${item.position}.** ${facts[0]}`, ...facts.slice(1)];
  return [head.filter(Boolean).join(SEPARATOR), said].filter((line) => line !== null && line !== '').join('\n');
}

/** Null if its length is unknown. */
function progressOf(t: Words, { sentSeconds: sent, label }: QueueItem): string | null {
  const seconds = label?.seconds ?? null;
  if (sent === 0) return `-# ${t.queue.starting}`;
  if (seconds === null) return null;
  const left = seconds - sent;
  const filled = Math.min(BAR_LENGTH - 1, Math.floor((sent / Math.max(seconds, sent)) * BAR_LENGTH));
  const bar = `${'▬'.repeat(filled)}●${'─'.repeat(BAR_LENGTH - 1 - filled)}`;
  return `${bar}\n-# ${left < ALMOST_DONE ? t.queue.almostDone : t.queue.timeLeft(left)}`;
}
