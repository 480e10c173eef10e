// What any command may say, in Simplified Chinese.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

export const general: Words['general'] = {
  interruptedByRestart: '完成之前我重启了。请再试一次。',
  toMember: (userId, sentence) => `${userMention(userId)}：${sentence}`,
  restarting: '我正在重启。请一分钟后再试。',
  unknownCommand: '我已经没有这个命令了。重新加载 Discord 就能看到现有的命令。',
  unreadableInteraction: '我没看懂 Discord 发来的内容。请再试一次，或重新加载 Discord。',
  started: '马上开始。',
  directHint: `我只听得懂命令。输入 ${inlineCode('/')} 查看全部，或使用 ${inlineCode('/help')}。`,
  expiredMessage: '这条消息已过期。请重新运行命令。',
  notYourButtons: (command) => `只有发起的成员可以使用这些按钮。运行 ${inlineCode(command)} 就有你自己的按钮。`,
  previousPage: '‹ 上一页',
  nextPage: '下一页 ›',
};
