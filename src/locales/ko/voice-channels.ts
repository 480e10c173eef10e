// Why the bot can't speak in a voice channel, in Korean.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: '채널 보기', Connect: '연결', Speak: '말하기' },
  botNotInGuild: `봇이 있는 서버에서만 말할 수 있어요. ${inlineCode('as_file')}을 쓰면 소리를 파일로 받을 수 있어요.`,
  memberNotInVoice: `음성 채널에 없어요. 들어가거나 ${inlineCode('channel')}에서 고르세요.`,
  botNotInVoice: `봇이 음성 채널에 없어요. 음성 채널에 들어가서 ${inlineCode('/say')}로 부르세요.`,
  stageChannel: (id) => `${channelMention(id)} 채널은 스테이지인데, 봇은 음성 채널에서만 말해요. 음성 채널을 고르세요.`,
  memberCannotConnect: (id) => `${channelMention(id)} 채널에 들어갈 수 없는 멤버를 대신해서는 거기서 말할 수 없어요. 다른 채널을 고르세요.`,
  memberCannotSpeak: (id) =>
    `${channelMention(id)} 채널에서 봇이 말하게 하려면 나에게도 ${bold('말하기')} 권한이 필요해요. 다른 채널을 고르세요.`,
  memberServerMuted: '이 서버의 음성 채널에서 관리자가 마이크를 음소거했어요. 풀리면 다시 대신 말할 수 있어요.',
  missingPermissions: (permissions, id) =>
    `봇에게 ${channelMention(id)} 채널의 ${format.and(permissions.map((name) => bold(name)))} 권한이 필요해요. 서버 관리자가 채널 설정에서 허용할 수 있어요.`,
  full: (id) => `${channelMention(id)} 채널이 꽉 찼어요. 자리가 날 때까지 기다리거나 다른 채널을 고르세요.`,
};
