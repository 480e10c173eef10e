// What /queue, /skip, /stop and /leave say, in Spanish.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'La cola está llena con # texto. Inténtalo dentro de poco.',
      other: 'La cola está llena con # textos. Inténtalo dentro de poco.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Ya tienes # texto en la cola. Espera a que termine o quítalo con ${inlineCode('/stop')}.`,
      other: `Ya tienes # textos en la cola. Espera a que termine uno o quítalos con ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Solo ${userMention(ownerId)} o moderación puede saltar esto.`,
  onlyOwnerCanStop: (ownerId) => `Solo ${userMention(ownerId)} o moderación puede parar esto.`,
  onlyOwnerCanUse: (ownerId) => `Solo ${userMention(ownerId)} o moderación puede hacer esto.`,
  onlyModerators: 'Solo moderación puede hacer esto.',
  empty: 'No suena nada.',
  nothingToStop: 'No tienes ningún texto sonando ni esperando.',
  othersWaiting: `Otros aún tienen textos en la cola, así que solo moderación puede hacerme salir. Moderación es quien tiene ${bold('Silenciar miembros')} o ${bold('Gestionar mensajes')} en mi canal de voz.`,
  skipped: (ownerId) => `He saltado el texto de ${userMention(ownerId)}.`,
  stopped: (count) => format.plural(count, { one: 'Parado. He quitado # texto.', other: 'Parado. He quitado # textos.' }),
  left: (channelId) => `He salido de ${channelMention(channelId)}.`,
  nowPlaying: 'Sonando',
  upNext: 'A continuación',
  starting: 'Empezando…',
  timeLeft: (seconds) => `Tiempo restante: aproximadamente ${format.duration(seconds)}`,
  almostDone: 'Casi listo',
  lasts: (seconds) => `aproximadamente ${format.duration(seconds)}`,
  removeButton: 'Quitar',
  alreadyGone: 'Ese texto ya no está en la cola.',
  pageOf: (page, pages) => `Página ${format.number(page)} de ${format.number(pages)}`,
};
