// What /say and the buttons of its replies say, in Italian.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# carattere', other: '# caratteri' });

export const say: Words['say'] = {
  noText: `Non c’è nulla da dire. Scrivi qualche parola in ${inlineCode('text')}.`,
  nothingSpeakable: 'In questo testo non c’è nulla che si possa dire a voce. Scrivi almeno una parola o un numero.',
  andSoOn: 'e così via',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `Non trovo nessuna voce chiamata ${code(voice)}. Scegline una dall’elenco o sfoglia ${inlineCode('/voices')}.`
      : `Non trovo nessuna voce chiamata ${code(voice)}. Scegline una dall’elenco o sfoglia ${inlineCode('/voices')}. Le più simili: ${format.and(closest.map((title) => code(title)))}.`,
  voiceReplaced: (gone, used) =>
    `Qui non posso usare la voce ${code(gone)}, quindi ho usato ${code(used)}. Scegline un’altra in ${inlineCode('/voices')}.`,
  voiceIsYours: `È tua: ${inlineCode('/voice mine')} mostra che cosa non va.`,
  voiceNotHere: `Qui non posso usare questa voce. Scegline un’altra in ${inlineCode('/voices')}.`,
  speedUnsupported: `Questo servizio vocale non può cambiare la velocità. Riprova con ${inlineCode('speed')} 1: me lo ricorderò.`,
  tooSlow: (count) =>
    `È troppo lungo per questa voce su questo computer. Accorcialo a circa ${characters(count)} o scegli una voce più veloce.`,
  textGone: `Non ho più questo testo. Scrivilo di nuovo con ${inlineCode('/say')}.`,
  confirm: (count, share) =>
    `Questo testo userebbe ${characters(count)}, circa ${format.percent(share)} del credito rimasto. Lo dico lo stesso?`,
  tooExpensive: (count, share) =>
    `Questo testo userebbe ${characters(count)}, circa ${format.percent(share)} del credito rimasto. Dividilo in parti più corte.`,
  confirmMaking: (count) => `L’audio non è più in memoria: rifarlo userebbe ${characters(count)} del credito. Lo rifaccio?`,
  confirmButton: 'Dillo',
  makeButton: 'Rifallo',
  stopButton: 'Ferma',
  skipButton: 'Salta',
  cancelButton: 'Annulla',
  moreMenu: 'E adesso?',
  replay: 'Ripeti',
  saveAsFile: 'Salva come file',
  sendAsVoiceMessage: 'Invia come messaggio vocale',
  sayMore: 'Di’ altro',
  showText: 'Mostra tutto il testo',
  sayMoreTitle: (voice) => `Di’ altro: ${voice}`,
  sayMoreLabel: 'Cosa devo dire?',
  textHidden: 'Questo server nasconde ciò che viene detto.',
  recentVoice: 'recente',
  favouriteVoice: 'preferita',
  fileTooLarge: (limit) => `Il file supererebbe ${format.megabytes(limit)}, il limite di Discord qui. Prova con un testo più corto.`,
  voiceMessageInstead: 'Posso parlare solo nei server di cui sono membro, quindi ecco un messaggio vocale.',
  voiceMessageForbidden: 'Qui non posso inviare messaggi vocali (Inviare messaggi vocali), quindi ecco l’audio in un file.',
  voiceMessageRefused: 'Discord non l’ha accettato come messaggio vocale, quindi ecco l’audio in un file.',
  voiceMessageTooLong: (minutes) =>
    `Un messaggio vocale può durare al massimo ${format.plural(minutes, { one: '# minuto', other: '# minuti' })}, quindi ecco l’audio in un file.`,
  nobodyThere: (channelId) => `In ${channelMention(channelId)} ora non c’è nessuno.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: 'Sto parlando',
  queued: (before) => (before === 1 ? 'È il prossimo' : format.plural(before, { one: '# testo davanti', other: '# testi davanti' })),
  interrupted: (seconds) => `Interrotto dopo ${format.duration(seconds)}`,
  interruptedByRestart: 'Sono stato riavviato prima di finire',
  notSpoken: 'Non detto',
  spoken: (seconds) => `Detto in ${format.duration(seconds)}`,
  shortened: 'tagliato al limite di questo server',
  characters,
  fromCache: 'dalla cache, quindi gratis',
  cachedSoundGone: (budget) => `L’audio conservato è stato eliminato mentre questo testo aspettava, quindi non è più gratis. ${budget}`,
  skipped: 'Saltato',
  stopped: 'Fermato',
  cancelled: 'Annullato',
  cancelledCharged: (count) => `Annullato. Il servizio vocale aveva già creato l’audio, quindi conta lo stesso: ${characters(count)}`,
  chargedUnheard: (count) => `Il servizio vocale aveva già creato l’audio, quindi conta lo stesso: ${characters(count)}.`,
  defaultVoice: 'Voce predefinita',
};

// What /queue, /skip, /stop and /leave say, in Italian.

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'La coda è piena, con # testo. Riprova tra poco.',
      other: 'La coda è piena, con # testi. Riprova tra poco.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Hai già # testo in coda. Aspetta che finisca o scartalo con ${inlineCode('/stop')}.`,
      other: `Hai già # testi in coda. Aspetta che ne finisca uno o scartali con ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Solo ${userMention(ownerId)} o un moderatore può saltarlo.`,
  onlyOwnerCanStop: (ownerId) => `Solo ${userMention(ownerId)} o un moderatore può fermarlo.`,
  onlyOwnerCanUse: (ownerId) => `Solo ${userMention(ownerId)} o un moderatore può farlo.`,
  onlyModerators: 'Solo un moderatore può farlo.',
  empty: 'Non c’è nulla in riproduzione.',
  nothingToStop: 'Nessuno dei tuoi testi è in riproduzione o in attesa.',
  othersWaiting: `In coda ci sono ancora testi di altri, quindi solo un moderatore può farmi uscire. I moderatori hanno ${bold('Silenzia membri')} o ${bold('Gestisci messaggi')} nel mio canale vocale.`,
  skipped: (ownerId) => `Ho saltato il testo di ${userMention(ownerId)}.`,
  skippedOwn: 'Ho saltato il tuo testo.',
  stopped: (count) => format.plural(count, { one: 'Mi fermo. Ho scartato # testo.', other: 'Mi fermo. Ho scartato # testi.' }),
  left: (channelId) => `Sono uscito da ${channelMention(channelId)}.`,
  nowPlaying: 'In riproduzione',
  upNext: 'A seguire',
  starting: 'Sta per iniziare…',
  timeLeft: (seconds) => `Ancora ${format.duration(seconds)} circa`,
  almostDone: 'Quasi finito',
  lasts: (seconds) => `circa ${format.duration(seconds)}`,
  removeButton: 'Rimuovi',
  alreadyGone: 'Quel testo non è più in coda.',
  pageOf: (page, pages) => `Pagina ${format.number(page)} di ${format.number(pages)}`,
};
