// What /credit says, in Japanese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'クレジット',
  serverTitle: 'このサーバー',
  memberTitle: '自分',
  left: (credit) => bold(`残り約 ${format.significant(credit)} クレジット`),
  usedUp: `${bold('クレジットがなくなりました。')} チャージすると1分以内に再開します。それまではキャッシュにあるものだけ繰り返せます。`,
  exactly: (credit) => `正確には ${credit} クレジット`,
  exactlySince: (credit, changed) => `正確には ${credit} クレジット、最終変更 ${changed}`,
  freeCredit: '一部は無料クレジットです。',
  buys: (amounts) => `${format.or(amounts)}ができます。`,
  about: {
    speech: (characters) => format.plural(characters, { other: '約 # 文字の読み上げ' }),
    transcription: (minutes) => format.plural(minutes, { other: '約 # 分の文字起こし' }),
    transcriptionHours: (hours) => format.plural(hours, { other: '約 # 時間の文字起こし' }),
  },
  usedSinceTopUp: (share) => `前回のチャージから ${format.percent(share)} 使いました。`,
  hardlyUsed: '前回のチャージから使った量は 1% 未満です。',
  lasts: (days) => format.plural(days, { other: 'このペースであと約 # 日もちます。' }),
  lastsUnderADay: 'このペースでは1日もちません。',
  balanceFailed: (reason) => `いまは残高を確認できません。${reason}`,
  lastDays: (days) => bold(format.plural(days, { other: '過去 # 日間' })),
  noUsage: 'まだ読み上げも文字起こしもありません。',
  legend: '🟦 1日あたりの読み上げ文字数 · 🟧 1日あたりの文字起こし分数',
  chartDescription: (from, to) => `${from} から ${to} までの、1日あたりの読み上げ文字数と文字起こし分数の棒グラフ`,
  outsideServers: 'サーバー以外',
  goneServers: '退出したサーバー',
  otherServers: (count) => format.plural(count, { other: 'ほかの # サーバー' }),
  used: {
    speech: (characters) => format.plural(characters, { other: '# 文字を読み上げ' }),
    transcription: (seconds) => `${format.duration(seconds)}を文字起こし`,
    credit: (cost) => `約 ${format.significant(cost)} クレジット`,
  },
  usageOf: (server, usage) => `${bold(server)}：${usage}`,
  budgetTitles: { speech: '今日の読み上げ', transcription: '今日の文字起こし' },
  budgetOff: 'このサーバーではオフです。サーバーの管理者が `/settings` の「上限」で変更できます。',
  budget: {
    speech: (used, cap, left) => `${format.number(cap)} 文字中 ${format.number(used)} 文字、${bold(`残り ${format.number(left)} 文字`)}`,
    transcription: (used, cap, left) => `${format.duration(cap)}中 ${format.duration(used)}、${bold(`残り ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { other: '# 文字、上限なし' }),
    transcription: (used) => `${format.duration(used)}、上限なし`,
  },
  resets: (again) => `1日の上限は${again}にリセットされます。`,
  usedUpAlert: '音声サービスのクレジットがなくなったため、読み上げも文字起こしもできません。チャージすると1分以内に再開します。',
  usedAlert: (share, left) =>
    `音声サービスのクレジットの ${format.percent(share)} を使いました。残りは ${left} クレジットです。なくなる前にチャージしてください。使い道は ${inlineCode('/credit')} で確認できます。`,
};
