// What making voices of recordings says, in Korean.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) => (host === null ? '이 봇과 같은 컴퓨터에 있는 음성 서비스' : `음성 서비스 ${inlineCode(host)}`);

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `목소리는 봇 소유자만 만들 수 있어요. 대신 ${inlineCode('/voices')}에서 하나 고르세요.`,
    adminsOnly: `여기서는 서버 관리자와 정해진 역할이 있는 멤버만 목소리를 만들 수 있어요. 관리자에게 ${inlineCode('/settings')}에서 내 역할을 추가해 달라고 하세요.`,
    notOutsideServers: '서버 밖에서는 봇 소유자만 목소리를 만들 수 있어요. 서버에서 시도하세요.',
    tooMany: (most) => `목소리는 만들고 있는 것까지 ${format.number(most)}개만 가질 수 있어요. 먼저 ${mine}에서 하나를 지우세요.`,

    titleMissing: '목소리에는 제목이 있어야 해요. 제목을 쓰고 다시 시도하세요.',
    titleTooLong: (length, most) => `제목이 ${format.number(length)}자인데 목소리 제목은 ${format.number(most)}자까지예요. 줄여 주세요.`,
    unknownLanguage: (typed) => `${code(typed)}라는 언어는 몰라요. 목록에서 고르거나 비워 두세요.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} 파일은 ${format.megabytes(bytes)}인데 녹음은 ${format.megabytes(limit)}까지예요. 가장 좋은 1분만 보내세요.`,
    tooShort: (seconds, least) =>
      `모두 합쳐 ${format.duration(seconds)}인데 목소리를 만들려면 ${format.duration(least)} 이상 필요해요. 몇 문장 더 녹음하세요.`,
    forwarded: '전달된 메시지에서는 누가 말하는지 알 수 없어요. 원래 메시지를 쓰세요.',
    fromBot: '봇의 메시지라서 동의할 사람이 없어요. 사람의 녹음을 고르세요.',
    cannotAskHere: (speakerId) =>
      `${userMention(speakerId)} 님만 동의할 수 있는데 여기서는 물어볼 수 없어요. 제가 있는 서버에서 시도하세요.`,
    speakerLeft: '이걸 녹음한 멤버가 서버를 나가서 동의할 수 없어요. 다른 녹음을 고르세요.',

    formTitle: '목소리 만들기',
    formLabel: '목소리 제목',
    formAsks: '다른 사람의 녹음이라서 이 채널에서 그 사람에게 물어볼게요.',

    sends: (_, host) => `녹음을 ${service(host)}에 보내서 목소리를 만들어요. 사본은 남기지 않아요.`,
    onlyYouMayUse: `${mine}에서 공유하지 않는 한 나만 이 목소리를 쓸 수 있어요.`,
    everyoneMayUse: '이 서버의 모두가 이 목소리를 쓸 수 있어요.',
    ownMessage: '내 음성 메시지라서 내가 정하면 돼요.',
    makeButton: '내 목소리 만들기',
    whoSpeaks: '나만 말하고 있거나, 말하는 사람이 이 목소리를 만들어도 된다고 했는지 확인해 주세요.',
    ownButton: '내 목소리예요',
    permissionButton: '허락을 받았어요',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)} 님, ${userMention(makerId)} 님이 ${hyperlink('내 녹음', url)}으로 목소리를 만들고 싶어 해요. 동의하면 ${userMention(makerId)} 님이 그 목소리로 어떤 글이든 말하게 할 수 있어요.`,
    untilThen: (host) => `본인만 정할 수 있어요. 동의하면 녹음을 ${service(host)}에 보내요. 그때까지는 아무것도 보내지 않아요.`,
    agreeButton: '동의해요',
    refuseButton: '아니요',
    onlySpeaker: (speakerId) => `${userMention(speakerId)} 님의 녹음이라서 본인만 답할 수 있어요.`,
    refused: (speakerId) => `${userMention(speakerId)} 님이 동의하지 않았어요. 아무것도 보내지 않았어요.`,
    takenBack: (makerId) => `${userMention(makerId)} 님이 요청을 거뒀어요. 아무것도 보내지 않았어요.`,
    makerLeft: (makerId) => `${userMention(makerId)} 님이 서버를 나가서 목소리를 만들지 않아요. 아무것도 보내지 않았어요.`,
    makerMayNot: (makerId) => `${userMention(makerId)} 님은 이제 여기서 목소리를 만들 수 없어요. 아무것도 보내지 않았어요.`,

    sending: (share) => `보내는 중: ${format.percent(share)}`,
    waiting: '보냈어요. 학습이 시작되기를 기다리고 있어요…',
    training: '목소리를 학습하고 있어요… 보통 1분이 안 걸려요.',
    withdrawn: '취소했어요. 아무것도 보내지 않았어요.',
    cancelButton: '취소',
    cancelled: '취소했어요. 음성 서비스에도 남지 않아요.',
    interrupted: `이 목소리를 만드는 중에 다시 시작되었어요. 녹음이 도착했다면 곧 ${mine}에 나와요. 아니면 다시 만드세요.`,
    takesLong: `학습이 평소보다 오래 걸려요. 계속 지켜볼게요. 끝나면 ${mine}에 나와요.`,
    trainingFailed: (reason) =>
      `음성 서비스가 이 녹음으로 목소리를 만들지 못했어요${reason === '' ? '.' : `: ${reason}`}\n-# 음악이나 잡음 없이 한 사람이 또렷하게 말하는 10~60초 녹음이 가장 좋아요.`,
    deletedMeanwhile: '만드는 동안 목소리가 삭제되었어요. 아직 필요하면 다시 만드세요.',
    notMade: '제 쪽에 문제가 생겨서 목소리를 만들지 못했어요. 1분 뒤에 다시 시도하세요.',

    ready: `${bold('다 됐어요.')} ${inlineCode('/say')}의 ${inlineCode('voice')} 옵션에서 맨 처음에 나와요.`,
    onlyOwnerMayUse: (ownerId) => `이 목소리는 ${userMention(ownerId)} 님만 쓸 수 있어요.`,
    agreed: (speakerId) => `${userMention(speakerId)} 님이 동의했어요.`,
    gone: `이 목소리는 이제 없어요. ${inlineCode('/voice create')}로 새로 만드세요.`,
    hello: '안녕하세요! 새 목소리예요. 무엇이든 말해 드릴게요.',
  },

  mine: {
    yours: '내가 만듦',
    shared: '여기에 공유됨',

    heading: '내가 만든 목소리',
    none: `아직 만든 목소리가 없어요. ${inlineCode('/voice create')}로 녹음에서 목소리를 만들 수 있어요.`,
    explain: '서버에 공유하지 않는 한 다른 사람은 찾거나 쓸 수 없어요.',
    onlyYou: '나만 쓸 수 있어요',
    sharedWith: (here, others) => {
      if (others === 0) return '이 서버의 모두가 쓸 수 있어요';
      return here
        ? format.plural(others, { other: '이 서버와 다른 서버 #개의 모두가 쓸 수 있어요' })
        : format.plural(others, { other: '다른 서버 #개의 모두가 쓸 수 있어요' });
    },
    made: (when) => `만든 날짜 ${when}`,
    goneAtService: '음성 서비스에 더 이상 없어서 말할 수 없어요.',
    edit: '이름 바꾸기…',
    share: '이 서버에 공유',
    unshare: '공유 그만두기',
    delete: '지우기…',

    formTitle: '목소리 이름 바꾸기',
    titleField: '제목',
    descriptionField: '설명',
    changed: (title) => `${titled(title)} 목소리를 저장했어요.`,
    nowShared: (title) => `이제 이 서버의 모두가 ${inlineCode('/say')}에서 ${titled(title)} 목소리를 고를 수 있어요.`,
    nowPrivate: (title) => `${titled(title)} 목소리를 더 이상 공유하지 않아요. 고른 사람은 다른 목소리를 써요.`,
    shareFirst: (title) => `아직 ${titled(title)} 목소리는 나만 쓸 수 있어요. 먼저 ${inlineCode('/voice mine')}에서 이 서버에 공유하세요.`,
    deleteQuestion: (title) =>
      `${titled(title)} 목소리를 여기와 음성 서비스에서, 저장된 소리까지 모두 지울까요? 쓰던 사람은 다른 목소리를 써요. 되돌릴 수 없어요.`,
    deleteYes: '지우기',
    cancel: '취소',
    deleted: (title) => `${titled(title)} 목소리를 지웠어요.`,
    deletedLater: (title) =>
      `${titled(title)} 목소리를 여기서 지워서 이제 아무도 쓸 수 없어요. 음성 서비스에서는 아직 지우지 못해서 계속 시도할게요.`,
    gone: `이 목소리는 이제 없어요. ${inlineCode('/voice mine')}에서 지금 있는 목소리를 볼 수 있어요.`,
  },
};
