// What /queue, /skip, /stop and /leave say, in Korean.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

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
