// What /help says, in Korean.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: '글을 쓰면 음성 채널에서 읽어 드려요. 녹음을 보내면 말한 내용을 글로 적어 드려요.',
  stepsTitle: '시작하기',
  steps: (say, voices) =>
    `1. 음성 채널에 들어가세요.\n2. ${say} 뒤에 읽을 글을 입력하세요. 목소리는 ${inlineCode('voice')} 옵션에서 고를 수 있어요.\n3. ${voices}에서 마음에 드는 목소리를 찾아보세요.`,
  asVoiceMessage: (say) => `여기에는 음성 채널이 없어서 ${say}는 음성 메시지를 보내요.`,
  groups: {
    speaking: '말하기',
    listening: '받아쓰기',
    voices: '목소리',
    about: '알아 두면 좋은 것',
    admins: '관리자용',
    more: '더 보기',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – 메시지를 오른쪽 클릭하고(휴대폰에서는 길게 누르고) ${bold('앱')}을 선택하면 그 안에서 말한 내용을 읽을 수 있어요`,
    'Make a voice': (name) =>
      `${bold(name)} – 메시지를 오른쪽 클릭하고(휴대폰에서는 길게 누르고) ${bold('앱')}을 선택하면 그 안의 녹음으로 목소리를 만들 수 있어요`,
    'Read this aloud': (name) =>
      `${bold(name)} – 메시지를 오른쪽 클릭하고(휴대폰에서는 길게 누르고) ${bold('앱')}을 선택하면 내 음성 채널에서 들을 수 있어요`,
    'Stop reading this member': (name) =>
      `${bold(name)} – 관리자용: 멤버를 오른쪽 클릭하고 ${bold('앱')}을 선택하면 그 멤버의 메시지 읽기를 멈추거나 허용할 수 있어요`,
  },
};
