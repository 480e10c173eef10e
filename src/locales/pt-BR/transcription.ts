// What transcribing says, in Brazilian Portuguese.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'Não há gravação nesta mensagem. Escolha uma com mensagem de voz ou arquivo de áudio.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} dura ${format.duration(seconds)}, e eu transcrevo até ${format.duration(limit)}. Corte em partes.`,
  tooManyJobs: (most) =>
    format.plural(most, {
      one: 'Ainda estou transcrevendo uma gravação sua. Tente de novo quando terminar.',
      other: 'Ainda estou transcrevendo # gravações suas. Tente de novo quando uma terminar.',
    }),
  unreadable: (name) =>
    `O serviço de voz não consegue ler ${code(name)}. Talvez esteja danificado, cortado ou em um formato incomum: salve como MP3 ou WAV e tente de novo.`,
  tooLargeForService: (name) => `${code(name)} é grande demais para o serviço de voz. Corte em partes ou salve como MP3 ou Opus.`,
  tooLongForService: (name) => `${code(name)} é longo demais para o serviço de voz. Corte em partes.`,
  languageRefused: (language) => `O serviço de voz não transcreve ${language}. Escolha outro idioma ou deixe que ele detecte.`,
  noSpeech: 'Não ouvi ninguém falar.',
  noSpeechInLanguage: 'Não ouvi ninguém falar. Se alguém fala, tente outro idioma.',
  transcriptGone: 'O arquivo desta transcrição sumiu, então os botões não funcionam. Transcreva a gravação de novo.',
  transcriptTooLarge: (limit) =>
    `Este arquivo passaria dos ${format.megabytes(limit)} que o Discord aceita aqui. Corte a gravação em partes.`,

  reading: (done, all) => `Lendo: ${format.megabytes(done)} de ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `Transcrevendo: ${format.duration(elapsed)} de cerca de ${format.duration(expected)}`,
  takingLonger: (elapsed) => `Transcrevendo: ${format.duration(elapsed)}, mais que o normal`,
  transcribingSince: (at) => `Transcrevendo, começou ${format.relative(at)}`,
  gettingReady: 'Estou me preparando para ouvir. A primeira gravação leva alguns segundos a mais.',
  continuesInChannel: 'Isso vai demorar um pouco. Publico a transcrição neste canal quando estiver pronta.',
  continuesInDirectMessage:
    'Isso vai demorar um pouco. Mando a transcrição quando estiver pronta; até lá, permita mensagens diretas de membros deste servidor.',
  cancelButton: 'Cancelar',
  cancelled: 'Cancelado. Não gasta nada do seu limite diário.',
  tooLateToCancel: 'É tarde para cancelar: a transcrição está prestes a aparecer.',
  interruptedByRestart: 'Fui reiniciado antes de terminar. Tente de novo.',
  lateReply: (userId) => `${userMention(userId)}, sua transcrição está pronta.`,
  lateFailure: (name) => `Não consegui transcrever ${code(name)}. Tente mais tarde ou corte em partes.`,
  someLeftOut: (taken, all) =>
    `Transcrevi as primeiras ${format.number(taken)} de ${format.number(all)} gravações, porque em um servidor de que não sou membro só posso responder poucas vezes. Use ${inlineCode('/transcribe')} para as outras.`,

  confirm: (seconds, share) =>
    `São cerca de ${format.duration(seconds)} de áudio, o que usaria cerca de ${format.percent(share)} do crédito que resta. Transcrever?`,
  confirmAtMost: (seconds, share) =>
    `São até ${format.duration(seconds)} de áudio, o que usaria até ${format.percent(share)} do crédito que resta. Transcrever?`,
  confirmButton: 'Transcrever',
  listen: 'Ouvir',
  notAsked: (taken, all) =>
    `Isso vale para as primeiras ${format.number(taken)} de ${format.number(all)} gravações. Peça de novo para as outras.`,

  title: 'Transcrição',
  originalMessage: 'Mensagem original',
  pageOf: (page, pages) => `Página ${format.number(page)} de ${format.number(pages)}`,
  tooLargeToAttach: 'A transcrição completa é grande demais para anexar, então este é só o começo.',
  download: 'Baixar…',
  otherLanguage: 'Transcrever em outro idioma…',
  chooseLanguage: 'Escolha um idioma…',
  detectLanguage: 'Detectar o idioma',
};
