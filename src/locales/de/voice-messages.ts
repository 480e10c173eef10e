// Voice messages that are answered with their words, in German.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('Lieber lesen als hören?')} Auf ${files ? 'Sprachnachrichten und Audiodateien' : 'Sprachnachrichten'} in diesem Kanal kann ich mit ihrem Wortlaut antworten. Das mache ich nur bei Leuten, die es einschalten: Drück auf den Knopf oder benutze ${privacyCommand}. Es gilt dann auf jedem Server, der das anbietet.`,
    everyone: (files) =>
      `${bold('Ab jetzt')} antworte ich in diesem Kanal auf ${files ? 'Sprachnachrichten und Audiodateien' : 'Sprachnachrichten'} mit ihrem Wortlaut. Du möchtest das bei deinen nicht? Drück auf den Knopf oder benutze ${privacyCommand}. Es gilt dann auf jedem Server.`,
    kept: 'Der Ton geht an den Sprachdienst. Ich behalte weder Ton noch Wortlaut: Er steht nur in meiner Antwort, und die lösche ich, wenn du deine Nachricht löschst.',
  },
  onButton: 'Meine Sprachnachrichten mitschreiben',
  offButton: 'Meine Sprachnachrichten nicht mitschreiben',
  stayOutButton: 'Bei mir nicht mitschreiben',
  isOn: `Erledigt. Auf deine Sprachnachrichten antworte ich mit ihrem Wortlaut, wo ein Server das anbietet. Rückgängig machst du das mit ${privacyCommand}.`,
  isOff: `Erledigt. Auf deine Sprachnachrichten antworte ich nicht mehr mit ihrem Wortlaut, auf keinem Server. Rückgängig machst du das mit ${privacyCommand}.`,
  isOffAndDeleted: `Erledigt. Meine Antwort ist gelöscht, und auf deine Sprachnachrichten antworte ich nicht mehr mit ihrem Wortlaut, auf keinem Server. Rückgängig machst du das mit ${privacyCommand}.`,

  tooLong: (minutes) =>
    `Das ist länger als ${format.duration(60 * minutes)}, und mehr schreibe ich auf diesem Server nicht von selbst mit. Benutze ${transcribe} bei der Nachricht.`,
  tooMany: `Das sind zu viele Sprachnachrichten auf einmal, deshalb habe ich einige ausgelassen. Benutze bei ihnen ${transcribe}.`,
  littleCredit: `Es ist kaum noch Guthaben da, deshalb schreibe ich das nicht von selbst mit. Benutze ${transcribe} bei der Nachricht.`,

  panel: {
    noAccess: `Ich sehe Sprachnachrichten nicht, wenn sie ankommen: Die Betreiber des Bots müssen das Lesen von Nachrichten (${inlineCode('READ_MESSAGES')}) und in Discord ${bold('Message Content Intent')} einschalten. Bis dahin können Mitglieder bei einer Nachricht ${transcribe} benutzen.`,
    channels: 'Antworten auf Sprachnachrichten in',
    lacks: (id, permissions) =>
      `⚠️ In ${channelMention(id)} antworte ich noch nicht: Dort brauche ich ${format.and(permissions.map((name) => bold(name)))}.`,
    channelsMenu: 'Kanäle, in denen ich antworte (keine = aus)',
    who: { asked: 'Nur bei Leuten, die es einschalten', everyone: 'Bei allen, die es nicht ausschalten' },
    whoWhat: {
      asked: 'In jedem Kanal steht dann eine Nachricht mit einem Knopf',
      everyone: 'Jeder Kanal erfährt, wie man sich heraushält. Sag es deinen Mitgliedern bitte auch',
    },
    optionsMenu: 'Weder Spoiler noch Audiodateien',
    options: {
      spoiler: { label: 'Wortlaut verbergen', description: 'Als Spoiler, bis jemand darauf drückt' },
      files: { label: 'Audiodateien auch', description: 'Angehängte Aufnahmen, nicht nur Sprachnachrichten' },
    },
    longestName: 'Längste Sprachnachricht',
    longest: (minutes) => `Bis zu ${format.duration(60 * minutes)}`,
    languageName: 'Gesprochene Sprache',
    language: (name) => `Sprache: ${name}`,
  },
  permissionNames: { AttachFiles: 'Dateien anhängen', SendMessagesInThreads: 'Nachrichten in Threads senden' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'Du hast dich nicht entschieden: Auf deine antworte ich nur, wo ein Server das bei allen macht.'
        : isOn
          ? 'Bei deinen hast du es eingeschaltet, auf jedem Server, der es anbietet.'
          : 'Bei deinen hast du es ausgeschaltet, auf jedem Server.';
    return `${bold('Sprachnachrichten.')} Wo Admins es eingerichtet haben, antworte ich auf Sprachnachrichten mit ihrem Wortlaut. Welche Antwort zu welcher Nachricht gehört, merke ich mir 30 Tage, um beide zusammen löschen zu können. ${choice}`;
  },
  optOutGoes: 'Dass deine Sprachnachrichten nicht mitgeschrieben werden sollen, wird auch vergessen.',
  wordsToo: 'Meine Antworten mit dem Wortlaut deiner Sprachnachrichten der letzten 30 Tage werden auch gelöscht.',
};
