// What is said while a channel is read aloud, in Italian.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# messaggio saltato.', other: '# messaggi saltati.' }),
  goesOn: 'Riprenderò con i messaggi nuovi appena torna a funzionare.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Questo server ha usato oggi il ${format.percent(share)} del suo budget per il parlato. Resta # carattere per leggere ad alta voce e per ${inlineCode('/say')}.`,
      other: `Questo server ha usato oggi il ${format.percent(share)} del suo budget per il parlato. Restano # caratteri per leggere ad alta voce e per ${inlineCode('/say')}.`,
    }),
  channelGone: 'Il canale vocale non esiste più, quindi ho smesso di leggere questo canale ad alta voce.',
};
