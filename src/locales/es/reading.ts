// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Spanish.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord no me deja leer mensajes. Quien gestiona el bot puede activar ${bold('Message Content Intent')} en el portal de desarrolladores y reiniciarme. Hasta entonces solo puedo leer mensajes sueltos con ${bold('Read this aloud')}.`,
  notInGuild: 'Solo puedo leer canales en servidores donde me han añadido. Pide a un admin que me añada aquí.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `Necesitas ${bold('Gestionar servidor')} para empezar o terminar la lectura. Los admins pueden permitirlo a más roles en ${settings}.`
      : `Necesitas ${bold('Gestionar servidor')} o ${format.or(roles.map(roleMention))} para empezar o terminar la lectura. Un admin puede darte el rol.`,
  privateThread: `No leo hilos privados en voz alta, porque los oiría gente que no está invitada. Usa ${start} en un canal.`,
  noVoiceChannel: `No estás en ningún canal de voz. Entra en uno o elige uno en ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'No puedes ver ese canal de voz. Elige otro.',
  cannotSeeText: (id) => `No puedes ver ${channelMention(id)}, así que no puedes pedir que se lea en voz alta.`,
  iCannotSee: (id) =>
    `No puedo ver lo que se escribe en ${channelMention(id)}. Un admin del servidor puede permitirme ${bold('Ver canal')} ahí.`,
  alreadyReading: (text, voice) => `Ya estoy leyendo ${channelMention(text)} en voz alta en ${channelMention(voice)}.`,
  readingElsewhere: (texts, voice) =>
    `En ${channelMention(voice)} hay gente escuchando cómo leo ${channels(texts)}, y solo puedo estar en un canal de voz a la vez. Usa antes ${stop} o elige ese canal de voz.`,
  exposed: (who, text, voice) =>
    `${bold('Lo oiría gente que no puede ver este canal.')}\nPueden entrar en ${channelMention(voice)}, pero no ver ${channelMention(text)}: ${format.and(who)}. ¿Leerlo de todos modos?`,
  everyone: 'todos',
  others: (count) => format.plural(count, { one: '# más', other: '# más' }),
  startAnyway: 'Leerlo de todos modos',
  cancel: 'Cancelar',
  cancelled: 'Vale, no lo leo.',
  startedAnyway: 'Vale, lo leo.',
  started: (member, text, voice) =>
    `${userMention(member)} ha activado la lectura en voz alta: ahora leo lo que se escribe en ${channelMention(text)} a todos los que están en ${channelMention(voice)}.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} me ha traído de vuelta: vuelvo a leer lo que se escribe en ${channelMention(text)} a todos los que están en ${channelMention(voice)}.`,
  optOut: `¿No quieres que se lean tus mensajes? Usa ${inlineCode('/read me off')}.`,
  skipOne: (prefix) => `Para que no lea un mensaje, empiézalo por ${code(prefix)}.`,
  stopped: (member, texts) => `${userMention(member)} ha desactivado la lectura en voz alta de ${channels(texts)}.`,
  stoppedAlways: `Está puesto que se lea siempre, así que volveré cuando todos hayan salido del canal de voz y alguien entre de nuevo. Los admins pueden cambiarlo en ${settings}.`,
  notReading: `No estoy leyendo ningún canal en voz alta. Empieza con ${start}.`,
  stillReading: `Sigo leyendo los mensajes nuevos. Para terminar, usa ${stop}.`,
  pausedReading: `Seguiré leyendo cuando todos hayan salido del canal de voz y alguien entre de nuevo, o con ${start}.`,
  leaveStops: (texts) => `Aquí estoy leyendo ${channels(texts)} en voz alta, y si me voy, se acaba.`,
  meOff: (dropped) =>
    dropped === 0
      ? 'Hecho. No leeré tus mensajes en voz alta en ningún servidor.'
      : `Hecho. No leeré tus mensajes en voz alta en ningún servidor. ${format.plural(dropped, { one: 'He quitado # que esperaba.', other: 'He quitado # que esperaban.' })}`,
  meOn: 'Hecho. Vuelvo a leer tus mensajes en voz alta donde esté activado.',
  mutedHere: `En este servidor, moderación ha desactivado la lectura de tus mensajes. Pregunta a un admin: puede deshacerlo con ${bold('Stop reading this member')} o en ${settings}.`,
  authorOptedOut: (id) => `${userMention(id)} no quiere que se lean sus mensajes en voz alta.`,
  authorMuted: (id) => `La lectura de los mensajes de ${userMention(id)} está desactivada en este servidor.`,
  nothingToRead: 'En este mensaje no hay nada que pueda leer. Elige uno con palabras.',
  messageGone: 'El mensaje se eliminó antes de que pudiera leerlo.',
  readsMessage: (author, link) => `Hace leer el [mensaje](${link}) de ${userMention(author)}`,
  muted: (id) =>
    `Hecho. Ya no leo los mensajes de ${userMention(id)}, y tampoco puede usar ${inlineCode('/say')}. Los admins pueden deshacerlo con este comando o en ${settings}.`,
  unmuted: (id) => `Hecho. Vuelvo a leer los mensajes de ${userMention(id)}, y ya puede usar ${inlineCode('/say')}.`,
  onlyAdminsUnmute: (id) =>
    `Ya no leía los mensajes de ${userMention(id)}. Solo los admins pueden deshacerlo, con este comando o en ${settings}.`,
  cannotMuteMe: 'No leo mis propios mensajes. Elige a otra persona.',
  status: {
    title: 'Lectura en voz alta',
    reads: (text, voice) => `Leo ${channelMention(text)} en ${channelMention(voice)}.`,
    readsAlways: (text, voice) => `Siempre leo ${channelMention(text)} en ${channelMention(voice)}.`,
    paused: {
      leave: `Ahora no leo: alguien me hizo salir del canal de voz con ${inlineCode('/leave')}. Vuelvo cuando todos hayan salido de él y alguien entre de nuevo, o con ${start}.`,
      disconnect: `Ahora no leo: moderación me desconectó del canal de voz. Vuelvo cuando todos hayan salido de él y alguien entre de nuevo, o con ${start}.`,
    },
    stopped: (texts) =>
      `Siempre leo ${channels(texts)}, pero alguien lo ha desactivado con ${stop}. Vuelvo cuando todos hayan salido del canal de voz y alguien entre de nuevo, o con ${start}.`,
    nothing: `No estoy leyendo ningún canal en voz alta. Usa ${start} en el que quieras que lea.`,
    nothingWaits: 'No espera nada',
    waiting: (messages, delay) =>
      `${format.plural(messages, { one: 'Espera # mensaje', other: 'Esperan # mensajes' })}; uno nuevo se oye en aproximadamente ${format.duration(delay)}`,
    faster: (factor) => `Hablo ${format.number(factor, 1)} veces más rápido para no atrasarme`,
    nameless: 'Omito los nombres para no atrasarme',
    skipped: (count) =>
      format.plural(count, { one: 'He saltado # mensaje para no atrasarme', other: 'He saltado # mensajes para no atrasarme' }),
    left: (characters, resets) =>
      characters === null
        ? 'Este servidor no tiene límite diario'
        : `A este servidor le quedan hoy: ${format.plural(characters, { one: '# carácter', other: '# caracteres' })} (se renueva ${resets})`,
    usedUp: (resets) => `Este servidor ha gastado lo de hoy. Sigue ${resets}.`,
    optedOut: `Has elegido que no se te lea, así que no leo tus mensajes. Deshazlo con ${inlineCode('/read me on')}.`,
    slowVoice: (title) => `${title} es demasiado lenta en este equipo para leer en voz alta, así que leo tus mensajes con otra voz.`,
    problem: (sentence, at) => `Último problema, ${at}: ${sentence}`,
    titles: { now: 'Ahora mismo', here: 'En', you: 'Tú' },
    viewChannelNext: 'sin eso no recibo ningún mensaje; un admin del servidor puede permitirlo',
    optional: {
      SendMessages: 'sin eso no puedo escribir aquí por qué algo no se oye',
      AddReactions: 'sin eso no puedo marcar los mensajes que no se oyen',
      ReadMessageHistory: 'sin eso no puedo marcar los mensajes que no se oyen ni leer los reenviados',
    },
    permissionNames: {
      SendMessages: 'Enviar mensajes',
      AddReactions: 'Añadir reacciones',
      ReadMessageHistory: 'Leer el historial de mensajes',
    },
  },
  panel: {
    always: 'Siempre se leen',
    pair: (text, voice) => `${text} en ${voice}`,
    alwaysMenu: 'Leer siempre: elige el canal de voz',
    textMenu: 'Canales de texto que siempre se leen ahí',
    who: {
      everyone: 'Leer los mensajes de todos',
      listeners: 'Solo de quien está en el canal de voz',
    },
    optionsMenu: 'Ni nombres, ni bots, ni reacciones',
    options: {
      names: { label: 'Decir quién escribe', description: 'Una vez, cuando escribe otra persona' },
      bots: { label: 'Leer bots', description: 'También mensajes de otros bots y de webhooks' },
      reactions: { label: 'Marcar lo que no se oye', description: 'Con una reacción al mensaje' },
    },
    roles: 'Roles que se leen',
    rolesMenu: 'Roles que se leen (ninguno = todos)',
    readerRoles: 'Pueden empezar y terminar la lectura',
    readerRolesMenu: 'Otros roles que también pueden',
    adminsOnly: 'solo los admins',
    delay: 'Un mensaje nuevo se oye en',
    seconds: (count) => format.plural(count, { one: '# segundo', other: '# segundos' }),
    prefix: 'No se lee si empieza por',
    formTitle: 'Lectura en voz alta',
    delayLabel: 'Segundos hasta que se oye un mensaje',
    delayHint: (least, most, usual) =>
      `De ${format.number(least)} a ${format.number(most)}. Vacío = ${format.number(usual)}. Si hay más, salto algunos.`,
    prefixLabel: 'Saltar mensajes que empiecen por',
    prefixHint: 'Vacío = leer todos los mensajes',
  },
};

// What is said while a channel is read aloud, in Spanish.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# mensaje omitido.', other: '# mensajes omitidos.' }),
  goesOn: 'Seguiré con los mensajes nuevos en cuanto vuelva a funcionar.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Este servidor ha usado el ${format.percent(share)} de su presupuesto de voz de hoy. Queda # carácter para leer en voz alta y para ${inlineCode('/say')}.`,
      other: `Este servidor ha usado el ${format.percent(share)} de su presupuesto de voz de hoy. Quedan # caracteres para leer en voz alta y para ${inlineCode('/say')}.`,
    }),
  channelGone: 'El canal de voz ya no existe, así que he dejado de leer este canal en voz alta.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Spanish.

