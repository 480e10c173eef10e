// What /privacy says, in Polish.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'Twoja prywatność',
  sent: (host) =>
    host === null
      ? `${bold('Kto co dostaje.')} Twoje teksty i nagrania trafiają do usługi głosowej na moim własnym komputerze i nigdzie indziej.`
      : `${bold('Kto co dostaje.')} Twoje teksty i nagrania trafiają do usługi głosowej ${inlineCode(host)}, bez twojego imienia. O tym, co się tam z nimi dzieje, decyduje jej operator. Nigdzie indziej ich nie wysyłam.`,
  notKept: `${bold('Czego nigdy nie przechowuję.')} Nagrań i transkrypcji. Nie zapisuję ich w żadnym dzienniku, ani twoich tekstów, ani twojego imienia.`,
  texts: `${bold('Teksty.')} Jeśli moja odpowiedź nie może pokazać tekstu dokładnie tak, jak go napisano, na przykład dlatego, że jest długi, przechowuję go zaszyfrowanego do 30 dni, żeby można go było powtórzyć. Jedyny klucz jest w odpowiedzi: gdy zostanie usunięta, nikt nie odczyta tekstu.`,
  kept: `${bold('Co przechowuję o tobie.')} Twój głos, ulubione i ostatnie głosy oraz tempo, dopóki ich nie usuniesz. Ile zużywasz, w liczbach, przez dwa dni.`,
  madeVoices: `${bold('Głosy, które tworzysz.')} Ich tytuły oraz kto i kiedy się zgodził, dopóki ich nie usuniesz. Nagrania trafiają tylko do usługi głosowej. Dopóki czekam na czyjąś zgodę, trzymam twoją prośbę zapieczętowaną, najwyżej 20 godzin.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('Dźwięk.')} Nie przechowuję żadnego.`
      : `${bold('Dźwięk.')} Przechowuję do ${format.megabytes(bytes)} dźwięku, żeby powtórki na tym samym serwerze były za darmo. Najstarszy znika pierwszy, a każdy najpóźniej po 30 dniach. Nazwy plików nie zdradzają tekstu. Zapisuję, które dźwięki są twoje, żeby można je było usunąć.`,
  server: `${bold('Co przechowuję o serwerach.')} Ustawienia, w tym kto jest wyciszony, dopóki się nie zmienią, albo 30 dni po moim usunięciu. Zużycie, w liczbach bez imion, przez 31 dni. Jak głośny jest każdy głos, przez 90 dni.`,
  messages: `${bold('Moje odpowiedzi.')} To wiadomości na Discordzie. Zostają, dopóki ktoś ich nie usunie.`,
  localMessages: `${bold('Moje odpowiedzi.')} To lokalny Discord na moim własnym komputerze. Zamiast serwerów Discorda przechowuje wiadomości i załączniki wszystkich przez jeden dzień, w folderze, który może czytać tylko użytkownik, pod którym działa.`,
  openReplies:
    'Dopóki odpowiedź nie jest gotowa, zapisuję, gdzie się znajduje, żeby poprawić ją po restarcie. W przypadku odpowiedzi, które widzisz tylko ty, przechowuję też zaszyfrowany klucz do ich edycji, najwyżej 15 minut. Jeśli napiszesz do mnie bezpośrednio, przez dzień pamiętam, że wspomniałem ci o poleceniach.',
  erased: `${bold('Usuwanie.')} To, co usuwasz, jest od razu nadpisywane. Inne kopie w mojej bazie danych, jak tytuł twojego głosu wśród ostatnich głosów innych osób, znikają w ciągu 10 minut.`,
  reading: (isRead) =>
    `${bold('Czytanie na głos.')} Tam, gdzie ktoś je włączył, czytam nowe wiadomości z kanału na kanale głosowym. Nie przechowuję ich. Ich dźwięk trzymam tylko w pamięci, dopóki wiadomość nie zostanie zmieniona lub usunięta, najwyżej przez godzinę od ostatniego odtworzenia. To, który głos czyta twoje na danym serwerze, pamiętam przez 30 dni od ostatniego odczytania. Pamiętam też, na których kanałach czytanie zostało włączone przez ciebie, dopóki nie zostanie tam wyłączone. ${isRead ? 'Twoje wiadomości mogą być czytane na głos.' : 'Nie chcesz, żeby twoje wiadomości były czytane na jakimkolwiek serwerze.'}`,
  optOutButton: 'Nie czytaj moich wiadomości',
  optInButton: 'Znów czytaj moje wiadomości',
  optOutGoes: 'Twoje wiadomości znów będą też czytane na głos.',
  deleteButton: 'Usuń moje dane…',
  emptyButton: 'Opróżnij pamięć dźwięku…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? 'Usunąć twoje głosy, tempo, słownik, zapisane teksty i ich dźwięk? Tego nie można cofnąć.'
      : 'Usunąć twoje głosy, tempo, słownik i zapisane teksty? Tego nie można cofnąć.',
  whatStays:
    'Zostają dwie rzeczy: dzisiejsze zużycie, przez dwa dni, żeby usuwanie nie odnawiało limitu; oraz to, czy administrator wyciszył cię na serwerze.',
  deleteYes: 'Usuń',
  cancel: 'Anuluj',
  deleted: (sounds) =>
    sounds === 0
      ? 'Gotowe. Twoje dane są usunięte.'
      : `Gotowe. Twoje dane są usunięte, a z nimi ${format.plural(sounds, { one: '# zapisany dźwięk', few: '# zapisane dźwięki', many: '# zapisanych dźwięków', other: '# zapisanego dźwięku' })}.`,
  deletedLater:
    'Część dźwięków z pamięci podręcznej jest na komputerze, który teraz nie działa. Zostanie tam usunięta, zanim cokolwiek zostanie odtworzone.',
  emptyQuestion: 'Opróżnić pamięć dźwięku wszystkich użytkowników i serwerów? Powtórzenie tego samego znów zużyje środki.',
  emptyYes: 'Opróżnij',
  emptied: (bytes) => `Gotowe. Pamięć dźwięku jest pusta, zwolniło się ${format.megabytes(bytes)}.`,
  yourVoices: (titles) => `Twoje: ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('Twój głos u innych.')} ${format.plural(count, { one: '# głos innej osoby powstał z twojego nagrania, za twoją zgodą.', few: '# głosy innych osób powstały z twoich nagrań, za twoją zgodą.', many: '# głosów innych osób powstało z twoich nagrań, za twoją zgodą.', other: '# głosu innych osób powstało z twoich nagrań, za twoją zgodą.' })}`,
  voicesToo: (count) =>
    format.plural(count, {
      one: 'Zniknie też # głos utworzony przez ciebie lub z twojego nagrania, także z usługi głosowej.',
      few: 'Znikną też # głosy utworzone przez ciebie lub z twoich nagrań, także z usługi głosowej.',
      many: 'Zniknie też # głosów utworzonych przez ciebie lub z twoich nagrań, także z usługi głosowej.',
      other: 'Zniknie też # głosu utworzonego przez ciebie lub z twoich nagrań, także z usługi głosowej.',
    }),
  voicesDeleted: (count) =>
    format.plural(count, {
      one: 'Usunięto też # głos.',
      few: 'Usunięto też # głosy.',
      many: 'Usunięto też # głosów.',
      other: 'Usunięto też # głosu.',
    }),
  voicesLeft: (count) =>
    format.plural(count, {
      one: 'Usługa głosowa nie mogła teraz usunąć # głosu. Nikt nie może go już używać, a ja będę próbować dalej.',
      few: 'Usługa głosowa nie mogła teraz usunąć # głosów. Nikt nie może ich już używać, a ja będę próbować dalej.',
      many: 'Usługa głosowa nie mogła teraz usunąć # głosów. Nikt nie może ich już używać, a ja będę próbować dalej.',
      other: 'Usługa głosowa nie mogła teraz usunąć # głosu. Nikt nie może go już używać, a ja będę próbować dalej.',
    }),
  operatorsOnly: `Tylko właściciel bota może opróżnić pamięć dźwięku. Twoją część usuwa ${bold('Usuń moje dane')}.`,
};
