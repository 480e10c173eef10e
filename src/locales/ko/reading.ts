// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Korean.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord 설정 때문에 메시지를 읽을 수 없어요. 봇 소유자가 개발자 포털에서 ${bold('Message Content Intent')}를 켜고 봇을 다시 시작하면 돼요. 그때까지는 ${bold('Read this aloud')}로 메시지를 하나씩만 읽을 수 있어요.`,
  notInGuild: '봇이 있는 서버에서만 채널을 읽을 수 있어요. 관리자에게 봇을 추가해 달라고 하세요.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `읽기를 시작하거나 끝내려면 ${bold('서버 관리하기')} 권한이 필요해요. 관리자는 ${settings}에서 다른 역할에도 허용할 수 있어요.`
      : `읽기를 시작하거나 끝내려면 ${bold('서버 관리하기')} 권한이나 ${format.or(roles.map(roleMention))} 역할이 필요해요. 역할은 관리자가 줄 수 있어요.`,
  privateThread: `비공개 스레드는 초대받지 않은 사람에게도 들리기 때문에 읽지 않아요. 채널에서 ${start}를 쓰세요.`,
  noVoiceChannel: `음성 채널에 없어요. 들어가거나 ${inlineCode('voice_channel')}에서 고르세요.`,
  cannotSeeVoice: '그 음성 채널을 볼 수 없어요. 다른 채널을 고르세요.',
  cannotSeeText: (id) => `${channelMention(id)} 채널을 볼 수 없어서 읽게 할 수도 없어요.`,
  iCannotSee: (id) => `${channelMention(id)} 채널에 쓰인 글이 봇에게 보이지 않아요. 서버 관리자가 ${bold('채널 보기')}를 허용할 수 있어요.`,
  alreadyReading: (text, voice) => `${channelMention(text)} 채널은 이미 ${channelMention(voice)} 채널에서 읽고 있어요.`,
  readingElsewhere: (texts, voice) =>
    `${channelMention(voice)} 채널에서 ${channels(texts)} 읽기를 듣고 있는 사람이 있어요. 봇은 한 번에 음성 채널 하나에만 있을 수 있어요. 먼저 ${stop}을 쓰거나 그 음성 채널을 고르세요.`,
  exposed: (who, text, voice) =>
    `${bold('이 채널을 볼 수 없는 사람에게도 들려요.')}\n${channelMention(voice)} 채널에 들어갈 수 있지만 ${channelMention(text)} 채널은 볼 수 없는 대상: ${format.and(who)}. 그래도 읽을까요?`,
  everyone: '모두',
  others: (count) => format.plural(count, { other: '외 #개' }),
  startAnyway: '그래도 읽기',
  cancel: '취소',
  cancelled: '읽지 않을게요.',
  startedAnyway: '읽기 시작했어요.',
  started: (member, text, voice) =>
    `${userMention(member)} 님이 채널 읽기를 켰어요. 이제 ${channelMention(text)} 채널에 쓰이는 글을 ${channelMention(voice)} 채널의 모두에게 읽어 드려요.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} 님이 봇을 다시 불렀어요. ${channelMention(text)} 채널에 쓰이는 글을 ${channelMention(voice)} 채널의 모두에게 다시 읽어 드려요.`,
  optOut: `내 메시지를 읽지 않게 하려면 ${inlineCode('/read me off')}를 쓰세요.`,
  skipOne: (prefix) => `메시지 하나만 읽지 않게 하려면 ${code(prefix)} 표시로 시작하세요.`,
  stopped: (member, texts) => `${userMention(member)} 님이 ${channels(texts)} 채널 읽기를 껐어요.`,
  stoppedAlways: `항상 읽도록 설정되어 있어서, 모두 음성 채널에서 나간 뒤 누군가 들어오면 다시 읽어요. 관리자는 ${settings}에서 바꿀 수 있어요.`,
  notReading: `읽고 있는 채널이 없어요. ${start}로 시작하세요.`,
  stillReading: `새 메시지는 계속 읽어요. 끝내려면 ${stop}을 쓰세요.`,
  pausedReading: `모두 음성 채널에서 나간 뒤 누군가 들어오거나 ${start}를 쓰면 다시 읽어요.`,
  leaveStops: (texts) => `여기서 ${channels(texts)} 채널을 읽고 있어서, 나가면 읽기가 멈춰요.`,
  meOff: (dropped) =>
    dropped === 0
      ? '완료했어요. 어느 서버에서도 내 메시지를 읽지 않아요.'
      : `완료했어요. 어느 서버에서도 내 메시지를 읽지 않아요. ${format.plural(dropped, { other: '기다리던 #개를 뺐어요.' })}`,
  meOn: '완료했어요. 읽기가 켜진 곳에서 내 메시지를 다시 읽어요.',
  mutedHere: `이 서버에서는 중재자가 내 메시지 읽기를 껐어요. 서버 관리자에게 부탁하면 ${bold('Stop reading this member')}나 ${settings}에서 되돌릴 수 있어요.`,
  authorOptedOut: (id) => `${userMention(id)} 님은 자신의 메시지를 읽지 않기를 바라요.`,
  authorMuted: (id) => `이 서버에서는 ${userMention(id)} 님의 메시지 읽기가 꺼져 있어요.`,
  nothingToRead: '이 메시지에는 읽을 것이 없어요. 글이 있는 메시지를 고르세요.',
  messageGone: '읽기 전에 메시지가 삭제됐어요.',
  readsMessage: (author, link) => `${userMention(author)} 님의 [메시지](${link})를 읽어요`,
  muted: (id) =>
    `완료했어요. 이제 ${userMention(id)} 님의 메시지를 읽지 않고, 그 멤버는 ${inlineCode('/say')}도 쓸 수 없어요. 서버 관리자는 이 명령어나 ${settings}에서 되돌릴 수 있어요.`,
  unmuted: (id) => `완료했어요. ${userMention(id)} 님의 메시지를 다시 읽고, 그 멤버는 ${inlineCode('/say')}도 쓸 수 있어요.`,
  onlyAdminsUnmute: (id) =>
    `${userMention(id)} 님의 메시지는 이미 읽지 않고 있어요. 서버 관리자만 이 명령어나 ${settings}에서 되돌릴 수 있어요.`,
  cannotMuteMe: '봇 자신의 메시지는 읽지 않아요. 다른 사람을 고르세요.',
  status: {
    title: '채널 읽기',
    reads: (text, voice) => `${channelMention(text)} 채널을 ${channelMention(voice)} 채널에서 읽고 있어요.`,
    readsAlways: (text, voice) => `${channelMention(text)} 채널을 항상 ${channelMention(voice)} 채널에서 읽어요.`,
    paused: {
      leave: `지금은 읽지 않아요. 누군가 ${inlineCode('/leave')}로 음성 채널에서 내보냈어요. 모두 나간 뒤 누군가 들어오거나 ${start}를 쓰면 돌아와요.`,
      disconnect: `지금은 읽지 않아요. 중재자가 음성 채널 연결을 끊었어요. 모두 나간 뒤 누군가 들어오거나 ${start}를 쓰면 돌아와요.`,
    },
    stopped: (texts) =>
      `${channels(texts)} 채널을 항상 읽지만, 누군가 ${stop}으로 껐어요. 모두 음성 채널에서 나간 뒤 누군가 들어오거나 ${start}를 쓰면 다시 읽어요.`,
    nothing: `읽고 있는 채널이 없어요. 읽을 채널에서 ${start}를 쓰세요.`,
    nothingWaits: '기다리는 메시지가 없어요',
    waiting: (messages, delay) =>
      `${format.plural(messages, { other: '메시지 #개가 기다려요' })}. 새 메시지는 약 ${format.duration(delay)} 뒤에 들려요`,
    faster: (factor) => `밀리지 않으려고 ${format.number(factor, 1)}배 빠르게 말하고 있어요`,
    nameless: '밀리지 않으려고 이름을 빼고 있어요',
    skipped: (count) => format.plural(count, { other: '밀리지 않으려고 메시지 #개를 건너뛰었어요' }),
    left: (characters, resets) =>
      characters === null
        ? '이 서버에는 하루 한도가 없어요'
        : `오늘 이 서버에 남은 양: ${format.plural(characters, { other: '#자' })} (${resets} 새로 시작)`,
    usedUp: (resets) => `이 서버는 오늘 쓸 양을 다 썼어요. ${resets} 다시 쓸 수 있어요.`,
    optedOut: `읽지 않기로 해서 내 메시지를 읽지 않아요. ${inlineCode('/read me on')}으로 되돌릴 수 있어요.`,
    slowVoice: (title) => `${title} 목소리는 이 컴퓨터에서 소리 내어 읽기에 너무 느려서, 내 메시지는 다른 목소리로 읽어요.`,
    problem: (sentence, at) => `마지막 문제 (${at}): ${sentence}`,
    titles: { now: '지금', here: '권한', you: '나' },
    viewChannelNext: '없으면 메시지를 받지 못해요. 서버 관리자가 허용할 수 있어요',
    optional: {
      SendMessages: '없으면 들리지 않는 이유를 여기에 쓸 수 없어요',
      AddReactions: '없으면 들리지 않는 메시지에 표시할 수 없어요',
      ReadMessageHistory: '없으면 들리지 않는 메시지에 표시하거나 전달된 메시지를 읽을 수 없어요',
    },
    permissionNames: {
      SendMessages: '메시지 보내기',
      AddReactions: '반응 추가하기',
      ReadMessageHistory: '메시지 기록 보기',
    },
  },
  panel: {
    always: '항상 읽기',
    pair: (text, voice) => `${text} → ${voice}`,
    alwaysMenu: '항상 읽기: 읽을 음성 채널 고르기',
    textMenu: '거기서 항상 읽을 텍스트 채널',
    who: {
      everyone: '모두의 메시지 읽기',
      listeners: '음성 채널에 있는 사람만 읽기',
    },
    optionsMenu: '이름, 봇, 반응: 없음',
    options: {
      names: { label: '누가 썼는지 말하기', description: '쓰는 사람이 바뀔 때 한 번' },
      bots: { label: '봇 읽기', description: '다른 봇과 웹후크의 메시지도' },
      reactions: { label: '들리지 않는 것 표시하기', description: '메시지에 반응을 달아서' },
    },
    roles: '읽는 역할',
    rolesMenu: '읽는 역할 (없음 = 모두)',
    readerRoles: '시작하고 끝낼 수 있는 역할',
    readerRolesMenu: '관리자 말고도 시작하고 끝낼 수 있는 역할',
    adminsOnly: '관리자만',
    delay: '새 메시지가 들리기까지',
    seconds: (count) => format.plural(count, { other: '#초 이내' }),
    prefix: '이렇게 시작하면 읽지 않음',
    formTitle: '채널 읽기',
    delayLabel: '메시지가 들리기까지의 초',
    delayHint: (least, most, usual) =>
      `${format.number(least)}~${format.number(most)}. 비움 = ${format.number(usual)}. 더 많으면 일부를 건너뛰어요.`,
    prefixLabel: '이렇게 시작하는 메시지 건너뛰기',
    prefixHint: '비움 = 모든 메시지 읽기',
  },
};

