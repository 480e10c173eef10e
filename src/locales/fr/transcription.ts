// What transcribing says, in French.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'Il n’y a pas d’enregistrement dans ce message. Choisis-en un avec un message vocal ou un fichier audio.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} dure ${format.duration(seconds)}, et je peux transcrire jusqu’à ${format.duration(limit)}. Coupe-le en plusieurs parties.`,
  tooManyJobs: (most) =>
    format.plural(most, {
      one: 'Je transcris encore un enregistrement pour toi. Réessaie quand il sera fini.',
      other: 'Je transcris encore # enregistrements pour toi. Réessaie quand l’un d’eux sera fini.',
    }),
  unreadable: (name) =>
    `Le service vocal ne peut pas lire ${code(name)}. Il est peut-être abîmé, coupé ou dans un format rare : enregistre-le en MP3 ou WAV et réessaie.`,
  tooLargeForService: (name) => `${code(name)} est trop gros pour le service vocal. Coupe-le, ou enregistre-le en MP3 ou Opus.`,
  tooLongForService: (name) => `${code(name)} est trop long pour le service vocal. Coupe-le en plusieurs parties.`,
  languageRefused: (language) =>
    `Le service vocal ne peut pas transcrire en ${language}. Choisis une autre langue, ou laisse-le la détecter.`,
  noSpeech: 'Je n’ai entendu personne parler.',
  noSpeechInLanguage: 'Je n’ai entendu personne parler. Si quelqu’un parle, essaie une autre langue.',
  transcriptGone:
    'Le fichier de cette transcription n’existe plus, donc ses boutons ne marchent plus. Transcris l’enregistrement à nouveau.',
  transcriptTooLarge: (limit) =>
    `Ce fichier dépasserait les ${format.megabytes(limit)} que Discord accepte ici. Coupe l’enregistrement en plusieurs parties.`,

  reading: (done, all) => `Lecture : ${format.megabytes(done)} sur ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `Transcription : ${format.duration(elapsed)} sur environ ${format.duration(expected)}`,
  takingLonger: (elapsed) => `Transcription : ${format.duration(elapsed)}, plus long que d’habitude`,
  transcribingSince: (at) => `Transcription commencée ${format.relative(at)}`,
  gettingReady: 'Je me prépare à écouter. Le premier enregistrement prend quelques secondes de plus.',
  continuesInChannel: 'Ça prend un moment. Je publierai la transcription dans ce salon dès qu’elle sera prête.',
  continuesInDirectMessage:
    'Ça prend un moment. Je t’enverrai la transcription dès qu’elle sera prête ; d’ici là, autorise les messages privés des membres de ce serveur.',
  cancelButton: 'Annuler',
  cancelled: 'Annulé. Cela n’entame pas ton budget du jour.',
  tooLateToCancel: 'Il est trop tard pour annuler : la transcription va apparaître.',
  interruptedByRestart: 'J’ai redémarré avant d’avoir fini. Réessaie.',
  lateReply: (userId) => `${userMention(userId)}, ta transcription est prête.`,
  lateFailure: (name) => `Je n’ai pas pu transcrire ${code(name)}. Réessaie plus tard, ou coupe-le en plusieurs parties.`,
  someLeftOut: (taken, all) =>
    `J’ai transcrit les ${format.number(taken)} premiers enregistrements sur ${format.number(all)}, car je ne peux répondre que quelques fois sur un serveur dont je ne suis pas membre. Utilise ${inlineCode('/transcribe')} pour les autres.`,

  confirm: (seconds, share) =>
    `Cela fait environ ${format.duration(seconds)} de son et prendrait environ ${format.percent(share)} du crédit restant. Transcrire ?`,
  confirmAtMost: (seconds, share) =>
    `Cela fait jusqu’à ${format.duration(seconds)} de son et prendrait jusqu’à ${format.percent(share)} du crédit restant. Transcrire ?`,
  confirmButton: 'Transcrire',
  listen: 'Écouter',
  notAsked: (taken, all) =>
    `Cela concerne les ${format.number(taken)} premiers enregistrements sur ${format.number(all)}. Redemande pour les autres.`,

  title: 'Transcription',
  originalMessage: 'Message d’origine',
  pageOf: (page, pages) => `Page ${format.number(page)} sur ${format.number(pages)}`,
  tooLargeToAttach: 'La transcription complète est trop grosse pour être jointe, voici donc seulement le début.',
  download: 'Télécharger…',
  otherLanguage: 'Transcrire dans une autre langue…',
  chooseLanguage: 'Choisis une langue…',
  detectLanguage: 'Détecter la langue',
};
