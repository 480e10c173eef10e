// What any command may say, in Japanese.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: '終わる前に再起動しました。もう一度試してください。',
  toMember: (userId, sentence) => `${userMention(userId)} さん：${sentence}`,
  restarting: '再起動しています。1分後にもう一度試してください。',
  unknownCommand: 'このコマンドはなくなりました。Discord を再読み込みすると、いまあるコマンドが表示されます。',
  unreadableInteraction: 'Discord から届いた内容がわかりませんでした。もう一度試すか、Discord を再読み込みしてください。',
  started: '始めます。',
  directHint: `コマンドだけがわかります。${inlineCode('/')} を入力すると一覧が出ます。${inlineCode('/help')} も使えます。`,
  expiredMessage: 'このメッセージは古くなりました。コマンドをもう一度実行してください。',
  notYourButtons: (command) =>
    `このボタンを使えるのはコマンドを実行したメンバーだけです。${inlineCode(command)} を実行すると、自分用のボタンが表示されます。`,
  previousPage: '‹ 前へ',
  nextPage: '次へ ›',
};
