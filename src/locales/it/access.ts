// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Italian.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} qui è disattivato per te. Puoi riattivarlo in ${settings}.`
      : `Un admin del server ha disattivato ${inlineCode('/say')} per te.`,
  roles: (ids) =>
    isShort(ids)
      ? `Qui possono usarmi solo i membri con ${format.or(ids.map(roleMention))}. Un admin del server può darti il ruolo.`
      : 'Qui possono usarmi solo i membri con certi ruoli. Un admin del server può dartene uno.',
  channels: (ids) =>
    isShort(ids)
      ? `Qui lavoro solo in ${format.or(ids.map(channelMention))}. Riprova lì.`
      : 'Qui lavoro solo in certi canali. Riprova in uno di quelli.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Qui parlo solo in ${format.or(ids.map(channelMention))}. Entra e riprova.`
      : 'Qui parlo solo in certi canali vocali. Entra in uno di quelli e riprova.',
  channelsGone: `Gli unici canali in cui potevo lavorare qui non ci sono più. Chiedi a un admin del server di sceglierne altri in ${settings}.`,
  voiceChannelsGone: `Gli unici canali vocali in cui potevo parlare qui non ci sono più. Chiedi a un admin del server di sceglierne altri in ${settings}.`,
  tooFast: (again) => `Vai un po’ troppo veloce per me. Riprova ${format.relative(again)}.`,
};
