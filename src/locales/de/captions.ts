// Captions of a voice channel, in German.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Mich untertiteln');
const stopMe = bold('Mich nicht mehr untertiteln');

export const captions: Words['captions'] = {
  notInGuild: 'Untertitel gibt es nur auf Servern, auf denen ich Mitglied bin. Lade mich zuerst ein.',
  noVoiceChannel: `Ich weiß nicht, welchen Sprachkanal du meinst. Tritt ihm bei oder benutze ${start} in seinem Chat.`,
  noSpareCalls:
    'Ich kann hier nichts untertiteln: Ich darf nur einen Aufruf des Sprachdienstes auf einmal machen, und Untertitel würden alles andere blockieren. Wer den Bot betreibt, kann `VOICE_API_CONCURRENCY` auf mindestens 2 setzen.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `Untertitel können hier nur Mitglieder mit ${format.or(roleIds.map(roleMention))} starten. Admins des Servers können dir die Rolle geben.`
      : 'Untertitel können hier nur Mitglieder mit bestimmten Rollen starten, und die gibt es nicht mehr. Bitte die Admins des Servers, andere auszuwählen.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `Untertitel sind hier nur in ${format.or(channelIds.map(channelMention))} erlaubt. Tritt bei und versuch es noch einmal.`
      : `Die Sprachkanäle, in denen Untertitel erlaubt sind, gibt es nicht mehr. Bitte die Admins des Servers, in ${inlineCode('/settings')} andere auszuwählen.`,
  missing: (permissions, channelId) =>
    `Um Untertitel zu schreiben, brauche ich ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(channelId)}. Admins des Servers können das in den Kanaleinstellungen erlauben.`,
  cannotConnect: (channelId) =>
    `Du kannst ${channelMention(channelId)} nicht beitreten und dort deshalb keine Untertitel starten. Nimm einen anderen Sprachkanal.`,
  alreadyOn: (link) => `Die Untertitel laufen schon: ${link}`,
  elsewhere: (channelId) =>
    `Ich untertitle gerade in ${channelMention(channelId)} und kann nur in einem Sprachkanal sein. Versuch es wieder, wenn die Untertitel dort zu Ende sind.`,
  started: (link) => `Die Untertitel laufen: ${link}\nGehört wird nur, wer dort auf ${captionMe} drückt.`,
  notOn: `Auf diesem Server laufen keine Untertitel. Mit ${start} schaltest du sie ein.`,
  mayNotStop: (starterId) =>
    `Beenden können die Untertitel ${userMention(starterId)} (hat sie gestartet), die Moderation oder das letzte untertitelte Mitglied. Wenn nur du nicht dabei sein möchtest, drück auf ${stopMe}.`,
  stopped: 'Erledigt. Die Untertitel sind aus.',
  leaveStops: 'In diesem Sprachkanal laufen Untertitel, und wenn ich ginge, wären sie zu Ende.',

  title: (channelId) => `Untertitel von ${channelMention(channelId)}`,
  what: `Was dort gesprochen wird, steht hier für alle zum Lesen. Ich höre nur, wer auf ${captionMe} drückt: Der Ton von allen anderen wird nicht einmal entschlüsselt.`,
  sound: (host) =>
    host === null
      ? 'Der Ton jedes Satzes geht an einen Sprachdienst auf meinem eigenen Rechner, und niemand behält ihn. Die Worte stehen nur in meinen Nachrichten hier.'
      : `Der Ton jedes Satzes geht ohne deinen Namen an den Sprachdienst auf ${inlineCode(host)}. Ich behalte ihn nicht. Die Worte stehen nur in meinen Nachrichten hier.`,
  consent: (isKept) =>
    isKept
      ? `Wenn du zustimmst, merke ich mir das auf diesem Server 90 Tage, oder bis du auf ${stopMe} drückst.`
      : 'Ich frage jedes Mal: Wenn diese Untertitel enden, vergesse ich, wer zugestimmt hat.',
  startedBy: (memberId) => `Gestartet von ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('Untertitelt:')} ${memberIds.length === 0 ? 'noch niemand' : [...memberIds.map(userMention), ...(more > 0 ? [`und ${format.number(more)} weitere`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('Nicht zu hören:')} ${memberIds.map(userMention).join(' ')}. Der Ton lässt sich nicht entschlüsseln; meist hilft es, den Sprachkanal zu verlassen und wieder beizutreten.`,
  outOfBudget: (memberId, at) =>
    `⚠️ Für ${userMention(memberId)} ist ein Tagesbudget für Transkription aufgebraucht. Weiter geht es ${format.relative(at)}.`,
  serverOutOfBudget: (at) =>
    `⚠️ Das Tagesbudget dieses Servers für Transkription ist aufgebraucht. Die Untertitel gehen ${format.relative(at)} weiter.`,
  cost: (seconds, cost) =>
    `Bisher: ${format.duration(seconds)} Sprache, aus den Budgets derer, die gesprochen haben${cost === null ? '' : `, etwa ${format.significant(cost)} Guthaben`}`,
  captionButton: 'Mich untertiteln',
  stopButton: 'Mich nicht mehr untertiteln',
  deleteButton: 'Meine Worte löschen',
  languageMenu: 'Welche Sprache ich spreche (nur für mich)',
  hasEnded: 'Die Untertitel sind zu Ende',

  isOn: (isKept) =>
    isKept
      ? `Erledigt. Was du sagst, wird untertitelt, hier und wenn auf diesem Server in den nächsten 90 Tagen Untertitel laufen. Rückgängig machst du das mit ${stopMe} oder ${privacyCommand}.`
      : `Erledigt. Was du sagst, wird untertitelt, bis diese Untertitel enden oder du auf ${stopMe} drückst.`,
  isOff: `Erledigt. Ich höre dich nicht mehr. Was gerade aufgeschrieben wurde, ist verworfen; was schon hier steht, löschst du mit ${bold('Meine Worte löschen')}.`,
  isOffUnstored: `Erledigt. Ich höre dich nicht mehr. Speichern kann ich das gerade nicht, ich versuche es weiter. Falls ich vorher neu gestartet werde, drück noch einmal auf ${bold('Mich nicht mehr untertiteln')}.`,
  excluded: 'Die Admins dieses Servers haben entschieden, dass Mitglieder mit einer deiner Rollen nie untertitelt werden.',
  wordsDeleted: (count) =>
    count === 0
      ? 'Von dir steht hier nichts.'
      : `Erledigt. Ich habe ${format.plural(count, { one: '# Zeile von dir', other: '# Zeilen von dir' })} gelöscht.`,
  languageChosen: (name) =>
    name === null ? 'Erledigt. Ich erkenne selbst, welche Sprache du sprichst.' : `Erledigt. Ich erwarte, dass du ${name} sprichst.`,
  notCaptioned: `Du wirst nicht untertitelt. Drück zuerst auf ${captionMe}.`,
  endedAlready: `Diese Untertitel sind zu Ende. Mit ${start} schaltest du sie wieder ein.`,

  behind: (seconds) => `Ich hänge ${format.duration(seconds)} hinterher.`,
  dropped: (name, seconds) => `Ich habe ${format.duration(seconds)} von dem ausgelassen, was ${name} gesagt hat.`,
  failed: 'Der Sprachdienst funktioniert gerade nicht, deshalb fehlt etwas von dem, was gesagt wird. Ich versuche es weiter.',
  resumed: 'Ich wurde unterbrochen. Was kurz davor gesagt wurde, kann fehlen.',

  ended: {
    stopped: (memberId) => `Die Untertitel sind zu Ende: ${userMention(memberId)} hat sie ausgeschaltet.`,
    nobody: 'Die Untertitel sind zu Ende: Zwei Minuten lang war niemand im Sprachkanal, der untertitelt wird.',
    moved: 'Die Untertitel sind zu Ende: Die Moderation hat mich verschoben oder getrennt.',
    left: 'Die Untertitel sind zu Ende: Ich habe den Sprachkanal verlassen.',
    channelGone: 'Die Untertitel sind zu Ende: Der Sprachkanal wurde gelöscht.',
    lost: `Die Untertitel sind zu Ende: Meine Verbindung zum Sprachkanal ist abgebrochen. Mit ${start} schaltest du sie wieder ein.`,
    unwritable: 'Die Untertitel sind zu Ende: Ich kann in diesem Kanal nicht mehr schreiben.',
    interrupted: `Die Untertitel sind zu Ende: Ich war zu lange offline. Mit ${start} schaltest du sie wieder ein.`,
    unavailable:
      'Die Untertitel sind zu Ende: Auf diesem Rechner kann ich Sprache nicht mitschreiben. Warum, steht für die Betreiber in meinem Protokoll.',
  },
  noTranscript: 'Diesmal gibt es keine Mitschrift, weil ich nicht alles Nötige lesen konnte. Die Untertitel oben bleiben.',
  transcriptName: (channel) => `Untertitel von ${channel}`,
  threadName: (channel) => `Untertitel von ${channel}`,
  voiceStatus: '💬 Untertitel laufen',

  spoken: {
    begin: 'Die Untertitel laufen. Ich schreibe nur mit, was Leute sagen, die im Chat auf „Mich untertiteln“ drücken.',
    joined: 'Hier laufen Untertitel. Wenn deine Worte mitgeschrieben werden sollen, drück im Chat auf „Mich untertiteln“.',
  },
  permissionNames: { CreatePublicThreads: 'Öffentliche Threads erstellen' },
  status: (channelId, count) =>
    `Untertitel: an in ${channelMention(channelId)}, ${format.plural(count, { one: '# Mitglied', other: '# Mitglieder' })}`,

  panel: {
    starters: 'Dürfen Untertitel starten',
    startersMenu: 'Rollen, die Untertitel starten können (keine = alle)',
    channels: 'Untertitel erlaubt in',
    channelsMenu: 'Sprachkanäle für Untertitel (keine = alle)',
    excluded: 'Nie untertitelt',
    excludedMenu: 'Rollen, die nie untertitelt werden',
    consentName: 'Zustimmung',
    consent: { kept: 'Zustimmungen 90 Tage merken', each: 'Jedes Mal alle fragen' },
    placeName: 'Geschrieben in',
    place: { chat: 'Im Chat des Sprachkanals', thread: 'In einem Thread' },
    placeWhat: {
      chat: 'Egal, wo die Untertitel gestartet werden',
      thread: 'Des Textkanals, in dem sie gestartet werden; Sprachkanal-Chats haben keine Threads',
    },
    languageName: 'Gesprochene Sprache',
    language: (name) => `Sprache: ${name}`,
  },

  privacy: (count) =>
    `${bold('Untertitel.')} In Sprachkanälen mit Untertiteln höre ich dich nur, wenn du zugestimmt hast. Der Ton bleibt für einen Satz im Arbeitsspeicher; die Worte stehen nur in meinen Nachrichten. ${
      count === 0
        ? 'Du hast nirgends zugestimmt.'
        : `Dass du auf ${format.plural(count, { one: '# Server', other: '# Servern' })} zugestimmt hast, merke ich mir mit deiner Sprache 90 Tage.`
    }`,
  consentGoes: 'Damit ziehst du auch deine Zustimmung zu Untertiteln zurück, überall.',
};
