// What /credit says, in Italian.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Credito',
  serverTitle: 'Questo server',
  memberTitle: 'Tu',
  left: (credit) => bold(`Restano circa ${format.significant(credit)} di credito`),
  usedUp: `${bold('Il credito è finito.')} Ricaricalo e torno entro un minuto. Fino ad allora posso solo ripetere quello che è nella cache.`,
  exactly: (credit) => `Esattamente ${credit} di credito`,
  exactlySince: (credit, changed) => `Esattamente ${credit} di credito, ultima modifica ${changed}`,
  freeCredit: 'Una parte è credito gratuito.',
  buys: (amounts) => `Basta per ${format.or(amounts)}.`,
  about: {
    speech: (characters) => format.plural(characters, { one: 'dire circa # carattere', other: 'dire circa # caratteri' }),
    transcription: (minutes) => format.plural(minutes, { one: 'trascrivere circa # minuto', other: 'trascrivere circa # minuti' }),
    transcriptionHours: (hours) => format.plural(hours, { one: 'trascrivere circa # ora', other: 'trascrivere circa # ore' }),
  },
  usedSinceTopUp: (share) => `${format.percent(share)} usato dall’ultima ricarica.`,
  hardlyUsed: 'Meno dell’1% usato dall’ultima ricarica.',
  lasts: (days) => format.plural(days, { one: 'A questo ritmo dura circa # giorno.', other: 'A questo ritmo dura circa # giorni.' }),
  lastsUnderADay: 'A questo ritmo dura meno di un giorno.',
  balanceFailed: (reason) => `Ora non riesco a vedere il saldo. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Ultimo giorno', other: 'Ultimi # giorni' })),
  noUsage: 'Ancora nulla di detto o trascritto.',
  legend: '🟦 caratteri detti al giorno · 🟧 minuti trascritti al giorno',
  chartDescription: (from, to) => `Grafico a barre dei caratteri detti e dei minuti trascritti al giorno, dal ${from} al ${to}`,
  outsideServers: 'Fuori dai server',
  goneServers: 'Server in cui non sono più',
  otherServers: (count) => format.plural(count, { one: '# altro server', other: '# altri server' }),
  used: {
    speech: (characters) => format.plural(characters, { one: '# carattere detto', other: '# caratteri detti' }),
    transcription: (seconds) => `${format.duration(seconds)} di trascrizione`,
    credit: (cost) => `circa ${format.significant(cost)} di credito`,
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Parlato oggi', transcription: 'Trascritto oggi' },
  budgetOff: 'Disattivato in questo server. Gli admin del server possono cambiarlo in `/settings`, sotto Budget.',
  budget: {
    speech: (used, cap, left) =>
      `${format.number(used)} di ${format.plural(cap, { one: '# carattere', other: '# caratteri' })}, ${bold(`ne restano ${format.number(left)}`)}`,
    transcription: (used, cap, left) => `${format.duration(used)} di ${format.duration(cap)}, ${bold(`restano ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { one: '# carattere, senza limite', other: '# caratteri, senza limite' }),
    transcription: (used) => `${format.duration(used)}, senza limite`,
  },
  resets: (again) => `Il tuo budget giornaliero si rinnova ${again}.`,
  usedUpAlert: 'Il credito del servizio vocale è finito, quindi non posso parlare né trascrivere. Ricaricalo e torno entro un minuto.',
  usedAlert: (share, left) =>
    `Credito del servizio vocale: ${format.percent(share)} usato, restano ${left} di credito. Ricaricalo prima che finisca. ${inlineCode('/credit')} mostra dove va.`,
};
