// What any command may say, in Korean.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: '끝나기 전에 다시 시작되었어요. 다시 시도하세요.',
  toMember: (userId, sentence) => `${userMention(userId)} 님: ${sentence}`,
  restarting: '다시 시작하고 있어요. 1분 뒤에 다시 시도하세요.',
  unknownCommand: '이 명령어는 이제 없어요. Discord를 새로 고치면 지금 있는 명령어가 보여요.',
  unreadableInteraction: 'Discord가 보낸 내용을 이해하지 못했어요. 다시 시도하거나 Discord를 새로 고치세요.',
  started: '시작할게요.',
  directHint: `저는 명령어만 알아들어요. ${inlineCode('/')}를 입력하면 명령어가 보여요. ${inlineCode('/help')}도 쓸 수 있어요.`,
  expiredMessage: '오래된 메시지예요. 명령어를 다시 실행하세요.',
  notYourButtons: (command) => `이 버튼은 명령어를 쓴 멤버만 쓸 수 있어요. ${inlineCode(command)}를 실행하면 내 버튼이 나와요.`,
  previousPage: '‹ 이전',
  nextPage: '다음 ›',
};

// Refusals, in Korean.

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

// What is wrong with an attached file, in Korean.

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

// Why the bot can't speak in a voice channel, in Korean.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: '채널 보기', Connect: '연결', Speak: '말하기' },
  botNotInGuild: `봇이 있는 서버에서만 말할 수 있어요. ${inlineCode('send_as')}에서 ‘음성 메시지’를 고르면 소리를 받을 수 있어요.`,
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
