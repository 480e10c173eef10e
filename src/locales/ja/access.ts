// Refusals, in Japanese.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');

/** A longer list says nothing. */
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `このサーバーでは ${inlineCode('/say')} を使えない設定になっています。${settings} で元に戻せます。`
      : `サーバーの管理者の設定により、${inlineCode('/say')} を使えません。`,
  roles: (ids) =>
    isShort(ids)
      ? `ここで使えるのは ${format.or(ids.map(roleMention))} のロールを持つメンバーだけです。ロールはサーバーの管理者が付けられます。`
      : 'ここで使えるのは特定のロールを持つメンバーだけです。ロールはサーバーの管理者が付けられます。',
  channels: (ids) =>
    isShort(ids)
      ? `このサーバーで使えるのは ${format.or(ids.map(channelMention))} だけです。そこでもう一度試してください。`
      : 'このサーバーで使えるのは特定のチャンネルだけです。そのどれかでもう一度試してください。',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `このサーバーで読み上げできるのは ${format.or(ids.map(channelMention))} だけです。参加してからもう一度試してください。`
      : 'このサーバーで読み上げできるのは特定のボイスチャンネルだけです。そのどれかに参加してからもう一度試してください。',
  channelsGone: `このサーバーで使えるチャンネルがすべてなくなりました。${settings} で別のチャンネルを選ぶよう、サーバーの管理者に頼んでください。`,
  voiceChannelsGone: `このサーバーで読み上げできるボイスチャンネルがすべてなくなりました。${settings} で別のチャンネルを選ぶよう、サーバーの管理者に頼んでください。`,
  tooFast: (again) => `少し速すぎます。${format.relative(again)}にもう一度試してください。`,
};
