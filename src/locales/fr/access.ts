// Refusals: members who may not use Parley, or not here, and those who ask too fast; in French.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

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
