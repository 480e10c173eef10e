// What is wrong with an attached file, in Polish.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `Pliku ${code(name)} nie ma na Discordzie, a czytam pliki tylko stamtąd. Prześlij sam plik.`,
  empty: (name) => `${code(name)} jest pusty. Prześlij go ponownie.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} ma ${format.megabytes(bytes)}, a mogę przepisać najwyżej ${format.megabytes(limit)}. Podziel plik na części albo zapisz go jako MP3 lub Opus.`,
  notAudio: (name) => `Nie mogę odczytać ${code(name)} jako dźwięku. Użyj MP3, WAV, Ogg, Opus, FLAC, M4A lub WebM.`,
  downloadFailed: (name) => `Nie udało się pobrać ${code(name)} z Discorda. Spróbuj ponownie albo prześlij plik jeszcze raz.`,
  downloadGone: (name) =>
    `${code(name)} usunięto albo link wygasł po jednym dniu. Prześlij plik ponownie albo użyj ${inlineCode('Transcribe')} na jego wiadomości.`,
  downloadIncomplete: (name) => `${code(name)} urwał się w trakcie czytania. Spróbuj ponownie albo prześlij plik jeszcze raz.`,
  downloadOversized: (name) => `${code(name)} jest dłuższy, niż podaje Discord, więc nie czytam dalej. Prześlij go ponownie.`,
  downloadSlow: (name) => `Discord wysyła ${code(name)} zbyt wolno. Spróbuj później.`,
};
