// What /credit says, in Italian.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Credito',
  serverTitle: 'Questo server',
  memberTitle: 'Tu',
  left: (credit) => bold(`Restano circa ${format.significant(credit)}`),
  usedUp: `${bold('Il credito è finito.')} Ricaricalo e torno entro un minuto. Fino ad allora posso solo ripetere quello che è nella cache.`,
  exactly: (credit, changed) => (changed === null ? `Esattamente ${credit}` : `Esattamente ${credit}, ultima modifica ${changed}`),
  freeCredit: 'Una parte è credito gratuito.',
  buys: (characters, minutes) => {
    const speech =
      characters === null
        ? null
        : format.plural(format.rounded(characters), { one: 'dire circa # carattere', other: 'dire circa # caratteri' });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), { one: 'trascrivere circa # minuto', other: 'trascrivere circa # minuti' });
    return `Basta per ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01 ? 'Meno dell’1% usato dall’ultima ricarica.' : `${format.percent(share)} usato dall’ultima ricarica.`,
  lasts: (days) =>
    days < 1
      ? 'A questo ritmo dura meno di un giorno.'
      : format.plural(Math.round(days), { one: 'A questo ritmo dura circa # giorno.', other: 'A questo ritmo dura circa # giorni.' }),
  balanceFailed: (reason) => `Ora non riesco a vedere il saldo. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Ultimo giorno', other: 'Ultimi # giorni' })),
  noUsage: 'Ancora nulla di detto o trascritto.',
  legend: '🟦 caratteri detti al giorno · 🟧 minuti trascritti al giorno',
  chartDescription: (from, to) => `Grafico a barre dei caratteri detti e dei minuti trascritti al giorno, dal ${from} al ${to}`,
  outsideServers: 'Fuori dai server',
  goneServers: 'Server in cui non sono più',
  otherServers: (count) => format.plural(count, { one: '# altro server', other: '# altri server' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { one: '# carattere detto', other: '# caratteri detti' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} di trascrizione`] : []),
      ...(cost === null ? [] : [`circa ${format.significant(cost)} di credito`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Ancora nulla di detto o trascritto.';
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Parlato oggi', transcription: 'Trascritto oggi' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Disattivato in questo server. Gli admin del server possono cambiarlo in `/settings`, sotto Budget.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { one: '# carattere, senza limite', other: '# caratteri, senza limite' });
      return `${format.number(used)} di ${format.plural(whole, { one: '# carattere', other: '# caratteri' })}, ${bold(`ne restano ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}, senza limite`;
    return `${format.duration(used)} di ${format.duration(whole)}, ${bold(`restano ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `Il tuo budget giornaliero si rinnova ${again}.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? 'Il credito del servizio vocale è finito, quindi non posso parlare né trascrivere. Ricaricalo e torno entro un minuto.'
      : `Credito del servizio vocale: ${format.percent(alert.percent / 100)} usato, restano ${asMarkdown(alert.left, 100)}. Ricaricalo prima che finisca. ${inlineCode('/credit')} mostra dove va.`,
};
