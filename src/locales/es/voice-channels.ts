// Why the bot can't speak in a voice channel, in Spanish.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Ver canal', Connect: 'Conectar', Speak: 'Hablar' },
  botNotInGuild: `Solo puedo hablar en servidores donde me han añadido. Usa ${inlineCode('as_file')} para recibir el sonido en un archivo.`,
  memberNotInVoice: `No estás en ningún canal de voz. Entra en uno o elige uno en ${inlineCode('channel')}.`,
  botNotInVoice: `No estoy en ningún canal de voz. Entra en uno y usa ${inlineCode('/say')} para llamarme.`,
  stageChannel: (id) => `${channelMention(id)} es un escenario y solo hablo en canales de voz. Elige un canal de voz.`,
  memberCannotConnect: (id) => `No puedes entrar en ${channelMention(id)}, así que no puedo hablar ahí por ti. Elige otro canal.`,
  memberCannotSpeak: (id) => `Necesitas el permiso ${bold('Hablar')} en ${channelMention(id)} para que yo hable ahí. Elige otro canal.`,
  memberServerMuted: 'Moderación te silenció en los canales de voz de este servidor. Volveré a hablar por ti cuando te quiten el silencio.',
  missingPermissions: (permissions, id) =>
    `Necesito ${format.and(permissions.map((name) => bold(name)))} en ${channelMention(id)}. Los admins del servidor pueden permitirlo en los ajustes del canal.`,
  full: (id) => `${channelMention(id)} está lleno. Espera un hueco o elige otro canal.`,
};
