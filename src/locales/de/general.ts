// What any command may say, in German.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Ich wurde neu gestartet, bevor das fertig war. Frag mich noch einmal.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Ich starte gerade neu. Versuch es in einer Minute noch einmal.',
  unknownCommand: 'Diesen Befehl habe ich nicht mehr. Lade Discord neu, um zu sehen, was es jetzt gibt.',
  unreadableInteraction: 'Ich habe nicht verstanden, was Discord mir geschickt hat. Versuch es noch einmal, oder lade Discord neu.',
  started: 'Bin dabei.',
  directHint: `Ich verstehe nur Befehle. Tippe ${inlineCode('/')}, um sie zu sehen, oder nimm ${inlineCode('/help')}.`,
  expiredMessage: 'Diese Nachricht ist veraltet. Benutze den Befehl noch einmal.',
  notYourButtons: (command) => `Diese Knöpfe kann nur benutzen, wer gefragt hat. Mit ${inlineCode(command)} bekommst du deine eigenen.`,
  previousPage: '‹ Zurück',
  nextPage: 'Weiter ›',
};
