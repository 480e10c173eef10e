// Why the bot can't speak in a voice channel, in Brazilian Portuguese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Ver canal', Connect: 'Conectar', Speak: 'Falar' },
  botNotInGuild: `Só consigo falar em servidores de que sou membro. Use ${inlineCode('as_file')} para receber o som em um arquivo.`,
  memberNotInVoice: `Você não está em um canal de voz. Entre em um ou escolha um em ${inlineCode('channel')}.`,
  botNotInVoice: `Não estou em um canal de voz. Entre em um e use ${inlineCode('/say')} para me chamar.`,
  stageChannel: (id) => `${channelMention(id)} é um palco, e eu só falo em canais de voz. Escolha um canal de voz.`,
  memberCannotConnect: (id) => `Você não pode entrar em ${channelMention(id)}, então não posso falar lá por você. Escolha outro canal.`,
  memberCannotSpeak: (id) => `Você precisa da permissão ${bold('Falar')} em ${channelMention(id)} para eu falar lá. Escolha outro canal.`,
  memberServerMuted: 'A moderação silenciou você nos canais de voz deste servidor. Volto a falar por você quando o silêncio for tirado.',
  missingPermissions: (permissions, id) =>
    `Preciso de ${format.and(permissions.map((name) => bold(name)))} em ${channelMention(id)}. Os admins do servidor podem permitir nas configurações do canal.`,
  full: (id) => `${channelMention(id)} está cheio. Espere uma vaga ou escolha outro canal.`,
};
