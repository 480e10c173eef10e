// What transcribing says, in Polish.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'W tej wiadomości nie ma nagrania. Wybierz taką z wiadomością głosową lub plikiem audio.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} ma długość: ${format.duration(seconds)}, a mój limit to ${format.duration(limit)}. Podziel nagranie na części.`,
  tooManyJobs: (most) =>
    format.plural(most, {
      one: 'Wciąż przepisuję twoje nagranie. Spróbuj, gdy będzie gotowe.',
      few: 'Wciąż przepisuję # twoje nagrania. Spróbuj, gdy któreś będzie gotowe.',
      many: 'Wciąż przepisuję # twoich nagrań. Spróbuj, gdy któreś będzie gotowe.',
      other: 'Wciąż przepisuję # twojego nagrania. Spróbuj, gdy któreś będzie gotowe.',
    }),
  unreadable: (name) =>
    `Usługa głosowa nie może odczytać pliku ${code(name)}. Może jest uszkodzony, ucięty albo w nietypowym formacie: zapisz go jako MP3 lub WAV i spróbuj ponownie.`,
  tooLargeForService: (name) => `${code(name)} jest za duży dla usługi głosowej. Podziel go na części albo zapisz jako MP3 lub Opus.`,
  tooLongForService: (name) => `${code(name)} jest za długi dla usługi głosowej. Podziel go na części.`,
  languageRefused: (language) => `Usługa głosowa nie potrafi przepisać: ${language}. Wybierz inny język albo pozwól go wykryć.`,
  noSpeech: 'Nie słychać tu nikogo.',
  noSpeechInLanguage: 'Nie słychać tu nikogo. Jeśli ktoś mówi, spróbuj innego języka.',
  transcriptGone: 'Plik tej transkrypcji zniknął, więc jej przyciski nie działają. Przepisz nagranie jeszcze raz.',
  transcriptTooLarge: (limit) =>
    `Ten plik przekroczyłby ${format.megabytes(limit)}, które przyjmuje tu Discord. Podziel nagranie na części.`,

  reading: (done, all) => `Odczyt: ${format.megabytes(done)} z ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `Transkrypcja: ${format.duration(elapsed)}, całość: mniej więcej ${format.duration(expected)}`,
  takingLonger: (elapsed) => `Transkrypcja: ${format.duration(elapsed)}, dłużej niż zwykle`,
  transcribingSince: (at) => `Transkrypcja, start ${format.relative(at)}`,
  gettingReady: 'Przygotowuję się do słuchania. Pierwsze nagranie trwa kilka sekund dłużej.',
  continuesInChannel: 'To chwilę potrwa. Transkrypcja pojawi się na tym kanale, gdy będzie gotowa.',
  continuesInDirectMessage:
    'To chwilę potrwa. Wyślę ci transkrypcję, gdy będzie gotowa; do tego czasu zezwól na prywatne wiadomości od członków tego serwera.',
  cancelButton: 'Anuluj',
  cancelled: 'Anulowano. Nie zużywa to nic z twojego dziennego limitu.',
  tooLateToCancel: 'Jest już za późno, żeby to anulować: transkrypcja zaraz się pojawi.',
  interruptedByRestart: 'Uruchomiono mnie ponownie, zanim to było gotowe. Spróbuj jeszcze raz.',
  lateReply: (userId) => `${userMention(userId)}, twoja transkrypcja jest gotowa.`,
  lateFailure: (name) => `Nie udało się przepisać ${code(name)}. Spróbuj później albo podziel plik na części.`,
  someLeftOut: (taken, all) =>
    `Przepisano pierwsze nagrania (${format.number(taken)} z ${format.number(all)}), bo na serwerze, do którego nie należę, mogę odpowiedzieć tylko kilka razy. Do pozostałych użyj ${inlineCode('/transcribe')}.`,

  confirm: (seconds, share) =>
    `To mniej więcej ${format.duration(seconds)} dźwięku i około ${format.percent(share)} pozostałych środków. Przepisać?`,
  confirmAtMost: (seconds, share) =>
    `To najwyżej ${format.duration(seconds)} dźwięku i najwyżej ${format.percent(share)} pozostałych środków. Przepisać?`,
  confirmButton: 'Przepisz',
  listen: 'Posłuchaj',
  notAsked: (taken, all) =>
    `Dotyczy to pierwszych nagrań: ${format.number(taken)} z ${format.number(all)}. O pozostałe poproś jeszcze raz.`,

  title: 'Transkrypcja',
  originalMessage: 'Oryginalna wiadomość',
  pageOf: (page, pages) => `Strona ${format.number(page)} z ${format.number(pages)}`,
  tooLargeToAttach: 'Cała transkrypcja jest za duża, żeby ją załączyć, więc to tylko początek.',
  download: 'Pobierz…',
  otherLanguage: 'Przepisz w innym języku…',
  chooseLanguage: 'Wybierz język…',
  detectLanguage: 'Wykryj język',
};
