// The descriptions of the commands and their options, in Korean, at most 100 characters each.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: '음성 채널에서 글을 읽어요',
    text: '읽을 글',
    voice: '읽을 목소리. 다음 글에도 계속 써요',
    channel: '지금 있는 채널 대신 말할 음성 채널',
    asFile: '대신 소리를 파일로 보내기',
    speed: '0.5(느림)부터 2(빠름)까지, 보통은 1. 다음 글에도 계속 써요',
  },
  queue: { description: '지금 재생 중인 것과 다음 차례를 봐요' },
  skip: { description: '재생 중인 내 글을 건너뛰어요. 관리자는 누구의 글이든 건너뛸 수 있어요' },
  stop: { description: '내 글을 모두 빼요. 관리자는 모두의 글을 빼요' },
  leave: { description: '봇을 음성 채널에서 내보내요' },
  transcribe: {
    description: '녹음을 글로 받아써요',
    audio: '녹음, 최대 20 MB',
    language: '말하는 언어. 비움 = 자동 감지',
    timestamps: '각 부분을 말한 시간 보이기. 비움 = 예',
    format: '파일도 첨부하기',
    private: '받아쓴 내용을 나에게만 보이기',
    formats: { text: '텍스트 (.txt)', srt: '자막 (.srt)', vtt: '웹용 자막 (.vtt)', json: '데이터 (.json)' },
  },
  voices: {
    description: '목소리를 둘러보고, 들어 보고, 골라요',
    title: '제목에 있는 단어',
    tag: 'calm, robot 같은 태그, 쉼표로 구분',
    language: '언어 이름이나 코드, 쉼표로 구분',
    author: '목소리를 만든 사람',
    sort: '무엇을 먼저 볼까요',
    titleLanguage: '제목의 언어, 이름이나 코드',
    all: '글을 읽지 못하는 목소리도 포함(학습 중이거나 노래용)',
    mine: '봇 계정의 목소리만(봇 소유자용)',
    page: '처음 볼 쪽',
    sorts: { score: '관련도순', task_count: '많이 쓴 순', created_at: '최신순' },
  },
  status: { description: '소리가 들리지 않는 이유를 알아봐요' },
  credit: { description: '쓴 양과 남은 양을 봐요' },
  privacy: { description: '저장된 내 데이터를 보고 지워요' },
  help: { description: '할 수 있는 일과 시작하는 방법' },
  settings: { description: '이 서버의 설정: 목소리, 음량, 쓸 수 있는 사람, 한도' },
};
