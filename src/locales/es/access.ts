// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Spanish.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} está desactivado para ti aquí. Puedes volver a activarlo en ${settings}.`
      : `Un admin del servidor ha desactivado ${inlineCode('/say')} para ti.`,
  roles: (ids) =>
    isShort(ids)
      ? `Aquí solo pueden usarme los miembros con ${format.or(ids.map(roleMention))}. Un admin del servidor puede darte el rol.`
      : 'Aquí solo pueden usarme los miembros con ciertos roles. Un admin del servidor puede darte uno.',
  channels: (ids) =>
    isShort(ids)
      ? `Aquí solo trabajo en ${format.or(ids.map(channelMention))}. Inténtalo allí.`
      : 'Aquí solo trabajo en ciertos canales. Inténtalo en uno de ellos.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Aquí solo hablo en ${format.or(ids.map(channelMention))}. Entra e inténtalo otra vez.`
      : 'Aquí solo hablo en ciertos canales de voz. Entra en uno de ellos e inténtalo otra vez.',
  channelsGone: `Los canales a los que estoy limitado aquí ya no existen. Pide a un admin del servidor que elija otros en ${settings}.`,
  voiceChannelsGone: `Los canales de voz a los que estoy limitado aquí ya no existen. Pide a un admin del servidor que elija otros en ${settings}.`,
  tooFast: (again) => `Vas un poco rápido para mí. Inténtalo ${format.relative(again)}.`,
};
