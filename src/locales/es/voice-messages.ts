// Voice messages that are answered with their words, in Spanish.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('¿Prefieres leer a escuchar?')} Puedo responder a ${files ? 'los mensajes de voz y archivos de audio' : 'los mensajes de voz'} de este canal con su texto. Solo lo hago para quien lo activa: pulsa el botón o usa ${privacyCommand}. Vale después en todos los servidores que lo ofrecen.`,
    everyone: (files) =>
      `${bold('A partir de ahora')} respondo a ${files ? 'los mensajes de voz y archivos de audio' : 'los mensajes de voz'} de este canal con su texto. ¿No quieres que lo haga con los tuyos? Pulsa el botón o usa ${privacyCommand}. Vale después en todos los servidores.`,
    kept: 'El audio va al servicio de voz. No guardo ni el audio ni el texto: solo está en mi respuesta, y la borro cuando borras tu mensaje.',
  },
  onButton: 'Transcribir mis mensajes de voz',
  offButton: 'No transcribir mis mensajes de voz',
  stayOutButton: 'No transcribir los míos',
  isOn: `Hecho. Responderé a tus mensajes de voz con su texto, donde un servidor lo ofrezca. Para deshacerlo, usa ${privacyCommand}.`,
  isOff: `Hecho. Ya no responderé a tus mensajes de voz con su texto, en ningún servidor. Para deshacerlo, usa ${privacyCommand}.`,
  isOffAndDeleted: `Hecho. He borrado mi respuesta y ya no responderé a tus mensajes de voz con su texto, en ningún servidor. Para deshacerlo, usa ${privacyCommand}.`,

  tooLong: (minutes) =>
    `Esto dura más de ${format.duration(60 * minutes)}, que es lo máximo que transcribo por mi cuenta en este servidor. Usa ${transcribe} en el mensaje.`,
  tooMany: `Son demasiados mensajes de voz a la vez, así que me he saltado algunos. Usa ${transcribe} en ellos.`,
  littleCredit: `Queda poco crédito, así que no transcribo esto por mi cuenta. Usa ${transcribe} en el mensaje.`,

  panel: {
    noAccess: `No veo los mensajes de voz cuando llegan: quien gestiona el bot tiene que activar la lectura de mensajes (${inlineCode('READ_MESSAGES')}) y, en Discord, ${bold('Message Content Intent')}. Hasta entonces, los miembros pueden usar ${transcribe} en un mensaje.`,
    channels: 'Respuestas a mensajes de voz en',
    lacks: (id, permissions) =>
      `⚠️ Todavía no respondo en ${channelMention(id)}: allí necesito ${format.and(permissions.map((name) => bold(name)))}.`,
    channelsMenu: 'Canales en los que respondo (ninguno = apagado)',
    who: { asked: 'Solo quien lo activa', everyone: 'Todo el mundo que no lo desactiva' },
    whoWhat: {
      asked: 'Publico un mensaje con un botón en cada canal',
      everyone: 'Digo en cada canal cómo quedarse fuera. Avisa también a tus miembros',
    },
    optionsMenu: 'Ni spoiler, ni archivos de audio',
    options: {
      spoiler: { label: 'Ocultar el texto', description: 'Como spoiler, hasta que alguien lo pulse' },
      files: { label: 'También archivos de audio', description: 'Grabaciones adjuntas, no solo mensajes de voz' },
    },
    longestName: 'Mensaje de voz más largo',
    longest: (minutes) => `Hasta ${format.duration(60 * minutes)}`,
    languageName: 'Idioma que se habla',
    language: (name) => `Idioma: ${name}`,
  },
  permissionNames: { AttachFiles: 'Adjuntar archivos', SendMessagesInThreads: 'Enviar mensajes en hilos' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'No has decidido: solo respondo a los tuyos donde un servidor lo hace con todo el mundo.'
        : isOn
          ? 'Lo has activado para los tuyos, en todos los servidores que lo ofrecen.'
          : 'Lo has desactivado para los tuyos, en todos los servidores.';
    return `${bold('Mensajes de voz.')} Donde los admins lo han configurado, respondo a los mensajes de voz con su texto. Recuerdo durante 30 días qué respuesta va con qué mensaje, para borrar una con el otro. ${choice}`;
  },
  optOutGoes: 'También se olvida que no quieres que se transcriban tus mensajes de voz.',
  wordsToo: 'También se borran mis respuestas con el texto de tus mensajes de voz de los últimos 30 días.',
};
