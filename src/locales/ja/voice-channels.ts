// Why the bot can't speak in a voice channel, in Japanese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'チャンネルを見る', Connect: '接続', Speak: '発言' },
  botNotInGuild: `読み上げできるのは参加しているサーバーだけです。${inlineCode('as_file')} を使うと、音声をファイルで受け取れます。`,
  memberNotInVoice: `ボイスチャンネルに参加していません。参加するか、${inlineCode('channel')} で選んでください。`,
  botNotInVoice: `このボットはボイスチャンネルにいません。ボイスチャンネルに参加して ${inlineCode('/say')} を使うと呼べます。`,
  stageChannel: (id) => `${channelMention(id)} はステージです。読み上げできるのはボイスチャンネルだけなので、そちらを選んでください。`,
  memberCannotConnect: (id) => `自分が参加できない ${channelMention(id)} では読み上げできません。別のチャンネルを選んでください。`,
  memberCannotSpeak: (id) =>
    `${channelMention(id)} で読み上げるには、自分に${bold('発言')}の権限が必要です。別のチャンネルを選んでください。`,
  memberServerMuted: 'このサーバーのボイスチャンネルでモデレーターにミュートされています。解除されれば、また読み上げできます。',
  missingPermissions: (permissions, id) =>
    `ボットに ${channelMention(id)} での ${format.and(permissions.map((name) => bold(name)))} の権限が必要です。サーバーの管理者がチャンネル設定で許可できます。`,
  full: (id) => `${channelMention(id)} は満員です。空きを待つか、別のチャンネルを選んでください。`,
};
