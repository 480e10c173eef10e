// What /credit says, in Korean.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: '크레딧',
  serverTitle: '이 서버',
  memberTitle: '나',
  left: (credit) => bold(`약 ${format.significant(credit)} 크레딧 남음`),
  usedUp: `${bold('크레딧을 다 썼어요.')} 충전하면 1분 안에 돌아올게요. 그때까지는 캐시에 있는 것만 반복할 수 있어요.`,
  exactly: (credit) => `정확히 ${credit} 크레딧`,
  exactlySince: (credit, changed) => `정확히 ${credit} 크레딧, 마지막 변경 ${changed}`,
  freeCredit: '일부는 무료 크레딧이에요.',
  buys: (amounts) => `${format.or(amounts)}에 충분해요.`,
  about: {
    speech: (characters) => format.plural(characters, { other: '약 #자 말하기' }),
    transcription: (minutes) => format.plural(minutes, { other: '약 #분 받아쓰기' }),
    transcriptionHours: (hours) => format.plural(hours, { other: '약 #시간 받아쓰기' }),
  },
  usedSinceTopUp: (share) => `마지막 충전 이후 ${format.percent(share)}를 썼어요.`,
  hardlyUsed: '마지막 충전 이후 1% 미만을 썼어요.',
  lasts: (days) => format.plural(days, { other: '이 속도면 약 #일 남았어요.' }),
  lastsUnderADay: '이 속도면 하루도 남지 않았어요.',
  balanceFailed: (reason) => `지금은 잔액을 볼 수 없어요. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { other: '최근 #일' })),
  noUsage: '아직 말하거나 받아쓴 것이 없어요.',
  legend: '🟦 하루에 말한 글자 수 · 🟧 하루에 받아쓴 분',
  chartDescription: (from, to) => `${from}부터 ${to}까지 하루에 말한 글자 수와 받아쓴 분의 막대 그래프`,
  outsideServers: '서버 밖',
  goneServers: '나간 서버',
  otherServers: (count) => format.plural(count, { other: '다른 서버 #개' }),
  used: {
    speech: (characters) => format.plural(characters, { other: '#자 말함' }),
    transcription: (seconds) => `${format.duration(seconds)} 받아씀`,
    credit: (cost) => `약 ${format.significant(cost)} 크레딧`,
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: '오늘 말하기', transcription: '오늘 받아쓰기' },
  budgetOff: '이 서버에서는 꺼져 있어요. 서버 관리자가 `/settings`의 한도에서 바꿀 수 있어요.',
  budget: {
    speech: (used, cap, left) => `${format.number(cap)}자 중 ${format.number(used)}자, ${bold(`${format.number(left)}자 남음`)}`,
    transcription: (used, cap, left) => `${format.duration(cap)} 중 ${format.duration(used)}, ${bold(`${format.duration(left)} 남음`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { other: '#자, 한도 없음' }),
    transcription: (used) => `${format.duration(used)}, 한도 없음`,
  },
  resets: (again) => `하루 한도는 ${again} 초기화돼요.`,
  usedUpAlert: '음성 서비스의 크레딧을 다 써서 말하기와 받아쓰기를 할 수 없어요. 충전하면 1분 안에 돌아올게요.',
  usedAlert: (share, left) =>
    `음성 서비스 크레딧의 ${format.percent(share)}를 썼고 ${left} 크레딧 남았어요. 다 쓰기 전에 충전하세요. 어디에 쓰는지는 ${inlineCode('/credit')}에서 볼 수 있어요.`,
};
