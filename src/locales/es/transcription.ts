// What transcribing says, in Spanish.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'En este mensaje no hay ninguna grabación. Elige uno con un mensaje de voz o un archivo de audio.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} dura ${format.duration(seconds)} y puedo transcribir hasta ${format.duration(limit)}. Córtala en partes.`,
  tooManyJobs: (most) =>
    format.plural(most, {
      one: 'Todavía estoy transcribiendo una grabación tuya. Inténtalo cuando termine.',
      other: 'Todavía estoy transcribiendo # grabaciones tuyas. Inténtalo cuando termine una.',
    }),
  unreadable: (name) =>
    `El servicio de voz no puede leer ${code(name)}. Quizá esté dañado, cortado o en un formato poco común: guárdalo como MP3 o WAV e inténtalo otra vez.`,
  tooLargeForService: (name) => `${code(name)} es demasiado grande para el servicio de voz. Córtalo en partes o guárdalo como MP3 u Opus.`,
  tooLongForService: (name) => `${code(name)} es demasiado largo para el servicio de voz. Córtalo en partes.`,
  languageRefused: (language) => `El servicio de voz no puede transcribir ${language}. Elige otro idioma o deja que lo detecte.`,
  noSpeech: 'No he oído hablar a nadie.',
  noSpeechInLanguage: 'No he oído hablar a nadie. Si alguien habla, prueba otro idioma.',
  transcriptGone: 'El archivo de esta transcripción ya no está, así que sus botones no funcionan. Transcribe la grabación otra vez.',
  transcriptTooLarge: (limit) =>
    `Este archivo superaría los ${format.megabytes(limit)} que Discord acepta aquí. Corta la grabación en partes.`,

  reading: (done, all) => `Leyendo: ${format.megabytes(done)} de ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `Transcribiendo: ${format.duration(elapsed)} de aproximadamente ${format.duration(expected)}`,
  takingLonger: (elapsed) => `Transcribiendo: ${format.duration(elapsed)}, más de lo normal`,
  transcribingSince: (at) => `Transcribiendo, empezado ${format.relative(at)}`,
  gettingReady: 'Me preparo para escuchar. La primera grabación tarda unos segundos más.',
  continuesInChannel: 'Esto tarda un poco. Publicaré la transcripción en este canal cuando esté lista.',
  continuesInDirectMessage:
    'Esto tarda un poco. Te mandaré la transcripción cuando esté lista; hasta entonces, permite los mensajes directos de miembros de este servidor.',
  cancelButton: 'Cancelar',
  cancelled: 'Cancelado. No gasta nada de tu presupuesto diario.',
  tooLateToCancel: 'Ya es tarde para cancelarlo: la transcripción está a punto de aparecer.',
  interruptedByRestart: 'Me reinicié antes de terminar. Inténtalo otra vez.',
  lateReply: (userId) => `${userMention(userId)}, tu transcripción está lista.`,
  lateFailure: (name) => `No he podido transcribir ${code(name)}. Inténtalo más tarde o córtalo en partes.`,
  someLeftOut: (taken, all) =>
    `He transcrito las primeras ${format.number(taken)} de ${format.number(all)} grabaciones, porque en un servidor del que no soy miembro solo puedo responder unas pocas veces. Usa ${inlineCode('/transcribe')} para las demás.`,

  confirm: (seconds, share) =>
    `Son aproximadamente ${format.duration(seconds)} de audio y usaría cerca del ${format.percent(share)} del crédito que queda. ¿Transcribir?`,
  confirmAtMost: (seconds, share) =>
    `Son hasta ${format.duration(seconds)} de audio y usaría hasta el ${format.percent(share)} del crédito que queda. ¿Transcribir?`,
  confirmButton: 'Transcribir',
  listen: 'Escuchar',
  notAsked: (taken, all) =>
    `Esto es para las primeras ${format.number(taken)} de ${format.number(all)} grabaciones. Pídelo otra vez para las demás.`,

  title: 'Transcripción',
  originalMessage: 'Mensaje original',
  pageOf: (page, pages) => `Página ${format.number(page)} de ${format.number(pages)}`,
  tooLargeToAttach: 'La transcripción completa es demasiado grande para adjuntarla, así que esto es solo el principio.',
  download: 'Descargar…',
  otherLanguage: 'Transcribir en otro idioma…',
  chooseLanguage: 'Elige un idioma…',
  detectLanguage: 'Detectar el idioma',
};
