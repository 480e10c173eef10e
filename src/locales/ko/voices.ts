// What /voices says, in Korean.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

// “목소리” follows, as the particle after a title would depend on its last sound.
const titled = (title: string) => `${bold(asMarkdown(title, 150) || '?')} 목소리`;

const hearWithSay = `실제 목소리는 ${inlineCode('/say')}로 들어 보세요.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: '목소리',
  found: (total, page, pages) => {
    const voices = plural(total, { other: '목소리 #개' });
    return pages > 1 ? `${voices} · ${number(page)} / ${number(pages)}쪽` : voices;
  },
  noneFound: '조건에 맞는 목소리가 없어요. 조건을 줄여 보세요.',
  nothingOnPage: `이 쪽에는 글을 읽을 수 있는 목소리가 없어요. 다음 쪽을 보거나 ${inlineCode('/voices all:True')}로 모두 보세요.`,
  pageOutOfRange: (page, pages) =>
    pages === 1 ? `${number(page)}쪽은 없어요. 한 쪽뿐이에요.` : `${number(page)}쪽은 없어요. 마지막은 ${number(pages)}쪽이에요.`,
  ownVoicesForOperators: `봇 계정의 목소리 목록은 봇 소유자만 볼 수 있어요. 공개된 목소리를 보려면 ${inlineCode('mine')}을 빼세요.`,
  ownVoicesStayPrivate: '봇 소유자의 목소리라서 공개하지 않아요.',
  yes: '예',

  by: (author) => `만든 사람: ${author}`,
  coverOf: (title) => `${title} 표지`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { other: '#번 사용' }),
  sings: '노래하는 목소리를 바꾸는 용도예요. 글은 읽을 수 없어요.',
  notReady: (state) => (state === 'failed' ? '학습에 실패해서 말할 수 없어요.' : '아직 학습 중이라 말할 수 없어요.'),
  id: 'ID',
  sample: (place) => `샘플 ${number(place)}`,
  furtherSamples: (count) => plural(count, { other: '… 외 샘플 #개' }),

  hearOne: '듣기…',
  useOne: '쓰기…',
  open: '자세히…',
  share: '공유',
  back: '‹ 뒤로',
  hear: '듣기',
  hearAnother: '샘플 듣기…',

  choices: {
    mine: {
      off: '내 목소리로 쓰기',
      on: '✓ 내 목소리',
      chosen: (title) => `이제 ${titled(title)}가 내 목소리예요. 어느 서버에서든 ${inlineCode('/say')}에 써요.`,
      givenUp: (title) => `${titled(title)}는 이제 내 목소리가 아니에요. 앞으로는 채널이나 서버의 목소리로 읽어요.`,
    },
    favourite: {
      off: '즐겨찾기에 추가',
      on: '★ 즐겨찾기',
      chosen: (title) => `${titled(title)}를 즐겨찾기에 추가했어요. ${inlineCode('/say')}에서 목소리를 고를 때 목록 맨 위에 나와요.`,
      givenUp: (title) => `${titled(title)}를 즐겨찾기에서 뺐어요.`,
    },
    server: {
      off: '이 서버에서 쓰기',
      on: '✓ 이 서버의 목소리',
      chosen: (title) => `이제 ${titled(title)}가 이 서버의 목소리예요. 목소리를 고르지 않은 멤버 모두가 써요.`,
      givenUp: (title) => `${titled(title)}는 이제 이 서버의 목소리가 아니에요. 목소리를 고르지 않은 멤버는 기본 목소리를 써요.`,
    },
  },

  gone: (title) => `${titled(title)} 목소리는 더 이상 쓸 수 없어요. ${inlineCode('/voices')}에서 다른 목소리를 고르세요.`,
  cannotSpeak: (title) => `${titled(title)}는 글을 읽을 수 없어요. 다른 목소리를 고르세요.`,
  serverVoiceForAdmins: `서버 목소리는 ${bold('서버 관리하기')} 권한이 있는 서버 관리자만 고를 수 있어요. 내 목소리로는 쓸 수 있어요.`,

  noSample: (title) => `${titled(title)}의 샘플이 이제 없어요. ${hearWithSay}`,
  sampleUnreadable: (title) => `${titled(title)}의 샘플을 불러오지 못했어요. 잠시 뒤에 다시 시도하세요.`,
  sampleTooLarge: (title) => `${titled(title)}의 샘플은 너무 커서 재생할 수 없어요. ${hearWithSay}`,
  sampleNotAudio: (title) => `${titled(title)}의 샘플은 재생할 수 있는 소리가 아니에요. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `${channelMention(channelId)} 채널에서 ${titled(title)}의 샘플을 재생하고 있어요.`
      : `${channelMention(channelId)} 채널에서 ${plural(before, { other: '다른 #개' })} 다음에 ${titled(title)}의 샘플을 재생해요.`,
  sampleAttached: (title) => `${titled(title)}의 샘플이에요. 음성 채널에 들어가면 거기서 재생해요.`,
};
