// What is wrong with an attached file, in Brazilian Portuguese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} não está no Discord, e só leio arquivos de lá. Envie o próprio arquivo.`,
  empty: (name) => `${code(name)} está vazio. Envie de novo.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} tem ${format.megabytes(bytes)}, e eu transcrevo até ${format.megabytes(limit)}. Corte em partes ou salve como MP3 ou Opus.`,
  notAudio: (name) => `Não consigo ler ${code(name)} como áudio. Use MP3, WAV, Ogg, Opus, FLAC, M4A ou WebM.`,
  downloadFailed: (name) => `Não consegui baixar ${code(name)} do Discord. Tente de novo ou envie outra vez.`,
  downloadGone: (name) =>
    `${code(name)} foi apagado, ou o link expirou depois de um dia. Envie de novo ou use ${inlineCode('Transcribe')} na mensagem dele.`,
  downloadIncomplete: (name) => `${code(name)} foi interrompido enquanto eu lia. Tente de novo ou envie outra vez.`,
  downloadOversized: (name) => `${code(name)} é maior do que o Discord diz, então parei de ler. Envie de novo.`,
  downloadSlow: (name) => `O Discord está mandando ${code(name)} devagar demais. Tente mais tarde.`,
};
