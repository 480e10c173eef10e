// What /credit says, in Brazilian Portuguese.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Crédito',
  serverTitle: 'Este servidor',
  memberTitle: 'Você',
  left: (credit) => bold(`Restam cerca de ${format.significant(credit)}`),
  usedUp: `${bold('O crédito acabou.')} Recarregue e eu volto em menos de um minuto. Até lá, só consigo repetir o que está no cache.`,
  exactly: (credit, changed) => (changed === null ? `Exatamente ${credit}` : `Exatamente ${credit}, última mudança ${changed}`),
  freeCredit: 'Uma parte é crédito grátis.',
  buys: (characters, minutes) => {
    const speech =
      characters === null
        ? null
        : format.plural(format.rounded(characters), { one: 'falar cerca de # caractere', other: 'falar cerca de # caracteres' });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), { one: 'transcrever cerca de # minuto', other: 'transcrever cerca de # minutos' });
    return `Dá para ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01 ? 'Menos de 1% usado desde a última recarga.' : `${format.percent(share)} usado desde a última recarga.`,
  lasts: (days) =>
    days < 1
      ? 'Neste ritmo, dura menos de um dia.'
      : format.plural(Math.round(days), { one: 'Neste ritmo, dura cerca de # dia.', other: 'Neste ritmo, dura cerca de # dias.' }),
  balanceFailed: (reason) => `Não consigo ver o saldo agora. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Último # dia', other: 'Últimos # dias' })),
  noUsage: 'Nada falado nem transcrito ainda.',
  legend: '🟦 caracteres falados por dia · 🟧 minutos transcritos por dia',
  chartDescription: (from, to) => `Gráfico de barras de caracteres falados e minutos transcritos por dia, de ${from} a ${to}`,
  outsideServers: 'Fora de servidores',
  goneServers: 'Servidores de que já saí',
  otherServers: (count) => format.plural(count, { one: '# outro servidor', other: '# outros servidores' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { one: '# caractere falado', other: '# caracteres falados' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} de transcrição`] : []),
      ...(cost === null ? [] : [`cerca de ${format.significant(cost)} de crédito`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Nada falado nem transcrito ainda.';
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Fala hoje', transcription: 'Transcrição hoje' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Desligado neste servidor. Os admins do servidor podem mudar em `/settings`, em Limites.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { one: '# caractere, sem limite', other: '# caracteres, sem limite' });
      return `${format.number(used)} de ${format.plural(whole, { one: '# caractere', other: '# caracteres' })}, ${bold(`restam ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}, sem limite`;
    return `${format.duration(used)} de ${format.duration(whole)}, ${bold(`restam ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `Seu limite diário é renovado ${again}.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? 'O crédito do serviço de voz acabou, então não consigo falar nem transcrever. Recarregue e eu volto em menos de um minuto.'
      : `${format.percent(alert.percent / 100)} do crédito do serviço de voz foi usado; resta ${asMarkdown(alert.left, 100)}. Recarregue antes que acabe. ${inlineCode('/credit')} mostra para onde vai.`,
};
