// What /queue, /skip, /stop and /leave say, in French.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'La file est pleine avec # texte. Réessaie bientôt.',
      other: 'La file est pleine avec # textes. Réessaie bientôt.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Tu as déjà # texte dans la file. Attends qu’il soit fini, ou retire-le avec ${inlineCode('/stop')}.`,
      other: `Tu as déjà # textes dans la file. Attends que l’un d’eux soit fini, ou retire-les avec ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Seul ${userMention(ownerId)} ou un modérateur peut passer ce texte.`,
  onlyOwnerCanStop: (ownerId) => `Seul ${userMention(ownerId)} ou un modérateur peut arrêter ce texte.`,
  onlyOwnerCanUse: (ownerId) => `Seul ${userMention(ownerId)} ou un modérateur peut faire ça.`,
  onlyModerators: 'Seul un modérateur peut faire ça.',
  empty: 'Rien n’est en cours.',
  nothingToStop: 'Aucun de tes textes n’est en cours ni en attente.',
  othersWaiting: `D’autres ont encore des textes dans la file, donc seul un modérateur peut me faire partir. Les modérateurs ont ${bold('Rendre des membres muets')} ou ${bold('Gérer les messages')} dans mon salon vocal.`,
  skipped: (ownerId) => `Le texte de ${userMention(ownerId)} est passé.`,
  stopped: (count) => format.plural(count, { one: 'Arrêté. J’ai retiré # texte.', other: 'Arrêté. J’ai retiré # textes.' }),
  left: (channelId) => `J’ai quitté ${channelMention(channelId)}.`,
  nowPlaying: 'En cours',
  upNext: 'Ensuite',
  starting: 'Ça commence…',
  timeLeft: (seconds) => `Encore ${format.duration(seconds)} environ`,
  almostDone: 'Presque fini',
  lasts: (seconds) => `environ ${format.duration(seconds)}`,
  removeButton: 'Retirer',
  alreadyGone: 'Ce texte n’est plus dans la file.',
  pageOf: (page, pages) => `Page ${format.number(page)} sur ${format.number(pages)}`,
};
