// What members read when something failed, in Italian.
import { inlineCode } from 'discord.js';
import type { ApiError } from '../../api/index.ts';
import type { BudgetError, SpendingKind } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { VoiceError } from '../../voice/types.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api,
  budget,
  voice,
  unexpected: (reference) =>
    `Qualcosa è andato storto da parte mia. Riprova. Se continua, avvisa chi gestisce il bot.\n-# Riferimento ${code(reference)}`,
  storeFailed:
    'Ora non riesco a salvare o leggere i miei dati, quindi non è cambiato nulla. Riprova tra un minuto.\n-# Per chi gestisce il bot: controlla il disco.',
  discordFailed: (status) => `Discord ha dei problemi, quindi la mia risposta non è arrivata. Riprova tra un minuto.\n-# Stato ${status}`,
  discordBusy: (at) => `Ho raggiunto uno dei limiti di Discord. Riprova ${format.relative(at)}.`,
  noPermission: 'Discord non me lo permette qui. Gli admin del server possono controllare i miei permessi in questo canale.',
  badAudio: 'Il servizio vocale ha mandato qualcosa che non è audio. Riprova o scegli un’altra voce.',
  endlessAudio: 'La voce non smetteva di parlare, quindi l’ho interrotta. Riprova o scegli un’altra voce.',
  brokenAudio: 'L’audio del servizio vocale si è interrotto. Riprova o scegli un’altra voce.',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'tra un minuto' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `Il servizio vocale ha smesso di funzionare ${format.relative(now - error.downForMs)}. Riprova ${again}.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'Il servizio vocale non accetta la mia chiave. Deve pensarci chi gestisce il bot.',
    credit: 'Il credito vocale è finito. Chi gestisce il bot deve ricaricarlo.',
    validation: refusal(error),
    'not-found': 'Il servizio vocale non lo trova. Controlla cosa hai scelto e riprova.',
    'rate-limited': `Il servizio vocale è occupato. Riprova ${again}.`,
    server:
      error.status === null
        ? `Non riesco a raggiungere il servizio vocale. Riprova ${again}.`
        : `Il servizio vocale ha dei problemi. Riprova ${again}.`,
    timeout: `Il servizio vocale ha impiegato troppo a rispondere. Riprova ${again}.`,
    aborted: 'È stato interrotto prima che il servizio vocale rispondesse. Riprova.',
    protocol: 'Il servizio vocale ha mandato una risposta che non posso usare. Riprova tra un minuto.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' Conta lo stesso come usato, perché il servizio potrebbe averlo addebitato.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Stato ${error.status}`;
  const request = error.requestId ? `Richiesta ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `Questo servizio vocale non ha un elenco di voci. Se conosci l’id di una voce, usalo in ${inlineCode('/say')}.`,
    transcription: 'Questo servizio vocale non trascrive, parla soltanto.',
    credit: 'Questo servizio vocale non comunica il saldo.',
    'live-speech': 'Questo servizio vocale non può parlare in tempo reale. Riprova.',
    'own-voices': 'Questo servizio vocale non può creare voci.',
    speech: `Questo servizio vocale non può parlare. Chi gestisce il bot può controllare ${code('VOICE_API_URL')}.`,
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
    busy: 'Sto parlando in un altro canale di questo server. Entra lì o riprova quando ho finito.',
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
    closing: 'Mi sto riavviando, quindi non ho finito. Riprova tra un minuto.',
    disconnected: 'Sono uscito dal canale vocale, quindi ora la coda è vuota. Riprova e torno.',
    refused: `Discord ha rifiutato la connessione vocale. Prova un altro canale.${error.code === null ? '' : `\n-# Codice ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'Il servizio vocale non lo accetta. Cambialo e riprova.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `Il servizio vocale non lo accetta (${field}: ${asMarkdown(detail.msg, 150)}). Cambialo e riprova.`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next =
      setBy === 'admin' ? 'Gli admin del server possono alzare il budget in `/settings`.' : 'Chi gestisce il bot può alzare il budget.';
    return isMember
      ? `Qui serve più del tuo budget giornaliero di ${amountOf(kind, cap)}. Prova con qualcosa di più corto. ${next}`
      : `Qui serve più del budget giornaliero di questo server, ${amountOf(kind, cap)}. Prova con qualcosa di più corto. ${next}`;
  }
  const name = { speech: 'per il parlato', transcription: 'per le trascrizioni' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `Per oggi hai esaurito il tuo budget ${name}. Si rinnova ${resets}.`
      : `Per oggi questo server ha esaurito il suo budget ${name}. Si rinnova ${resets}.`;
  return isMember
    ? `Per oggi hai ancora ${amountOf(kind, left)}, ma qui serve di più. Prova con qualcosa di più corto o aspetta: il tuo budget si rinnova ${resets}.`
    : `Per oggi questo server ha ancora ${amountOf(kind, left)}, ma qui serve di più. Prova con qualcosa di più corto o aspetta: il suo budget si rinnova ${resets}.`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# carattere di parlato', other: '# caratteri di parlato' })
    : `${format.duration(amount)} di trascrizione`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `Il parlato è disattivato in questo server. Gli admin del server possono permetterlo in ${inlineCode('/settings')}, sotto Budget.`,
    transcription: `La trascrizione è disattivata in questo server. Gli admin del server possono permetterla in ${inlineCode('/settings')}, sotto Budget.`,
  }[kind];
}
