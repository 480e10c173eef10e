// What a voice says in place of what it cannot say, and around a message that is read aloud, in Japanese.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'リンク', spoiler: 'ネタバレ', someone: '誰か', role: 'ロール', channel: 'チャンネル' },
  code: 'コード',
  linkTo: (site) => `${site} へのリンク`,
  messageLink: 'メッセージへのリンク',
  gif: 'GIF',
  repeated: (emoji, count) => `${emoji} ${format.plural(count, { other: '#回' })}`,

  says: (name, text) => `${name}さん、${text}`,
  saysTo: (name, to, text) => `${name}さんから${to}さんへ、${text}`,
  to: (to, text) => `${to}さんへ、${text}`,
  sends: (name, what) => `${name}さんが${what}を送信`,
  with: (what) => `${what}付き`,
  forwarded: (text) => `転送メッセージ、${text}`,
  forwardedUnread: '転送メッセージ',
  pictures: (count) => format.plural(count, { other: '画像#枚' }),
  gifs: (count) => format.plural(count, { other: 'GIF #個' }),
  videos: (count) => format.plural(count, { other: '動画#本' }),
  sounds: (count) => format.plural(count, { other: '音声ファイル#個' }),
  files: (count) => format.plural(count, { other: 'ファイル#個' }),
  voiceMessage: (seconds) => (seconds === null ? 'ボイスメッセージ' : `${format.duration(seconds)}のボイスメッセージ`),
  sticker: (name) => `スタンプ「${name}」`,
  poll: (question) => `投票「${question}」`,
  and: format.and,
  or: format.or,
};
