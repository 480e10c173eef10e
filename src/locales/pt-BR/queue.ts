// What /queue, /skip, /stop and /leave say, in Brazilian Portuguese.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'A fila está cheia, com # texto. Tente de novo daqui a pouco.',
      other: 'A fila está cheia, com # textos. Tente de novo daqui a pouco.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Você já tem # texto na fila. Espere ele terminar ou descarte com ${inlineCode('/stop')}.`,
      other: `Você já tem # textos na fila. Espere um terminar ou descarte todos com ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Só ${userMention(ownerId)} ou a moderação pode pular isto.`,
  onlyOwnerCanStop: (ownerId) => `Só ${userMention(ownerId)} ou a moderação pode parar isto.`,
  onlyOwnerCanUse: (ownerId) => `Só ${userMention(ownerId)} ou a moderação pode fazer isso.`,
  onlyModerators: 'Só a moderação pode fazer isso.',
  empty: 'Nada está tocando.',
  nothingToStop: 'Nenhum texto seu está tocando ou esperando.',
  othersWaiting: `Ainda há textos de outras pessoas na fila, então só a moderação pode me fazer sair. Isso vale para quem tem ${bold('Silenciar membros')} ou ${bold('Gerenciar mensagens')} no meu canal de voz.`,
  skipped: (ownerId) => `Pulei o texto de ${userMention(ownerId)}.`,
  stopped: (count) => format.plural(count, { one: 'Parei. Descartei # texto.', other: 'Parei. Descartei # textos.' }),
  left: (channelId) => `Saí de ${channelMention(channelId)}.`,
  nowPlaying: 'Tocando agora',
  upNext: 'A seguir',
  starting: 'Começando…',
  timeLeft: (seconds) => `Faltam cerca de ${format.duration(seconds)}`,
  almostDone: 'Quase no fim',
  lasts: (seconds) => `cerca de ${format.duration(seconds)}`,
  removeButton: 'Remover',
  alreadyGone: 'Esse texto não está mais na fila.',
  pageOf: (page, pages) => `Página ${format.number(page)} de ${format.number(pages)}`,
};
