// What is wrong with an attached file, in Simplified Chinese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} 不在 Discord 上，而我只读取 Discord 上的文件。请上传文件本身。`,
  empty: (name) => `${code(name)} 是空的。请重新上传。`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} 有 ${format.megabytes(bytes)}，而我最多能转写 ${format.megabytes(limit)}。请分成几段，或另存为 MP3 或 Opus。`,
  notAudio: (name) => `我无法把 ${code(name)} 当作音频读取。请使用 MP3、WAV、Ogg、Opus、FLAC、M4A 或 WebM。`,
  downloadFailed: (name) => `我没能从 Discord 获取 ${code(name)}。请再试一次，或重新上传。`,
  downloadGone: (name) => `${code(name)} 已被删除，或链接过了一天已失效。请重新上传，或对它所在的消息使用 ${inlineCode('Transcribe')}。`,
  downloadIncomplete: (name) => `读取 ${code(name)} 时中断了。请再试一次，或重新上传。`,
  downloadOversized: (name) => `${code(name)} 比 Discord 标明的大，所以我停止了读取。请重新上传。`,
  downloadSlow: (name) => `Discord 发送 ${code(name)} 的速度太慢。请稍后再试。`,
};
