// Refusals, in Korean.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');

/** A longer list says nothing. */
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `이 서버에서 ${inlineCode('/say')}를 쓸 수 없게 되어 있어요. ${settings}에서 다시 켤 수 있어요.`
      : `서버 관리자가 ${inlineCode('/say')}를 쓸 수 없게 했어요.`,
  roles: (ids) =>
    isShort(ids)
      ? `여기서는 ${format.or(ids.map(roleMention))} 역할이 있는 멤버만 쓸 수 있어요. 역할은 서버 관리자가 줄 수 있어요.`
      : '여기서는 특정 역할이 있는 멤버만 쓸 수 있어요. 역할은 서버 관리자가 줄 수 있어요.',
  channels: (ids) =>
    isShort(ids)
      ? `이 서버에서는 ${format.or(ids.map(channelMention))} 채널에서만 쓸 수 있어요. 거기서 다시 시도하세요.`
      : '이 서버에서는 특정 채널에서만 쓸 수 있어요. 그중 한 곳에서 다시 시도하세요.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `이 서버에서는 ${format.or(ids.map(channelMention))} 채널에서만 말해요. 들어가서 다시 시도하세요.`
      : '이 서버에서는 특정 음성 채널에서만 말해요. 그중 한 곳에 들어가서 다시 시도하세요.',
  channelsGone: `이 서버에서 쓸 수 있는 채널이 모두 없어졌어요. ${settings}에서 다른 채널을 골라 달라고 서버 관리자에게 부탁하세요.`,
  voiceChannelsGone: `이 서버에서 말할 수 있는 음성 채널이 모두 없어졌어요. ${settings}에서 다른 채널을 골라 달라고 서버 관리자에게 부탁하세요.`,
  tooFast: (again) => `조금 너무 빨라요. ${format.relative(again)}에 다시 시도하세요.`,
};