// What is said while a channel is read aloud, in Korean.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { other: '메시지 #개를 건너뛰었어요.' }),
  goesOn: '다시 작동하면 새 메시지부터 이어서 읽을게요.',
  mostUsed: (share, left) =>
    format.plural(left, {
      other: `이 서버가 오늘 말하기 한도의 ${format.percent(share)}를 썼어요. 소리 내어 읽기와 ${inlineCode('/say')}에 #자가 남았어요.`,
    }),
  channelGone: '음성 채널이 없어져서 이 채널을 더 이상 소리 내어 읽지 않아요.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Korean.

export const heard: Words['heard'] = {
  inPlace: { link: '링크', spoiler: '스포일러', someone: '누군가', role: '역할', channel: '채널' },
  code: '코드',
  linkTo: (site) => `${site} 링크`,
  messageLink: '메시지 링크',
  gif: 'GIF',
  repeated: (emoji, count) => `${emoji} ${format.plural(count, { other: '#번' })}`,

  says: (name, text) => `${name} 님, ${text}`,
  saysTo: (name, to, text) => `${name} 님이 ${to} 님에게, ${text}`,
  to: (to, text) => `${to} 님에게, ${text}`,
  sends: (name, what) => `${name} 님이 보냄, ${what}`,
  with: (what) => `첨부, ${what}`,
  forwarded: (text) => `전달된 메시지, ${text}`,
  forwardedUnread: '전달된 메시지',
  pictures: (count) => format.plural(count, { other: '사진 #장' }),
  gifs: (count) => format.plural(count, { other: 'GIF #개' }),
  videos: (count) => format.plural(count, { other: '동영상 #개' }),
  sounds: (count) => format.plural(count, { other: '오디오 파일 #개' }),
  files: (count) => format.plural(count, { other: '파일 #개' }),
  voiceMessage: (seconds) => (seconds === null ? '음성 메시지' : `${format.duration(seconds)} 길이의 음성 메시지`),
  sticker: (name) => `스티커 ${name}`,
  poll: (question) => `투표, ${question}`,
  and: format.and,
  or: format.or,
};
