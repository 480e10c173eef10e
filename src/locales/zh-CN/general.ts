// What any command may say, in Simplified Chinese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: '完成之前我重启了。请再试一次。',
  toMember: (userId, sentence) => `${userMention(userId)}：${sentence}`,
  restarting: '我正在重启。请一分钟后再试。',
  unknownCommand: '我已经没有这个命令了。重新加载 Discord 就能看到现有的命令。',
  unreadableInteraction: '我没看懂 Discord 发来的内容。请再试一次，或重新加载 Discord。',
  started: '马上开始。',
  directHint: `我只听得懂命令。输入 ${inlineCode('/')} 查看全部，或使用 ${inlineCode('/help')}。`,
  expiredMessage: '这条消息已过期。请重新运行命令。',
  notYourButtons: (command) => `只有发起的成员可以使用这些按钮。运行 ${inlineCode(command)} 就有你自己的按钮。`,
  previousPage: '‹ 上一页',
  nextPage: '下一页 ›',
};

// Refusals, in Simplified Chinese.

const settings = inlineCode('/settings');

/** A longer list says nothing. */
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `你在此服务器里被禁用了 ${inlineCode('/say')}。你可以在 ${settings} 里重新开启。`
      : `服务器管理员禁止你使用 ${inlineCode('/say')}。`,
  roles: (ids) =>
    isShort(ids)
      ? `在这里只有拥有 ${format.or(ids.map(roleMention))} 身份组的成员可以使用我。服务器管理员可以给你身份组。`
      : '在这里只有拥有特定身份组的成员可以使用我。服务器管理员可以给你身份组。',
  channels: (ids) =>
    isShort(ids)
      ? `在此服务器我只在 ${format.or(ids.map(channelMention))} 里工作。请到那里再试。`
      : '在此服务器我只在特定频道里工作。请到其中一个频道再试。',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `在此服务器我只在 ${format.or(ids.map(channelMention))} 里朗读。请加入后再试。`
      : '在此服务器我只在特定语音频道里朗读。请加入其中一个再试。',
  channelsGone: `我在此服务器里可用的频道都不存在了。请让服务器管理员在 ${settings} 里另选频道。`,
  voiceChannelsGone: `我在此服务器里可用的语音频道都不存在了。请让服务器管理员在 ${settings} 里另选频道。`,
  tooFast: (again) => `你有点太快了，我跟不上。请${format.relative(again)}再试。`,
};

// What is wrong with an attached file, in Simplified Chinese.

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

// Why the bot can't speak in a voice channel, in Simplified Chinese.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: '查看频道', Connect: '连接', Speak: '说话' },
  botNotInGuild: `我只能在自己加入的服务器里朗读。在 ${inlineCode('send_as')} 里选“语音消息”，也能收到声音。`,
  memberNotInVoice: `你不在语音频道里。先加入一个，或在 ${inlineCode('channel')} 里选择。`,
  botNotInVoice: `我不在语音频道里。加入一个，再用 ${inlineCode('/say')} 叫我进来。`,
  stageChannel: (id) => `${channelMention(id)} 是讲堂频道，而我只在语音频道里朗读。请选择语音频道。`,
  memberCannotConnect: (id) => `你不能加入 ${channelMention(id)}，所以我也不能在那里为你朗读。请换一个频道。`,
  memberCannotSpeak: (id) => `你需要在 ${channelMention(id)} 里拥有${bold('说话')}权限，我才能在那里为你朗读。请换一个频道。`,
  memberServerMuted: '管理员在此服务器的语音频道里把你静音了。解除后我就能继续为你朗读。',
  missingPermissions: (permissions, id) =>
    `我需要在 ${channelMention(id)} 里拥有 ${format.and(permissions.map((name) => bold(name)))} 权限。服务器管理员可以在频道设置里允许。`,
  full: (id) => `${channelMention(id)} 已满。等有空位，或换一个频道。`,
};
