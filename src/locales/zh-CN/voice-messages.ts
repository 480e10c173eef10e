// Voice messages that are answered with their words, in Simplified Chinese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('更想看文字？')}我可以把本频道${files ? '语音消息和音频文件' : '语音消息'}的内容用文字回复出来。只对开启的人这样做：点击按钮，或使用 ${privacyCommand}。之后在所有提供此功能的服务器里都有效。`,
    everyone: (files) =>
      `${bold('从现在起')}，我会把本频道${files ? '语音消息和音频文件' : '语音消息'}的内容用文字回复出来。不想让你的被转写？点击按钮，或使用 ${privacyCommand}。之后在所有服务器里都有效。`,
    kept: '声音会发给语音服务。声音和文字我都不保存：文字只在我的回复里，你删除消息时我会删除它。',
  },
  onButton: '转写我的语音消息',
  offButton: '不要转写我的语音消息',
  stayOutButton: '不要转写我的',
  isOn: `好了。在提供此功能的服务器里，我会用文字回复你的语音消息。要撤销，请使用 ${privacyCommand}。`,
  isOff: `好了。在任何服务器里，我都不会再用文字回复你的语音消息。要撤销，请使用 ${privacyCommand}。`,
  isOffAndDeleted: `好了。我已删除我的回复，在任何服务器里都不会再用文字回复你的语音消息。要撤销，请使用 ${privacyCommand}。`,

  tooLong: (minutes) => `这超过了${format.duration(60 * minutes)}，在这个服务器里我不会自动转写更长的。请对这条消息使用 ${transcribe}。`,
  tooMany: `一下子有太多语音消息，所以我跳过了一些。请对它们使用 ${transcribe}。`,
  littleCredit: `剩余额度不多，所以我不会自动转写。请对这条消息使用 ${transcribe}。`,

  panel: {
    noAccess: `我看不到新来的语音消息：机器人所有者需要开启读取消息（${inlineCode('READ_MESSAGES')}）和 Discord 的 ${bold('Message Content Intent')}。在那之前，成员可以对消息使用 ${transcribe}。`,
    channels: '回复语音消息的频道',
    lacks: (id, permissions) =>
      `⚠️ 我还不能在 ${channelMention(id)} 回复：我在那里需要${format.and(permissions.map((name) => bold(name)))}。`,
    channelsMenu: '我会回复的频道（不选 = 关闭）',
    who: { asked: '只有开启的人', everyone: '所有没有关闭的人' },
    whoWhat: { asked: '我会在每个频道发一条带按钮的消息', everyone: '我会告诉每个频道如何退出。也请告诉你的成员' },
    optionsMenu: '剧透、音频文件：都不要',
    options: {
      spoiler: { label: '隐藏文字', description: '作为剧透，点击后才显示' },
      files: { label: '也包括音频文件', description: '附加的录音，不只是语音消息' },
    },
    longestName: '最长的语音消息',
    longest: (minutes) => `最长 ${format.duration(60 * minutes)}`,
    languageName: '所说的语言',
    language: (name) => `语言：${name}`,
  },
  permissionNames: { AttachFiles: '附加文件', SendMessagesInThreads: '在子区内发送消息' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? '你还没有决定：只有服务器对所有人这样做时，我才回复你的。'
        : isOn
          ? '你已开启，在所有提供此功能的服务器里有效。'
          : '你已关闭，在所有服务器里有效。';
    return `${bold('语音消息。')}在管理员设置过的地方，我会用文字回复语音消息。哪条回复属于哪条消息，我会记 30 天，以便一起删除。${choice}`;
  },
  optOutGoes: '你不想让语音消息被转写这一选择也会被忘掉。',
  wordsToo: '过去 30 天里我用文字回复你语音消息的内容也会被删除。',
};
