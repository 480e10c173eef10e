// Why the bot can't speak in a voice channel, in Simplified Chinese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: '查看频道', Connect: '连接', Speak: '说话' },
  botNotInGuild: `我只能在自己加入的服务器里朗读。用 ${inlineCode('as_file')} 可以把声音作为文件发给你。`,
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
