// What /say and the buttons of its replies say, in Polish.
import { channelMention, inlineCode } from 'discord.js';
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
  textGone: `Nie mam już tego tekstu. Wpisz go ponownie w ${inlineCode('/say')}.`,
  confirm: (count, share) => `To zużyje około ${format.percent(share)} pozostałych środków (${characters(count)}). Powiedzieć mimo to?`,
  tooExpensive: (count, share) =>
    `To zużyje około ${format.percent(share)} pozostałych środków (${characters(count)}). Podziel tekst na krótsze części.`,
  confirmButton: 'Powiedz',
  stopButton: 'Zatrzymaj',
  skipButton: 'Pomiń',
  cancelButton: 'Anuluj',
  moreMenu: 'Co dalej?',
  replay: 'Powtórz',
  saveAsFile: 'Zapisz jako plik',
  sayMore: 'Powiedz więcej',
  showText: 'Pokaż cały tekst',
  sayMoreTitle: (voice) => `Powiedz więcej: ${voice}`,
  sayMoreLabel: 'Co mam powiedzieć?',
  textHidden: 'Ten serwer ukrywa, co jest mówione.',
  recentVoice: 'ostatnio używany',
  favouriteVoice: 'ulubiony',
  fileTooLarge: (limit) => `Plik przekroczyłby ${format.megabytes(limit)}, czyli tutejszy limit Discorda. Spróbuj krótszego tekstu.`,
  fileInstead: 'Mówić mogę tylko na serwerach, do których należę, więc oto dźwięk jako plik.',
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
