// What any command may say, in Polish.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Uruchomiono mnie ponownie, zanim to było gotowe. Poproś jeszcze raz.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Właśnie uruchamiam się ponownie. Spróbuj za minutę.',
  unknownCommand: 'Nie mam już tego polecenia. Odśwież Discorda, żeby zobaczyć, co mam teraz.',
  unreadableInteraction: 'Nie rozumiem tego, co przysłał mi Discord. Spróbuj ponownie albo odśwież Discorda.',
  started: 'Już się robi.',
  directHint: `Rozumiem tylko polecenia. Wpisz ${inlineCode('/')}, żeby je zobaczyć, albo użyj ${inlineCode('/help')}.`,
  expiredMessage: 'Ta wiadomość jest nieaktualna. Użyj polecenia ponownie.',
  notYourButtons: (command) => `Tych przycisków może używać tylko osoba, która pytała. Użyj ${inlineCode(command)}, żeby mieć swoje.`,
  previousPage: '‹ Poprzednia',
  nextPage: 'Następna ›',
};
