// What /credit says, in German.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Guthaben',
  serverTitle: 'Dieser Server',
  memberTitle: 'Du',
  left: (credit) => bold(`Noch etwa ${format.significant(credit)}`),
  usedUp: `${bold('Das Guthaben ist aufgebraucht.')} Lade es auf, dann bin ich innerhalb einer Minute zurück. Bis dahin kann ich nur wiederholen, was gespeichert ist.`,
  exactly: (credit, changed) => (changed === null ? `Genau ${credit}` : `Genau ${credit}, zuletzt geändert ${changed}`),
  freeCredit: 'Ein Teil davon ist Gratisguthaben.',
  buys: (characters, minutes) => {
    const speech =
      characters === null
        ? null
        : format.plural(format.rounded(characters), { one: 'etwa # gesprochenes Zeichen', other: 'etwa # gesprochene Zeichen' });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), { one: 'etwa # mitgeschriebene Minute', other: 'etwa # mitgeschriebene Minuten' });
    return `Reicht für ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01
      ? 'Seit dem letzten Aufladen weniger als 1 % verbraucht.'
      : `Seit dem letzten Aufladen ${format.percent(share)} verbraucht.`,
  lasts: (days) =>
    days < 1
      ? 'Reicht in diesem Tempo keinen Tag mehr.'
      : format.plural(Math.round(days), {
          one: 'Reicht in diesem Tempo noch etwa # Tag.',
          other: 'Reicht in diesem Tempo noch etwa # Tage.',
        }),
  balanceFailed: (reason) => `Ich kann das Guthaben gerade nicht sehen. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Letzter # Tag', other: 'Letzte # Tage' })),
  noUsage: 'Noch nichts gesprochen oder mitgeschrieben.',
  legend: '🟦 gesprochene Zeichen pro Tag · 🟧 mitgeschriebene Minuten pro Tag',
  chartDescription: (from, to) => `Balkendiagramm der gesprochenen Zeichen und mitgeschriebenen Minuten pro Tag, vom ${from} bis ${to}`,
  outsideServers: 'Außerhalb von Servern',
  goneServers: 'Server, auf denen ich nicht mehr bin',
  otherServers: (count) => format.plural(count, { one: '# anderer Server', other: '# andere Server' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { one: '# Zeichen gesprochen', other: '# Zeichen gesprochen' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} mitgeschrieben`] : []),
      ...(cost === null ? [] : [`etwa ${format.significant(cost)} Guthaben`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Noch nichts gesprochen oder mitgeschrieben.';
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Heute gesprochen', transcription: 'Heute mitgeschrieben' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Auf diesem Server aus. Server-Admins können das unter `/settings`, Budgets, ändern.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { one: '# Zeichen, kein Limit', other: '# Zeichen, kein Limit' });
      return `${format.number(used)} von ${format.number(whole)} Zeichen, ${bold(`noch ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}, kein Limit`;
    return `${format.duration(used)} von ${format.duration(whole)}, ${bold(`noch ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `Dein Tagesbudget ist ${again} wieder voll.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? 'Das Guthaben beim Sprachdienst ist aufgebraucht, ich kann also weder sprechen noch mitschreiben. Lade es auf, dann bin ich innerhalb einer Minute zurück.'
      : `${format.percent(alert.percent / 100)} des Guthabens beim Sprachdienst sind verbraucht, ${asMarkdown(alert.left, 100)} sind noch da. Lade es rechtzeitig auf. ${inlineCode('/credit')} zeigt, wofür es draufgeht.`,
};
