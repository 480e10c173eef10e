// What any command may say, in Spanish.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Me reinicié antes de terminar. Pídemelo otra vez.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Me estoy reiniciando. Inténtalo dentro de un minuto.',
  unknownCommand: 'Ya no tengo este comando. Recarga Discord para ver los que tengo ahora.',
  unreadableInteraction: 'No entendí lo que me mandó Discord. Inténtalo otra vez o recarga Discord.',
  started: 'Voy.',
  directHint: `Solo entiendo comandos. Escribe ${inlineCode('/')} para verlos, o usa ${inlineCode('/help')}.`,
  expiredMessage: 'Este mensaje ya no está al día. Usa el comando otra vez.',
  notYourButtons: (command) => `Solo quien preguntó puede usar estos botones. Usa ${inlineCode(command)} para tener los tuyos.`,
  previousPage: '‹ Anterior',
  nextPage: 'Siguiente ›',
};

// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Spanish.

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

// What is wrong with an attached file, in Spanish.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} no está en Discord, y solo leo archivos de ahí. Sube el archivo directamente.`,
  empty: (name) => `${code(name)} está vacío. Súbelo otra vez.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} ocupa ${format.megabytes(bytes)} y puedo transcribir hasta ${format.megabytes(limit)}. Córtalo en partes o guárdalo como MP3 u Opus.`,
  notAudio: (name) => `No puedo leer ${code(name)} como audio. Usa MP3, WAV, Ogg, Opus, FLAC, M4A o WebM.`,
  downloadFailed: (name) => `No he podido obtener ${code(name)} de Discord. Inténtalo otra vez o súbelo de nuevo.`,
  downloadGone: (name) =>
    `${code(name)} se borró o su enlace caducó después de un día. Súbelo de nuevo o usa ${inlineCode('Transcribe')} en su mensaje.`,
  downloadIncomplete: (name) => `${code(name)} se cortó mientras lo leía. Inténtalo otra vez o súbelo de nuevo.`,
  downloadOversized: (name) => `${code(name)} es más largo de lo que dice Discord, así que dejé de leerlo. Súbelo de nuevo.`,
  downloadSlow: (name) => `Discord manda ${code(name)} demasiado despacio. Inténtalo más tarde.`,
};

// Why the bot can't speak in a voice channel, in Spanish.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Ver canal', Connect: 'Conectar', Speak: 'Hablar' },
  botNotInGuild: `Solo puedo hablar en servidores donde me han añadido. Elige «Mensaje de voz» en ${inlineCode('send_as')} para recibir el sonido igualmente.`,
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
