// What transcribing says, in German.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'In dieser Nachricht ist keine Aufnahme. Nimm eine mit einer Sprachnachricht oder Audiodatei.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} dauert ${format.duration(seconds)}, mitschreiben kann ich bis zu ${format.duration(limit)}. Teile die Aufnahme auf.`,
  tooManyJobs: (most) =>
    format.plural(most, {
      one: 'Ich schreibe gerade noch eine Aufnahme für dich mit. Versuch es, wenn sie fertig ist.',
      other: 'Ich schreibe gerade noch # Aufnahmen für dich mit. Versuch es, wenn eine davon fertig ist.',
    }),
  unreadable: (name) =>
    `Der Sprachdienst kann ${code(name)} nicht lesen. Vielleicht ist die Datei beschädigt, abgeschnitten oder ungewöhnlich: Speichere sie als MP3 oder WAV und versuch es noch einmal.`,
  tooLargeForService: (name) => `${code(name)} ist zu groß für den Sprachdienst. Teile die Datei auf oder speichere sie als MP3 oder Opus.`,
  tooLongForService: (name) => `${code(name)} ist zu lang für den Sprachdienst. Teile die Aufnahme auf.`,
  languageRefused: (language) => `Der Sprachdienst kann ${language} nicht mitschreiben. Wähle eine andere Sprache oder lass sie erkennen.`,
  noSpeech: 'Ich habe niemanden sprechen gehört.',
  noSpeechInLanguage: 'Ich habe niemanden sprechen gehört. Falls doch jemand spricht, versuch eine andere Sprache.',
  transcriptGone: 'Die Datei dieser Mitschrift ist weg, deshalb gehen ihre Knöpfe nicht mehr. Lass die Aufnahme noch einmal mitschreiben.',
  transcriptTooLarge: (limit) =>
    `Diese Datei wäre größer als die ${format.megabytes(limit)}, die Discord hier annimmt. Teile die Aufnahme auf.`,

  reading: (done, all) => `Gelesen: ${format.megabytes(done)} von ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `Ich schreibe mit: ${format.duration(elapsed)} von etwa ${format.duration(expected)}`,
  takingLonger: (elapsed) => `Ich schreibe mit: ${format.duration(elapsed)}, länger als sonst`,
  transcribingSince: (at) => `Ich schreibe mit, angefangen ${format.relative(at)}`,
  gettingReady: 'Ich mache mich bereit. Die erste Aufnahme dauert ein paar Sekunden länger.',
  continuesInChannel: 'Das dauert eine Weile. Die Mitschrift kommt in diesen Kanal, sobald sie fertig ist.',
  continuesInDirectMessage:
    'Das dauert eine Weile. Ich schicke dir die Mitschrift, sobald sie fertig ist; lass bis dahin Direktnachrichten von Mitgliedern dieses Servers zu.',
  cancelButton: 'Abbrechen',
  cancelled: 'Abgebrochen. Von deinem Tagesbudget geht nichts ab.',
  tooLateToCancel: 'Zum Abbrechen ist es zu spät: Die Mitschrift erscheint gleich.',
  interruptedByRestart: 'Ich wurde neu gestartet, bevor das fertig war. Versuch es noch einmal.',
  lateReply: (userId) => `${userMention(userId)}, deine Mitschrift ist fertig.`,
  lateFailure: (name) => `Ich konnte ${code(name)} nicht mitschreiben. Versuch es später noch einmal, oder teile die Aufnahme auf.`,
  someLeftOut: (taken, all) =>
    `Ich habe die ersten ${format.number(taken)} von ${format.number(all)} Aufnahmen mitgeschrieben, weil ich auf einem fremden Server nur wenige Male antworten kann. Nimm für die anderen ${inlineCode('/transcribe')}.`,

  confirm: (seconds, share) =>
    `Das sind etwa ${format.duration(seconds)} Ton und etwa ${format.percent(share)} des übrigen Guthabens. Mitschreiben?`,
  confirmAtMost: (seconds, share) =>
    `Das sind bis zu ${format.duration(seconds)} Ton und bis zu ${format.percent(share)} des übrigen Guthabens. Mitschreiben?`,
  confirmButton: 'Mitschreiben',
  listen: 'Anhören',
  notAsked: (taken, all) =>
    `Das gilt für die ersten ${format.number(taken)} von ${format.number(all)} Aufnahmen. Frag für die anderen noch einmal.`,

  title: 'Mitschrift',
  originalMessage: 'Ursprüngliche Nachricht',
  pageOf: (page, pages) => `Seite ${format.number(page)} von ${format.number(pages)}`,
  tooLargeToAttach: 'Die ganze Mitschrift ist zu groß zum Anhängen, deshalb ist das nur der Anfang.',
  download: 'Herunterladen …',
  otherLanguage: 'In einer anderen Sprache mitschreiben …',
  chooseLanguage: 'Sprache wählen …',
  detectLanguage: 'Sprache erkennen',
};
