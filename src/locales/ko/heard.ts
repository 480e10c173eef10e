// What a voice says in place of what it cannot say, and around a message that is read aloud, in Korean.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: '링크', spoiler: '스포일러', someone: '누군가', role: '역할', channel: '채널' },
  code: '코드',
  linkTo: (site) => `${site} 링크`,
  messageLink: '메시지 링크',
  gif: 'GIF',
  repeated: (emoji, count) => `${emoji} ${format.plural(count, { other: '#번' })}`,

  says: (name, text) => `${name} 님, ${text}`,
  saysTo: (name, to, text) => `${name} 님이 ${to} 님에게, ${text}`,
  to: (to, text) => `${to} 님에게, ${text}`,
  sends: (name, what) => `${name} 님이 보냄, ${what}`,
  with: (what) => `첨부, ${what}`,
  forwarded: (text) => `전달된 메시지, ${text}`,
  forwardedUnread: '전달된 메시지',
  pictures: (count) => format.plural(count, { other: '사진 #장' }),
  gifs: (count) => format.plural(count, { other: 'GIF #개' }),
  videos: (count) => format.plural(count, { other: '동영상 #개' }),
  sounds: (count) => format.plural(count, { other: '오디오 파일 #개' }),
  files: (count) => format.plural(count, { other: '파일 #개' }),
  voiceMessage: (seconds) => (seconds === null ? '음성 메시지' : `${format.duration(seconds)} 길이의 음성 메시지`),
  sticker: (name) => `스티커 ${name}`,
  poll: (question) => `투표, ${question}`,
  and: format.and,
  or: format.or,
};
