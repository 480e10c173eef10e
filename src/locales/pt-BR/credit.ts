// What /credit says, in Brazilian Portuguese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Crédito',
  serverTitle: 'Este servidor',
  memberTitle: 'Você',
  left: (credit) => bold(`Restam cerca de ${format.significant(credit)} de crédito`),
  usedUp: `${bold('O crédito acabou.')} Recarregue e eu volto em menos de um minuto. Até lá, só consigo repetir o que está no cache.`,
  exactly: (credit) => `Exatamente ${credit} de crédito`,
  exactlySince: (credit, changed) => `Exatamente ${credit} de crédito, última mudança ${changed}`,
  freeCredit: 'Uma parte é crédito grátis.',
  buys: (amounts) => `Dá para ${format.or(amounts)}.`,
  about: {
    speech: (characters) => format.plural(characters, { one: 'falar cerca de # caractere', other: 'falar cerca de # caracteres' }),
    transcription: (minutes) => format.plural(minutes, { one: 'transcrever cerca de # minuto', other: 'transcrever cerca de # minutos' }),
    transcriptionHours: (hours) => format.plural(hours, { one: 'transcrever cerca de # hora', other: 'transcrever cerca de # horas' }),
  },
  usedSinceTopUp: (share) => `${format.percent(share)} usado desde a última recarga.`,
  hardlyUsed: 'Menos de 1% usado desde a última recarga.',
  lasts: (days) => format.plural(days, { one: 'Neste ritmo, dura cerca de # dia.', other: 'Neste ritmo, dura cerca de # dias.' }),
  lastsUnderADay: 'Neste ritmo, dura menos de um dia.',
  balanceFailed: (reason) => `Não consigo ver o saldo agora. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Último # dia', other: 'Últimos # dias' })),
  noUsage: 'Nada falado nem transcrito ainda.',
  legend: '🟦 caracteres falados por dia · 🟧 minutos transcritos por dia',
  chartDescription: (from, to) => `Gráfico de barras de caracteres falados e minutos transcritos por dia, de ${from} a ${to}`,
  outsideServers: 'Fora de servidores',
  goneServers: 'Servidores de que já saí',
  otherServers: (count) => format.plural(count, { one: '# outro servidor', other: '# outros servidores' }),
  used: {
    speech: (characters) => format.plural(characters, { one: '# caractere falado', other: '# caracteres falados' }),
    transcription: (seconds) => `${format.duration(seconds)} de transcrição`,
    credit: (cost) => `cerca de ${format.significant(cost)} de crédito`,
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Fala hoje', transcription: 'Transcrição hoje' },
  budgetOff: 'Desligado neste servidor. Os admins do servidor podem mudar em `/settings`, em Limites.',
  budget: {
    speech: (used, cap, left) =>
      `${format.number(used)} de ${format.plural(cap, { one: '# caractere', other: '# caracteres' })}, ${bold(`restam ${format.number(left)}`)}`,
    transcription: (used, cap, left) => `${format.duration(used)} de ${format.duration(cap)}, ${bold(`restam ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { one: '# caractere, sem limite', other: '# caracteres, sem limite' }),
    transcription: (used) => `${format.duration(used)}, sem limite`,
  },
  resets: (again) => `Seu limite diário é renovado ${again}.`,
  usedUpAlert: 'O crédito do serviço de voz acabou, então não consigo falar nem transcrever. Recarregue e eu volto em menos de um minuto.',
  usedAlert: (share, left) =>
    `${format.percent(share)} do crédito do serviço de voz foi usado; resta ${left} de crédito. Recarregue antes que acabe. ${inlineCode('/credit')} mostra para onde vai.`,
};
