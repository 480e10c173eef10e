// What is said while a channel is read aloud, in Simplified Chinese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { other: '跳过了 # 条消息。' }),
  goesOn: '恢复后，我会从新消息开始继续朗读。',
  mostUsed: (share, left) =>
    format.plural(left, {
      other: `此服务器已用掉今天朗读限额的 ${format.percent(share)}，朗读频道和 ${inlineCode('/say')} 还剩 # 个字符。`,
    }),
  channelGone: '语音频道已不存在，所以我不再朗读此频道。',
};
