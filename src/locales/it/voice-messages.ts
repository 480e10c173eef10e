// Voice messages that are answered with their words, in Italian.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('Preferisci leggere?')} Posso rispondere ai ${files ? 'messaggi vocali e ai file audio' : 'messaggi vocali'} di questo canale con il loro testo. Lo faccio solo per chi lo attiva: premi il pulsante o usa ${privacyCommand}. Poi vale in tutti i server che lo offrono.`,
    everyone: (files) =>
      `${bold('Da ora')} rispondo ai ${files ? 'messaggi vocali e ai file audio' : 'messaggi vocali'} di questo canale con il loro testo. Non vuoi che lo faccia con i tuoi? Premi il pulsante o usa ${privacyCommand}. Poi vale in tutti i server.`,
    kept: 'L’audio va al servizio vocale. Non conservo né l’audio né il testo: è solo nella mia risposta, che elimino quando elimini il tuo messaggio.',
  },
  onButton: 'Trascrivi i miei messaggi vocali',
  offButton: 'Non trascrivere i miei messaggi vocali',
  stayOutButton: 'Non trascrivermi',
  isOn: `Fatto. Risponderò ai tuoi messaggi vocali con il loro testo, dove un server lo offre. Per annullare, usa ${privacyCommand}.`,
  isOff: `Fatto. Non risponderò più ai tuoi messaggi vocali con il loro testo, in nessun server. Per annullare, usa ${privacyCommand}.`,
  isOffAndDeleted: `Fatto. Ho eliminato la mia risposta e non risponderò più ai tuoi messaggi vocali con il loro testo, in nessun server. Per annullare, usa ${privacyCommand}.`,

  tooLong: (minutes) =>
    `Questo dura più di ${format.duration(60 * minutes)}, il massimo che trascrivo da solo in questo server. Usa ${transcribe} sul messaggio.`,
  tooMany: `Sono troppi messaggi vocali in una volta, quindi ne ho saltati alcuni. Usa ${transcribe} su di essi.`,
  littleCredit: `È rimasto poco credito, quindi non lo trascrivo da solo. Usa ${transcribe} sul messaggio.`,

  panel: {
    noAccess: `Non vedo i messaggi vocali quando arrivano: chi gestisce il bot deve attivare la lettura dei messaggi (${inlineCode('READ_MESSAGES')}) e, su Discord, ${bold('Message Content Intent')}. Fino ad allora i membri possono usare ${transcribe} su un messaggio.`,
    channels: 'Risposte ai messaggi vocali in',
    lacks: (id, permissions) =>
      `⚠️ In ${channelMention(id)} non rispondo ancora: lì mi serve ${format.and(permissions.map((name) => bold(name)))}.`,
    channelsMenu: 'Canali in cui rispondo (nessuno = disattivato)',
    who: { asked: 'Solo chi lo attiva', everyone: 'Chiunque non lo disattivi' },
    whoWhat: {
      asked: 'Pubblico un messaggio con un pulsante in ogni canale',
      everyone: 'Dico in ogni canale come restarne fuori. Avvisa anche i tuoi membri',
    },
    optionsMenu: 'Né spoiler, né file audio',
    options: {
      spoiler: { label: 'Nascondi il testo', description: 'Come spoiler, finché qualcuno lo preme' },
      files: { label: 'Anche i file audio', description: 'Registrazioni allegate, non solo messaggi vocali' },
    },
    longestName: 'Messaggio vocale più lungo',
    longest: (minutes) => `Fino a ${format.duration(60 * minutes)}`,
    languageName: 'Lingua parlata',
    language: (name) => `Lingua: ${name}`,
  },
  permissionNames: { AttachFiles: 'Allegare file', SendMessagesInThreads: 'Inviare messaggi nei thread' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'Non hai deciso: rispondo ai tuoi solo dove un server lo fa per tutti.'
        : isOn
          ? 'Lo hai attivato per i tuoi, in tutti i server che lo offrono.'
          : 'Lo hai disattivato per i tuoi, in tutti i server.';
    return `${bold('Messaggi vocali.')} Dove gli admin lo hanno impostato, rispondo ai messaggi vocali con il loro testo. Ricordo per 30 giorni quale risposta appartiene a quale messaggio, per eliminare l’una con l’altro. ${choice}`;
  },
  optOutGoes: 'Viene dimenticato anche che non vuoi che i tuoi messaggi vocali siano trascritti.',
  wordsToo: 'Vengono eliminate anche le mie risposte con il testo dei tuoi messaggi vocali degli ultimi 30 giorni.',
};
