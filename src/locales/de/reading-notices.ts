// What is said while a channel is read aloud, in German.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# Nachricht übersprungen.', other: '# Nachrichten übersprungen.' }),
  goesOn: 'Sobald es wieder geht, mache ich mit neuen Nachrichten weiter.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Dieser Server hat heute ${format.percent(share)} seines Budgets fürs Sprechen verbraucht. Zum Vorlesen und für ${inlineCode('/say')} bleibt # Zeichen.`,
      other: `Dieser Server hat heute ${format.percent(share)} seines Budgets fürs Sprechen verbraucht. Zum Vorlesen und für ${inlineCode('/say')} bleiben # Zeichen.`,
    }),
  channelGone: 'Den Sprachkanal gibt es nicht mehr, deshalb lese ich diesen Kanal nicht mehr vor.',
};
