// What making voices of recordings says, in German.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) =>
  host === null ? 'den Sprachdienst auf meinem eigenen Rechner' : `den Sprachdienst ${inlineCode(host)}`;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `Stimmen erstellen können nur die Betreiber des Bots. Nimm stattdessen eine aus ${inlineCode('/voices')}.`,
    adminsOnly: `Stimmen erstellen können hier nur Admins und Mitglieder mit bestimmten Rollen. Bitte einen Admin, deine Rolle in ${inlineCode('/settings')} hinzuzufügen.`,
    notOutsideServers: 'Außerhalb von Servern können nur die Betreiber des Bots Stimmen erstellen. Versuch es auf einem Server.',
    tooMany: (most) =>
      `Du hast so viele Stimmen, wie ich erlaube: ${format.number(most)}, die unfertigen mitgezählt. Lösche erst eine in ${mine}.`,

    titleMissing: 'Eine Stimme braucht einen Titel. Schreib einen und versuch es noch einmal.',
    titleTooLong: (length, most) =>
      `Der Titel hat ${format.number(length)} Zeichen, und der Titel einer Stimme darf höchstens ${format.number(most)} haben. Kürze ihn.`,
    unknownLanguage: (typed) => `Die Sprache ${code(typed)} kenne ich nicht. Nimm eine aus der Liste, oder lass sie weg.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} hat ${format.megabytes(bytes)}, und eine Aufnahme darf höchstens ${format.megabytes(limit)} haben. Schick die beste Minute davon.`,
    tooShort: (seconds, least) =>
      `Das sind insgesamt ${format.duration(seconds)}, und eine Stimme braucht mindestens ${format.duration(least)}. Nimm noch ein paar Sätze auf.`,
    forwarded: 'Wer in einer weitergeleiteten Nachricht spricht, weiß ich nicht. Nimm die ursprüngliche Nachricht.',
    fromBot: 'Diese Nachricht ist von einem Bot, also kann niemand zustimmen. Nimm die Aufnahme eines Menschen.',
    cannotAskHere: (speakerId) =>
      `Dem kann nur ${userMention(speakerId)} zustimmen, und hier kann ich nicht fragen. Versuch es auf einem Server, zu dem ich gehöre.`,
    speakerLeft: 'Wer das aufgenommen hat, ist nicht mehr auf dem Server und kann nicht zustimmen. Nimm eine andere Aufnahme.',

    formTitle: 'Stimme erstellen',
    formLabel: 'Titel der Stimme',
    formAsks: 'Das ist die Aufnahme von jemand anderem, also frage ich in diesem Kanal nach.',

    sends: (count, host) =>
      count === 1
        ? `Ich schicke die Aufnahme an ${service(host)}, der daraus eine Stimme macht. Eine Kopie behalte ich nicht.`
        : `Ich schicke die Aufnahmen an ${service(host)}, der daraus eine Stimme macht. Eine Kopie behalte ich nicht.`,
    onlyYouMayUse: `Die Stimme kannst nur du benutzen, außer du teilst sie in ${mine}.`,
    everyoneMayUse: 'Die Stimme können alle auf diesem Server benutzen.',
    ownMessage: 'Das ist deine eigene Sprachnachricht, also entscheidest du.',
    makeButton: 'Meine Stimme erstellen',
    whoSpeaks: 'Bestätige, dass nur du darin sprichst oder dass dir erlaubt wurde, aus dieser Stimme eine zu machen.',
    ownButton: 'Das ist meine Stimme',
    permissionButton: 'Ich habe die Erlaubnis',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}, ${userMention(makerId)} möchte aus ${hyperlink('deiner Aufnahme', url)} eine Stimme machen. Wenn du zustimmst, kann ${userMention(makerId)} damit jeden Text sprechen lassen.`,
    untilThen: (host) =>
      `Das entscheidest nur du. Wenn du zustimmst, schicke ich die Aufnahme an ${service(host)}. Bis dahin schicke ich nichts.`,
    agreeButton: 'Ich stimme zu',
    refuseButton: 'Nein',
    onlySpeaker: (speakerId) => `Darauf kann nur ${userMention(speakerId)} antworten, denn die Aufnahme gehört dazu.`,
    refused: (speakerId) => `${userMention(speakerId)} hat abgelehnt. Ich habe nichts verschickt.`,
    takenBack: (makerId) => `${userMention(makerId)} möchte die Stimme nicht mehr. Ich habe nichts verschickt.`,
    makerLeft: (makerId) =>
      `${userMention(makerId)} ist nicht mehr auf dem Server, also braucht niemand die Stimme. Ich habe nichts verschickt.`,
    makerMayNot: (makerId) => `${userMention(makerId)} darf hier keine Stimmen mehr erstellen. Ich habe nichts verschickt.`,

    sending: (share) => `Wird gesendet: ${format.percent(share)}`,
    waiting: 'Gesendet. Gleich beginnt das Training…',
    training: 'Die Stimme wird trainiert… Das dauert meist weniger als eine Minute.',
    withdrawn: 'Abgebrochen. Ich habe nichts verschickt.',
    cancelButton: 'Abbrechen',
    cancelled: 'Abgebrochen. Auch der Sprachdienst behält nichts davon.',
    interrupted: `Ich wurde neu gestartet, während ich diese Stimme erstellt habe. Falls die Aufnahme schon da war, ist die Stimme bald in ${mine}. Sonst erstelle sie noch einmal.`,
    takesLong: `Das Training dauert länger als sonst. Ich behalte es im Auge: Sobald es fertig ist, ist die Stimme in ${mine}.`,
    trainingFailed: (reason) =>
      `Der Sprachdienst konnte daraus keine Stimme machen${reason === '' ? '.' : `: ${reason}`}\n-# Am besten gehen 10 bis 60 Sekunden, in denen ein Mensch deutlich spricht, ohne Musik und Geräusche.`,
    deletedMeanwhile: 'Die Stimme wurde gelöscht, während ich sie erstellt habe. Erstelle sie noch einmal, falls du sie noch willst.',
    notMade: 'Bei mir ist etwas schiefgegangen, also gibt es keine Stimme. Versuch es in einer Minute noch einmal.',

    ready: `${bold('Fertig.')} Du findest sie ganz oben in der Option ${inlineCode('voice')} von ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId) => `Die Stimme kann nur ${userMention(ownerId)} benutzen.`,
    agreed: (speakerId) => `${userMention(speakerId)} hat zugestimmt.`,
    gone: `Diese Stimme gibt es nicht mehr. Erstelle mit ${inlineCode('/voice create')} eine neue.`,
    hello: 'Hallo! Das ist meine neue Stimme. Sag mir, was ich sagen soll, und ich sage es.',
  },

  mine: {
    yours: 'deine',
    shared: 'hier geteilt',

    heading: 'Deine Stimmen',
    none: `Du hast noch keine Stimme erstellt. ${inlineCode('/voice create')} macht eine aus einer Aufnahme.`,
    explain: 'Niemand sonst kann deine Stimmen finden oder benutzen, außer du teilst sie mit einem Server.',
    onlyYou: 'Nur du kannst sie benutzen',
    sharedWith: (here, others) => {
      if (others === 0) return 'Alle auf diesem Server können sie benutzen';
      return here
        ? format.plural(others, {
            one: 'Alle auf diesem und # weiteren Server können sie benutzen',
            other: 'Alle auf diesem und # weiteren Servern können sie benutzen',
          })
        : format.plural(others, {
            one: 'Alle auf # anderen Server können sie benutzen',
            other: 'Alle auf # anderen Servern können sie benutzen',
          });
    },
    made: (when) => `erstellt am ${when}`,
    goneAtService: 'Der Sprachdienst hat sie nicht mehr, sie kann also nicht sprechen.',
    edit: 'Umbenennen …',
    share: 'Mit diesem Server teilen',
    unshare: 'Nicht mehr teilen',
    delete: 'Löschen …',

    formTitle: 'Stimme umbenennen',
    titleField: 'Titel',
    descriptionField: 'Beschreibung',
    changed: (title) => `${titled(title)} ist gespeichert.`,
    nowShared: (title) => `Alle auf diesem Server können sich ${titled(title)} jetzt in ${inlineCode('/say')} aussuchen.`,
    nowPrivate: (title) => `${titled(title)} ist nicht mehr geteilt. Wer sie ausgesucht hat, bekommt eine andere Stimme.`,
    shareFirst: (title) =>
      `${titled(title)} kannst bisher nur du benutzen. Teile sie zuerst in ${inlineCode('/voice mine')} mit diesem Server.`,
    deleteQuestion: (title) =>
      `${titled(title)} löschen, hier und beim Sprachdienst, mit allem gespeicherten Ton in dieser Stimme? Wer sie benutzt, bekommt eine andere. Das lässt sich nicht rückgängig machen.`,
    deleteYes: 'Löschen',
    cancel: 'Abbrechen',
    deleted: (title) => `${titled(title)} ist gelöscht.`,
    deletedLater: (title) =>
      `${titled(title)} ist hier gelöscht, niemand kann sie mehr benutzen. Der Sprachdienst konnte sie gerade nicht löschen; ich versuche es weiter.`,
    gone: `Diese Stimme gibt es nicht mehr. ${inlineCode('/voice mine')} zeigt dir die, die du hast.`,
  },
};
