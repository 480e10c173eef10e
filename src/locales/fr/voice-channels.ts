// Why the bot can't speak in a voice channel, in French.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Voir le salon', Connect: 'Se connecter', Speak: 'Parler' },
  botNotInGuild: `Je ne peux parler que sur les serveurs où l’on m’a ajouté. Utilise ${inlineCode('as_file')} pour recevoir le son dans un fichier.`,
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
