// What a voice says in place of what it cannot say, and around a message that is read aloud, in Simplified Chinese.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: '链接', spoiler: '剧透', someone: '某人', role: '身份组', channel: '频道' },
  code: '代码',
  linkTo: (site) => `${site} 的链接`,
  messageLink: '一条消息的链接',
  gif: '一个动图',
  repeated: (emoji, count) => `${emoji}${format.plural(count, { other: '#次' })}`,

  says: (name, text) => `${name}说：${text}`,
  saysTo: (name, to, text) => `${name}回复${to}：${text}`,
  to: (to, text) => `回复${to}：${text}`,
  sends: (name, what) => `${name}发了${what}`,
  with: (what) => `附${what}`,
  forwarded: (text) => `一条转发的消息：${text}`,
  forwardedUnread: '一条转发的消息',
  pictures: (count) => format.plural(count, { other: '#张图片' }),
  gifs: (count) => format.plural(count, { other: '#个动图' }),
  videos: (count) => format.plural(count, { other: '#个视频' }),
  sounds: (count) => format.plural(count, { other: '#个音频' }),
  files: (count) => format.plural(count, { other: '#个文件' }),
  voiceMessage: (seconds) => (seconds === null ? '一条语音消息' : `一条${format.duration(seconds)}的语音消息`),
  sticker: (name) => `贴纸“${name}”`,
  poll: (question) => `投票：${question}`,
  and: format.and,
  or: format.or,
};
