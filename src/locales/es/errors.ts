// What members read when something failed, in Spanish.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: 'El servicio de voz no acepta mi clave. Tiene que arreglarlo quien gestiona el bot.',
    credit: 'Se acabó el crédito de voz. Tiene que recargarlo quien gestiona el bot.',
    'not-found': 'El servicio de voz no encuentra esto. Revisa lo que elegiste e inténtalo otra vez.',
    'rate-limited': (again) => `El servicio de voz está ocupado. Inténtalo ${again}.`,
    server: (again) => `El servicio de voz tiene problemas. Inténtalo ${again}.`,
    timeout: (again) => `El servicio de voz tardó demasiado en responder. Inténtalo ${again}.`,
    aborted: 'Esto se paró antes de que respondiera el servicio de voz. Inténtalo otra vez.',
    protocol: 'El servicio de voz mandó una respuesta que no puedo usar. Inténtalo dentro de un minuto.',
  },
  brokenOff: 'La respuesta del servicio de voz se cortó. Inténtalo dentro de un minuto.',
  inAMinute: 'dentro de un minuto',
  unreachable: (again) => `No consigo llegar al servicio de voz. Inténtalo ${again}.`,
  down: (since, again) => `El servicio de voz está caído (visto ${since}). Inténtalo ${again}.`,
  refused: 'El servicio de voz no acepta esto. Cámbialo e inténtalo otra vez.',
  refusedField: (field, reason) => `El servicio de voz no acepta esto (${field}: ${reason}). Cámbialo e inténtalo otra vez.`,
  maybeCharged: 'Cuenta igualmente, porque el servicio puede haberlo cobrado.',
  unsupported: {
    catalogue: `Este servicio de voz no tiene lista de voces. Si sabes el id de una voz, úsalo en ${inlineCode('/say')}.`,
    transcription: 'Este servicio de voz no transcribe; solo habla.',
    credit: 'Este servicio de voz no informa de su saldo.',
    speech: `Este servicio de voz no habla. Quien gestiona el bot puede revisar ${code('VOICE_API_URL')}.`,
    'live-speech': 'Este servicio de voz no habla en tiempo real. Inténtalo otra vez.',
    'own-voices': 'Este servicio de voz no puede crear voces.',
  },
  voice: {
    busy: 'Estoy hablando en otro canal de este servidor. Ven o inténtalo cuando termine.',
    hearing: 'Estoy subtitulando otro canal de este servidor. Ven o inténtalo cuando terminen los subtítulos.',
    'join-timeout':
      'Discord no me dejó entrar a tiempo en el canal de voz. Inténtalo otra vez. Si sigue pasando, otra región en los ajustes del canal puede ayudar.',
    'encryption-timeout':
      'El cifrado de extremo a extremo del canal de voz no arrancó, así que no dije nada. Inténtalo otra vez o pide a todos que salgan y vuelvan a entrar.',
    'channel-full': 'El canal de voz está lleno. Espera un hueco o elige otro canal.',
    'not-permitted':
      'No tengo permiso para entrar o hablar en este canal de voz. Los admins del servidor pueden permitirlo en los ajustes del canal.',
    muted: 'Estoy silenciado en este servidor. Moderación puede quitarlo con clic derecho en mi nombre en el canal de voz.',
    'member-muted':
      'Moderación te silenció en los canales de voz de este servidor, así que he dejado de hablar por ti. Volveré a hablar por ti cuando te quiten el silencio.',
    untrusted:
      'No puedo verificar el servidor de voz de Discord, así que no dije nada. Quien gestiona el bot puede revisar el reloj y los certificados de la máquina.',
    kicked: 'Moderación me desconectó del canal de voz, así que la cola está vacía. Inténtalo otra vez para que vuelva.',
    'channel-gone': 'El canal de voz se borró, así que la cola está vacía. Entra en otro e inténtalo otra vez.',
    'sending-failed':
      'Por un fallo mío no se pudo enviar el sonido, así que he salido del canal de voz. Inténtalo otra vez. Si sigue pasando, avisa a quien gestiona el bot.',
    closing: 'Me estoy reiniciando, así que esto no terminó. Inténtalo dentro de un minuto.',
    disconnected: 'He salido del canal de voz, así que la cola está vacía. Inténtalo otra vez para que vuelva.',
    refused: 'Discord rechazó la conexión de voz. Prueba otro canal.',
  },
  status: (status) => `Estado ${status}`,
  request: (id) => `Solicitud ${code(id)}`,
  code: (code) => `Código ${code}`,
  budget: {
    switchedOff: {
      speech: `La voz está desactivada en este servidor. Los admins del servidor pueden permitirla en ${inlineCode('/settings')}, en Presupuestos.`,
      transcription: `La transcripción está desactivada en este servidor. Los admins del servidor pueden permitirla en ${inlineCode('/settings')}, en Presupuestos.`,
    },
    overCap: {
      member: (cap) => `Esto pasa de tu presupuesto diario: ${cap}. Acórtalo.`,
      guild: (cap) => `Esto pasa del presupuesto diario de este servidor: ${cap}. Acórtalo.`,
    },
    raise: { admin: 'Los admins del servidor pueden subirlo en `/settings`.', operator: 'Quien gestiona el bot puede subirlo.' },
    usedUp: {
      member: {
        speech: (resets) => `Has agotado tu presupuesto de voz de hoy. Se reinicia ${resets}.`,
        transcription: (resets) => `Has agotado tu presupuesto de transcripción de hoy. Se reinicia ${resets}.`,
      },
      guild: {
        speech: (resets) => `Este servidor ha agotado su presupuesto de voz de hoy. Se reinicia ${resets}.`,
        transcription: (resets) => `Este servidor ha agotado su presupuesto de transcripción de hoy. Se reinicia ${resets}.`,
      },
    },
    left: {
      member: (left, resets) => `Hoy te quedan ${left} y esto necesita más. Acórtalo o espera: tu presupuesto se reinicia ${resets}.`,
      guild: (left, resets) =>
        `A este servidor le quedan hoy ${left} y esto necesita más. Acórtalo o espera: su presupuesto se reinicia ${resets}.`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { one: '# carácter de voz', other: '# caracteres de voz' }),
    transcription: (seconds) => `${format.duration(seconds)} de transcripción`,
  },
  unexpected: (reference) =>
    `Algo ha fallado por mi parte. Inténtalo otra vez. Si sigue pasando, avisa a quien gestiona el bot.\n-# Referencia ${code(reference)}`,
  storeFailed:
    'Ahora no puedo leer ni guardar mis datos, así que no ha cambiado nada. Inténtalo dentro de un minuto.\n-# Para quien gestiona el bot: revisa el disco o el almacén compartido.',
  discordFailed: (status) => `Discord tiene problemas, así que mi respuesta no llegó. Inténtalo dentro de un minuto.\n-# Estado ${status}`,
  discordBusy: (at) => `He llegado a un límite de Discord. Inténtalo ${format.relative(at)}.`,
  noPermission: 'Discord no me deja hacer eso aquí. Los admins del servidor pueden revisar mis permisos en este canal.',
  badAudio: 'El servicio de voz mandó algo que no es sonido. Inténtalo otra vez o elige otra voz.',
  endlessAudio: 'La voz no paraba de hablar, así que la corté. Inténtalo otra vez o elige otra voz.',
  brokenAudio: 'El sonido del servicio de voz se interrumpió. Inténtalo otra vez o elige otra voz.',
};