export const heard: Words['heard'] = {
  inPlace: { link: 'enlace', spoiler: 'spoiler', someone: 'alguien', role: 'un rol', channel: 'un canal' },
  code: 'código',
  linkTo: (site) => `un enlace a ${site}`,
  messageLink: 'un enlace a un mensaje',
  gif: 'un GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} veces`,

  says: (name, text) => `${name} dice: ${text}`,
  saysTo: (name, to, text) => `${name} a ${to}: ${text}`,
  to: (to, text) => `a ${to}: ${text}`,
  sends: (name, what) => `${name} envía ${what}`,
  with: (what) => `con ${what}`,
  forwarded: (text) => `un mensaje reenviado: ${text}`,
  forwardedUnread: 'un mensaje reenviado',
  pictures: (count) => format.plural(count, { one: 'una imagen', other: '# imágenes' }),
  gifs: (count) => format.plural(count, { one: 'un GIF', other: '# GIF' }),
  videos: (count) => format.plural(count, { one: 'un vídeo', other: '# vídeos' }),
  sounds: (count) => format.plural(count, { one: 'un archivo de audio', other: '# archivos de audio' }),
  files: (count) => format.plural(count, { one: 'un archivo', other: '# archivos' }),
  voiceMessage: (seconds) => (seconds === null ? 'un mensaje de voz' : `un mensaje de voz de ${format.duration(seconds)}`),
  sticker: (name) => `el sticker ${name}`,
  poll: (question) => `una encuesta: ${question}`,
  and: format.and,
  or: format.or,
};
