// The messages of /privacy.
import { ButtonStyle } from 'discord.js';
import { button, type CardMessage, card, cards, notice, row, separator, text } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { joinSentences } from '../locales/format.ts';
import type { Translator } from '../locales/index.ts';
import { type Left, leftSentence } from '../posted-words/removals.ts';
import { asList } from '../text/untrusted-text.ts';
import type { OwnVoice } from '../voice-catalogue/owners.ts';
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
  /** What they have had deleted, and couldn't be yet. */
  wordsLeft: Left[];
}

/** Each button is one action. */
export const privacyId = customId('privacy', { action: part.text });

/** What is stored, and the buttons to delete it and to opt out of being read aloud, transcribed or captioned. Operators can also empty the sound cache. */
export function privacyMessage(
  t: Translator,
  facts: PrivacyFacts,
  { memberId, isOperator, readAloud, transcribed, agreedIn, entries, voices, wordsLeft }: Reader,
): CardMessage {
  const { voiceService, cacheBytes, onLocalDiscord } = facts;
  const messages = onLocalDiscord ? t('privacy.localMessages') : t('privacy.messages');
  const titles = voices.filter(({ ownerId }) => ownerId === memberId).map(({ title }) => title);
  const ofOthers = voices.length - titles.length;

  const aboutVoices = [
    titles.length > 0
      ? joinSentences(t, t('privacy.madeVoices'), t('privacy.yourVoices', { titles: asList(titles, MAX_TITLES) }))
      : t('privacy.madeVoices'),
    ...(ofOthers > 0 ? [t('privacy.voicesOfYou', { count: ofOthers })] : []),
  ];
  return cards(
    card(
      'neutral',
      text(`### ${t('privacy.title')}`),
      ...[
        voiceService === null ? t('privacy.sentOnOwnMachine') : t('privacy.sent', { host: voiceService }),
        t('privacy.notKept'),
        t('privacy.kept'),
        ...aboutVoices,
        t('dictionary.privacy', { count: entries }),
        t('privacy.texts'),
        cacheBytes === 0 ? t('privacy.noSound') : t('privacy.sound', { bytes: cacheBytes }),
        t('privacy.reading', { isRead: readAloud }),
        t('voiceMessages.privacy', { isOn: transcribed }),
        t('captions.privacy', { count: agreedIn }),
        ...(wordsLeft.length > 0 ? [leftSentence(t, wordsLeft)] : []),
        t('privacy.server'),
        messages,
        t('privacy.openReplies'),
        t('privacy.erased'),
      ].map(text),
      separator(),
      row(
        actionButton(t('privacy.deleteButton'), 'delete', ButtonStyle.Danger),
        readAloud ? actionButton(t('privacy.optOutButton'), 'opt-out') : actionButton(t('privacy.optInButton'), 'opt-in'),
        transcribed === true ? null : actionButton(t('voiceMessages.onButton'), 'transcribe'),
        transcribed === false ? null : actionButton(t('voiceMessages.offButton'), 'dont-transcribe'),
      ),
      row(
        agreedIn > 0 ? actionButton(t('captions.stopButton'), 'dont-caption') : null,
        isOperator && cacheBytes > 0 ? actionButton(t('privacy.emptyButton'), 'empty') : null,
      ),
    ),
  );
}

export function deleteQuestion(
  t: Translator,
  { cacheBytes }: PrivacyFacts,
  { readAloud, transcribed, agreedIn, voices }: Pick<Reader, 'readAloud' | 'transcribed' | 'agreedIn' | 'voices'>,
): CardMessage {
  const voicesToo = voices.length > 0 ? [t('privacy.voicesToo', { count: voices.length })] : [];

  const agreement = agreedIn > 0 ? [t('captions.consentGoes')] : [];
  const optOut = [...(readAloud ? [] : [t('privacy.optOutGoes')]), ...(transcribed === false ? [t('voiceMessages.optOutGoes')] : [])];
  const lines = [
    t('privacy.deleteQuestion', { hasSound: cacheBytes > 0 }),
    t('voiceMessages.wordsToo'),
    ...voicesToo,
    ...agreement,
    ...optOut,
    `-# ${t('privacy.whatStays')}`,
  ];
  return question(lines.join('\n'), [t('privacy.deleteYes'), 'delete-now'], t('privacy.cancel'));
}

export function deletedNotice(t: Translator, { sounds, everywhere, voices, voicesLeft, wordsLeft }: Deleted): CardMessage {
  const sentences = [
    t('privacy.deleted', { sounds }),
    everywhere ? '' : t('privacy.deletedLater'),
    voices > 0 ? t('privacy.voicesDeleted', { count: voices }) : '',
    voicesLeft > 0 ? t('privacy.voicesLeft', { count: voicesLeft }) : '',
    wordsLeft.length > 0 ? leftSentence(t, wordsLeft) : '',
  ];
  const whole = sentences.filter(Boolean).reduce((before, next) => joinSentences(t, before, next));
  return notice(whole, voicesLeft > 0 || wordsLeft.length > 0 ? 'waiting' : 'done');
}

export function emptyQuestion(t: Translator): CardMessage {
  return question(t('privacy.emptyQuestion'), [t('privacy.emptyYes'), 'empty-now'], t('privacy.cancel'));
}

function question(sentence: string, [yes, action]: [label: string, action: string], no: string): CardMessage {
  return cards(card('waiting', text(sentence), row(actionButton(yes, action, ButtonStyle.Danger), actionButton(no, 'keep'))));
}

function actionButton(label: string, action: string, style: ButtonStyle.Danger | ButtonStyle.Secondary = ButtonStyle.Secondary) {
  return button(label, privacyId.write({ action }), style);
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
