// Voice messages that are answered with their words, in Korean.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('듣기보다 읽는 게 편한가요?')} 이 채널의 ${files ? '음성 메시지와 소리 파일' : '음성 메시지'}에 내용을 글로 답장할 수 있어요. 켠 사람의 것만 해요. 버튼을 누르거나 ${privacyCommand}를 쓰세요. 그러면 이 기능이 있는 모든 서버에 적용돼요.`,
    everyone: (files) =>
      `${bold('이제부터')} 이 채널의 ${files ? '음성 메시지와 소리 파일' : '음성 메시지'}에 내용을 글로 답장해요. 내 것은 원하지 않나요? 버튼을 누르거나 ${privacyCommand}를 쓰세요. 그러면 모든 서버에 적용돼요.`,
    kept: '소리는 음성 서비스로 보내요. 소리도 글도 저장하지 않아요. 글은 제 답장에만 있고, 메시지를 지우면 답장도 지워요.',
  },
  onButton: '내 음성 메시지 받아쓰기',
  offButton: '내 음성 메시지 받아쓰지 않기',
  stayOutButton: '내 것은 받아쓰지 않기',
  isOn: `됐어요. 이 기능이 있는 서버에서 음성 메시지에 내용을 글로 답장할게요. 되돌리려면 ${privacyCommand}를 쓰세요.`,
  isOff: `됐어요. 이제 어느 서버에서도 음성 메시지에 글로 답장하지 않을게요. 되돌리려면 ${privacyCommand}를 쓰세요.`,
  isOffAndDeleted: `됐어요. 답장을 지웠고, 이제 어느 서버에서도 음성 메시지에 글로 답장하지 않을게요. 되돌리려면 ${privacyCommand}를 쓰세요.`,

  tooLong: (minutes) =>
    `${format.duration(60 * minutes)}보다 길어서 이 서버에서는 알아서 받아쓰지 않아요. 메시지에서 ${transcribe}를 쓰세요.`,
  tooMany: `음성 메시지가 한꺼번에 너무 많아서 일부는 건너뛰었어요. 그 메시지에는 ${transcribe}를 쓰세요.`,
  littleCredit: `남은 크레딧이 적어서 알아서 받아쓰지 않아요. 메시지에서 ${transcribe}를 쓰세요.`,

  panel: {
    noAccess: `음성 메시지가 올 때 볼 수 없어요. 봇 소유자가 메시지 읽기(${inlineCode('READ_MESSAGES')})와 Discord의 ${bold('Message Content Intent')}를 켜야 해요. 그때까지는 메시지에서 ${transcribe}를 쓸 수 있어요.`,
    channels: '음성 메시지에 답장하는 채널',
    lacks: (id, permissions) =>
      `⚠️ ${channelMention(id)}에서는 아직 답장하지 못해요. 필요한 권한: ${format.and(permissions.map((name) => bold(name)))}`,
    channelsMenu: '답장할 채널(없음 = 꺼짐)',
    who: { asked: '켠 사람만', everyone: '끄지 않은 모든 사람' },
    whoWhat: { asked: '채널마다 버튼이 있는 메시지를 올려요', everyone: '채널마다 빠지는 방법을 알려요. 멤버에게도 알려 주세요' },
    optionsMenu: '스포일러, 소리 파일: 없음',
    options: {
      spoiler: { label: '글 숨기기', description: '누가 누를 때까지 스포일러로' },
      files: { label: '소리 파일도', description: '음성 메시지뿐 아니라 첨부한 녹음도' },
    },
    longestName: '가장 긴 음성 메시지',
    longest: (minutes) => `최대 ${format.duration(60 * minutes)}`,
    languageName: '말하는 언어',
    language: (name) => `언어: ${name}`,
  },
  permissionNames: { AttachFiles: '파일 첨부', SendMessagesInThreads: '스레드에서 메시지 보내기' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? '아직 정하지 않았어요. 서버가 모두에게 하는 곳에서만 내 것에 답장해요.'
        : isOn
          ? '내 것은 이 기능이 있는 모든 서버에서 켰어요.'
          : '내 것은 모든 서버에서 껐어요.';
    return `${bold('음성 메시지.')} 관리자가 설정한 곳에서는 음성 메시지에 내용을 글로 답장해요. 함께 지울 수 있도록 어느 답장이 어느 메시지의 것인지 30일 동안 기억해요. ${choice}`;
  },
  optOutGoes: '음성 메시지를 받아쓰지 말라는 선택도 지워져요.',
  wordsToo: '지난 30일 동안 내 음성 메시지를 글로 쓴 답장도 지워져요.',
};
