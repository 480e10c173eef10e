// What /privacy says, in German.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'Deine Privatsphäre',
  sent: (host) =>
    host === null
      ? `${bold('Wer was bekommt.')} Deine Texte und Aufnahmen gehen an einen Sprachdienst auf meinem eigenen Rechner und sonst nirgendwohin.`
      : `${bold('Wer was bekommt.')} Deine Texte und Aufnahmen gehen an den Sprachdienst ${inlineCode(host)}, ohne deinen Namen. Was dort damit passiert, entscheidet sein Betreiber. Sonst schicke ich sie nirgendwohin.`,
  notKept: `${bold('Was ich nie speichere.')} Aufnahmen und Mitschriften. Weder sie noch deine Texte oder deinen Namen schreibe ich in ein Protokoll.`,
  texts: `${bold('Texte.')} Kann meine Antwort einen Text nicht genau so zeigen, wie du ihn geschrieben hast, etwa weil er lang ist, speichere ich ihn verschlüsselt bis zu 30 Tage lang, damit du ihn wiederholen kannst. Den einzigen Schlüssel enthält die Antwort: Ist sie gelöscht, kann niemand den Text lesen.`,
  kept: `${bold('Was ich über dich speichere.')} Deine Stimme, deine Favoriten, die zuletzt benutzten Stimmen und dein Tempo, bis du sie löschst. Wie viel du verbraucht hast, als Zahlen, zwei Tage lang.`,
  madeVoices: `${bold('Stimmen, die du erstellst.')} Ihre Titel, wer wann zugestimmt hat, bis du sie löschst. Die Aufnahmen gehen nur an den Sprachdienst. Solange noch jemand zustimmen muss, liegt deine Anfrage versiegelt bei mir, höchstens 20 Stunden.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('Ton.')} Ich speichere keinen.`
      : `${bold('Ton.')} Ich halte bis zu ${format.megabytes(bytes)} Ton vor, damit Wiederholungen auf demselben Server nichts kosten. Das Älteste fliegt zuerst raus, alles nach spätestens 30 Tagen. Die Dateinamen verraten nichts über den Text. Ich merke mir, welche Töne von dir sind, damit du sie löschen kannst.`,
  server: `${bold('Was ich über Server speichere.')} Die Einstellungen, auch wer stummgeschaltet ist, bis sie geändert werden oder 30 Tage, nachdem ich entfernt wurde. Den Verbrauch, als Zahlen ohne Namen, 31 Tage. Wie laut jede Stimme ist, 90 Tage.`,
  messages: `${bold('Meine Antworten.')} Das sind Nachrichten auf Discord. Sie bleiben, bis jemand sie löscht.`,
  localMessages: `${bold('Meine Antworten.')} Das hier ist das lokale Discord auf meinem eigenen Rechner. Anstelle von Discords Servern hebt es alle Nachrichten und Anhänge einen Tag lang auf, in einem Ordner, den nur der Benutzer lesen kann, unter dem es läuft.`,
  openReplies:
    'Solange eine Antwort nicht fertig ist, merke ich mir, wo sie steht, um sie nach einem Neustart zu berichtigen. Bei Antworten, die nur du siehst, hebe ich dafür auch den verschlüsselten Schlüssel zum Bearbeiten auf, höchstens 15 Minuten. Wenn du mir direkt schreibst, merke ich mir einen Tag lang, dass ich dich auf meine Befehle hingewiesen habe.',
  erased: `${bold('Löschen.')} Was du löschst, wird sofort überschrieben. Weitere Kopien in meiner Datenbank, etwa der Titel deiner Stimme unter den zuletzt benutzten Stimmen anderer, sind innerhalb von 10 Minuten weg.`,
  reading: (isRead) =>
    `${bold('Vorlesen.')} Wo es jemand eingeschaltet hat, lese ich neue Nachrichten des Kanals in einem Sprachkanal vor. Ich speichere sie nicht. Ihren Ton behalte ich nur im Arbeitsspeicher, bis die Nachricht bearbeitet oder gelöscht wird, höchstens eine Stunde, nachdem sie zuletzt zu hören war. Welche Stimme deine auf einem Server vorliest, merke ich mir, bis du 30 Tage nicht zu hören warst. Ich merke mir auch, welche Kanäle ich auf deinen Wunsch vorlese, bis das jemand beendet. ${isRead ? 'Deine Nachrichten können vorgelesen werden.' : 'Du möchtest nicht, dass deine Nachrichten vorgelesen werden, auf keinem Server.'}`,
  optOutButton: 'Meine Nachrichten nicht vorlesen',
  optInButton: 'Meine Nachrichten wieder vorlesen',
  optOutGoes: 'Deine Nachrichten werden danach auch wieder vorgelesen.',
  deleteButton: 'Meine Daten löschen …',
  emptyButton: 'Tonspeicher leeren …',
  deleteQuestion: (hasSound) =>
    hasSound
      ? 'Deine Stimmen, dein Tempo, dein Wörterbuch, die gespeicherten Texte und ihren Ton löschen? Das lässt sich nicht rückgängig machen.'
      : 'Deine Stimmen, dein Tempo, dein Wörterbuch und die gespeicherten Texte löschen? Das lässt sich nicht rückgängig machen.',
  whatStays:
    'Zwei Dinge bleiben: dein Verbrauch von heute, zwei Tage lang, damit Löschen nicht das Tagesbudget zurücksetzt; und ob ein Admin dich auf einem Server stummgeschaltet hat.',
  deleteYes: 'Löschen',
  cancel: 'Abbrechen',
  deleted: (sounds) =>
    sounds === 0
      ? 'Erledigt. Deine Daten sind gelöscht.'
      : `Erledigt. Deine Daten und ${format.plural(sounds, { one: '# gespeicherter Ton', other: '# gespeicherte Töne' })} sind gelöscht.`,
  deletedLater:
    'Ein Teil des gespeicherten Tons liegt auf einem Rechner, der gerade nicht läuft. Dort wird er gelöscht, bevor etwas abgespielt wird.',
  emptyQuestion: 'Den Tonspeicher für alle Mitglieder und Server leeren? Dasselbe noch einmal zu sagen kostet dann wieder Guthaben.',
  emptyYes: 'Leeren',
  emptied: (bytes) => `Erledigt. Der Tonspeicher ist leer, ${format.megabytes(bytes)} sind wieder frei.`,
  yourVoices: (titles) => `Deine: ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('Deine Stimme bei anderen.')} ${format.plural(count, { one: '# Stimme eines anderen Mitglieds ist aus deiner Aufnahme gemacht, weil du zugestimmt hast.', other: '# Stimmen anderer Mitglieder sind aus deinen Aufnahmen gemacht, weil du zugestimmt hast.' })}`,
  voicesToo: (count) =>
    format.plural(count, {
      one: 'Auch # Stimme, die du erstellt hast oder in der du sprichst, wird gelöscht, beim Sprachdienst ebenso.',
      other: 'Auch # Stimmen, die du erstellt hast oder in denen du sprichst, werden gelöscht, beim Sprachdienst ebenso.',
    }),
  voicesDeleted: (count) => format.plural(count, { one: 'Auch # Stimme ist weg.', other: 'Auch # Stimmen sind weg.' }),
  voicesLeft: (count) =>
    format.plural(count, {
      one: 'Der Sprachdienst konnte # Stimme gerade nicht löschen. Niemand kann sie mehr benutzen, und ich versuche es weiter.',
      other: 'Der Sprachdienst konnte # Stimmen gerade nicht löschen. Niemand kann sie mehr benutzen, und ich versuche es weiter.',
    }),
  operatorsOnly: `Nur wem der Bot gehört, kann den Tonspeicher leeren. Deinen Teil davon entfernt ${bold('Meine Daten löschen')}.`,
};
