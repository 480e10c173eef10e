// What making voices of recordings says, in Italian.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) =>
  host === null ? 'al servizio vocale sulla mia macchina' : `al servizio vocale ${inlineCode(host)}`;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `Solo chi gestisce il bot può creare voci. Scegline una tra quelle di ${inlineCode('/voices')}.`,
    adminsOnly: `Qui possono creare voci solo gli admin del server e chi ha certi ruoli. Chiedi a un admin di aggiungere il tuo ruolo in ${inlineCode('/settings')}.`,
    notOutsideServers: 'Fuori dai server, solo chi gestisce il bot può creare voci. Riprova in un server.',
    tooMany: (most) =>
      `Hai tante voci quante ne permetto: ${format.number(most)}, comprese quelle che sto ancora creando. Prima eliminane una in ${mine}.`,

    titleMissing: 'Una voce ha bisogno di un titolo. Scrivine uno e riprova.',
    titleTooLong: (length, most) =>
      `Il titolo ha ${format.number(length)} caratteri, e quello di una voce può averne al massimo ${format.number(most)}. Accorcialo.`,
    unknownLanguage: (typed) => `Non conosco la lingua ${code(typed)}. Scegline una dall’elenco o lasciala vuota.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} è di ${format.megabytes(bytes)}, e una registrazione può arrivare a ${format.megabytes(limit)}. Manda il minuto migliore.`,
    tooShort: (seconds, least) =>
      `In tutto sono ${format.duration(seconds)}, e per una voce servono almeno ${format.duration(least)}. Registra ancora qualche frase.`,
    forwarded: 'Non posso sapere chi parla in un messaggio inoltrato. Usa il messaggio originale.',
    fromBot: 'Questo messaggio è di un bot, quindi nessuno può dare il consenso. Scegli la registrazione di una persona.',
    cannotAskHere: (speakerId) =>
      `Solo ${userMention(speakerId)} può dare il consenso, e qui non posso chiederglielo. Riprova in un server di cui faccio parte.`,
    speakerLeft: 'Chi ha registrato questo ha lasciato il server e non può dare il consenso. Scegli un’altra registrazione.',

    formTitle: 'Crea una voce',
    formLabel: 'Titolo della voce',
    formAsks: 'La registrazione è di un’altra persona, quindi glielo chiederò in questo canale.',

    sends: (count, host) =>
      count === 1
        ? `Manderò la registrazione ${service(host)} per farne una voce. Non ne tengo una copia.`
        : `Manderò le registrazioni ${service(host)} per farne una voce. Non ne tengo una copia.`,
    onlyYouMayUse: `Solo tu puoi usare la voce, a meno che tu non la condivida in ${mine}.`,
    everyoneMayUse: 'Tutti in questo server possono usare la voce.',
    ownMessage: 'È un tuo messaggio vocale, quindi decidi tu.',
    makeButton: 'Crea la mia voce',
    whoSpeaks: 'Conferma che parli solo tu, o che chi parla ti ha permesso di farne una voce.',
    ownButton: 'È la mia voce',
    permissionButton: 'Ho il permesso',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}, ${userMention(makerId)} vuole fare una voce con ${hyperlink('la tua registrazione', url)}. Se acconsenti, ${userMention(makerId)} potrà farle dire qualsiasi testo.`,
    untilThen: (host) => `Decidi solo tu. Se acconsenti, manderò la registrazione ${service(host)}. Fino ad allora non mando nulla.`,
    agreeButton: 'Acconsento',
    refuseButton: 'No',
    onlySpeaker: (speakerId) => `Solo ${userMention(speakerId)} può rispondere, perché la registrazione è sua.`,
    refused: (speakerId) => `${userMention(speakerId)} ha detto di no. Non ho mandato nulla.`,
    takenBack: (makerId) => `${userMention(makerId)} non vuole più la voce. Non ho mandato nulla.`,
    makerLeft: (makerId) => `${userMention(makerId)} ha lasciato il server, quindi la voce non serve più. Non ho mandato nulla.`,
    makerMayNot: (makerId) => `${userMention(makerId)} non può più creare voci qui. Non ho mandato nulla.`,

    sending: (share) => `Invio: ${format.percent(share)}`,
    waiting: 'Inviato. L’addestramento sta per iniziare…',
    training: 'Addestramento della voce… Di solito ci vuole meno di un minuto.',
    withdrawn: 'Annullato. Non ho mandato nulla.',
    cancelButton: 'Annulla',
    cancelled: 'Annullato. Nemmeno il servizio vocale ne conserva nulla.',
    interrupted: `Sono stato riavviato mentre creavo questa voce. Se la registrazione era arrivata, la voce sarà presto in ${mine}. Altrimenti creala di nuovo.`,
    takesLong: `L’addestramento dura più del solito. Lo tengo d’occhio: quando sarà finito, la voce sarà in ${mine}.`,
    trainingFailed: (reason) =>
      `Il servizio vocale non è riuscito a farne una voce${reason === '' ? '.' : `: ${reason}`}\n-# L’ideale: da 10 a 60 secondi di una sola persona che parla chiaramente, senza musica né rumori.`,
    deletedMeanwhile: 'La voce è stata eliminata mentre la creavo. Creala di nuovo se la vuoi ancora.',
    notMade: 'Qualcosa è andato storto da parte mia, quindi la voce non c’è. Riprova tra un minuto.',

    ready: `${bold('Pronta.')} La trovi per prima nell’opzione ${inlineCode('voice')} di ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId) => `Solo ${userMention(ownerId)} può usare la voce.`,
    agreed: (speakerId) => `${userMention(speakerId)} ha acconsentito.`,
    gone: `Questa voce non esiste più. Creane una nuova con ${inlineCode('/voice create')}.`,
    hello: 'Ciao! Questa è la mia nuova voce. Dimmi cosa dire e lo dirò.',
  },

  mine: {
    yours: 'tua',
    shared: 'condivisa qui',

    heading: 'Le tue voci',
    none: `Non hai ancora creato una voce. ${inlineCode('/voice create')} ne fa una da una registrazione.`,
    explain: 'Nessun altro può trovare o usare le tue voci, a meno che tu non le condivida con un server.',
    onlyYou: 'Solo tu puoi usarla',
    sharedWith: (here, others) => {
      if (others === 0) return 'Tutti in questo server possono usarla';
      return here
        ? format.plural(others, {
            one: 'Tutti in questo server e in un altro possono usarla',
            other: 'Tutti in questo server e in altri # possono usarla',
          })
        : format.plural(others, { one: 'Tutti in un altro server possono usarla', other: 'Tutti in altri # server possono usarla' });
    },
    made: (when) => `creata il ${when}`,
    goneAtService: 'Il servizio vocale non ce l’ha più, quindi non può parlare.',
    edit: 'Rinomina…',
    share: 'Condividi con questo server',
    unshare: 'Non condividere più',
    delete: 'Elimina…',

    formTitle: 'Rinomina una voce',
    titleField: 'Titolo',
    descriptionField: 'Descrizione',
    changed: (title) => `Ho salvato ${titled(title)}.`,
    nowShared: (title) => `Ora tutti in questo server possono scegliere ${titled(title)} in ${inlineCode('/say')}.`,
    nowPrivate: (title) => `${titled(title)} non è più condivisa. Chi l’aveva scelta avrà un’altra voce.`,
    shareFirst: (title) =>
      `Per ora solo tu puoi usare ${titled(title)}. Prima condividila con questo server in ${inlineCode('/voice mine')}.`,
    deleteQuestion: (title) =>
      `Eliminare ${titled(title)}, qui e dal servizio vocale, con tutto l’audio conservato in questa voce? Chi la usa avrà un’altra voce. Non si può annullare.`,
    deleteYes: 'Elimina',
    cancel: 'Annulla',
    deleted: (title) => `Ho eliminato ${titled(title)}.`,
    deletedLater: (title) =>
      `Ho eliminato ${titled(title)} qui e nessuno può più usarla. Il servizio vocale non è riuscito a eliminarla; continuerò a provare.`,
    gone: `Questa voce non c’è più. ${inlineCode('/voice mine')} mostra quelle che hai.`,
  },
};
