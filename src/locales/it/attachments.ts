// What is wrong with an attached file, in Italian.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} non è su Discord, e leggo file solo da lì. Carica il file stesso.`,
  empty: (name) => `${code(name)} è vuoto. Caricalo di nuovo.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} è di ${format.megabytes(bytes)}, e posso trascrivere fino a ${format.megabytes(limit)}. Dividilo in parti o salvalo come MP3 o Opus.`,
  notAudio: (name) => `Non riesco a leggere ${code(name)} come audio. Usa MP3, WAV, Ogg, Opus, FLAC, M4A o WebM.`,
  downloadFailed: (name) => `Non sono riuscito a scaricare ${code(name)} da Discord. Riprova o caricalo di nuovo.`,
  downloadGone: (name) =>
    `${code(name)} è stato eliminato, o il suo link è scaduto dopo un giorno. Caricalo di nuovo o usa ${inlineCode('Transcribe')} sul suo messaggio.`,
  downloadIncomplete: (name) => `${code(name)} si è interrotto mentre lo leggevo. Riprova o caricalo di nuovo.`,
  downloadOversized: (name) => `${code(name)} è più lungo di quanto dice Discord, quindi ho smesso di leggerlo. Caricalo di nuovo.`,
  downloadSlow: (name) => `Discord manda ${code(name)} troppo lentamente. Riprova più tardi.`,
};
