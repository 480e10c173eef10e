// The list of the queue: what is playing and how far it is, and what comes next.
import { userMention } from 'discord.js';
import { button, type CardMessage, card, cards, pageWithin, row, section, separator, text } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import type { Translator } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { QueueItem } from '../voice-session/types.ts';
import { SEPARATOR } from './message.ts';

/** With their buttons, ten items take 33 of the 40 components of a message. */
const PAGE_SIZE = 10;
const BAR_LENGTH = 16;
/** Seconds: no number is shown for less, because lengths are estimates. */
const ALMOST_DONE = 2;

/** Turns to a page, or removes an utterance from the page that is shown. */
export const queueId = customId('queue', {
  name: part.oneOf('previous', 'next', 'remove'),
  page: part.number,
  utterance: part.optional(part.text),
});

/**
 * One page of the queue; the last one if the queue has become shorter.
 * @param canRemove whether the viewer may remove an item, which then has a button for it
 */
export function queueMessage(
  t: Translator,
  items: readonly QueueItem[],
  wantedPage: number,
  canRemove: (item: QueueItem) => boolean,
): CardMessage {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE));
  const page = pageWithin(pages, wantedPage);
  const shown = items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const parts = shown.map((item) => {
    const lines = linesOf(t, item);
    if (!canRemove(item)) return [text(lines)];
    const id = queueId.write({ name: 'remove', page, utterance: item.id });
    // The button is below the lines, so the progress bar fits on a phone.
    return item.playing ? [text(lines), row(button(t('say.skipButton'), id))] : [section(button(t('queue.removeButton'), id), lines)];
  });
  const playing = page === 1 ? (parts[0] ?? []) : [];
  const waiting = parts.slice(page === 1 ? 1 : 0).flat();
  const turners = [
    page > 1 ? button(t('general.previousPage'), queueId.write({ name: 'previous', page: page - 1 })) : null,
    page < pages ? button(t('general.nextPage'), queueId.write({ name: 'next', page: page + 1 })) : null,
  ];
  return cards(
    card(
      'speaking',
      ...(playing.length > 0 ? [text(`### ${t('queue.nowPlaying')}`), ...playing] : []),
      ...(waiting.length > 0 ? [playing.length > 0 ? separator() : null, text(`### ${t('queue.upNext')}`), ...waiting] : []),
      pages > 1 ? text(`-# ${t('queue.pageOf', { page, pages })}`) : null,
      row(...turners),
    ),
  );
}

/** The lines of an item: at most 350 characters. */
function linesOf(t: Translator, item: QueueItem): string {
  const { voice = null, text: said = null, seconds = null } = item.label ?? {};
  const facts = [userMention(item.memberId), asMarkdown(voice ?? t('say.defaultVoice'), 60)];
  if (!item.playing && seconds !== null) facts.push(t('queue.lasts', { seconds }));
  const head = item.playing ? facts : [`**${item.position}.** ${facts[0]}`, ...facts.slice(1)];
  return [head.filter(Boolean).join(SEPARATOR), said, item.playing ? progressOf(t, item.sentSeconds, seconds) : null]
    .filter((line) => line !== null && line !== '')
    .join('\n');
}

function progressOf(t: Translator, sent: number, seconds: number | null): string {
  if (sent === 0) return `-# ${t('queue.starting')}`;
  if (seconds === null) return '';
  const left = seconds - sent;
  const filled = Math.min(BAR_LENGTH - 1, Math.floor((sent / Math.max(seconds, sent)) * BAR_LENGTH));
  const bar = `${'▬'.repeat(filled)}●${'─'.repeat(BAR_LENGTH - 1 - filled)}`;
  // The words come first: screen readers name each glyph of a bar.
  return `-# ${left < ALMOST_DONE ? t('queue.almostDone') : t('queue.timeLeft', { seconds: left })}\n${bar}`;
}
