// What any command may say, in Italian.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Sono stato riavviato prima di finire. Chiedimelo di nuovo.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Mi sto riavviando. Riprova tra un minuto.',
  unknownCommand: 'Non ho più questo comando. Ricarica Discord per vedere quelli che ho ora.',
  unreadableInteraction: 'Non ho capito cosa mi ha mandato Discord. Riprova o ricarica Discord.',
  started: 'Ci penso io.',
  directHint: `Capisco solo i comandi. Scrivi ${inlineCode('/')} per vederli, o usa ${inlineCode('/help')}.`,
  expiredMessage: 'Questo messaggio non è più attuale. Usa di nuovo il comando.',
  notYourButtons: (command) => `Solo chi ha chiesto può usare questi pulsanti. Usa ${inlineCode(command)} per avere i tuoi.`,
  previousPage: '‹ Precedente',
  nextPage: 'Successiva ›',
};
