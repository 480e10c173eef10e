// What any command may say, in Korean.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';

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
