// What /privacy says, in Korean.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: '개인정보',
  sent: (host) =>
    host === null
      ? `${bold('어디로 보내나요.')} 글과 녹음은 이 봇과 같은 컴퓨터에 있는 음성 서비스로만 보내요.`
      : `${bold('어디로 보내나요.')} 글과 녹음은 이름 없이 음성 서비스 ${inlineCode(host)}로 보내요. 거기서 어떻게 다룰지는 서비스 운영자가 정해요. 다른 곳에는 보내지 않아요.`,
  notKept: `${bold('절대 저장하지 않는 것.')} 녹음, 받아쓴 내용. 글이나 이름과 함께 어떤 로그에도 남기지 않아요.`,
  texts: `${bold('글.')} 길어서 답장에 입력한 그대로 보여 줄 수 없는 글은 다시 재생할 수 있도록 암호화해서 최대 30일 동안 저장해요. 열쇠는 답장에만 있어서, 답장을 지우면 아무도 글을 읽을 수 없어요.`,
  kept: `${bold('저장하는 것.')} 고른 목소리, 즐겨 쓰는 목소리와 최근 목소리, 속도는 지울 때까지. 사용량은 숫자로 이틀 동안 저장해요.`,
  madeVoices: `${bold('만든 목소리.')} 제목과 누가 언제 동의했는지를 지울 때까지 저장해요. 녹음은 음성 서비스로만 보내요. 누군가의 동의를 기다리는 동안에는 요청을 봉인해서 길어야 20시간 동안 저장해요.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('소리.')} 저장하지 않아요.`
      : `${bold('소리.')} 같은 서버에서 반복하면 무료가 되도록 최대 ${format.megabytes(bytes)}까지 저장해요. 오래된 것부터 지워지고 늦어도 30일 뒤에는 사라져요. 파일 이름으로는 내용을 알 수 없어요. 지울 수 있도록 누구의 소리인지 적어 둬요.`,
  server: `${bold('서버에 대해 저장하는 것.')} 설정은(차단된 멤버 포함) 바뀔 때까지 또는 봇이 제거된 뒤 30일 동안, 사용량은 이름 없는 숫자로 31일 동안, 목소리별 음량은 90일 동안 저장해요.`,
  messages: `${bold('답장.')} Discord 메시지라서 누군가 지울 때까지 남아 있어요.`,
  localMessages: `${bold('답장.')} 여기는 봇과 같은 컴퓨터에 있는 로컬 Discord예요. Discord 서버 대신 모두의 메시지와 첨부 파일을 하루 동안, 실행한 사용자만 읽을 수 있는 폴더에 저장해요.`,
  openReplies:
    '답장이 끝나지 않은 동안에는 다시 시작한 뒤 고칠 수 있도록 위치를 적어 둬요. 나만 보는 답장은 수정에 필요한 키도 암호화해서 최대 15분 동안 저장해요. 저에게 직접 메시지를 쓰면, 명령어를 알려 드렸다는 것을 하루 동안 기록해요.',
  erased: `${bold('삭제.')} 삭제한 내용은 바로 덮어써요. 다른 멤버의 최근 목소리에 남은 내 목소리 제목처럼 데이터베이스에 있는 다른 사본도 10분 안에 사라져요.`,
  reading: (isRead) =>
    `${bold('채널 읽기.')} 누군가 켜 둔 채널의 새 메시지를 음성 채널에서 읽어요. 메시지는 저장하지 않아요. 소리는 메모리에만 두고, 메시지가 수정되거나 지워지면 사라지고, 길어도 마지막으로 들린 지 1시간 뒤에는 사라져요. 서버마다 어떤 음성이 내 메시지를 읽는지는 마지막으로 들린 뒤 30일 동안 기억해요. 내가 읽기를 켠 채널도 꺼질 때까지 기억해요. ${isRead ? '내 메시지를 읽을 수 있어요.' : '어느 서버에서도 내 메시지를 읽지 않기로 했어요.'}`,
  optOutButton: '내 메시지 읽지 않기',
  optInButton: '내 메시지 다시 읽기',
  optOutGoes: '메시지 읽어 주기도 다시 켜져요.',
  deleteButton: '내 데이터 지우기…',
  emptyButton: '소리 캐시 비우기…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? '목소리, 속도, 내 사전, 저장된 글과 그 소리를 지울까요? 되돌릴 수 없어요.'
      : '목소리, 속도, 내 사전, 저장된 글을 지울까요? 되돌릴 수 없어요.',
  whatStays: '두 가지는 남아요. 지운다고 한도가 초기화되지 않도록 오늘 사용량은 이틀 동안, 그리고 서버에서 관리자가 차단했는지 여부예요.',
  deleteYes: '지우기',
  cancel: '취소',
  deleted: (sounds) =>
    sounds === 0 ? '데이터를 지웠어요.' : `데이터와 ${format.plural(sounds, { other: '저장된 소리 #개' })}를 지웠어요.`,
  deletedLater: '캐시된 소리 일부가 지금 꺼져 있는 컴퓨터에 있어요. 그곳에서 무엇이든 재생되기 전에 삭제돼요.',
  emptyQuestion: '모든 멤버와 서버의 소리 캐시를 비울까요? 같은 글을 다시 읽으면 크레딧을 써요.',
  emptyYes: '비우기',
  emptied: (bytes) => `소리 캐시를 비워서 ${format.megabytes(bytes)}를 확보했어요.`,
  yourVoices: (titles) => `지금 있는 목소리: ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('다른 사람이 쓰는 내 목소리.')} ${format.plural(count, { other: '동의해서 다른 멤버의 목소리 #개가 내 녹음으로 만들어졌어요.' })}`,
  voicesToo: (count) => format.plural(count, { other: '내가 만들었거나 내 녹음으로 만든 목소리 #개도 음성 서비스까지 포함해 지워요.' }),
  voicesDeleted: (count) => format.plural(count, { other: '목소리 #개도 지웠어요.' }),
  voicesLeft: (count) =>
    format.plural(count, { other: '음성 서비스에서 목소리 #개를 아직 지우지 못했어요. 이제 아무도 쓸 수 없고, 계속 시도할게요.' }),
  operatorsOnly: `소리 캐시는 봇 소유자만 비울 수 있어요. 내 것은 ${bold('내 데이터 지우기')}로 지울 수 있어요.`,
};
