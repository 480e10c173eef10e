// What is said while a channel is read aloud, in French.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# message sauté.', other: '# messages sautés.' }),
  goesOn: 'Je reprendrai avec les nouveaux messages dès que ça remarchera.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Ce serveur a utilisé ${format.percent(share)} de son budget de parole du jour. Il reste # caractère pour la lecture à voix haute et ${inlineCode('/say')}.`,
      other: `Ce serveur a utilisé ${format.percent(share)} de son budget de parole du jour. Il reste # caractères pour la lecture à voix haute et ${inlineCode('/say')}.`,
    }),
  channelGone: 'Le salon vocal n’existe plus, donc j’ai arrêté de lire ce salon à voix haute.',
};
