// What any command may say, in French.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

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

// Refusals: members who may not use Parley, or not here, and those who ask too fast; in French.

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} est désactivé pour toi ici. Tu peux le réactiver dans ${settings}.`
      : `Un admin du serveur a désactivé ${inlineCode('/say')} pour toi.`,
  roles: (ids) =>
    isShort(ids)
      ? `Ici, seuls les membres avec ${format.or(ids.map(roleMention))} peuvent m’utiliser. Un admin du serveur peut te donner le rôle.`
      : 'Ici, seuls les membres avec certains rôles peuvent m’utiliser. Un admin du serveur peut t’en donner un.',
  channels: (ids) =>
    isShort(ids)
      ? `Ici, je ne travaille que dans ${format.or(ids.map(channelMention))}. Réessaie là-bas.`
      : 'Ici, je ne travaille que dans certains salons. Réessaie dans l’un d’eux.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Ici, je ne parle que dans ${format.or(ids.map(channelMention))}. Rejoins ce salon et réessaie.`
      : 'Ici, je ne parle que dans certains salons vocaux. Rejoins l’un d’eux et réessaie.',
  channelsGone: `Les salons auxquels je suis limité ici n’existent plus. Demande à un admin du serveur d’en choisir d’autres dans ${settings}.`,
  voiceChannelsGone: `Les salons vocaux auxquels je suis limité ici n’existent plus. Demande à un admin du serveur d’en choisir d’autres dans ${settings}.`,
  tooFast: (again) => `Tu vas un peu trop vite pour moi. Réessaie ${format.relative(again)}.`,
};

// What is wrong with an attached file, in French.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} n’est pas sur Discord, et je ne lis que les fichiers qui y sont. Envoie le fichier lui-même.`,
  empty: (name) => `${code(name)} est vide. Envoie-le à nouveau.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} fait ${format.megabytes(bytes)}, et je peux transcrire jusqu’à ${format.megabytes(limit)}. Coupe-le, ou enregistre-le en MP3 ou Opus.`,
  notAudio: (name) => `Je ne peux pas lire ${code(name)} comme du son. Utilise MP3, WAV, Ogg, Opus, FLAC, M4A ou WebM.`,
  downloadFailed: (name) => `Je n’ai pas pu récupérer ${code(name)} sur Discord. Réessaie, ou envoie-le à nouveau.`,
  downloadGone: (name) =>
    `${code(name)} a été supprimé, ou son lien a expiré après un jour. Envoie-le à nouveau, ou utilise ${inlineCode('Transcribe')} sur son message.`,
  downloadIncomplete: (name) => `${code(name)} s’est interrompu pendant que je le lisais. Réessaie, ou envoie-le à nouveau.`,
  downloadOversized: (name) => `${code(name)} est plus long que Discord ne le dit, donc j’ai arrêté de le lire. Envoie-le à nouveau.`,
  downloadSlow: (name) => `Discord envoie ${code(name)} trop lentement. Réessaie plus tard.`,
};

// Why the bot can't speak in a voice channel, in French.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Voir le salon', Connect: 'Se connecter', Speak: 'Parler' },
  botNotInGuild: `Je ne peux parler que sur les serveurs où l’on m’a ajouté. Choisis « Message vocal » dans ${inlineCode('send_as')} pour recevoir quand même le son.`,
  memberNotInVoice: `Tu n’es dans aucun salon vocal. Rejoins-en un, ou choisis-en un avec ${inlineCode('channel')}.`,
  botNotInVoice: `Je ne suis dans aucun salon vocal. Rejoins-en un et utilise ${inlineCode('/say')} pour me faire venir.`,
  stageChannel: (id) => `${channelMention(id)} est une scène, et je ne parle que dans les salons vocaux. Choisis un salon vocal.`,
  memberCannotConnect: (id) =>
    `Tu ne peux pas rejoindre ${channelMention(id)}, donc je ne peux pas y parler pour toi. Choisis un autre salon.`,
  memberCannotSpeak: (id) =>
    `Pour que je parle dans ${channelMention(id)}, il te faut la permission ${bold('Parler')} dans ce salon. Choisis un autre salon.`,
  memberServerMuted: 'Un modérateur t’a rendu muet dans les salons vocaux de ce serveur. Je reparlerai pour toi quand ce sera levé.',
  missingPermissions: (permissions, id) =>
    `Il me faut ${format.and(permissions.map((name) => bold(name)))} dans ${channelMention(id)}. Les admins du serveur peuvent l’autoriser dans les paramètres du salon.`,
  full: (id) => `${channelMention(id)} est plein. Attends une place libre ou choisis un autre salon.`,
};
