// What is wrong with an attached file, in Korean.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} 파일이 Discord에 없어요. Discord에 있는 파일만 읽을 수 있으니 파일 자체를 올려 주세요.`,
  empty: (name) => `${code(name)} 파일이 비어 있어요. 다시 올려 주세요.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} 파일은 ${format.megabytes(bytes)}인데 ${format.megabytes(limit)}까지만 받아쓸 수 있어요. 나누거나 MP3나 Opus로 저장하세요.`,
  notAudio: (name) => `${code(name)} 파일을 오디오로 읽을 수 없어요. MP3, WAV, Ogg, Opus, FLAC, M4A, WebM 중 하나를 쓰세요.`,
  downloadFailed: (name) => `Discord에서 ${code(name)} 파일을 받지 못했어요. 다시 시도하거나 다시 올려 주세요.`,
  downloadGone: (name) =>
    `${code(name)} 파일이 삭제되었거나 하루가 지나 링크가 만료되었어요. 다시 올리거나 원본 메시지에서 ${inlineCode('Transcribe')}를 쓰세요.`,
  downloadIncomplete: (name) => `${code(name)} 파일을 읽는 도중에 끊겼어요. 다시 시도하거나 다시 올려 주세요.`,
  downloadOversized: (name) => `${code(name)} 파일이 Discord가 알려 준 것보다 커서 읽기를 멈췄어요. 다시 올려 주세요.`,
  downloadSlow: (name) => `Discord가 ${code(name)} 파일을 너무 느리게 보내고 있어요. 나중에 다시 시도하세요.`,
};
