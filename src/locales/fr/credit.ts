// What /credit says, in French.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Crédit',
  serverTitle: 'Ce serveur',
  memberTitle: 'Toi',
  left: (credit) => bold(`Il reste environ ${format.significant(credit)} de crédit`),
  usedUp: `${bold('Le crédit est épuisé.')} Recharge-le et je reviens en moins d’une minute. D’ici là, je ne peux que répéter ce qui est dans le cache.`,
  exactly: (credit) => `Exactement ${credit} de crédit`,
  exactlySince: (credit, changed) => `Exactement ${credit} de crédit, dernier changement ${changed}`,
  freeCredit: 'Une partie est du crédit gratuit.',
  buys: (amounts) => `De quoi ${format.or(amounts)}.`,
  about: {
    speech: (characters) => format.plural(characters, { one: 'dire environ # caractère', other: 'dire environ # caractères' }),
    transcription: (minutes) => format.plural(minutes, { one: 'transcrire environ # minute', other: 'transcrire environ # minutes' }),
    transcriptionHours: (hours) => format.plural(hours, { one: 'transcrire environ # heure', other: 'transcrire environ # heures' }),
  },
  usedSinceTopUp: (share) => `${format.percent(share)} utilisé depuis la dernière recharge.`,
  hardlyUsed: 'Moins de 1 % utilisé depuis la dernière recharge.',
  lasts: (days) => format.plural(days, { one: 'Encore environ # jour à ce rythme.', other: 'Encore environ # jours à ce rythme.' }),
  lastsUnderADay: 'Moins d’un jour à ce rythme.',
  balanceFailed: (reason) => `Je ne peux pas voir le solde pour l’instant. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Dernier jour', other: '# derniers jours' })),
  noUsage: 'Rien de dit ni de transcrit pour l’instant.',
  legend: '🟦 caractères dits par jour · 🟧 minutes transcrites par jour',
  chartDescription: (from, to) => `Diagramme des caractères dits et des minutes transcrites par jour, du ${from} au ${to}`,
  outsideServers: 'Hors serveurs',
  goneServers: 'Serveurs que j’ai quittés',
  otherServers: (count) => format.plural(count, { one: '# autre serveur', other: '# autres serveurs' }),
  used: {
    speech: (characters) => format.plural(characters, { one: '# caractère dit', other: '# caractères dits' }),
    transcription: (seconds) => `${format.duration(seconds)} de transcription`,
    credit: (cost) => `environ ${format.significant(cost)} de crédit`,
  },
  usageOf: (server, usage) => `${bold(server)} : ${usage}`,
  budgetTitles: { speech: 'Parole aujourd’hui', transcription: 'Transcription aujourd’hui' },
  budgetOff: 'Désactivé sur ce serveur. Les admins du serveur peuvent le changer dans `/settings`, sous Budgets.',
  budget: {
    speech: (used, cap, left) =>
      `${format.number(used)} sur ${format.plural(cap, { one: '# caractère', other: '# caractères' })}, ${bold(`reste ${format.number(left)}`)}`,
    transcription: (used, cap, left) => `${format.duration(used)} sur ${format.duration(cap)}, ${bold(`reste ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { one: '# caractère, sans limite', other: '# caractères, sans limite' }),
    transcription: (used) => `${format.duration(used)}, sans limite`,
  },
  resets: (again) => `Ton budget du jour repart à zéro ${again}.`,
  usedUpAlert:
    'Le crédit du service vocal est épuisé, donc je ne peux ni parler ni transcrire. Recharge-le et je reviens en moins d’une minute.',
  usedAlert: (share, left) =>
    `${format.percent(share)} du crédit du service vocal est utilisé ; il reste ${left} de crédit. Recharge-le avant qu’il ne soit épuisé. ${inlineCode('/credit')} montre ce qui le consomme.`,
};
