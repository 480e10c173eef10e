// What is said while a channel is read aloud, in Spanish.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# mensaje omitido.', other: '# mensajes omitidos.' }),
  goesOn: 'Seguiré con los mensajes nuevos en cuanto vuelva a funcionar.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Este servidor ha usado el ${format.percent(share)} de su presupuesto de voz de hoy. Queda # carácter para leer en voz alta y para ${inlineCode('/say')}.`,
      other: `Este servidor ha usado el ${format.percent(share)} de su presupuesto de voz de hoy. Quedan # caracteres para leer en voz alta y para ${inlineCode('/say')}.`,
    }),
  channelGone: 'El canal de voz ya no existe, así que he dejado de leer este canal en voz alta.',
};
