// What /voices says, in Polish.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Samego głosu posłuchasz dzięki ${inlineCode('/say')}.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: 'Głosy',
  found: (total, page, pages) => {
    const voices = plural(total, { one: '# głos', few: '# głosy', many: '# głosów', other: '# głosu' });
    return pages > 1 ? `${voices} · strona ${number(page)} z ${number(pages)}` : voices;
  },
  noneFound: 'Żaden głos nie pasuje. Spróbuj z mniejszą liczbą filtrów.',
  nothingOnPage: `Żaden głos na tej stronie nie potrafi mówić. Przejdź do następnej albo zobacz wszystkie: ${inlineCode('/voices all:True')}.`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `Nie ma strony ${number(page)}, jest tylko jedna strona.`
      : `Nie ma strony ${number(page)}. Ostatnia to ${number(pages)}.`,
  ownVoicesForOperators: `Tylko właściciel bota może przeglądać głosy z konta bota. Pomiń ${inlineCode('mine')}, żeby zobaczyć publiczne.`,
  ownVoicesStayPrivate: 'Te głosy należą do właściciela bota i pozostają prywatne.',
  yes: 'tak',

  by: (author) => `autor: ${author}`,
  coverOf: (title) => `Okładka: ${title}`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { one: 'użyty # raz', few: 'użyty # razy', many: 'użyty # razy', other: 'użyty # raza' }),
  sings: 'Zmienia głos śpiewającego. Nie mówi tekstów.',
  notReady: (state) =>
    state === 'failed' ? 'Trening się nie udał, więc ten głos nie potrafi mówić.' : 'Wciąż w treningu, więc jeszcze nie potrafi mówić.',
  id: 'ID',
  sample: (place) => `Próbka ${number(place)}`,
  furtherSamples: (count) =>
    plural(count, {
      one: '… i jeszcze # próbka',
      few: '… i jeszcze # próbki',
      many: '… i jeszcze # próbek',
      other: '… i jeszcze # próbki',
    }),

  hearOne: 'Posłuchaj…',
  useOne: 'Użyj…',
  open: 'Szczegóły…',
  share: 'Udostępnij',
  back: '‹ Wróć',
  hear: 'Posłuchaj',
  hearAnother: 'Posłuchaj próbki…',

  choices: {
    mine: {
      off: 'Ustaw jako mój głos',
      on: '✓ Mój głos',
      chosen: (title) =>
        `${titled(title)} to teraz twój głos, do wszystkiego, co powiesz za pomocą ${inlineCode('/say')} na każdym serwerze.`,
      givenUp: (title) => `${titled(title)} nie jest już twoim głosem. Twoje teksty mają teraz głos kanału lub serwera.`,
    },
    favourite: {
      off: 'Dodaj do ulubionych',
      on: '★ Ulubiony',
      chosen: (title) => `${titled(title)} jest teraz wśród twoich ulubionych, na górze listy przy wyborze głosu w ${inlineCode('/say')}.`,
      givenUp: (title) => `${titled(title)} nie jest już wśród twoich ulubionych.`,
    },
    server: {
      off: 'Ustaw dla serwera',
      on: '✓ Głos tego serwera',
      chosen: (title) => `${titled(title)} to teraz głos tego serwera dla wszystkich, którzy nie wybrali własnego.`,
      givenUp: (title) => `${titled(title)} nie jest już głosem tego serwera. Kto nie wybrał własnego, ma głos domyślny.`,
    },
  },

  gone: (title) => `Głos ${titled(title)} nie jest już dostępny. Wybierz inny w ${inlineCode('/voices')}.`,
  cannotSpeak: (title) => `${titled(title)} nie potrafi mówić tekstów. Wybierz inny głos.`,
  serverVoiceForAdmins:
    'Głos serwera mogą wybrać tylko administratorzy serwera (z uprawnieniem **Zarządzanie serwerem**). Nadal możesz go używać jako swojego.',

  noSample: (title) => `Nie ma już próbki głosu ${titled(title)}. ${hearWithSay}`,
  sampleUnreadable: (title) => `Nie udało się wczytać próbki głosu ${titled(title)}. Spróbuj za chwilę.`,
  sampleTooLarge: (title) => `Próbka głosu ${titled(title)} jest za duża, żeby ją odtworzyć. ${hearWithSay}`,
  sampleNotAudio: (title) => `Próbka głosu ${titled(title)} nie jest dźwiękiem, który mogę odtworzyć. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `Odtwarzam próbkę głosu ${titled(title)} na ${channelMention(channelId)}.`
      : `Próbka głosu ${titled(title)} zabrzmi na ${channelMention(channelId)} po ${plural(before, { one: '# tekście', few: '# tekstach', many: '# tekstach', other: '# tekstu' })}.`,
  sampleAttached: (title) => `Oto próbka głosu ${titled(title)}. Dołącz do kanału głosowego, a odtworzę ją tam.`,
};
