// What is wrong with an attached file, in Japanese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) =>
    `${code(name)} は Discord にありません。読み込めるのは Discord のファイルだけなので、ファイルそのものをアップロードしてください。`,
  empty: (name) => `${code(name)} は空です。もう一度アップロードしてください。`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} は ${format.megabytes(bytes)} あります。文字起こしできるのは ${format.megabytes(limit)} までです。分割するか、MP3 か Opus で保存してください。`,
  notAudio: (name) => `${code(name)} を音声として読み込めません。MP3、WAV、Ogg、Opus、FLAC、M4A、WebM のどれかを使ってください。`,
  downloadFailed: (name) => `Discord から ${code(name)} を取得できませんでした。もう一度試すか、アップロードし直してください。`,
  downloadGone: (name) =>
    `${code(name)} は削除されたか、リンクの期限(1日)が切れました。アップロードし直すか、元のメッセージで ${inlineCode('Transcribe')} を使ってください。`,
  downloadIncomplete: (name) => `${code(name)} の読み込みが途中で切れました。もう一度試すか、アップロードし直してください。`,
  downloadOversized: (name) =>
    `${code(name)} は Discord が示す大きさを超えているため、読み込みをやめました。アップロードし直してください。`,
  downloadSlow: (name) => `Discord から ${code(name)} が届くのが遅すぎます。あとでもう一度試してください。`,
};
