// What is said while a channel is read aloud, in Polish.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) =>
    format.plural(count, {
      one: 'Pominięto # wiadomość.',
      few: 'Pominięto # wiadomości.',
      many: 'Pominięto # wiadomości.',
      other: 'Pominięto # wiadomości.',
    }),
  goesOn: 'Gdy znów zacznie działać, będę czytać dalej nowe wiadomości.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Został # znak na czytanie na głos i ${inlineCode('/say')}.`,
      few: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Zostały # znaki na czytanie na głos i ${inlineCode('/say')}.`,
      many: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Zostało # znaków na czytanie na głos i ${inlineCode('/say')}.`,
      other: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Zostało # znaku na czytanie na głos i ${inlineCode('/say')}.`,
    }),
  channelGone: 'Kanał głosowy już nie istnieje, więc ten kanał nie jest już czytany na głos.',
};
