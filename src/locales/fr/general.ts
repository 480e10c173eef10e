// What any command may say, in French.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'J’ai redémarré avant d’avoir fini. Redemande-moi.',
  toMember: (userId, sentence) => `${userMention(userId)} : ${sentence}`,
  restarting: 'Je redémarre. Réessaie dans une minute.',
  unknownCommand: 'Je n’ai plus cette commande. Recharge Discord pour voir celles que j’ai maintenant.',
  unreadableInteraction: 'Je n’ai pas compris ce que Discord m’a envoyé. Réessaie, ou recharge Discord.',
  started: 'C’est parti.',
  directHint: `Je ne comprends que les commandes. Tape ${inlineCode('/')} pour les voir, ou utilise ${inlineCode('/help')}.`,
  expiredMessage: 'Ce message n’est plus à jour. Relance la commande.',
  notYourButtons: (command) => `Seul celui qui a demandé peut utiliser ces boutons. Lance ${inlineCode(command)} pour avoir les tiens.`,
  previousPage: '‹ Précédent',
  nextPage: 'Suivant ›',
};
