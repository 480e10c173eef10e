// What /credit says, in Japanese.
import { bold, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'クレジット',
  serverTitle: 'このサーバー',
  memberTitle: '自分',
  left: (credit) => bold(`残り約 ${format.significant(credit)}`),
  usedUp: `${bold('クレジットがなくなりました。')} チャージすると1分以内に再開します。それまではキャッシュにあるものだけ繰り返せます。`,
  exactly: (credit, changed) => (changed === null ? `正確には ${credit}` : `正確には ${credit}、最終変更 ${changed}`),
  freeCredit: '一部は無料クレジットです。',
  buys: (characters, minutes) => {
    const speech = characters === null ? null : format.plural(format.rounded(characters), { other: '約 # 文字の読み上げ' });
    const transcription = minutes === null ? null : format.plural(format.rounded(minutes), { other: '約 # 分の文字起こし' });
    return `${format.or([speech, transcription].filter((part) => part !== null))}ができます。`;
  },
  usedSinceTopUp: (share) =>
    share < 0.01 ? '前回のチャージから使った量は 1% 未満です。' : `前回のチャージから ${format.percent(share)} 使いました。`,
  lasts: (days) =>
    days < 1 ? 'このペースでは1日もちません。' : format.plural(Math.round(days), { other: 'このペースであと約 # 日もちます。' }),
  balanceFailed: (reason) => `いまは残高を確認できません。${reason}`,
  lastDays: (days) => bold(format.plural(days, { other: '過去 # 日間' })),
  noUsage: 'まだ読み上げも文字起こしもありません。',
  legend: '🟦 1日あたりの読み上げ文字数 · 🟧 1日あたりの文字起こし分数',
  chartDescription: (from, to) => `${from} から ${to} までの、1日あたりの読み上げ文字数と文字起こし分数の棒グラフ`,
  outsideServers: 'サーバー以外',
  goneServers: '退出したサーバー',
  otherServers: (count) => format.plural(count, { other: 'ほかの # サーバー' }),
  usage: ({ characters, seconds }, cost) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { other: '# 文字を読み上げ' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)}を文字起こし`] : []),
      ...(cost === null ? [] : [`約 ${format.significant(cost)} クレジット`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'まだ読み上げも文字起こしもありません。';
  },
  usageOf: (server, usage) => `${bold(server)}：${usage}`,
  budgetTitles: { speech: '今日の読み上げ', transcription: '今日の文字起こし' },
  budget: (kind, { used, cap }) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'このサーバーではオフです。サーバーの管理者が `/settings` の「上限」で変更できます。';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { other: '# 文字、上限なし' });
      return `${format.number(whole)} 文字中 ${format.number(used)} 文字、${bold(`残り ${format.number(Math.max(0, whole - used))} 文字`)}`;
    }
    if (whole === null) return `${format.duration(used)}、上限なし`;
    return `${format.duration(whole)}中 ${format.duration(used)}、${bold(`残り ${format.duration(Math.max(0, whole - used))}`)}`;
  },
  resets: (again) => `1日の上限は${again}にリセットされます。`,
  alert: (alert) =>
    alert.kind === 'usedUp'
      ? '音声サービスのクレジットがなくなったため、読み上げも文字起こしもできません。チャージすると1分以内に再開します。'
      : `音声サービスのクレジットの ${format.percent(alert.percent / 100)} を使いました。残りは ${asMarkdown(alert.left, 100)} です。なくなる前にチャージしてください。使い道は ${inlineCode('/credit')} で確認できます。`,
};
