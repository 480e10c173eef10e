// What is wrong with an attached file, in French.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} n’est pas sur Discord, et je ne lis que les fichiers qui y sont. Envoie le fichier lui-même.`,
  empty: (name) => `${code(name)} est vide. Envoie-le à nouveau.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} fait ${format.megabytes(bytes)}, et je peux transcrire jusqu’à ${format.megabytes(limit)}. Coupe-le, ou enregistre-le en MP3 ou Opus.`,
  notAudio: (name) => `Je ne peux pas lire ${code(name)} comme du son. Utilise MP3, WAV, Ogg, Opus, FLAC, M4A ou WebM.`,
  downloadFailed: (name) => `Je n’ai pas pu récupérer ${code(name)} sur Discord. Réessaie, ou envoie-le à nouveau.`,
  downloadGone: (name) =>
    `${code(name)} a été supprimé, ou son lien a expiré après un jour. Envoie-le à nouveau, ou utilise ${inlineCode('Transcribe')} sur son message.`,
  downloadIncomplete: (name) => `${code(name)} s’est interrompu pendant que je le lisais. Réessaie, ou envoie-le à nouveau.`,
  downloadOversized: (name) => `${code(name)} est plus long que Discord ne le dit, donc j’ai arrêté de le lire. Envoie-le à nouveau.`,
  downloadSlow: (name) => `Discord envoie ${code(name)} trop lentement. Réessaie plus tard.`,
};
