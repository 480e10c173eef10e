// What members read when something failed, in Italian.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: 'Il servizio vocale non accetta la mia chiave. Deve pensarci chi gestisce il bot.',
    credit: 'Il credito vocale è finito. Chi gestisce il bot deve ricaricarlo.',
    'not-found': 'Il servizio vocale non lo trova. Controlla cosa hai scelto e riprova.',
    'rate-limited': (again) => `Il servizio vocale è occupato. Riprova ${again}.`,
    server: (again) => `Il servizio vocale ha dei problemi. Riprova ${again}.`,
    timeout: (again) => `Il servizio vocale ha impiegato troppo a rispondere. Riprova ${again}.`,
    aborted: 'È stato interrotto prima che il servizio vocale rispondesse. Riprova.',
    protocol: 'Il servizio vocale ha mandato una risposta che non posso usare. Riprova tra un minuto.',
  },
  brokenOff: 'La risposta del servizio vocale si è interrotta. Riprova tra un minuto.',
  inAMinute: 'tra un minuto',
  unreachable: (again) => `Non riesco a raggiungere il servizio vocale. Riprova ${again}.`,
  down: (since, again) => `Il servizio vocale ha smesso di funzionare ${since}. Riprova ${again}.`,
  refused: 'Il servizio vocale non lo accetta. Cambialo e riprova.',
  refusedField: (field, reason) => `Il servizio vocale non lo accetta (${field}: ${reason}). Cambialo e riprova.`,
  maybeCharged: 'Conta lo stesso come usato, perché il servizio potrebbe averlo addebitato.',
  unsupported: {
    catalogue: `Questo servizio vocale non ha un elenco di voci. Se conosci l’id di una voce, usalo in ${inlineCode('/say')}.`,
    transcription: 'Questo servizio vocale non trascrive, parla soltanto.',
    credit: 'Questo servizio vocale non comunica il saldo.',
    'live-speech': 'Questo servizio vocale non può parlare in tempo reale. Riprova.',
    'own-voices': 'Questo servizio vocale non può creare voci.',
    speech: `Questo servizio vocale non può parlare. Chi gestisce il bot può controllare ${code('VOICE_API_URL')}.`,
  },
  voice: {
    busy: 'Sto parlando in un altro canale di questo server. Entra lì o riprova quando ho finito.',
    hearing: 'Sto sottotitolando un altro canale di questo server. Entra lì o riprova quando i sottotitoli saranno finiti.',
    'join-timeout':
      'Discord non mi ha fatto entrare in tempo nel canale vocale. Riprova. Se continua, può aiutare un’altra regione nelle impostazioni del canale.',
    'encryption-timeout':
      'La crittografia end-to-end del canale vocale non è partita, quindi non ho detto nulla. Riprova o chiedi a tutti di uscire e rientrare.',
    'channel-full': 'Il canale vocale è pieno. Aspetta che si liberi un posto o scegli un altro canale.',
    'not-permitted':
      'Non ho il permesso di entrare o parlare in questo canale vocale. Gli admin del server possono darmelo nelle impostazioni del canale.',
    muted:
      'In questo server sono silenziato. Un moderatore può riattivarmi il microfono con un clic destro sul mio nome nel canale vocale.',
    'member-muted':
      'Un moderatore ti ha silenziato nei canali vocali di questo server, quindi ho smesso di parlare per te. Tornerò a parlare per te appena avrai di nuovo il microfono attivo.',
    untrusted:
      'Non riesco a verificare il server vocale di Discord, quindi non ho detto nulla. Chi gestisce il bot può controllare l’orologio e i certificati della macchina.',
    kicked: 'Un moderatore mi ha disconnesso dal canale vocale, quindi ora la coda è vuota. Riprova e torno.',
    'channel-gone': 'Il canale vocale è stato eliminato, quindi ora la coda è vuota. Entra in un altro e riprova.',
    'sending-failed':
      'Per un problema mio non è stato possibile inviare l’audio, quindi sono uscito dal canale vocale. Riprova. Se continua, avvisa chi gestisce il bot.',
    closing: 'Mi sto riavviando, quindi non ho finito. Riprova tra un minuto.',
    disconnected: 'Sono uscito dal canale vocale, quindi ora la coda è vuota. Riprova e torno.',
    refused: 'Discord ha rifiutato la connessione vocale. Prova un altro canale.',
  },
  status: (status) => `Stato ${status}`,
  request: (id) => `Richiesta ${code(id)}`,
  code: (code) => `Codice ${code}`,
  budget: {
    switchedOff: {
      speech: `Il parlato è disattivato in questo server. Gli admin del server possono permetterlo in ${inlineCode('/settings')}, sotto Budget.`,
      transcription: `La trascrizione è disattivata in questo server. Gli admin del server possono permetterla in ${inlineCode('/settings')}, sotto Budget.`,
    },
    overCap: {
      member: (cap) => `Qui serve più del tuo budget giornaliero di ${cap}. Prova con qualcosa di più corto.`,
      guild: (cap) => `Qui serve più del budget giornaliero di questo server, ${cap}. Prova con qualcosa di più corto.`,
    },
    raise: {
      admin: 'Gli admin del server possono alzare il budget in `/settings`.',
      operator: 'Chi gestisce il bot può alzare il budget.',
    },
    usedUp: {
      member: {
        speech: (resets) => `Per oggi hai esaurito il tuo budget per il parlato. Si rinnova ${resets}.`,
        transcription: (resets) => `Per oggi hai esaurito il tuo budget per le trascrizioni. Si rinnova ${resets}.`,
      },
      guild: {
        speech: (resets) => `Per oggi questo server ha esaurito il suo budget per il parlato. Si rinnova ${resets}.`,
        transcription: (resets) => `Per oggi questo server ha esaurito il suo budget per le trascrizioni. Si rinnova ${resets}.`,
      },
    },
    left: {
      member: (left, resets) =>
        `Per oggi hai ancora ${left}, ma qui serve di più. Prova con qualcosa di più corto o aspetta: il tuo budget si rinnova ${resets}.`,
      guild: (left, resets) =>
        `Per oggi questo server ha ancora ${left}, ma qui serve di più. Prova con qualcosa di più corto o aspetta: il suo budget si rinnova ${resets}.`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { one: '# carattere di parlato', other: '# caratteri di parlato' }),
    transcription: (seconds) => `${format.duration(seconds)} di trascrizione`,
  },
  unexpected: (reference) =>
    `Qualcosa è andato storto da parte mia. Riprova. Se continua, avvisa chi gestisce il bot.\n-# Riferimento ${code(reference)}`,
  storeFailed:
    'Ora non riesco a salvare o leggere i miei dati, quindi non è cambiato nulla. Riprova tra un minuto.\n-# Per chi gestisce il bot: controlla il disco o l’archivio condiviso.',
  discordFailed: (status) => `Discord ha dei problemi, quindi la mia risposta non è arrivata. Riprova tra un minuto.\n-# Stato ${status}`,
  discordBusy: (at) => `Ho raggiunto uno dei limiti di Discord. Riprova ${format.relative(at)}.`,
  noPermission: 'Discord non me lo permette qui. Gli admin del server possono controllare i miei permessi in questo canale.',
  badAudio: 'Il servizio vocale ha mandato qualcosa che non è audio. Riprova o scegli un’altra voce.',
  endlessAudio: 'La voce non smetteva di parlare, quindi l’ho interrotta. Riprova o scegli un’altra voce.',
  brokenAudio: 'L’audio del servizio vocale si è interrotto. Riprova o scegli un’altra voce.',
};
