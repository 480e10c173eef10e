// What /credit says, in Simplified Chinese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: '额度',
  serverTitle: '此服务器',
  memberTitle: '你',
  left: (credit) => bold(`剩余约 ${format.significant(credit)} 额度`),
  usedUp: `${bold('额度已用完。')}充值后我会在一分钟内恢复。在此之前，我只能重复缓存里的内容。`,
  exactly: (credit) => `准确数值 ${credit} 额度`,
  exactlySince: (credit, changed) => `准确数值 ${credit} 额度，上次变动 ${changed}`,
  freeCredit: '其中一部分是免费额度。',
  buys: (amounts) => `足够${format.or(amounts)}。`,
  about: {
    speech: (characters) => format.plural(characters, { other: '朗读约 # 个字符' }),
    transcription: (minutes) => format.plural(minutes, { other: '转写约 # 分钟' }),
    transcriptionHours: (hours) => format.plural(hours, { other: '转写约 # 小时' }),
  },
  usedSinceTopUp: (share) => `上次充值后用了 ${format.percent(share)}。`,
  hardlyUsed: '上次充值后用了不到 1%。',
  lasts: (days) => format.plural(days, { other: '按这个速度还能用约 # 天。' }),
  lastsUnderADay: '按这个速度不到一天就会用完。',
  balanceFailed: (reason) => `现在看不到余额。${reason}`,
  lastDays: (days) => bold(format.plural(days, { other: '最近 # 天' })),
  noUsage: '还没有朗读或转写。',
  legend: '🟦 每天朗读的字符数 · 🟧 每天转写的分钟数',
  chartDescription: (from, to) => `从 ${from} 到 ${to} 每天朗读字符数和转写分钟数的柱状图`,
  outsideServers: '服务器之外',
  goneServers: '我已离开的服务器',
  otherServers: (count) => format.plural(count, { other: '其他 # 个服务器' }),
  used: {
    speech: (characters) => format.plural(characters, { other: '朗读 # 个字符' }),
    transcription: (seconds) => `转写 ${format.duration(seconds)}`,
    credit: (cost) => `约 ${format.significant(cost)} 额度`,
  },
  usageOf: (server, usage) => `${bold(server)}：${usage}`,
  budgetTitles: { speech: '今天的朗读', transcription: '今天的转写' },
  budgetOff: '此服务器已关闭。服务器管理员可以在 `/settings` 的“限额”里更改。',
  budget: {
    speech: (used, cap, left) => `${format.number(used)} / ${format.number(cap)} 个字符，${bold(`剩余 ${format.number(left)}`)}`,
    transcription: (used, cap, left) => `${format.duration(used)} / ${format.duration(cap)}，${bold(`剩余 ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { other: '# 个字符，无上限' }),
    transcription: (used) => `${format.duration(used)}，无上限`,
  },
  resets: (again) => `你的每日限额将在${again}重置。`,
  usedUpAlert: '语音服务的额度已用完，我无法朗读或转写。充值后我会在一分钟内恢复。',
  usedAlert: (share, left) =>
    `语音服务的额度已用 ${format.percent(share)}，还剩 ${left} 额度。请在用完之前充值。${inlineCode('/credit')} 会显示用在哪里。`,
};
