// What /say and the buttons of its replies say, in Polish.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# znak', few: '# znaki', many: '# znaków', other: '# znaku' });

export const say: Words['say'] = {
  noText: `Nie ma tu nic do powiedzenia. Wpisz parę słów w ${inlineCode('text')}.`,
  nothingSpeakable: 'W tym tekście nie ma nic, co da się wypowiedzieć. Wpisz co najmniej jedno słowo lub jedną liczbę.',
  andSoOn: 'i tak dalej',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `Nie znajduję głosu ${code(voice)}. Wybierz głos z listy albo przejrzyj ${inlineCode('/voices')}.`
      : `Nie znajduję głosu ${code(voice)}. Wybierz głos z listy albo przejrzyj ${inlineCode('/voices')}. Najbardziej podobne: ${format.and(closest.map((title) => code(title)))}.`,
  voiceReplaced: (gone, used) => `Nie mogę tu użyć głosu ${code(gone)}, więc mówi ${code(used)}. Wybierz inny w ${inlineCode('/voices')}.`,
  voiceIsYours: `To twój głos: ${inlineCode('/voice mine')} pokazuje, co z nim nie tak.`,
  voiceNotHere: `Nie mogę tu użyć tego głosu. Wybierz inny w ${inlineCode('/voices')}.`,
  speedUnsupported: `Ta usługa głosowa nie potrafi zmieniać tempa. Spróbuj ponownie z ${inlineCode('speed')} 1; zapamiętam to.`,
  tooSlow: (count) => `Na tym komputerze to za długie dla tego głosu. Skróć do około ${characters(count)} albo wybierz szybszy głos.`,
  textGone: `Nie mam już tego tekstu. Wpisz go ponownie w ${inlineCode('/say')}.`,
  confirm: (count, share) => `To zużyje około ${format.percent(share)} pozostałych środków (${characters(count)}). Powiedzieć mimo to?`,
  tooExpensive: (count, share) =>
    `To zużyje około ${format.percent(share)} pozostałych środków (${characters(count)}). Podziel tekst na krótsze części.`,
  confirmMaking: (count) => `Dźwięku nie ma już w pamięci, więc zrobienie go od nowa zużyje ${characters(count)}. Zrobić?`,
  confirmButton: 'Powiedz',
  makeButton: 'Zrób',
  stopButton: 'Zatrzymaj',
  skipButton: 'Pomiń',
  cancelButton: 'Anuluj',
  moreMenu: 'Co dalej?',
  replay: 'Powtórz',
  saveAsFile: 'Zapisz jako plik',
  sendAsVoiceMessage: 'Wyślij jako wiadomość głosową',
  sayMore: 'Powiedz więcej',
  showText: 'Pokaż cały tekst',
  sayMoreTitle: (voice) => `Powiedz więcej: ${voice}`,
  sayMoreLabel: 'Co mam powiedzieć?',
  textHidden: 'Ten serwer ukrywa, co jest mówione.',
  recentVoice: 'ostatnio używany',
  favouriteVoice: 'ulubiony',
  fileTooLarge: (limit) => `Plik przekroczyłby ${format.megabytes(limit)}, czyli tutejszy limit Discorda. Spróbuj krótszego tekstu.`,
  voiceMessageInstead: 'Mówić mogę tylko na serwerach, do których należę, więc oto wiadomość głosowa.',
  voiceMessageForbidden: 'Nie mogę tu wysyłać wiadomości głosowych (Wysyłanie wiadomości głosowych), więc oto dźwięk jako plik.',
  voiceMessageRefused: 'Discord nie przyjął tego jako wiadomości głosowej, więc oto dźwięk jako plik.',
  voiceMessageTooLong: (minutes) =>
    `Wiadomość głosowa może trwać najwyżej ${format.plural(minutes, { one: '# minutę', few: '# minuty', many: '# minut', other: '# minuty' })}, więc oto dźwięk jako plik.`,
  nobodyThere: (channelId) => `Na ${channelMention(channelId)} nikogo teraz nie ma.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: 'Właśnie mówię',
  queued: (before) =>
    before === 1
      ? 'Następny w kolejce'
      : format.plural(before, {
          one: '# tekst wcześniej',
          few: '# teksty wcześniej',
          many: '# tekstów wcześniej',
          other: '# tekstu wcześniej',
        }),
  interrupted: (seconds) => `Przerwane (słychać: ${format.duration(seconds)})`,
  interruptedByRestart: 'Uruchomiono mnie ponownie, zanim to było gotowe',
  notSpoken: 'Niewypowiedziane',
  spoken: (seconds) => `Wypowiedziane (${format.duration(seconds)})`,
  shortened: 'skrócone do limitu tego serwera',
  characters,
  fromCache: 'z pamięci, więc za darmo',
  cachedSoundGone: (budget) => `Zapisany dźwięk usunięto, gdy ten tekst czekał, więc nie jest już za darmo. ${budget}`,
  skipped: 'Pominięto',
  stopped: 'Zatrzymano',
  cancelled: 'Anulowano',
  cancelledCharged: (count) => `Anulowano. Usługa głosowa zdążyła przygotować dźwięk, więc liczy się to jako zużycie: ${characters(count)}`,
  chargedUnheard: (count) => `Usługa głosowa zdążyła przygotować dźwięk, więc liczy się to jako zużycie: ${characters(count)}.`,
  defaultVoice: 'Głos domyślny',
};

// What /queue, /skip, /stop and /leave say, in Polish.

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
  skippedOwn: 'Pominięto twój tekst.',
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
