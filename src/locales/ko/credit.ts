// What /credit says, in Korean.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: '크레딧',
  serverTitle: '이 서버',
  memberTitle: '나',
  left: (credit) => bold(`약 ${format.significant(credit)} 남음`),
  usedUp: `${bold('크레딧을 다 썼어요.')} 충전하면 1분 안에 돌아올게요. 그때까지는 캐시에 있는 것만 반복할 수 있어요.`,
  exactly: (credit, changed) => (changed === null ? `정확히 ${credit}` : `정확히 ${credit}, 마지막 변경 ${changed}`),
  freeCredit: '일부는 무료 크레딧이에요.',
  buys: (characters, minutes) => {
    const speech = characters === null ? null : format.plural(format.rounded(characters), { other: '약 #자 말하기' });
    const transcription = minutes === null ? null : format.plural(format.rounded(minutes), { other: '약 #분 받아쓰기' });
    return `${format.or([speech, transcription].filter((part) => part !== null))}에 충분해요.`;
  },
  usedSinceTopUp: (share) => (share < 0.01 ? '마지막 충전 이후 1% 미만을 썼어요.' : `마지막 충전 이후 ${format.percent(share)}를 썼어요.`),
  lasts: (days) =>
    days < 1 ? '이 속도면 하루도 남지 않았어요.' : format.plural(Math.round(days), { other: '이 속도면 약 #일 남았어요.' }),
  balanceFailed: (reason) => `지금은 잔액을 볼 수 없어요. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { other: '최근 #일' })),
  noUsage: '아직 말하거나 받아쓴 것이 없어요.',
  legend: '🟦 하루에 말한 글자 수 · 🟧 하루에 받아쓴 분',
  chartDescription: (from, to) => `${from}부터 ${to}까지 하루에 말한 글자 수와 받아쓴 분의 막대 그래프`,
  outsideServers: '서버 밖',
  goneServers: '나간 서버',
  otherServers: (count) => format.plural(count, { other: '다른 서버 #개' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { other: '#자 말함' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} 받아씀`] : []),
      ...(cost === null ? [] : [`약 ${format.significant(cost)} 크레딧`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : '아직 말하거나 받아쓴 것이 없어요.';
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: '오늘 말하기', transcription: '오늘 받아쓰기' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return '이 서버에서는 꺼져 있어요. 서버 관리자가 `/settings`의 한도에서 바꿀 수 있어요.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { other: '#자, 한도 없음' });
      return `${format.number(whole)}자 중 ${format.number(used)}자, ${bold(`${format.number(Math.max(0, whole - used))}자 남음`)}`;
    }
    if (whole === null) return `${format.duration(used)}, 한도 없음`;
    return `${format.duration(whole)} 중 ${format.duration(used)}, ${bold(`${format.duration(Math.max(0, whole - used))} 남음`)}`;
  },
  resets: (again) => `하루 한도는 ${again} 초기화돼요.`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? '음성 서비스의 크레딧을 다 써서 말하기와 받아쓰기를 할 수 없어요. 충전하면 1분 안에 돌아올게요.'
      : `음성 서비스 크레딧의 ${format.percent(alert.percent / 100)}를 썼고 ${asMarkdown(alert.left, 100)} 남았어요. 다 쓰기 전에 충전하세요. 어디에 쓰는지는 ${inlineCode('/credit')}에서 볼 수 있어요.`,
};
