// What /voices says, in Simplified Chinese.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `用 ${inlineCode('/say')} 听听声音本身。`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: '声音',
  found: (total, page, pages) => {
    const voices = plural(total, { other: '# 个声音' });
    return pages > 1 ? `${voices} · 第 ${number(page)} / ${number(pages)} 页` : voices;
  },
  noneFound: '没有符合条件的声音。试试减少筛选条件。',
  nothingOnPage: `这一页的声音都不能朗读。请看下一页，或用 ${inlineCode('/voices all:True')} 查看全部。`,
  pageOutOfRange: (page, pages) =>
    pages === 1 ? `没有第 ${number(page)} 页，总共只有一页。` : `没有第 ${number(page)} 页，最后一页是第 ${number(pages)} 页。`,
  ownVoicesForOperators: `只有机器人的所有者可以列出机器人账号的声音。去掉 ${inlineCode('mine')} 就能看到公开的声音。`,
  ownVoicesStayPrivate: '这些是机器人所有者的声音，不公开。',
  yes: '是',

  by: (author) => `作者：${author}`,
  coverOf: (title) => `${title} 的封面`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { other: '使用 # 次' }),
  sings: '用于改变歌声，不能朗读文字。',
  notReady: (state) => (state === 'failed' ? '训练失败，不能朗读。' : '还在训练，暂时不能朗读。'),
  id: 'ID',
  sample: (place) => `样本 ${number(place)}`,
  furtherSamples: (count) => plural(count, { other: '…还有 # 个样本' }),

  hearOne: '试听…',
  useOne: '使用…',
  open: '详情…',
  share: '分享',
  back: '‹ 返回',
  hear: '试听',
  hearAnother: '试听样本…',

  choices: {
    mine: {
      off: '用作我的声音',
      on: '✓ 我的声音',
      chosen: (title) => `${titled(title)} 现在是你的声音了，在任何服务器里用 ${inlineCode('/say')} 都会用它。`,
      givenUp: (title) => `${titled(title)} 不再是你的声音。你的文字会用频道或服务器的声音朗读。`,
    },
    favourite: {
      off: '收藏',
      on: '★ 已收藏',
      chosen: (title) => `已收藏 ${titled(title)}。在 ${inlineCode('/say')} 里选择声音时，它会排在列表最前面。`,
      givenUp: (title) => `已取消收藏 ${titled(title)}。`,
    },
    server: {
      off: '用作此服务器的声音',
      on: '✓ 此服务器的声音',
      chosen: (title) => `${titled(title)} 现在是此服务器的声音了，供所有没有自己选声音的成员使用。`,
      givenUp: (title) => `${titled(title)} 不再是此服务器的声音。没有选声音的成员会用默认声音。`,
    },
  },

  gone: (title) => `${titled(title)} 已经不能用了。请在 ${inlineCode('/voices')} 里换一个声音。`,
  cannotSpeak: (title) => `${titled(title)} 不能朗读文字。请换一个声音。`,
  serverVoiceForAdmins: `只有拥有${bold('管理服务器')}权限的管理员可以选择服务器的声音。你自己仍然可以用这个声音。`,

  noSample: (title) => `${titled(title)} 的样本已经没有了。${hearWithSay}`,
  sampleUnreadable: (title) => `我没能加载 ${titled(title)} 的样本。请稍后再试。`,
  sampleTooLarge: (title) => `${titled(title)} 的样本太大，无法播放。${hearWithSay}`,
  sampleNotAudio: (title) => `${titled(title)} 的样本不是我能播放的音频。${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `正在 ${channelMention(channelId)} 里播放 ${titled(title)} 的样本。`
      : `${plural(before, { other: '前面还有 # 条' })}，之后会在 ${channelMention(channelId)} 里播放 ${titled(title)} 的样本。`,
  sampleAttached: (title) => `这是 ${titled(title)} 的样本。加入语音频道，我就在那里播放。`,
};
