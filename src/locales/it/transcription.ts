// What transcribing says, in Italian.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'In questo messaggio non c’è nessuna registrazione. Scegline uno con un messaggio vocale o un file audio.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} dura ${format.duration(seconds)}, e posso trascrivere fino a ${format.duration(limit)}. Dividila in parti.`,
  tooManyJobs: (most) =>
    format.plural(most, {
      one: 'Sto ancora trascrivendo una tua registrazione. Riprova quando è finita.',
      other: 'Sto ancora trascrivendo # tue registrazioni. Riprova quando una è finita.',
    }),
  unreadable: (name) =>
    `Il servizio vocale non riesce a leggere ${code(name)}. Forse è danneggiato, tagliato o in un formato insolito: salvalo come MP3 o WAV e riprova.`,
  tooLargeForService: (name) => `${code(name)} è troppo grande per il servizio vocale. Dividilo in parti o salvalo come MP3 o Opus.`,
  tooLongForService: (name) => `${code(name)} è troppo lungo per il servizio vocale. Dividilo in parti.`,
  languageRefused: (language) => `Il servizio vocale non può trascrivere: ${language}. Scegli un’altra lingua o lascia che la rilevi.`,
  noSpeech: 'Non ho sentito nessuno parlare.',
  noSpeechInLanguage: 'Non ho sentito nessuno parlare. Se qualcuno parla, prova un’altra lingua.',
  transcriptGone: 'Il file di questa trascrizione non c’è più, quindi i suoi pulsanti non funzionano. Trascrivi di nuovo la registrazione.',
  transcriptTooLarge: (limit) =>
    `Questo file supererebbe i ${format.megabytes(limit)} che Discord accetta qui. Dividi la registrazione in parti.`,

  reading: (done, all) => `Lettura: ${format.megabytes(done)} di ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `Trascrizione: ${format.duration(elapsed)} di circa ${format.duration(expected)}`,
  takingLonger: (elapsed) => `Trascrizione: ${format.duration(elapsed)}, più del solito`,
  transcribingSince: (at) => `Trascrizione iniziata ${format.relative(at)}`,
  gettingReady: 'Mi preparo ad ascoltare. La prima registrazione richiede qualche secondo in più.',
  continuesInChannel: 'Ci vuole un po’. Pubblico la trascrizione in questo canale quando è pronta.',
  continuesInDirectMessage:
    'Ci vuole un po’. Ti mando la trascrizione quando è pronta; fino ad allora permetti i messaggi diretti dai membri di questo server.',
  cancelButton: 'Annulla',
  cancelled: 'Annullato. Non consuma nulla del tuo budget giornaliero.',
  tooLateToCancel: 'È troppo tardi per annullare: la trascrizione sta per comparire.',
  interruptedByRestart: 'Sono stato riavviato prima di finire. Riprova.',
  lateReply: (userId) => `${userMention(userId)}, la tua trascrizione è pronta.`,
  lateFailure: (name) => `Non sono riuscito a trascrivere ${code(name)}. Riprova più tardi o dividilo in parti.`,
  someLeftOut: (taken, all) =>
    `Ho trascritto le prime ${format.number(taken)} di ${format.number(all)} registrazioni, perché in un server di cui non sono membro posso rispondere solo poche volte. Usa ${inlineCode('/transcribe')} per le altre.`,

  confirm: (seconds, share) =>
    `Sono circa ${format.duration(seconds)} di audio, circa ${format.percent(share)} del credito rimasto. Trascrivere?`,
  confirmAtMost: (seconds, share) =>
    `Sono al massimo ${format.duration(seconds)} di audio, al massimo ${format.percent(share)} del credito rimasto. Trascrivere?`,
  confirmButton: 'Trascrivi',
  listen: 'Ascolta',
  notAsked: (taken, all) =>
    `Vale per le prime ${format.number(taken)} di ${format.number(all)} registrazioni. Chiedi di nuovo per le altre.`,

  title: 'Trascrizione',
  originalMessage: 'Messaggio originale',
  pageOf: (page, pages) => `Pagina ${format.number(page)} di ${format.number(pages)}`,
  tooLargeToAttach: 'La trascrizione completa è troppo grande da allegare, quindi questo è solo l’inizio.',
  download: 'Scarica…',
  otherLanguage: 'Trascrivi in un’altra lingua…',
  chooseLanguage: 'Scegli una lingua…',
  detectLanguage: 'Rileva la lingua',
};
