// What any command may say, in German.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Ich wurde neu gestartet, bevor das fertig war. Frag mich noch einmal.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Ich starte gerade neu. Versuch es in einer Minute noch einmal.',
  unknownCommand: 'Diesen Befehl habe ich nicht mehr. Lade Discord neu, um zu sehen, was es jetzt gibt.',
  unreadableInteraction: 'Ich habe nicht verstanden, was Discord mir geschickt hat. Versuch es noch einmal, oder lade Discord neu.',
  started: 'Bin dabei.',
  directHint: `Ich verstehe nur Befehle. Tippe ${inlineCode('/')}, um sie zu sehen, oder nimm ${inlineCode('/help')}.`,
  expiredMessage: 'Diese Nachricht ist veraltet. Benutze den Befehl noch einmal.',
  notYourButtons: (command) => `Diese Knöpfe kann nur benutzen, wer gefragt hat. Mit ${inlineCode(command)} bekommst du deine eigenen.`,
  previousPage: '‹ Zurück',
  nextPage: 'Weiter ›',
};

// Refusals: members who may not use Parley, or not here, and those who ask too fast; in German.

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} ist hier für dich abgeschaltet. Unter ${settings} kannst du es wieder einschalten.`
      : `Ein Server-Admin hat ${inlineCode('/say')} für dich abgeschaltet.`,
  roles: (ids) =>
    isShort(ids)
      ? `Hier können mich nur Mitglieder mit ${format.or(ids.map(roleMention))} benutzen. Ein Server-Admin kann dir die Rolle geben.`
      : 'Hier können mich nur Mitglieder mit bestimmten Rollen benutzen. Ein Server-Admin kann dir eine geben.',
  channels: (ids) =>
    isShort(ids)
      ? `Hier arbeite ich nur in ${format.or(ids.map(channelMention))}. Versuch es dort noch einmal.`
      : 'Hier arbeite ich nur in bestimmten Kanälen. Versuch es in einem davon noch einmal.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Hier spreche ich nur in ${format.or(ids.map(channelMention))}. Tritt bei und versuch es noch einmal.`
      : 'Hier spreche ich nur in bestimmten Sprachkanälen. Tritt einem davon bei und versuch es noch einmal.',
  channelsGone: `Die Kanäle, auf die ich hier beschränkt bin, gibt es nicht mehr. Bitte einen Server-Admin, unter ${settings} andere zu wählen.`,
  voiceChannelsGone: `Die Sprachkanäle, auf die ich hier beschränkt bin, gibt es nicht mehr. Bitte einen Server-Admin, unter ${settings} andere zu wählen.`,
  tooFast: (again) => `Du bist mir ein bisschen zu schnell. Versuch es ${format.relative(again)} noch einmal.`,
};

// What is wrong with an attached file, in German.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} liegt nicht auf Discord, und nur von dort lese ich Dateien. Lade die Datei selbst hoch.`,
  empty: (name) => `${code(name)} ist leer. Lade die Datei noch einmal hoch.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} hat ${format.megabytes(bytes)}, mitschreiben kann ich bis zu ${format.megabytes(limit)}. Teile die Datei auf, oder speichere sie als MP3 oder Opus.`,
  notAudio: (name) => `${code(name)} kann ich nicht als Ton lesen. Nimm MP3, WAV, Ogg, Opus, FLAC, M4A oder WebM.`,
  downloadFailed: (name) => `Ich konnte ${code(name)} nicht von Discord holen. Versuch es noch einmal, oder lade die Datei neu hoch.`,
  downloadGone: (name) =>
    `${code(name)} wurde gelöscht, oder der Link ist nach einem Tag abgelaufen. Lade die Datei neu hoch, oder benutze ${inlineCode('Transcribe')} auf ihrer Nachricht.`,
  downloadIncomplete: (name) => `${code(name)} brach ab, während ich gelesen habe. Versuch es noch einmal, oder lade die Datei neu hoch.`,
  downloadOversized: (name) => `${code(name)} ist länger, als Discord sagt, deshalb habe ich aufgehört zu lesen. Lade die Datei neu hoch.`,
  downloadSlow: (name) => `Discord schickt ${code(name)} zu langsam. Versuch es später noch einmal.`,
};

// Why the bot can't speak in a voice channel, in German.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Kanal ansehen', Connect: 'Verbinden', Speak: 'Sprechen' },
  botNotInGuild: `Sprechen kann ich nur auf Servern, zu denen ich gehöre. Wähle bei ${inlineCode('send_as')} „Sprachnachricht“, dann bekommst du den Ton trotzdem.`,
  memberNotInVoice: `Du bist in keinem Sprachkanal. Tritt einem bei, oder wähle einen unter ${inlineCode('channel')}.`,
  botNotInVoice: `Ich bin in keinem Sprachkanal. Tritt einem bei und hol mich mit ${inlineCode('/say')} dazu.`,
  stageChannel: (id) => `${channelMention(id)} ist ein Stage-Kanal, und ich spreche nur in Sprachkanälen. Nimm einen Sprachkanal.`,
  memberCannotConnect: (id) =>
    `Du kannst ${channelMention(id)} nicht beitreten, deshalb kann ich dort nicht für dich sprechen. Nimm einen anderen Kanal.`,
  memberCannotSpeak: (id) =>
    `Damit ich in ${channelMention(id)} für dich spreche, brauchst du dort die Berechtigung ${bold('Sprechen')}. Nimm einen anderen Kanal.`,
  memberServerMuted:
    'Die Moderation hat dich in den Sprachkanälen dieses Servers stummgeschaltet. Sobald das aufgehoben ist, spreche ich wieder für dich.',
  missingPermissions: (permissions, id) =>
    `Ich brauche ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(id)}. Server-Admins können das in den Kanaleinstellungen erlauben.`,
  full: (id) => `${channelMention(id)} ist voll. Warte auf einen freien Platz, oder nimm einen anderen Kanal.`,
};
