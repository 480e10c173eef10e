// What /credit says, in Spanish.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Crédito',
  serverTitle: 'Este servidor',
  memberTitle: 'Tú',
  left: (credit) => bold(`Quedan unos ${format.significant(credit)}`),
  usedUp: `${bold('Se acabó el crédito.')} Recárgalo y vuelvo en menos de un minuto. Hasta entonces solo puedo repetir lo que hay en la caché.`,
  exactly: (credit, changed) => (changed === null ? `Exactamente ${credit}` : `Exactamente ${credit}, último cambio ${changed}`),
  freeCredit: 'Una parte es crédito gratis.',
  buys: (characters, minutes) => {
    const speech =
      characters === null ? null : format.plural(format.rounded(characters), { one: 'decir # carácter', other: 'decir unos # caracteres' });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), { one: 'transcribir # minuto', other: 'transcribir unos # minutos' });
    return `Alcanza para ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01 ? 'Menos del 1 % usado desde la última recarga.' : `${format.percent(share)} usado desde la última recarga.`,
  lasts: (days) =>
    days < 1
      ? 'A este ritmo queda menos de un día.'
      : format.plural(Math.round(days), { one: 'A este ritmo queda # día.', other: 'A este ritmo quedan unos # días.' }),
  balanceFailed: (reason) => `Ahora no puedo ver el saldo. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Último día', other: 'Últimos # días' })),
  noUsage: 'Todavía nada dicho ni transcrito.',
  legend: '🟦 caracteres dichos por día · 🟧 minutos transcritos por día',
  chartDescription: (from, to) => `Gráfico de barras de caracteres dichos y minutos transcritos por día, del ${from} al ${to}`,
  outsideServers: 'Fuera de servidores',
  goneServers: 'Servidores en los que ya no estoy',
  otherServers: (count) => format.plural(count, { one: '# servidor más', other: '# servidores más' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { one: '# carácter dicho', other: '# caracteres dichos' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} de transcripción`] : []),
      ...(cost === null ? [] : [`unos ${format.significant(cost)} de crédito`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Todavía nada dicho ni transcrito.';
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Voz hoy', transcription: 'Transcripción hoy' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Desactivado en este servidor. Los admins del servidor pueden cambiarlo en `/settings`, en Presupuestos.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { one: '# carácter, sin límite', other: '# caracteres, sin límite' });
      return `${format.number(used)} de ${format.plural(whole, { one: '# carácter', other: '# caracteres' })}, ${bold(`quedan ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}, sin límite`;
    return `${format.duration(used)} de ${format.duration(whole)}, ${bold(`quedan ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `Tu presupuesto diario se reinicia ${again}.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? 'Se acabó el crédito del servicio de voz, así que no puedo hablar ni transcribir. Recárgalo y vuelvo en menos de un minuto.'
      : `Se ha usado el ${format.percent(alert.percent / 100)} del crédito del servicio de voz; queda ${asMarkdown(alert.left, 100)}. Recárgalo antes de que se acabe. ${inlineCode('/credit')} muestra en qué se va.`,
};
