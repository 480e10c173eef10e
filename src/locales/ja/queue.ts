// What /queue, /skip, /stop and /leave say, in Japanese.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) => format.plural(most, { other: 'キューが # 件でいっぱいです。少し待ってからもう一度試してください。' }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      other: `自分の文章がもう # 件キューにあります。終わるのを待つか、${inlineCode('/stop')} で取り消してください。`,
    }),
  onlyOwnerCanSkip: (ownerId) => `これをスキップできるのは ${userMention(ownerId)} さんとモデレーターだけです。`,
  onlyOwnerCanStop: (ownerId) => `これを停止できるのは ${userMention(ownerId)} さんとモデレーターだけです。`,
  onlyOwnerCanUse: (ownerId) => `これができるのは ${userMention(ownerId)} さんとモデレーターだけです。`,
  onlyModerators: 'これができるのはモデレーターだけです。',
  empty: '何も再生していません。',
  nothingToStop: '再生中や待機中の自分の文章はありません。',
  othersWaiting: `ほかの人の文章がまだキューにあるので、退出させられるのはモデレーターだけです。モデレーターは、ボットがいるボイスチャンネルで${bold('メンバーをミュート')}か${bold('メッセージの管理')}の権限を持つ人です。`,
  skipped: (ownerId) => `${userMention(ownerId)} さんの文章をスキップしました。`,
  stopped: (count) => format.plural(count, { other: '停止して、文章 # 件を取り消しました。' }),
  left: (channelId) => `${channelMention(channelId)} から退出しました。`,
  nowPlaying: '再生中',
  upNext: '次に再生',
  starting: 'まもなく開始…',
  timeLeft: (seconds) => `残り約 ${format.duration(seconds)}`,
  almostDone: 'まもなく終了',
  lasts: (seconds) => `約 ${format.duration(seconds)}`,
  removeButton: '取り消す',
  alreadyGone: 'その文章はもうキューにありません。',
  pageOf: (page, pages) => `${format.number(page)} / ${format.number(pages)} ページ`,
};
