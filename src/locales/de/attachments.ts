// What is wrong with an attached file, in German.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

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
