// What is said while a channel is read aloud, in Brazilian Portuguese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# mensagem pulada.', other: '# mensagens puladas.' }),
  goesOn: 'Continuo com as mensagens novas assim que voltar a funcionar.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Este servidor já usou ${format.percent(share)} do limite de fala de hoje. Ainda resta # caractere para ler em voz alta e para ${inlineCode('/say')}.`,
      other: `Este servidor já usou ${format.percent(share)} do limite de fala de hoje. Ainda restam # caracteres para ler em voz alta e para ${inlineCode('/say')}.`,
    }),
  channelGone: 'O canal de voz não existe mais, então parei de ler este canal em voz alta.',
};
