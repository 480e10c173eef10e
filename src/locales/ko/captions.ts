// Captions of a voice channel, in Korean.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('내 말 받아쓰기');
const stopMe = bold('받아쓰기 그만');

export const captions: Words['captions'] = {
  notInGuild: '제가 들어가 있는 서버의 음성 채널에만 자막을 달 수 있어요. 먼저 저를 초대해 주세요.',
  noVoiceChannel: `어느 음성 채널인지 모르겠어요. 참가하거나, 그 채널의 채팅에서 ${start}를 사용하세요.`,
  noSpareCalls:
    '여기서는 자막을 달 수 없어요. 음성 서비스를 한 번에 하나만 호출할 수 있어서 자막이 다른 모든 기능을 막게 돼요. 봇 운영자가 `VOICE_API_CONCURRENCY`를 2 이상으로 올릴 수 있어요.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `여기서는 ${format.or(roleIds.map(roleMention))} 역할이 있는 멤버만 자막을 시작할 수 있어요. 역할은 서버 관리자가 줄 수 있어요.`
      : '여기서는 특정 역할이 있는 멤버만 자막을 시작할 수 있는데, 그 역할이 없어졌어요. 서버 관리자에게 다른 역할을 골라 달라고 하세요.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `여기서는 ${format.or(channelIds.map(channelMention))}에서만 자막을 쓸 수 있어요. 참가한 뒤 다시 시도하세요.`
      : `자막을 쓸 수 있는 음성 채널이 없어졌어요. 서버 관리자에게 ${inlineCode('/settings')}에서 다른 채널을 골라 달라고 하세요.`,
  missing: (permissions, channelId) =>
    `자막을 쓰려면 ${channelMention(channelId)}에서 ${format.and(permissions.map((name) => bold(name)))} 권한이 필요해요. 서버 관리자가 채널 설정에서 허용할 수 있어요.`,
  cannotConnect: (channelId) =>
    `${channelMention(channelId)}에 참가할 수 없어서 거기서 자막을 시작할 수 없어요. 다른 음성 채널을 고르세요.`,
  alreadyOn: (link) => `자막이 이미 켜져 있어요: ${link}`,
  elsewhere: (channelId) =>
    `지금 ${channelMention(channelId)}에 자막을 달고 있고, 음성 채널 한 곳에만 있을 수 있어요. 거기서 끝나면 다시 시도하세요.`,
  started: (link) => `자막을 켰어요: ${link}\n거기서 ${captionMe}를 누른 사람의 말만 들어요.`,
  notOn: `이 서버에는 자막이 켜져 있지 않아요. ${start}로 켤 수 있어요.`,
  mayNotStop: (starterId) =>
    `자막은 시작한 ${userMention(starterId)} 님, 관리 권한이 있는 사람, 또는 마지막으로 남은 자막 대상자가 끌 수 있어요. 나만 빠지려면 ${stopMe}을 누르세요.`,
  stopped: '완료했어요. 자막을 껐어요.',
  leaveStops: '그 음성 채널에 자막을 달고 있어서, 나가면 자막이 끝나요.',

  title: (channelId) => `${channelMention(channelId)} 자막`,
  what: `거기서 하는 말을 누구나 읽을 수 있게 여기에 써요. ${captionMe}를 누른 사람의 말만 듣고, 다른 사람의 소리는 복호화조차 하지 않아요.`,
  sound: (host) =>
    host === null
      ? '한 문장씩 소리가 제 컴퓨터에 있는 음성 서비스로 가고, 아무도 보관하지 않아요. 말은 여기 제 메시지에만 남아요.'
      : `한 문장씩 소리가 이름 없이 ${inlineCode(host)}의 음성 서비스로 가요. 저는 보관하지 않아요. 말은 여기 제 메시지에만 남아요.`,
  consent: (isKept) =>
    isKept
      ? `동의하면 이 서버에서 90일 동안, 또는 ${stopMe}을 누를 때까지 기억해요.`
      : '매번 물어봐요. 이 자막이 끝나면 누가 동의했는지 잊어요.',
  startedBy: (memberId) => `시작한 사람: ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('자막 대상:')} ${memberIds.length === 0 ? '아직 없음' : [...memberIds.map(userMention), ...(more > 0 ? [`외 ${format.number(more)}명`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('들리지 않음:')} ${memberIds.map(userMention).join(' ')}. 소리를 복호화할 수 없어요. 음성 채널에서 나갔다가 다시 들어오면 대개 해결돼요.`,
  outOfBudget: (memberId, at) =>
    `⚠️ ${userMention(memberId)} 님은 하루 받아쓰기 한도를 다 썼어요. ${format.relative(at)} 다시 자막을 달아요.`,
  serverOutOfBudget: (at) => `⚠️ 이 서버는 하루 받아쓰기 한도를 다 썼어요. ${format.relative(at)} 자막을 이어 가요.`,
  cost: (seconds, cost) =>
    `지금까지: 말한 시간 ${format.duration(seconds)}, 말한 사람들의 한도에서 차감${cost === null ? '' : `, 크레딧 약 ${format.significant(cost)}`}`,
  captionButton: '내 말 받아쓰기',
  stopButton: '받아쓰기 그만',
  deleteButton: '내 말 삭제',
  languageMenu: '내가 쓰는 언어 (나에게만 적용)',
  hasEnded: '자막이 끝났어요',

  isOn: (isKept) =>
    isKept
      ? `완료했어요. 여기서, 그리고 앞으로 90일 동안 이 서버에 자막이 켜질 때마다 당신의 말에 자막을 달아요. ${stopMe}이나 ${privacyCommand}로 취소할 수 있어요.`
      : `완료했어요. 이 자막이 끝나거나 ${stopMe}을 누를 때까지 당신의 말에 자막을 달아요.`,
  isOff: `완료했어요. 더는 당신의 말을 듣지 않아요. 쓰고 있던 것은 버렸어요. 이미 여기 있는 것을 지우려면 ${bold('내 말 삭제')}를 누르세요.`,
  isOffUnstored: `완료했어요. 더는 당신의 말을 듣지 않아요. 지금은 저장할 수 없어서 될 때까지 계속 시도할게요. 그 전에 봇이 다시 시작되면 ${bold('받아쓰기 그만')}을 한 번 더 누르세요.`,
  excluded: '이 서버의 관리자가 당신의 역할 중 하나에는 자막을 달지 않기로 했어요.',
  wordsDeleted: (count) => (count === 0 ? '여기에 당신의 말은 없어요.' : `완료했어요. 당신의 말 ${format.number(count)}줄을 삭제했어요.`),
  languageChosen: (name) => (name === null ? '완료했어요. 쓰는 언어를 자동으로 알아낼게요.' : `완료했어요. 예상 언어: ${name}.`),
  notCaptioned: `당신의 말에는 자막을 달지 않고 있어요. 먼저 ${captionMe}를 누르세요.`,
  endedAlready: `이 자막은 끝났어요. ${start}로 다시 켤 수 있어요.`,

  behind: (seconds) => `${format.duration(seconds)} 늦어지고 있어요.`,
  dropped: (name, seconds) => `${name} 님의 말 중 ${format.duration(seconds)}를 건너뛰었어요.`,
  failed: '지금 음성 서비스가 작동하지 않아 말의 일부가 빠져 있어요. 계속 시도할게요.',
  resumed: '잠시 끊겼어요. 바로 앞의 말이 빠졌을 수 있어요.',

  ended: {
    stopped: (memberId) => `자막이 끝났어요. ${userMention(memberId)} 님이 껐어요.`,
    nobody: '자막이 끝났어요. 2분 동안 음성 채널에 자막 대상자가 없었어요.',
    moved: '자막이 끝났어요. 관리 권한이 있는 사람이 저를 옮기거나 연결을 끊었어요.',
    left: '자막이 끝났어요. 제가 음성 채널에서 나왔어요.',
    channelGone: '자막이 끝났어요. 음성 채널이 삭제되었어요.',
    lost: `자막이 끝났어요. 음성 채널과의 연결이 끊겼어요. ${start}로 다시 켤 수 있어요.`,
    unwritable: '자막이 끝났어요. 이 채널에 더는 쓸 수 없어요.',
    interrupted: `자막이 끝났어요. 너무 오래 오프라인이었어요. ${start}로 다시 켤 수 있어요.`,
    unavailable: '자막이 끝났어요. 이 컴퓨터에서는 말을 받아쓸 수 없어요. 봇 소유자가 로그에서 이유를 볼 수 있어요.',
  },
  noTranscript: '이번에는 받아쓰기 파일이 없어요. 필요한 것을 모두 읽지 못했어요. 위의 자막은 그대로 남아 있어요.',
  transcriptName: (channel) => `${channel} 자막`,
  threadName: (channel) => `${channel} 자막`,
  voiceStatus: '💬 자막 켜짐',

  spoken: {
    begin: '자막을 켰어요. 채팅에서 내 말 받아쓰기를 누른 사람의 말만 써요.',
    joined: '여기에는 자막이 켜져 있어요. 당신의 말도 쓰기를 원하면 채팅에서 내 말 받아쓰기를 누르세요.',
  },
  permissionNames: { CreatePublicThreads: '공개 스레드 만들기' },
  status: (channelId, count) => `자막: ${channelMention(channelId)}에서 켜짐, ${format.number(count)}명`,

  panel: {
    starters: '자막을 시작할 수 있는 사람',
    startersMenu: '자막을 시작할 수 있는 역할 (없음 = 모두)',
    channels: '자막을 쓸 수 있는 곳',
    channelsMenu: '자막용 음성 채널 (없음 = 모두)',
    excluded: '자막을 달지 않는 사람',
    excludedMenu: '자막을 절대 달지 않는 역할',
    consentName: '동의',
    consent: { kept: '동의한 사람을 90일 동안 기억', each: '매번 모두에게 묻기' },
    placeName: '쓰는 곳',
    place: { chat: '음성 채널의 채팅', thread: '스레드' },
    placeWhat: {
      chat: '어디에서 시작하든 같아요',
      thread: '시작한 텍스트 채널의 스레드. 음성 채널 채팅에는 스레드가 없어요',
    },
    languageName: '말하는 언어',
    language: (name) => `언어: ${name}`,
  },

  privacy: (count) =>
    `${bold('자막.')} 자막이 있는 음성 채널에서는 동의한 경우에만 당신의 말을 들어요. 소리는 한 문장 동안만 메모리에 있고, 말은 제 메시지에만 남아요. ${
      count === 0
        ? '아직 어디에서도 동의하지 않았어요.'
        : `서버 ${format.number(count)}곳에서 동의한 것을 고른 언어와 함께 90일 동안 기억해요.`
    }`,
  consentGoes: '자막에 대한 동의도 모든 곳에서 취소돼요.',
};
