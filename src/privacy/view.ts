// The messages of /privacy.
import { ButtonStyle } from 'discord.js';
import { button, type CardMessage, card, cards, row, separator, text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import type { PrivacyFacts } from './facts.ts';

/** Who reads it. */
interface Reader {
  isOperator: boolean;
  /** Whether their messages may be read aloud. */
  readAloud: boolean;
  /** In their dictionary. */
  entries: number;
}

/** What is stored, and the buttons to delete it and not to be read aloud; operators can also empty the cache of sound. */
export function privacyMessage(
  { privacy: t, dictionary }: Words,
  facts: PrivacyFacts,
  { isOperator, readAloud, entries }: Reader,
): CardMessage {
  const { voiceService, cacheBytes, onLocalDiscord } = facts;
  const messages = onLocalDiscord ? t.localMessages : t.messages;
  return cards(
    card(
      'neutral',
      text(`### ${t.title}`),
      ...[
        t.sent(voiceService),
        t.notKept,
        t.kept,
        t.madeVoices,
        dictionary.privacy(entries),
        t.texts,
        t.sound(cacheBytes),
        t.reading(readAloud),
        t.server,
        messages,
        t.openReplies,
      ].map(text),
      separator(),
      row(
        actionButton(t.deleteButton, 'delete', ButtonStyle.Danger),
        readAloud ? actionButton(t.optOutButton, 'opt-out') : actionButton(t.optInButton, 'opt-in'),
        isOperator && cacheBytes > 0 ? actionButton(t.emptyButton, 'empty') : null,
      ),
    ),
  );
}

export function deleteQuestion({ privacy: t }: Words, { cacheBytes }: PrivacyFacts, { readAloud }: Pick<Reader, 'readAloud'>): CardMessage {
  const optOut = readAloud ? [] : [t.optOutGoes];
  return question([t.deleteQuestion(cacheBytes > 0), ...optOut, `-# ${t.whatStays}`].join('\n'), [t.deleteYes, 'delete-now'], t.cancel);
}

export function emptyQuestion({ privacy: t }: Words): CardMessage {
  return question(t.emptyQuestion, [t.emptyYes, 'empty-now'], t.cancel);
}

function question(sentence: string, [yes, action]: [label: string, action: string], no: string): CardMessage {
  return cards(card('waiting', text(sentence), row(actionButton(yes, action, ButtonStyle.Danger), actionButton(no, 'keep'))));
}

function actionButton(label: string, action: string, style: ButtonStyle.Danger | ButtonStyle.Secondary = ButtonStyle.Secondary) {
  return button(label, customId('privacy', action), style);
}
