// What /credit says, in German.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Guthaben',
  serverTitle: 'Dieser Server',
  memberTitle: 'Du',
  left: (credit) => bold(`Noch etwa ${format.significant(credit)} Guthaben`),
  usedUp: `${bold('Das Guthaben ist aufgebraucht.')} Lade es auf, dann bin ich innerhalb einer Minute zurück. Bis dahin kann ich nur wiederholen, was gespeichert ist.`,
  exactly: (credit) => `Genau ${credit} Guthaben`,
  exactlySince: (credit, changed) => `Genau ${credit} Guthaben, zuletzt geändert ${changed}`,
  freeCredit: 'Ein Teil davon ist Gratisguthaben.',
  buys: (amounts) => `Reicht für ${format.or(amounts)}.`,
  about: {
    speech: (characters) => format.plural(characters, { one: 'etwa # gesprochenes Zeichen', other: 'etwa # gesprochene Zeichen' }),
    transcription: (minutes) => format.plural(minutes, { one: 'etwa # mitgeschriebene Minute', other: 'etwa # mitgeschriebene Minuten' }),
    transcriptionHours: (hours) => format.plural(hours, { one: 'etwa # mitgeschriebene Stunde', other: 'etwa # mitgeschriebene Stunden' }),
  },
  usedSinceTopUp: (share) => `Seit dem letzten Aufladen ${format.percent(share)} verbraucht.`,
  hardlyUsed: 'Seit dem letzten Aufladen weniger als 1 % verbraucht.',
  lasts: (days) =>
    format.plural(days, {
      one: 'Reicht in diesem Tempo noch etwa # Tag.',
      other: 'Reicht in diesem Tempo noch etwa # Tage.',
    }),
  lastsUnderADay: 'Reicht in diesem Tempo keinen Tag mehr.',
  balanceFailed: (reason) => `Ich kann das Guthaben gerade nicht sehen. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Letzter # Tag', other: 'Letzte # Tage' })),
  noUsage: 'Noch nichts gesprochen oder mitgeschrieben.',
  legend: '🟦 gesprochene Zeichen pro Tag · 🟧 mitgeschriebene Minuten pro Tag',
  chartDescription: (from, to) => `Balkendiagramm der gesprochenen Zeichen und mitgeschriebenen Minuten pro Tag, vom ${from} bis ${to}`,
  outsideServers: 'Außerhalb von Servern',
  goneServers: 'Server, auf denen ich nicht mehr bin',
  otherServers: (count) => format.plural(count, { one: '# anderer Server', other: '# andere Server' }),
  used: {
    speech: (characters) => format.plural(characters, { one: '# Zeichen gesprochen', other: '# Zeichen gesprochen' }),
    transcription: (seconds) => `${format.duration(seconds)} mitgeschrieben`,
    credit: (cost) => `etwa ${format.significant(cost)} Guthaben`,
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Heute gesprochen', transcription: 'Heute mitgeschrieben' },
  budgetOff: 'Auf diesem Server aus. Server-Admins können das unter `/settings`, Budgets, ändern.',
  budget: {
    speech: (used, cap, left) => `${format.number(used)} von ${format.number(cap)} Zeichen, ${bold(`noch ${format.number(left)}`)}`,
    transcription: (used, cap, left) => `${format.duration(used)} von ${format.duration(cap)}, ${bold(`noch ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { one: '# Zeichen, kein Limit', other: '# Zeichen, kein Limit' }),
    transcription: (used) => `${format.duration(used)}, kein Limit`,
  },
  resets: (again) => `Dein Tagesbudget ist ${again} wieder voll.`,
  usedUpAlert:
    'Das Guthaben beim Sprachdienst ist aufgebraucht, ich kann also weder sprechen noch mitschreiben. Lade es auf, dann bin ich innerhalb einer Minute zurück.',
  usedAlert: (share, left) =>
    `${format.percent(share)} des Guthabens beim Sprachdienst sind verbraucht, ${left} Guthaben sind noch da. Lade es rechtzeitig auf. ${inlineCode('/credit')} zeigt, wofür es draufgeht.`,
};
