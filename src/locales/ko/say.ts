// What /say and the buttons of its replies say, in Korean.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { other: '#자' });

export const say: Words['say'] = {
  noText: `읽을 글이 없어요. ${inlineCode('text')}에 입력하세요.`,
  nothingSpeakable: '이 글에는 소리 내어 읽을 것이 없어요. 단어나 숫자를 넣어 주세요.',
  andSoOn: '이하 생략',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `${code(voice)} 목소리를 찾을 수 없어요. 목록에서 고르거나 ${inlineCode('/voices')}를 둘러보세요.`
      : `${code(voice)} 목소리를 찾을 수 없어요. 목록에서 고르거나 ${inlineCode('/voices')}를 둘러보세요. 비슷한 이름: ${closest.map((title) => code(title)).join(', ')}.`,
  voiceReplaced: (gone, used) =>
    `여기서는 ${code(gone)} 목소리를 쓸 수 없어서 ${code(used)} 목소리로 읽었어요. ${inlineCode('/voices')}에서 다른 목소리를 고르세요.`,
  voiceIsYours: `내가 만든 목소리예요. ${inlineCode('/voice mine')}에서 무엇이 문제인지 볼 수 있어요.`,
  voiceNotHere: `여기서는 이 목소리를 쓸 수 없어요. ${inlineCode('/voices')}에서 다른 목소리를 고르세요.`,
  speedUnsupported: `이 음성 서비스에서는 속도를 바꿀 수 없어요. ${inlineCode('speed')}를 1로 두고 다시 시도하세요. 다음에도 1로 읽을게요.`,
  tooSlow: (count) => `이 컴퓨터에서는 이 목소리로 말하기에 너무 길어요. ${characters(count)} 정도로 줄이거나 더 빠른 목소리를 고르세요.`,
  textGone: `이 글은 이제 남아 있지 않아요. ${inlineCode('/say')}로 다시 입력하세요.`,
  confirm: (count, share) => `남은 크레딧의 약 ${format.percent(share)}를 써요(${characters(count)}). 그래도 읽을까요?`,
  tooExpensive: (count, share) => `남은 크레딧의 약 ${format.percent(share)}를 써요(${characters(count)}). 더 짧게 나눠 주세요.`,
  confirmMaking: (count) => `소리가 더는 저장되어 있지 않아서 다시 만들면 크레딧을 ${characters(count)} 써요. 만들까요?`,
  confirmButton: '읽기',
  makeButton: '만들기',
  stopButton: '중지',
  skipButton: '건너뛰기',
  cancelButton: '취소',
  moreMenu: '이제 무엇을 할까요?',
  replay: '다시 재생',
  saveAsFile: '파일로 저장',
  sendAsVoiceMessage: '음성 메시지로 보내기',
  sayMore: '더 말하기',
  showText: '글 전체 보기',
  sayMoreTitle: (voice) => `더 말하기: ${voice}`,
  sayMoreLabel: '무엇을 읽을까요?',
  textHidden: '이 서버에서는 말한 내용을 보여 주지 않아요.',
  recentVoice: '최근',
  favouriteVoice: '즐겨찾기',
  fileTooLarge: (limit) => `파일이 여기서 Discord가 받는 ${format.megabytes(limit)}를 넘어요. 더 짧은 글로 시도하세요.`,
  voiceMessageInstead: '봇이 있는 서버에서만 말할 수 있어서 음성 메시지로 보내 드려요.',
  voiceMessageForbidden: '여기서는 음성 메시지를 보낼 권한(음성 메시지 보내기)이 없어서 소리를 파일로 보내 드려요.',
  voiceMessageRefused: 'Discord가 음성 메시지로 받아 주지 않아서 소리를 파일로 보내 드려요.',
  voiceMessageTooLong: (minutes) => `음성 메시지는 최대 ${format.plural(minutes, { other: '#분' })}이라서 소리를 파일로 보내 드려요.`,
  nobodyThere: (channelId) => `지금 ${channelMention(channelId)} 채널에는 아무도 없어요.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: '말하는 중',
  queued: (before) => (before === 1 ? '다음 차례' : format.plural(before, { other: '앞에 #개' })),
  interrupted: (seconds) => `${format.duration(seconds)} 만에 끊김`,
  interruptedByRestart: '끝나기 전에 다시 시작되었어요',
  notSpoken: '말하지 못함',
  spoken: (seconds) => `${format.duration(seconds)} 동안 말함`,
  shortened: '서버 한도에 맞춰 줄임',
  characters,
  fromCache: '캐시에 있어서 무료',
  cachedSoundGone: (budget) => `기다리는 동안 캐시에서 소리가 지워져서 이제 무료가 아니에요. ${budget}`,
  skipped: '건너뜀',
  stopped: '중지됨',
  cancelled: '취소됨',
  cancelledCharged: (count) => `취소했지만, 음성 서비스가 이미 소리를 만들어서 ${characters(count)}는 사용량에 들어가요`,
  chargedUnheard: (count) => `음성 서비스가 이미 소리를 만들어서 ${characters(count)}는 사용량에 들어가요.`,
  defaultVoice: '기본 목소리',
};

// What /queue, /skip, /stop and /leave say, in Korean.

export const queue: Words['queue'] = {
  full: (most) => format.plural(most, { other: '대기열이 #개로 꽉 찼어요. 잠시 뒤에 다시 시도하세요.' }),
  tooManyWaiting: (most) =>
    format.plural(most, { other: `대기열에 이미 내 글이 #개 있어요. 끝날 때까지 기다리거나 ${inlineCode('/stop')}으로 빼세요.` }),
  onlyOwnerCanSkip: (ownerId) => `${userMention(ownerId)} 님이나 관리자만 건너뛸 수 있어요.`,
  onlyOwnerCanStop: (ownerId) => `${userMention(ownerId)} 님이나 관리자만 중지할 수 있어요.`,
  onlyOwnerCanUse: (ownerId) => `${userMention(ownerId)} 님이나 관리자만 할 수 있어요.`,
  onlyModerators: '관리자만 할 수 있어요.',
  empty: '재생 중인 것이 없어요.',
  nothingToStop: '재생 중이거나 기다리는 내 글이 없어요.',
  othersWaiting: `다른 사람의 글이 아직 대기열에 있어서 관리자만 봇을 내보낼 수 있어요. 관리자는 봇이 있는 음성 채널에서 ${bold('멤버들의 마이크 음소거하기')}나 ${bold('메시지 관리하기')} 권한이 있는 사람이에요.`,
  skipped: (ownerId) => `${userMention(ownerId)} 님의 글을 건너뛰었어요.`,
  skippedOwn: '내 글을 건너뛰었어요.',
  stopped: (count) => format.plural(count, { other: '중지하고 글 #개를 뺐어요.' }),
  left: (channelId) => `${channelMention(channelId)} 채널에서 나왔어요.`,
  nowPlaying: '지금 재생 중',
  upNext: '다음 차례',
  starting: '곧 시작…',
  timeLeft: (seconds) => `약 ${format.duration(seconds)} 남음`,
  almostDone: '거의 끝남',
  lasts: (seconds) => `약 ${format.duration(seconds)}`,
  removeButton: '빼기',
  alreadyGone: '그 글은 이제 대기열에 없어요.',
  pageOf: (page, pages) => `${format.number(page)} / ${format.number(pages)}쪽`,
};
