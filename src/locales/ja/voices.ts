// What /voices says, in Japanese.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `実際の声は ${inlineCode('/say')} で聞けます。`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: '声',
  found: (total, page, pages) => {
    const voices = plural(total, { other: '# 件の声' });
    return pages > 1 ? `${voices} · ${number(page)} / ${number(pages)} ページ` : voices;
  },
  noneFound: '条件に合う声がありません。条件を減らしてください。',
  nothingOnPage: `このページには読み上げられる声がありません。次のページを見るか、${inlineCode('/voices all:True')} ですべて表示してください。`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `${number(page)} ページはありません。1 ページだけです。`
      : `${number(page)} ページはありません。最後は ${number(pages)} ページです。`,
  ownVoicesForOperators: `ボットのアカウントの声を一覧にできるのはボットの所有者だけです。公開されている声を見るには ${inlineCode('mine')} を外してください。`,
  ownVoicesStayPrivate: 'これらはボットの所有者の声で、公開されません。',
  yes: 'はい',

  by: (author) => `作者：${author}`,
  coverOf: (title) => `${title} のカバー画像`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { other: '# 回使用' }),
  sings: '歌声を変えるための声です。文章は読み上げられません。',
  notReady: (state) => (state === 'failed' ? '学習に失敗したため、読み上げられません。' : 'まだ学習中のため、読み上げられません。'),
  id: 'ID',
  sample: (place) => `サンプル ${number(place)}`,
  furtherSamples: (count) => plural(count, { other: '…ほか # 件のサンプル' }),

  hearOne: '聞く…',
  useOne: '使う…',
  open: '詳細…',
  share: '共有',
  back: '‹ 戻る',
  hear: '聞く',
  hearAnother: 'サンプルを聞く…',

  choices: {
    mine: {
      off: '自分の声にする',
      on: '✓ 自分の声',
      chosen: (title) => `${titled(title)} が自分の声になりました。どのサーバーでも ${inlineCode('/say')} で使われます。`,
      givenUp: (title) => `${titled(title)} は自分の声ではなくなりました。これからはチャンネルかサーバーの声で読み上げます。`,
    },
    favourite: {
      off: 'お気に入りに追加',
      on: '★ お気に入り',
      chosen: (title) => `${titled(title)} をお気に入りに追加しました。${inlineCode('/say')} で声を選ぶとき、一覧の最初に表示されます。`,
      givenUp: (title) => `${titled(title)} をお気に入りから外しました。`,
    },
    server: {
      off: 'このサーバーの声にする',
      on: '✓ このサーバーの声',
      chosen: (title) => `${titled(title)} がこのサーバーの声になりました。自分で声を選んでいないメンバー全員に使われます。`,
      givenUp: (title) => `${titled(title)} はこのサーバーの声ではなくなりました。声を選んでいないメンバーはデフォルトの声になります。`,
    },
  },

  gone: (title) => `${titled(title)} は使えなくなりました。${inlineCode('/voices')} で別の声を選んでください。`,
  cannotSpeak: (title) => `${titled(title)} は文章を読み上げられません。別の声を選んでください。`,
  serverVoiceForAdmins: `サーバーの声を選べるのは、${bold('サーバー管理')}の権限を持つ管理者だけです。自分の声として使うことはできます。`,

  noSample: (title) => `${titled(title)} のサンプルはもうありません。${hearWithSay}`,
  sampleUnreadable: (title) => `${titled(title)} のサンプルを読み込めませんでした。少し待ってからもう一度試してください。`,
  sampleTooLarge: (title) => `${titled(title)} のサンプルは大きすぎて再生できません。${hearWithSay}`,
  sampleNotAudio: (title) => `${titled(title)} のサンプルは再生できる音声ではありません。${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `${channelMention(channelId)} で ${titled(title)} のサンプルを再生しています。`
      : `${channelMention(channelId)} で、${plural(before, { other: 'ほかの # 件' })}のあとに ${titled(title)} のサンプルを再生します。`,
  sampleAttached: (title) => `${titled(title)} のサンプルです。ボイスチャンネルに参加すると、そこで再生します。`,
};
