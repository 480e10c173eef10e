// What /dictionary says, in Polish.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# wpis', few: '# wpisy', many: '# wpisów', other: '# wpisu' });

export const dictionary: Words['dictionary'] = {
  titles: { server: 'Słownik serwera', me: 'Twój słownik' },
  count: (count, most) => `${format.number(count)} z ${entries(most)}`,
  found: (count, typed) => `${entries(count)} z ${code(typed)}`,
  empty: {
    server: `Tu jeszcze nic nie ma. Poleceniem ${inlineCode('/dictionary add')} uczysz mnie, jak wymawiać słowo.`,
    me: `Tu jeszcze nic nie ma. Poleceniem ${inlineCode('/dictionary add')} uczysz mnie, jak wymawiać słowo dla ciebie. Twoje wpisy mają pierwszeństwo przed wpisami serwera.`,
  },
  noneFound: (typed) => `Żaden wpis nie zawiera ${code(typed)}. Spróbuj krótszego fragmentu słowa.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Dodano do słownika serwera.', me: 'Dodano do twojego słownika.' },
  changed: { server: 'Zmieniono w słowniku serwera.', me: 'Zmieniono w twoim słowniku.' },
  before: (spoken) => `Wcześniej: ${spoken}`,
  removed: { server: 'Usunięto ze słownika serwera.', me: 'Usunięto z twojego słownika.' },
  hear: 'Posłuchaj',
  undo: 'Cofnij',
  undone: { server: 'Cofnięto. Słownik serwera jest taki jak wcześniej.', me: 'Cofnięto. Twój słownik jest taki jak wcześniej.' },
  undoExpired: `Na cofnięcie jest za późno. ${inlineCode('/dictionary list')} pokazuje, co jest teraz.`,
  notFound: {
    server: (word) => `Słowa ${code(word)} nie ma w słowniku serwera. ${inlineCode('/dictionary list')} pokazuje, co w nim jest.`,
    me: (word) => `Słowa ${code(word)} nie ma w twoim słowniku. ${inlineCode('/dictionary list')} pokazuje, co w nim jest.`,
  },
  nothingApplies: (text) => `Żaden wpis nie zmienia tego, jak mówię ${code(text)}. Dodaj go poleceniem ${inlineCode('/dictionary add')}.`,
  full: {
    server: (most) => `Słownik serwera jest pełny: mieści ${entries(most)}. Najpierw usuń jakiś wpis.`,
    me: (most) => `Twój słownik jest pełny: mieści ${entries(most)}. Najpierw usuń jakiś wpis.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `Aby zmienić słownik serwera, potrzebujesz uprawnienia ${bold('Zarządzanie serwerem')}. Aby zmienić własny, wybierz go w ${inlineCode('for')}.`
      : `Aby zmienić słownik serwera, potrzebujesz uprawnienia ${bold('Zarządzanie serwerem')} lub roli ${format.or(roles.map(roleMention))}. Aby zmienić własny, wybierz go w ${inlineCode('for')}.`,
  notInGuild: `Tu jest tylko twój własny słownik. Zostaw ${inlineCode('for')} puste.`,
  problems: {
    noWord: 'Słowo nie ma ani litery, ani cyfry. Wpisz je tak, jak się je pisze.',
    longWord: 'Słowo jest za długie. Użyj najwyżej 100 znaków.',
    noSpoken: 'Nie ma czego powiedzieć zamiast słowa. Wpisz przynajmniej jedną literę lub cyfrę.',
    longSpoken: 'Zamiast słowa jest za dużo do powiedzenia. Użyj najwyżej 200 znaków.',
    language: `Nie znam tego języka. Użyj kodu, np. ${inlineCode('en')}, albo zostaw puste dla wszystkich języków.`,
    duplicate: 'To słowo jest już w jednym z wcześniejszych wierszy. Liczy się tamten.',
    quotes: 'Tutaj lub wyżej cudzysłów nie jest zamknięty.',
    full: 'Słownik jest pełny.',
  },
  showServer: 'Słownik serwera',
  showMine: 'Twój słownik',
  removeMenu: 'Usuń słowo…',
  exported: {
    server: 'Oto słownik serwera. Zmień go w dowolnym arkuszu kalkulacyjnym i zaimportuj ponownie.',
    me: 'Oto twój słownik. Zmień go w dowolnym arkuszu kalkulacyjnym i zaimportuj ponownie.',
  },
  importTitle: { server: 'Importuj do słownika serwera', me: 'Importuj do twojego słownika' },
  importLabel: 'Plik CSV',
  importHint: 'Kolumny: słowo, co mówić, język (może być pusty). Do 1 MB.',
  importModeLabel: 'Wpisy, które już są',
  importModes: { merge: 'Zostaw je; dla tego samego słowa liczy się plik', replace: 'Najpierw usuń wszystkie' },
  imported: (added, changed) =>
    changed === 0
      ? `Zaimportowano. Nowe wpisy: ${format.number(added)}.`
      : `Zaimportowano. Nowe wpisy: ${format.number(added)}, zmienione: ${format.number(changed)}.`,
  importedInstead: (count, gone) => `Zaimportowano. Teraz ${entries(count)}, wcześniej ${format.number(gone)}.`,
  importedNothing: (file) => `W pliku ${code(file)} nie ma nic, czego mogę użyć. Nic nie zostało zmienione.`,
  skipped: (count) =>
    format.plural(count, {
      one: 'Pominięto # wiersz:',
      few: 'Pominięto # wiersze:',
      many: 'Pominięto # wierszy:',
      other: 'Pominięto # wiersza:',
    }),
  line: (line, reason) => `Wiersz ${format.number(line)}: ${reason}`,
  lines: (from, to, reason) => `Wiersze ${format.number(from)}–${format.number(to)}: ${reason}`,
  moreSkipped: (count) =>
    `… i ${format.plural(count, { one: '# kolejny', few: '# kolejne', many: '# kolejnych', other: '# kolejnego' })}. Wszystkie są w załączonym pliku.`,
  unread: {
    full: (line) => `Czytanie zakończone na wierszu ${format.number(line)}, bo w słowniku nie ma już miejsca.`,
    tooManyBad: (line) =>
      `Czytanie zakończone na wierszu ${format.number(line)}, bo zbyt wielu wcześniejszych wierszy nie da się przyjąć. Popraw je i zaimportuj plik jeszcze raz.`,
  },
  notText: (file) => `${code(file)} nie jest plikiem tekstowym w UTF-8. W Excelu zapisz go jako „CSV UTF-8”. Nic nie zostało zmienione.`,
  fileTooLarge: (file, limit) =>
    `${code(file)} ma ponad ${format.megabytes(limit)}, więcej, niż mieści słownik. Podziel go. Nic nie zostało zmienione.`,
  privacy: (count) =>
    `${bold('Słowniki.')} ${count === 0 ? '' : `W twoim: ${entries(count)}, dopóki ich nie usuniesz. `}Wpisy serwera zostają tak długo jak jego ustawienia.`,
};
