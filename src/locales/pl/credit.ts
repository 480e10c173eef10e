// What /credit says, in Polish.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Środki',
  serverTitle: 'Ten serwer',
  memberTitle: 'Ty',
  left: (credit) => bold(`Zostało około ${format.significant(credit)} kredytów`),
  usedUp: `${bold('Środki się skończyły.')} Doładuj je, a wrócę w ciągu minuty. Do tego czasu mogę tylko powtarzać to, co jest w pamięci.`,
  exactly: (credit) => `Dokładnie ${credit} kredytów`,
  exactlySince: (credit, changed) => `Dokładnie ${credit} kredytów, ostatnia zmiana ${changed}`,
  freeCredit: 'Część z tego to darmowe środki.',
  buys: (amounts) => `Wystarczy na ${format.or(amounts)}.`,
  about: {
    speech: (characters) =>
      format.plural(characters, {
        one: 'około # znaku mowy',
        few: 'około # znaków mowy',
        many: 'około # znaków mowy',
        other: 'około # znaku mowy',
      }),
    transcription: (minutes) =>
      format.plural(minutes, {
        one: 'około # minuty transkrypcji',
        few: 'około # minut transkrypcji',
        many: 'około # minut transkrypcji',
        other: 'około # minuty transkrypcji',
      }),
    transcriptionHours: (hours) =>
      format.plural(hours, {
        one: 'około # godziny transkrypcji',
        few: 'około # godzin transkrypcji',
        many: 'około # godzin transkrypcji',
        other: 'około # godziny transkrypcji',
      }),
  },
  usedSinceTopUp: (share) => `Od ostatniego doładowania zużyto ${format.percent(share)}.`,
  hardlyUsed: 'Od ostatniego doładowania zużyto mniej niż 1%.',
  lasts: (days) =>
    format.plural(days, {
      one: 'W tym tempie wystarczy na około # dzień.',
      few: 'W tym tempie wystarczy na około # dni.',
      many: 'W tym tempie wystarczy na około # dni.',
      other: 'W tym tempie wystarczy na około # dnia.',
    }),
  lastsUnderADay: 'W tym tempie wystarczy na mniej niż dzień.',
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
  used: {
    speech: (characters) =>
      format.plural(characters, {
        one: '# wypowiedziany znak',
        few: '# wypowiedziane znaki',
        many: '# wypowiedzianych znaków',
        other: '# wypowiedzianego znaku',
      }),
    transcription: (seconds) => `transkrypcja: ${format.duration(seconds)}`,
    credit: (cost) => `koszt około ${format.significant(cost)} kredytów`,
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Mowa dzisiaj', transcription: 'Transkrypcja dzisiaj' },
  budgetOff: 'Wyłączone na tym serwerze. Administratorzy serwera mogą to zmienić w `/settings`, w Limitach.',
  budget: {
    speech: (used, cap, left) =>
      `${format.number(used)} z ${format.plural(cap, { one: '# znaku', few: '# znaków', many: '# znaków', other: '# znaku' })}, ${bold(`zostało ${format.number(left)}`)}`,
    transcription: (used, cap, left) =>
      `${format.duration(used)} (limit: ${format.duration(cap)}), ${bold(`zostało ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) =>
      format.plural(used, {
        one: '# znak, bez limitu',
        few: '# znaki, bez limitu',
        many: '# znaków, bez limitu',
        other: '# znaku, bez limitu',
      }),
    transcription: (used) => `${format.duration(used)}, bez limitu`,
  },
  resets: (again) => `Twój dzienny limit odnowi się ${again}.`,
  usedUpAlert: 'Środki w usłudze głosowej się skończyły, więc nie mogę mówić ani przepisywać. Doładuj je, a wrócę w ciągu minuty.',
  usedAlert: (share, left) =>
    `Zużyto ${format.percent(share)} środków w usłudze głosowej; zostało ${left} kredytów. Doładuj je, zanim się skończą. ${inlineCode('/credit')} pokazuje, co je zużywa.`,
};
