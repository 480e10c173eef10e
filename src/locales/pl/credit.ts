// What /credit says, in Polish.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Środki',
  serverTitle: 'Ten serwer',
  memberTitle: 'Ty',
  left: (credit) => bold(`Zostało około ${format.significant(credit)}`),
  usedUp: `${bold('Środki się skończyły.')} Doładuj je, a wrócę w ciągu minuty. Do tego czasu mogę tylko powtarzać to, co jest w pamięci.`,
  exactly: (credit, changed) => (changed === null ? `Dokładnie ${credit}` : `Dokładnie ${credit}, ostatnia zmiana ${changed}`),
  freeCredit: 'Część z tego to darmowe środki.',
  buys: (characters, minutes) => {
    const speech =
      characters === null
        ? null
        : format.plural(format.rounded(characters), {
            one: 'około # znaku mowy',
            few: 'około # znaków mowy',
            many: 'około # znaków mowy',
            other: 'około # znaku mowy',
          });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), {
            one: 'około # minuty transkrypcji',
            few: 'około # minut transkrypcji',
            many: 'około # minut transkrypcji',
            other: 'około # minuty transkrypcji',
          });
    return `Wystarczy na ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01 ? 'Od ostatniego doładowania zużyto mniej niż 1%.' : `Od ostatniego doładowania zużyto ${format.percent(share)}.`,
  lasts: (days) =>
    days < 1
      ? 'W tym tempie wystarczy na mniej niż dzień.'
      : format.plural(Math.round(days), {
          one: 'W tym tempie wystarczy na około # dzień.',
          few: 'W tym tempie wystarczy na około # dni.',
          many: 'W tym tempie wystarczy na około # dni.',
          other: 'W tym tempie wystarczy na około # dnia.',
        }),
  balanceFailed: (reason) => `Nie widzę teraz stanu środków. ${reason}`,
  lastDays: (days) =>
    bold(format.plural(days, { one: 'Ostatni dzień', few: 'Ostatnie # dni', many: 'Ostatnie # dni', other: 'Ostatnie # dnia' })),
  noUsage: 'Jeszcze nic nie powiedziano ani nie przepisano.',
  legend: '🟦 wypowiedziane znaki dziennie · 🟧 przepisane minuty dziennie',
  chartDescription: (from, to) => `Wykres słupkowy wypowiedzianych znaków i przepisanych minut dziennie, od ${from} do ${to}`,
  outsideServers: 'Poza serwerami',
  goneServers: 'Serwery, na których już mnie nie ma',
  otherServers: (count) =>
    format.plural(count, { one: '# inny serwer', few: '# inne serwery', many: '# innych serwerów', other: '# innego serwera' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0
        ? [
            format.plural(characters, {
              one: '# wypowiedziany znak',
              few: '# wypowiedziane znaki',
              many: '# wypowiedzianych znaków',
              other: '# wypowiedzianego znaku',
            }),
          ]
        : []),
      ...(seconds > 0 ? [`transkrypcja: ${format.duration(seconds)}`] : []),
      ...(cost === null ? [] : [`koszt około ${format.significant(cost)}`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Jeszcze nic nie powiedziano ani nie przepisano.';
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Mowa dzisiaj', transcription: 'Transkrypcja dzisiaj' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Wyłączone na tym serwerze. Administratorzy serwera mogą to zmienić w `/settings`, w Limitach.';
    if (kind === 'speech') {
      if (whole === null)
        return format.plural(used, {
          one: '# znak, bez limitu',
          few: '# znaki, bez limitu',
          many: '# znaków, bez limitu',
          other: '# znaku, bez limitu',
        });
      return `${format.number(used)} z ${format.plural(whole, { one: '# znaku', few: '# znaków', many: '# znaków', other: '# znaku' })}, ${bold(`zostało ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}, bez limitu`;
    return `${format.duration(used)} (limit: ${format.duration(whole)}), ${bold(`zostało ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `Twój dzienny limit odnowi się ${again}.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? 'Środki w usłudze głosowej się skończyły, więc nie mogę mówić ani przepisywać. Doładuj je, a wrócę w ciągu minuty.'
      : `Zużyto ${format.percent(alert.percent / 100)} środków w usłudze głosowej; zostało ${asMarkdown(alert.left, 100)}. Doładuj je, zanim się skończą. ${inlineCode('/credit')} pokazuje, co je zużywa.`,
};
