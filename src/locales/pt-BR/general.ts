// What any command may say, in Brazilian Portuguese.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Fui reiniciado antes de terminar isso. Peça de novo.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Estou reiniciando. Tente de novo em um minuto.',
  unknownCommand: 'Não tenho mais este comando. Recarregue o Discord para ver o que tenho agora.',
  unreadableInteraction: 'Não entendi o que o Discord me mandou. Tente de novo ou recarregue o Discord.',
  started: 'Já vou.',
  directHint: `Só entendo comandos. Digite ${inlineCode('/')} para vê-los ou use ${inlineCode('/help')}.`,
  expiredMessage: 'Esta mensagem está desatualizada. Use o comando de novo.',
  notYourButtons: (command) => `Só quem pediu pode usar estes botões. Use ${inlineCode(command)} para ter os seus.`,
  previousPage: '‹ Anterior',
  nextPage: 'Próxima ›',
};
