// What /credit says, in French.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Crédit',
  serverTitle: 'Ce serveur',
  memberTitle: 'Toi',
  left: (credit) => bold(`Il reste environ ${format.significant(credit)}`),
  usedUp: `${bold('Le crédit est épuisé.')} Recharge-le et je reviens en moins d’une minute. D’ici là, je ne peux que répéter ce qui est dans le cache.`,
  exactly: (credit, changed) => (changed === null ? `Exactement ${credit}` : `Exactement ${credit}, dernier changement ${changed}`),
  freeCredit: 'Une partie est du crédit gratuit.',
  buys: (characters, minutes) => {
    const speech =
      characters === null
        ? null
        : format.plural(format.rounded(characters), { one: 'dire environ # caractère', other: 'dire environ # caractères' });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), { one: 'transcrire environ # minute', other: 'transcrire environ # minutes' });
    return `De quoi ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01 ? 'Moins de 1 % utilisé depuis la dernière recharge.' : `${format.percent(share)} utilisé depuis la dernière recharge.`,
  lasts: (days) =>
    days < 1
      ? 'Moins d’un jour à ce rythme.'
      : format.plural(Math.round(days), { one: 'Encore environ # jour à ce rythme.', other: 'Encore environ # jours à ce rythme.' }),
  balanceFailed: (reason) => `Je ne peux pas voir le solde pour l’instant. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Dernier jour', other: '# derniers jours' })),
  noUsage: 'Rien de dit ni de transcrit pour l’instant.',
  legend: '🟦 caractères dits par jour · 🟧 minutes transcrites par jour',
  chartDescription: (from, to) => `Diagramme des caractères dits et des minutes transcrites par jour, du ${from} au ${to}`,
  outsideServers: 'Hors serveurs',
  goneServers: 'Serveurs que j’ai quittés',
  otherServers: (count) => format.plural(count, { one: '# autre serveur', other: '# autres serveurs' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { one: '# caractère dit', other: '# caractères dits' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} de transcription`] : []),
      ...(cost === null ? [] : [`environ ${format.significant(cost)} de crédit`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Rien de dit ni de transcrit pour l’instant.';
  },
  usageOf: (server, usage) => `${bold(server)} : ${usage}`,
  budgetTitles: { speech: 'Parole aujourd’hui', transcription: 'Transcription aujourd’hui' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Désactivé sur ce serveur. Les admins du serveur peuvent le changer dans `/settings`, sous Budgets.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { one: '# caractère, sans limite', other: '# caractères, sans limite' });
      return `${format.number(used)} sur ${format.plural(whole, { one: '# caractère', other: '# caractères' })}, ${bold(`reste ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}, sans limite`;
    return `${format.duration(used)} sur ${format.duration(whole)}, ${bold(`reste ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `Ton budget du jour repart à zéro ${again}.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? 'Le crédit du service vocal est épuisé, donc je ne peux ni parler ni transcrire. Recharge-le et je reviens en moins d’une minute.'
      : `${format.percent(alert.percent / 100)} du crédit du service vocal est utilisé ; il reste ${asMarkdown(alert.left, 100)}. Recharge-le avant qu’il ne soit épuisé. ${inlineCode('/credit')} montre ce qui le consomme.`,
};
