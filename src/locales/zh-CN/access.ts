// Refusals, in Simplified Chinese.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

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
