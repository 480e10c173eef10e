// Captions of a voice channel, in Spanish.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Subtitularme');
const stopMe = bold('Dejar de subtitularme');

export const captions: Words['captions'] = {
  notInGuild: 'Solo puedo subtitular canales de voz de servidores de los que soy miembro. Invítame primero.',
  noVoiceChannel: `No sé a qué canal de voz te refieres. Únete a él o usa ${start} en su chat.`,
  noSpareCalls:
    'Aquí no puedo poner subtítulos: solo puedo hacer una llamada al servicio de voz a la vez, y los subtítulos bloquearían todo lo demás. Quien administra el bot puede subir `VOICE_API_CONCURRENCY` a 2 o más.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `Aquí solo pueden iniciar los subtítulos los miembros con ${format.or(roleIds.map(roleMention))}. Un administrador del servidor puede darte el rol.`
      : 'Aquí solo pueden iniciar los subtítulos los miembros con ciertos roles, que ya no existen. Pide a un administrador del servidor que elija otros.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `Aquí los subtítulos solo se permiten en ${format.or(channelIds.map(channelMention))}. Únete e inténtalo de nuevo.`
      : `Los canales de voz donde se permiten los subtítulos ya no existen. Pide a un administrador del servidor que elija otros en ${inlineCode('/settings')}.`,
  missing: (permissions, channelId) =>
    `Para escribir los subtítulos necesito ${format.and(permissions.map((name) => bold(name)))} en ${channelMention(channelId)}. Los administradores del servidor pueden permitirlo en los ajustes del canal.`,
  cannotConnect: (channelId) =>
    `No puedes unirte a ${channelMention(channelId)}, así que no puedes iniciar subtítulos allí. Elige otro canal de voz.`,
  alreadyOn: (link) => `Los subtítulos ya están activados: ${link}`,
  elsewhere: (channelId) =>
    `Estoy subtitulando en ${channelMention(channelId)} y solo puedo estar en un canal de voz. Inténtalo de nuevo cuando terminen allí.`,
  started: (link) => `Los subtítulos están activados: ${link}\nSolo oigo a quienes pulsen ${captionMe} allí.`,
  notOn: `En este servidor no hay subtítulos activados. ${start} los activa.`,
  mayNotStop: (starterId) =>
    `Los subtítulos los puede detener ${userMention(starterId)}, que los inició, alguien de moderación o el último miembro subtitulado. Para quedarte fuera, pulsa ${stopMe}.`,
  stopped: 'Hecho. Los subtítulos están desactivados.',
  leaveStops: 'Estoy subtitulando ese canal de voz, y si me voy se acaban los subtítulos.',

  title: (channelId) => `Subtítulos de ${channelMention(channelId)}`,
  what: `Lo que se dice allí se escribe aquí para que todos lo lean. Solo oigo a quienes pulsan ${captionMe}: el sonido de los demás ni siquiera se descifra.`,
  sound: (host) =>
    host === null
      ? 'El sonido de cada frase va a un servicio de voz en mi propia máquina y nadie lo guarda. Las palabras solo están en mis mensajes de aquí.'
      : `El sonido de cada frase va al servicio de voz de ${inlineCode(host)}, sin tu nombre. Yo no lo guardo. Las palabras solo están en mis mensajes de aquí.`,
  consent: (isKept) =>
    isKept
      ? `Si aceptas, lo recuerdo en este servidor durante 90 días o hasta que pulses ${stopMe}.`
      : 'Pregunto cada vez: cuando terminan estos subtítulos, olvido quién aceptó.',
  startedBy: (memberId) => `Iniciados por ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('Subtitulados:')} ${memberIds.length === 0 ? 'nadie todavía' : [...memberIds.map(userMention), ...(more > 0 ? [`y ${format.number(more)} más`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('No se les oye:')} ${memberIds.map(userMention).join(' ')}. Su sonido no se puede descifrar; suele bastar con salir del canal de voz y volver a entrar.`,
  outOfBudget: (memberId, at) =>
    `⚠️ ${userMention(memberId)} ha agotado un presupuesto diario de transcripción. Volverá a tener subtítulos ${format.relative(at)}.`,
  serverOutOfBudget: (at) =>
    `⚠️ Este servidor ha agotado su presupuesto diario de transcripción. Los subtítulos seguirán ${format.relative(at)}.`,
  cost: (seconds, cost) =>
    `Hasta ahora: ${format.duration(seconds)} de voz, de los presupuestos de quienes hablaron${cost === null ? '' : `, unos ${format.significant(cost)} de crédito`}`,
  captionButton: 'Subtitularme',
  stopButton: 'Dejar de subtitularme',
  deleteButton: 'Borrar mis palabras',
  languageMenu: 'El idioma que hablo (solo para mí)',
  hasEnded: 'Los subtítulos han terminado',

  isOn: (isKept) =>
    isKept
      ? `Hecho. Lo que digas se subtitulará, aquí y cuando haya subtítulos en este servidor en los próximos 90 días. ${stopMe} o ${privacyCommand} lo deshace.`
      : `Hecho. Lo que digas se subtitulará hasta que terminen estos subtítulos o hasta que pulses ${stopMe}.`,
  isOff: `Hecho. Ya no te oigo. Lo que se estaba escribiendo se descarta; para quitar lo que ya está aquí, pulsa ${bold('Borrar mis palabras')}.`,
  isOffUnstored: `Hecho. Ya no te oigo. Ahora no puedo guardarlo, pero lo sigo intentando. Si me reinician antes de lograrlo, pulsa otra vez ${bold('Dejar de subtitularme')}.`,
  excluded: 'Un administrador de este servidor decidió que los miembros con uno de tus roles nunca se subtitulan.',
  wordsDeleted: (count) =>
    count === 0 ? 'Aquí no hay nada tuyo.' : `Hecho. He borrado ${format.plural(count, { one: '# línea tuya', other: '# líneas tuyas' })}.`,
  languageChosen: (name) => (name === null ? 'Hecho. Detectaré el idioma que hablas.' : `Hecho. Esperaré que hables ${name}.`),
  notCaptioned: `No se te está subtitulando. Pulsa primero ${captionMe}.`,
  endedAlready: `Estos subtítulos han terminado. ${start} los activa de nuevo.`,

  behind: (seconds) => `Voy con ${format.duration(seconds)} de retraso.`,
  dropped: (name, seconds) => `He omitido ${format.duration(seconds)} de lo que dijo ${name}.`,
  failed: 'El servicio de voz no funciona ahora mismo, así que falta parte de lo que se dice. Sigo intentándolo.',
  resumed: 'Me interrumpí. Puede faltar lo que se dijo justo antes.',

  ended: {
    stopped: (memberId) => `Los subtítulos han terminado: ${userMention(memberId)} los desactivó.`,
    nobody: 'Los subtítulos han terminado: durante dos minutos no hubo nadie subtitulado en el canal de voz.',
    moved: 'Los subtítulos han terminado: alguien de moderación me movió o me desconectó.',
    left: 'Los subtítulos han terminado: salí del canal de voz.',
    channelGone: 'Los subtítulos han terminado: se eliminó el canal de voz.',
    lost: `Los subtítulos han terminado: perdí la conexión con el canal de voz. ${start} los activa de nuevo.`,
    unwritable: 'Los subtítulos han terminado: ya no puedo escribir en este canal.',
    interrupted: `Los subtítulos han terminado: estuve sin conexión demasiado tiempo. ${start} los activa de nuevo.`,
    unavailable:
      'Los subtítulos han terminado: no puedo transcribir voz en esta máquina. El dueño del bot puede ver por qué en mi registro.',
  },
  noTranscript: 'Esta vez no hay transcripción, porque no pude leer todo lo necesario. Los subtítulos de arriba se quedan.',
  transcriptName: (channel) => `Subtítulos de ${channel}`,
  threadName: (channel) => `Subtítulos de ${channel}`,
  voiceStatus: '💬 Subtítulos activados',

  spoken: {
    begin: 'Los subtítulos están activados. Solo escribo lo que dicen quienes pulsan «Subtitularme» en el chat.',
    joined: 'Aquí hay subtítulos. Si quieres que se escriba lo que dices, pulsa «Subtitularme» en el chat.',
  },
  permissionNames: { CreatePublicThreads: 'Crear hilos públicos' },
  status: (channelId, count) =>
    `Subtítulos: activados en ${channelMention(channelId)}, ${format.plural(count, { one: '# miembro', other: '# miembros' })}`,

  panel: {
    starters: 'Pueden iniciar subtítulos',
    startersMenu: 'Roles que pueden iniciar subtítulos (ninguno = todos)',
    channels: 'Subtítulos permitidos en',
    channelsMenu: 'Canales de voz para subtítulos (ninguno = todos)',
    excluded: 'Nunca subtitulados',
    excludedMenu: 'Roles que nunca se subtitulan',
    consentName: 'Consentimiento',
    consent: { kept: 'Recordar 90 días quién aceptó', each: 'Preguntar a todos cada vez' },
    placeName: 'Escritos en',
    place: { chat: 'En el chat del canal de voz', thread: 'En un hilo' },
    placeWhat: {
      chat: 'Se inicien donde se inicien',
      thread: 'Del canal de texto donde se inician; el chat de un canal de voz no tiene hilos',
    },
    languageName: 'Idioma hablado',
    language: (name) => `Idioma: ${name}`,
  },

  privacy: (count) =>
    `${bold('Subtítulos.')} En los canales de voz con subtítulos solo te oigo si has aceptado. El sonido queda en memoria durante una frase; las palabras solo están en mis mensajes. ${
      count === 0
        ? 'No has aceptado en ningún sitio.'
        : `Recuerdo durante 90 días que aceptaste en ${format.plural(count, { one: '# servidor', other: '# servidores' })}, con el idioma que elegiste.`
    }`,
  consentGoes: 'Esto también retira tu consentimiento para los subtítulos, en todas partes.',
};
