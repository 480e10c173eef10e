// Why the bot can't speak in a voice channel, in Italian.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Visualizza canale', Connect: 'Connettersi', Speak: 'Parlare' },
  botNotInGuild: `Posso parlare solo nei server di cui sono membro. Usa ${inlineCode('as_file')} per avere l’audio in un file.`,
  memberNotInVoice: `Non sei in un canale vocale. Entra in uno o scegline uno in ${inlineCode('channel')}.`,
  botNotInVoice: `Non sono in un canale vocale. Entra in uno e usa ${inlineCode('/say')} per chiamarmi.`,
  stageChannel: (id) => `${channelMention(id)} è uno stage, e io parlo solo nei canali vocali. Scegli un canale vocale.`,
  memberCannotConnect: (id) => `Non puoi entrare in ${channelMention(id)}, quindi non posso parlare lì per te. Scegli un altro canale.`,
  memberCannotSpeak: (id) => `Perché io parli in ${channelMention(id)} ti serve il permesso ${bold('Parlare')}. Scegli un altro canale.`,
  memberServerMuted:
    'Un moderatore ti ha silenziato nei canali vocali di questo server. Tornerò a parlare per te appena avrai di nuovo il microfono attivo.',
  missingPermissions: (permissions, id) =>
    `Permessi che mi servono in ${channelMention(id)}: ${format.and(permissions.map((name) => bold(name)))}. Gli admin del server possono darmeli nelle impostazioni del canale.`,
  full: (id) => `${channelMention(id)} è pieno. Aspetta che si liberi un posto o scegli un altro canale.`,
};
