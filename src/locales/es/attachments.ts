// What is wrong with an attached file, in Spanish.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} no está en Discord, y solo leo archivos de ahí. Sube el archivo directamente.`,
  empty: (name) => `${code(name)} está vacío. Súbelo otra vez.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} ocupa ${format.megabytes(bytes)} y puedo transcribir hasta ${format.megabytes(limit)}. Córtalo en partes o guárdalo como MP3 u Opus.`,
  notAudio: (name) => `No puedo leer ${code(name)} como audio. Usa MP3, WAV, Ogg, Opus, FLAC, M4A o WebM.`,
  downloadFailed: (name) => `No he podido obtener ${code(name)} de Discord. Inténtalo otra vez o súbelo de nuevo.`,
  downloadGone: (name) =>
    `${code(name)} se borró o su enlace caducó después de un día. Súbelo de nuevo o usa ${inlineCode('Transcribe')} en su mensaje.`,
  downloadIncomplete: (name) => `${code(name)} se cortó mientras lo leía. Inténtalo otra vez o súbelo de nuevo.`,
  downloadOversized: (name) => `${code(name)} es más largo de lo que dice Discord, así que dejé de leerlo. Súbelo de nuevo.`,
  downloadSlow: (name) => `Discord manda ${code(name)} demasiado despacio. Inténtalo más tarde.`,
};
