// The messages of /privacy.
import { ButtonStyle } from 'discord.js';
import { button, type CardMessage, card, cards, customId, notice, row, separator, text } from '../discord/cards.ts';
import { joinSentences } from '../locales/format.ts';
import type { Words } from '../locales/index.ts';
import { asList } from '../text/untrusted-text.ts';
import type { OwnVoice } from '../voices/owners.ts';
import type { Deleted } from './deletion.ts';

/** Characters of the titles of a member's voices, so that the message stays within `limits.cardText`. */
const MAX_TITLES = 200;

/** The member who reads it. */
interface Reader {
  memberId: string;
  isOperator: boolean;
  /** Whether their messages may be read aloud. */
  readAloud: boolean;
  /** Whether their voice messages are answered with their words; null = they haven't decided. */
  transcribed: boolean | null;
  /** In how many servers they have agreed to be captioned. */
  agreedIn: number;
  /** How many entries their dictionary has. */
  entries: number;
  /** Voices that they made, or speak in. */
  voices: OwnVoice[];
}

/** What is stored, and the buttons to delete it and to opt out of being read aloud, transcribed or captioned. Operators can also empty the sound cache. */
export function privacyMessage(
  words: Words,
  facts: PrivacyFacts,
  { memberId, isOperator, readAloud, transcribed, agreedIn, entries, voices }: Reader,
): CardMessage {
  const { privacy: t, dictionary } = words;
  const { voiceService, cacheBytes, onLocalDiscord } = facts;
  const messages = onLocalDiscord ? t.localMessages : t.messages;
  const titles = voices.filter(({ ownerId }) => ownerId === memberId).map(({ title }) => title);
  const ofOthers = voices.length - titles.length;
  const { madeVoices } = t;
  const aboutVoices = [
    titles.length > 0 ? joinSentences(words, madeVoices, t.yourVoices(asList(titles, MAX_TITLES))) : madeVoices,
    ...(ofOthers > 0 ? [t.voicesOfYou(ofOthers)] : []),
  ];
  return cards(
    card(
      'neutral',
      text(`### ${t.title}`),
      ...[
        t.sent(voiceService),
        t.notKept,
        t.kept,
        ...aboutVoices,
        dictionary.privacy(entries),
        t.texts,
        t.sound(cacheBytes),
        t.reading(readAloud),
        words.voiceMessages.privacy(transcribed),
        words.captions.privacy(agreedIn),
        t.server,
        messages,
        t.openReplies,
        t.erased,
      ].map(text),
      separator(),
      row(
        actionButton(t.deleteButton, 'delete', ButtonStyle.Danger),
        readAloud ? actionButton(t.optOutButton, 'opt-out') : actionButton(t.optInButton, 'opt-in'),
        transcribed === true ? null : actionButton(words.voiceMessages.onButton, 'transcribe'),
        transcribed === false ? null : actionButton(words.voiceMessages.offButton, 'dont-transcribe'),
      ),
      row(
        agreedIn > 0 ? actionButton(words.captions.stopButton, 'dont-caption') : null,
        isOperator && cacheBytes > 0 ? actionButton(t.emptyButton, 'empty') : null,
      ),
    ),
  );
}

export function deleteQuestion(
  words: Words,
  { cacheBytes }: PrivacyFacts,
  { readAloud, transcribed, agreedIn, voices }: Pick<Reader, 'readAloud' | 'transcribed' | 'agreedIn' | 'voices'>,
): CardMessage {
  const { privacy: t } = words;
  const voicesToo = voices.length > 0 ? [t.voicesToo(voices.length)] : [];
  const { wordsToo, optOutGoes } = words.voiceMessages;
  const agreement = agreedIn > 0 ? [words.captions.consentGoes] : [];
  const optOut = [...(readAloud ? [] : [t.optOutGoes]), ...(transcribed === false ? [optOutGoes] : [])];
  const lines = [t.deleteQuestion(cacheBytes > 0), wordsToo, ...voicesToo, ...agreement, ...optOut, `-# ${t.whatStays}`];
  return question(lines.join('\n'), [t.deleteYes, 'delete-now'], t.cancel);
}

export function deletedNotice(words: Words, { sounds, everywhere, voices, voicesLeft }: Deleted): CardMessage {
  const { privacy: t } = words;
  const sentences = [
    t.deleted(sounds),
    everywhere ? '' : t.deletedLater,
    voices > 0 ? t.voicesDeleted(voices) : '',
    voicesLeft > 0 ? t.voicesLeft(voicesLeft) : '',
  ];
  const whole = sentences.filter(Boolean).reduce((before, next) => joinSentences(words, before, next));
  return notice(whole, voicesLeft > 0 ? 'waiting' : 'done');
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

// What /privacy says about how this bot is run.

export interface PrivacyFacts {
  /** The host, or hosts, that texts and recordings are sent to; null = the local voice service, on the same machine. */
  voiceService: string | null;
  /** Limit of the cache of spoken sound, in bytes; 0 = nothing is kept. */
  cacheBytes: number;
  /** Whether members are on the local Discord, which keeps their messages on the same machine. */
  onLocalDiscord: boolean;
}
