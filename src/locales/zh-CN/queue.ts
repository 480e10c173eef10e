// What /queue, /skip, /stop and /leave say, in Simplified Chinese.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) => format.plural(most, { other: '队列已满（# 条）。请稍后再试。' }),
  tooManyWaiting: (most) => format.plural(most, { other: `你在队列里已有 # 条文字。请等其中一条读完，或用 ${inlineCode('/stop')} 移除。` }),
  onlyOwnerCanSkip: (ownerId) => `只有 ${userMention(ownerId)} 或管理员可以跳过。`,
  onlyOwnerCanStop: (ownerId) => `只有 ${userMention(ownerId)} 或管理员可以停止。`,
  onlyOwnerCanUse: (ownerId) => `只有 ${userMention(ownerId)} 或管理员可以这样做。`,
  onlyModerators: '只有管理员可以这样做。',
  empty: '目前没有播放内容。',
  nothingToStop: '你没有正在播放或等待的文字。',
  othersWaiting: `队列里还有别人的文字，所以只有管理员能让我离开，也就是在我所在的语音频道里拥有${bold('麦克风静音成员')}或${bold('管理消息')}权限的人。`,
  skipped: (ownerId) => `已跳过 ${userMention(ownerId)} 的文字。`,
  stopped: (count) => format.plural(count, { other: '已停止，移除了 # 条文字。' }),
  left: (channelId) => `我已离开 ${channelMention(channelId)}。`,
  nowPlaying: '正在播放',
  upNext: '接下来',
  starting: '即将开始…',
  timeLeft: (seconds) => `还剩约 ${format.duration(seconds)}`,
  almostDone: '即将结束',
  lasts: (seconds) => `约 ${format.duration(seconds)}`,
  removeButton: '移除',
  alreadyGone: '那条文字已不在队列里。',
  pageOf: (page, pages) => `第 ${format.number(page)} / ${format.number(pages)} 页`,
};
