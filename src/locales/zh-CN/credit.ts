// What /credit says, in Simplified Chinese.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: '额度',
  serverTitle: '此服务器',
  memberTitle: '你',
  left: (credit) => bold(`剩余约 ${format.significant(credit)}`),
  usedUp: `${bold('额度已用完。')}充值后我会在一分钟内恢复。在此之前，我只能重复缓存里的内容。`,
  exactly: (credit, changed) => (changed === null ? `准确数值 ${credit}` : `准确数值 ${credit}，上次变动 ${changed}`),
  freeCredit: '其中一部分是免费额度。',
  buys: (characters, minutes) => {
    const speech = characters === null ? null : format.plural(format.rounded(characters), { other: '朗读约 # 个字符' });
    const transcription = minutes === null ? null : format.plural(format.rounded(minutes), { other: '转写约 # 分钟' });
    return `足够${format.or([speech, transcription].filter((part) => part !== null))}。`;
  },
  usedSinceTopUp: (share) => (share < 0.01 ? '上次充值后用了不到 1%。' : `上次充值后用了 ${format.percent(share)}。`),
  lasts: (days) => (days < 1 ? '按这个速度不到一天就会用完。' : format.plural(Math.round(days), { other: '按这个速度还能用约 # 天。' })),
  balanceFailed: (reason) => `现在看不到余额。${reason}`,
  lastDays: (days) => bold(format.plural(days, { other: '最近 # 天' })),
  noUsage: '还没有朗读或转写。',
  legend: '🟦 每天朗读的字符数 · 🟧 每天转写的分钟数',
  chartDescription: (from, to) => `从 ${from} 到 ${to} 每天朗读字符数和转写分钟数的柱状图`,
  outsideServers: '服务器之外',
  goneServers: '我已离开的服务器',
  otherServers: (count) => format.plural(count, { other: '其他 # 个服务器' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { other: '朗读 # 个字符' })] : []),
      ...(seconds > 0 ? [`转写 ${format.duration(seconds)}`] : []),
      ...(cost === null ? [] : [`约 ${format.significant(cost)} 额度`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : '还没有朗读或转写。';
  },
  usageOf: (server, usage) => `${bold(server)}：${usage}`,
  budgetTitles: { speech: '今天的朗读', transcription: '今天的转写' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return '此服务器已关闭。服务器管理员可以在 `/settings` 的“限额”里更改。';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { other: '# 个字符，无上限' });
      return `${format.number(used)} / ${format.number(whole)} 个字符，${bold(`剩余 ${format.number(Math.max(0, whole - used))}`)}`;
    }
    if (whole === null) return `${format.duration(used)}，无上限`;
    return `${format.duration(used)} / ${format.duration(whole)}，${bold(`剩余 ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `你的每日限额将在${again}重置。`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? '语音服务的额度已用完，我无法朗读或转写。充值后我会在一分钟内恢复。'
      : `语音服务的额度已用 ${format.percent(alert.percent / 100)}，还剩 ${asMarkdown(alert.left, 100)}。请在用完之前充值。${inlineCode('/credit')} 会显示用在哪里。`,
};
