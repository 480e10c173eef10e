// What is said while a channel is read aloud, in Japanese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { other: '#件のメッセージを飛ばしました。' }),
  goesOn: '復旧したら、新しいメッセージから読み上げを再開します。',
  mostUsed: (share, left) =>
    format.plural(left, {
      other: `このサーバーは今日の読み上げの上限の${format.percent(share)}を使いました。チャンネルの読み上げと${inlineCode('/say')}に使える残りは#文字です。`,
    }),
  channelGone: 'ボイスチャンネルがなくなったため、このチャンネルの読み上げを終了しました。',
};
