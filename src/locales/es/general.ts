// What any command may say, in Spanish.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Me reinicié antes de terminar. Pídemelo otra vez.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Me estoy reiniciando. Inténtalo dentro de un minuto.',
  unknownCommand: 'Ya no tengo este comando. Recarga Discord para ver los que tengo ahora.',
  unreadableInteraction: 'No entendí lo que me mandó Discord. Inténtalo otra vez o recarga Discord.',
  started: 'Voy.',
  directHint: `Solo entiendo comandos. Escribe ${inlineCode('/')} para verlos, o usa ${inlineCode('/help')}.`,
  expiredMessage: 'Este mensaje ya no está al día. Usa el comando otra vez.',
  notYourButtons: (command) => `Solo quien preguntó puede usar estos botones. Usa ${inlineCode(command)} para tener los tuyos.`,
  previousPage: '‹ Anterior',
  nextPage: 'Siguiente ›',
};
