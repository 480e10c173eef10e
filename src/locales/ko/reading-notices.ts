// What is said while a channel is read aloud, in Korean.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { other: '메시지 #개를 건너뛰었어요.' }),
  goesOn: '다시 작동하면 새 메시지부터 이어서 읽을게요.',
  mostUsed: (share, left) =>
    format.plural(left, {
      other: `이 서버가 오늘 말하기 한도의 ${format.percent(share)}를 썼어요. 소리 내어 읽기와 ${inlineCode('/say')}에 #자가 남았어요.`,
    }),
  channelGone: '음성 채널이 없어져서 이 채널을 더 이상 소리 내어 읽지 않아요.',
};
