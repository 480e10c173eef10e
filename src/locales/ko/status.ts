// What /status says, in Korean.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `음성 채널에서 봇 이름을 오른쪽 클릭하고 ${bold('사용자 음량')}을 높여 보세요`;

export const status: Words['status'] = {
  notInGuild: `여기는 봇이 있는 서버가 아니라서 음성 채널이 없어요. ${say}를 쓰면 소리를 파일로 보내 드려요.`,
  notInVoice: `음성 채널에 없어요. 들어간 다음 ${say}를 쓰세요.`,
  speaksElsewhere: (id) => `지금 ${channelMention(id)} 채널에서 말하고 있어요. 들어오면 들을 수 있어요.`,
  stage: (id) => `${channelMention(id)} 채널은 스테이지라서 말할 수 없어요. 음성 채널에 들어가세요.`,
  serverDeaf: '이 서버에서 관리자가 헤드셋을 음소거했어요. 풀어 달라고 하세요.',
  selfDeaf: '헤드셋을 음소거한 상태예요. 이름 옆의 헤드폰을 누르세요.',
  elsewhere: (mine, theirs) =>
    `${channelMention(mine)} 채널에서 말하고 있는데 지금 ${channelMention(theirs)} 채널에 있어요. 이리로 오거나 끝날 때까지 기다리세요.`,
  missing: (permissions, id) =>
    `${channelMention(id)} 채널에서 ${format.and(permissions.map((name) => bold(name)))} 권한이 필요해요. 서버 관리자가 채널 설정에서 허용할 수 있어요. 다른 채널을 골라도 돼요.`,
  serverMute: `이 서버에서 음소거되어 아무도 듣지 못해요. ${say}로 음성 채널에 부르면 관리자가 봇 이름을 오른쪽 클릭해서 풀 수 있어요.`,
  full: (id) => `${channelMention(id)} 채널이 꽉 찼어요. 누가 나갈 때까지 기다리거나 다른 채널을 고르세요.`,
  silent: `이 서버의 음량이 0%로 설정되어 있어요. 서버 관리자가 ${settings}에서 높일 수 있어요.`,
  underWay: {
    connecting: '지금 음성 채널에 들어가고 있어요. 몇 초만 기다려 주세요.',
    encrypting: '음성 채널에서 종단 간 암호화를 준비하고 있어요. 몇 초만 기다려 주세요.',
    reconnecting: '음성 연결이 끊겨서 다시 연결하고 있어요. 몇 초 뒤에 이어서 말할게요.',
  },
  stuck: {
    connecting: 'Discord가 음성 채널에 들여보내 주지 않아요. 다시 시도하세요. 계속 그러면 채널 설정에서 지역을 바꿔 보세요.',
    encrypting: '이 음성 채널에서 종단 간 암호화가 되지 않아요. 모두 나갔다가 다시 들어와 달라고 하세요.',
    reconnecting: `음성 연결이 끊긴 뒤 돌아오지 않아요. ${inlineCode('/leave')}를 쓴 다음 다시 시도하세요.`,
  },
  service: (problem) => `음성 서비스가 작동하지 않아요. ${problem}`,
  others: `다른 사람의 글을 읽고 있고 대기열에 내 글은 없어요. 들리지 않으면 ${louder}.`,
  queued: (before) => format.plural(before, { other: `앞에 #개가 기다리고 있어요. ${inlineCode('/queue')}에서 볼 수 있어요.` }),
  speaking: `지금 말하고 있어요. 들리지 않으면 ${louder}. 음성 설정의 출력 장치도 확인하세요.`,
  slow: (seconds) => `모두 정상이지만 음성 서비스가 느려서(${format.number(seconds, 1)}초) 늦게 시작할 수 있어요.`,
  ready: `모두 정상이고 재생 중인 것이 없어요. ${say}를 써 보세요. 들리지 않으면 ${louder}.`,
  titles: {
    here: '이 채널',
    voice: '내 음성 채널',
    connection: '음성 연결',
    you: '나',
    service: '음성 서비스',
    credit: '크레딧(봇 소유자만 볼 수 있어요)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}: ${next}`,
  permissionNext: '서버 관리자가 허용할 수 있어요',
  sendMessages: '메시지 보내기',
  sendMessagesNext: '15분이 넘는 받아쓰기에만 필요해요. 없으면 DM으로 보내요',
  viewChannel: '채널 보기',
  notMuted: '음소거되지 않았어요',
  muted: '음소거되었어요',
  mutedNext: '관리자가 풀 수 있어요',
  room: '자리가 있어요',
  isFull: '꽉 찼어요',
  fullNext: '누가 나갈 때까지 기다리세요',
  noChannel: '없어요. 들으려면 들어가세요.',
  isStage: '스테이지예요. 음성 채널에 들어가세요.',
  hears: '헤드셋이 켜져 있어요',
  deaf: '헤드셋이 음소거되었어요',
  selfDeafNext: '이름 옆의 헤드폰을 누르세요',
  serverDeafNext: '관리자에게 풀어 달라고 하세요',
  allowed: `여기서 ${say}를 쓸 수 있어요`,
  notAllowed: `여기서 ${say}를 쓸 수 없어요`,
  notConnected: '아직 없어요. /say를 쓰면 연결해요.',
  connection: {
    connecting: (channel, since) => `${channel}, 들어가는 중(${since} 시작)`,
    encrypting: (channel, since) => `${channel}, 암호화 준비 중(${since} 시작)`,
    ready: (channel, since) => `${channel}, ${since} 연결됨`,
    reconnecting: (channel, since) => `${channel}, ${since} 끊김`,
    closed: (channel, since) => `${channel}, ${since} 종료`,
  },
  encrypted: '종단 간 암호화됨',
  notEncrypted: '종단 간 암호화되지 않음',
  notEncryptedNext: '다른 사람이 없거나 Discord가 이 통화에서 껐어요',
  ping: (ms) => `핑: ${format.number(ms)} ms`,
  queueAndVolume: (length, volume) =>
    length === 0
      ? `대기열: 비어 있음. 음량: ${format.percent(volume)}`
      : `대기열: ${format.plural(length, { other: '#개' })}. 음량: ${format.percent(volume)}`,
  answered: (ms) => `${format.number(ms)} ms 만에 응답`,
  noCatalogue: '목소리 목록이 없어서 크레딧을 쓰지 않고는 확인할 수 없어요.',
  noAnswer: (seconds) =>
    `${format.plural(seconds, { other: '#초' })} 안에 응답하지 않았어요. 1분 뒤에 다시 시도하세요. 계속 그러면 봇 소유자에게 알려 주세요.`,
};
