// What /status says, in Spanish.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `haz clic derecho en mi nombre en el canal de voz y sube el ${bold('Volumen de usuario')}`;

export const status: Words['status'] = {
  notInGuild: `Aquí no estoy en ningún servidor, así que no hay canal de voz. Con ${say} te mando un mensaje de voz.`,
  notInVoice: `No estás en ningún canal de voz. Entra en uno y usa ${say}.`,
  speaksElsewhere: (id) => `Estoy hablando en ${channelMention(id)}. Entra para oírme.`,
  stage: (id) => `${channelMention(id)} es un escenario y ahí no puedo hablar. Entra en un canal de voz.`,
  serverDeaf: 'Alguien de moderación te ha ensordecido en este servidor. Pídele que lo deshaga.',
  selfDeaf: 'Te has ensordecido. Haz clic en los auriculares junto a tu nombre.',
  elsewhere: (mine, theirs) =>
    `Estoy hablando en ${channelMention(mine)}, pero tú estás en ${channelMention(theirs)}. Ven conmigo o espera a que termine.`,
  missing: (permissions, id) =>
    `Necesito ${format.and(permissions.map((name) => bold(name)))} en ${channelMention(id)}. Un admin del servidor puede permitirlo en los ajustes del canal, o elige otro canal.`,
  serverMute: `Estoy silenciado en este servidor, así que nadie me oye. Llévame a un canal de voz con ${say}; entonces moderación puede hacer clic derecho en mi nombre y quitarme el silencio.`,
  full: (id) => `${channelMention(id)} está lleno. Espera a que salga alguien o elige otro canal.`,
  silent: `Mi volumen en este servidor está al 0 %. Los admins del servidor pueden subirlo en ${settings}.`,
  underWay: {
    connecting: 'Estoy entrando en tu canal de voz. Dame unos segundos.',
    encrypting: 'Estoy en tu canal de voz preparando el cifrado de extremo a extremo. Dame unos segundos.',
    reconnecting: 'Se cortó la conexión de voz y me estoy reconectando. Sigo en unos segundos.',
  },
  stuck: {
    connecting:
      'Discord no me deja entrar en el canal de voz. Inténtalo otra vez. Si sigue igual, prueba otra región en los ajustes del canal.',
    encrypting: 'El cifrado de extremo a extremo no funciona en tu canal de voz. Pide a todos que salgan y vuelvan a entrar.',
    reconnecting: `Se cortó la conexión de voz y no vuelve. Usa ${inlineCode('/leave')} e inténtalo otra vez.`,
  },
  moving: 'Me estoy mudando a otra máquina. Primero termino lo que estoy diciendo y luego sigo con el resto.',
  storeGone: `Ahora no puedo leer ni guardar mis datos, así que ${say} no funciona. Inténtalo dentro de un minuto.\n-# Para quien gestiona el bot: revisa el disco o el almacén compartido.`,
  service: (problem) => `El servicio de voz no funciona. ${problem}`,
  others: `Estoy hablando para otra persona y no tienes nada en la cola. ¿No oyes nada? Entonces ${louder}.`,
  queued: (before) =>
    format.plural(before, {
      one: `Tu texto espera detrás de # más. Míralo en ${inlineCode('/queue')}.`,
      other: `Tu texto espera detrás de # más. Míralo en ${inlineCode('/queue')}.`,
    }),
  speaking: `Ahora mismo hablo para ti. ¿No oyes nada? Entonces ${louder}, y revisa el dispositivo de salida en tus ajustes de voz.`,
  slow: (seconds) => `Todo funciona, pero el servicio de voz va lento (${format.duration(seconds)}), así que puedo empezar tarde.`,
  ready: `Todo funciona y no suena nada. Prueba ${say}. Si no me oyes, ${louder}.`,
  titles: {
    here: 'Este canal',
    voice: 'Tu canal de voz',
    connection: 'Conexión de voz',
    you: 'Tú',
    service: 'Servicio de voz',
    credit: 'Crédito (solo lo ve quien gestiona el bot)',
    whole: 'Todo el bot (solo lo ve quien gestiona el bot)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}: ${next}`,
  permissionNext: 'un admin del servidor puede permitirlo',
  sendMessages: 'Enviar mensajes',
  sendMessagesNext: 'solo hace falta para transcripciones de más de 15 minutos; si no, llegan por MD',
  viewChannel: 'Ver canal',
  notMuted: 'No estoy silenciado',
  muted: 'Estoy silenciado',
  mutedNext: 'moderación puede quitarlo',
  room: 'Hay sitio para mí',
  isFull: 'Está lleno',
  fullNext: 'espera a que salga alguien',
  noChannel: 'Ninguno. Entra en uno para oírme.',
  isStage: 'Es un escenario. Entra en un canal de voz.',
  hears: 'No estás ensordecido',
  deaf: 'Estás ensordecido',
  selfDeafNext: 'haz clic en los auriculares junto a tu nombre',
  serverDeafNext: 'pide a moderación que lo deshaga',
  allowed: `Puedes usar ${say} aquí`,
  notAllowed: `No puedes usar ${say} aquí`,
  notConnected: 'Todavía ninguna. Me conecto cuando uses /say.',
  connection: {
    connecting: (channel, since) => `${channel}, entrando desde ${since}`,
    encrypting: (channel, since) => `${channel}, preparando el cifrado desde ${since}`,
    ready: (channel, since) => `${channel}, conectado ${since}`,
    reconnecting: (channel, since) => `${channel}, cortada ${since}`,
    closed: (channel, since) => `${channel}, cerrada ${since}`,
  },
  movingFrom: (channel) => `${channel}, mudándome a otra máquina`,
  encrypted: 'Cifrada de extremo a extremo',
  notEncrypted: 'Sin cifrado de extremo a extremo',
  notEncryptedNext: 'no hay nadie más, o Discord lo desactivó en esta llamada',
  unheard: (members) => `No puedo descifrar el sonido de ${format.plural(members, { one: '# miembro', other: '# miembros' })}`,
  unheardNext: 'salir del canal de voz y volver a entrar puede ayudar',
  ping: (ms) => `Ping: ${format.number(ms)} ms`,
  queueLength: (length) => `Cola: ${length === 0 ? 'vacía' : format.plural(length, { one: '# texto', other: '# textos' })}`,
  volumeIs: (volume) => `Volumen: ${format.percent(volume)}`,
  answered: (ms) => `Respondió en ${format.number(ms)} ms`,
  fewSessions: (left, until) =>
    `Me han reiniciado tantas veces que Discord solo me dejará conectarme ${format.plural(left, { one: '# vez más', other: '# veces más' })} hasta el ${until}. Después, estaría sin conexión hasta entonces. Mi registro dice por qué me reiniciaron.`,
  noCatalogue: 'No tiene lista de voces, así que no puedo comprobarlo sin gastar crédito.',
  noAnswer: (seconds) =>
    `No respondió en ${format.plural(seconds, { one: '# segundo', other: '# segundos' })}. Inténtalo dentro de un minuto. Si sigue igual, avisa a quien gestiona el bot.`,
  wholeBot: {
    processes: (count) => format.plural(count, { one: '# proceso', other: '# procesos' }),
    shards: (count) => format.plural(count, { one: '# shard', other: '# shards' }),
    servers: (count) => format.plural(count, { one: '# servidor', other: '# servidores' }),
    speakingIn: (count) => `hablando en ${format.number(count)}`,
    free: (list, count) => `Ningún proceso tiene ${format.plural(count, { one: `el shard ${list}`, other: `los shards ${list}` })}`,
    freeNext: `los servidores afectados no reciben respuesta; si sigue así, inicia otro proceso o sube ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list, count) => `En camino a otro proceso: ${format.plural(count, { one: `shard ${list}`, other: `shards ${list}` })}`,
    shardList: (list, count) => format.plural(count, { one: `shard ${list}`, other: `shards ${list}` }),
    noShards: 'sin shards',
    started: (since) => `iniciado ${since}`,
    answersHere: (shard) => `responde aquí (shard ${format.number(shard)})`,
    leaving: 'se está cerrando',
    serviceDown: 'no llega al servicio de voz',
    more: (count) => format.plural(count, { one: 'y # proceso más', other: 'y # procesos más' }),
    unknown: 'Ahora no puedo leer el almacén compartido, así que no sé cómo están los demás procesos.',
  },
};
