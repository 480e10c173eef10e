// What /queue, /skip, /stop and /leave say, in Polish.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'Kolejka jest pełna: # tekst. Spróbuj za chwilę.',
      few: 'Kolejka jest pełna: # teksty. Spróbuj za chwilę.',
      many: 'Kolejka jest pełna: # tekstów. Spróbuj za chwilę.',
      other: 'Kolejka jest pełna: # tekstu. Spróbuj za chwilę.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Masz już w kolejce # tekst. Poczekaj, aż się skończy, albo usuń go za pomocą ${inlineCode('/stop')}.`,
      few: `Masz już w kolejce # teksty. Poczekaj, aż któryś się skończy, albo usuń je za pomocą ${inlineCode('/stop')}.`,
      many: `Masz już w kolejce # tekstów. Poczekaj, aż któryś się skończy, albo usuń je za pomocą ${inlineCode('/stop')}.`,
      other: `Masz już w kolejce # tekstu. Poczekaj, aż któryś się skończy, albo usuń je za pomocą ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Pominąć to może tylko ${userMention(ownerId)} albo moderator.`,
  onlyOwnerCanStop: (ownerId) => `Zatrzymać to może tylko ${userMention(ownerId)} albo moderator.`,
  onlyOwnerCanUse: (ownerId) => `To może zrobić tylko ${userMention(ownerId)} albo moderator.`,
  onlyModerators: 'To może zrobić tylko moderator.',
  empty: 'Nic nie jest odtwarzane.',
  nothingToStop: 'Żaden twój tekst nie jest odtwarzany ani nie czeka.',
  othersWaiting: `W kolejce są jeszcze teksty innych, więc wyprosić mnie może tylko moderator. Moderatorzy mają uprawnienie ${bold('Wyciszanie członków')} lub ${bold('Zarządzanie wiadomościami')} na moim kanale głosowym.`,
  skipped: (ownerId) => `Pominięto tekst użytkownika ${userMention(ownerId)}.`,
  stopped: (count) =>
    format.plural(count, {
      one: 'Zatrzymano. Z kolejki zniknął # tekst.',
      few: 'Zatrzymano. Z kolejki zniknęły # teksty.',
      many: 'Zatrzymano. Z kolejki zniknęło # tekstów.',
      other: 'Zatrzymano. Z kolejki zniknęło # tekstu.',
    }),
  left: (channelId) => `Już mnie nie ma na ${channelMention(channelId)}.`,
  nowPlaying: 'Teraz',
  upNext: 'Następne',
  starting: 'Zaczyna się…',
  timeLeft: (seconds) => `Jeszcze mniej więcej ${format.duration(seconds)}`,
  almostDone: 'Prawie koniec',
  lasts: (seconds) => `mniej więcej ${format.duration(seconds)}`,
  removeButton: 'Usuń',
  alreadyGone: 'Tego tekstu nie ma już w kolejce.',
  pageOf: (page, pages) => `Strona ${format.number(page)} z ${format.number(pages)}`,
};
