// What members read when something failed, in Korean.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: '음성 서비스가 봇의 키를 받아들이지 않아요. 봇 소유자가 고쳐야 해요.',
    credit: '음성 크레딧을 다 썼어요. 봇 소유자가 충전해야 해요.',
    'not-found': '음성 서비스에서 찾을 수 없어요. 고른 것을 확인하고 다시 시도하세요.',
    'rate-limited': (again) => `음성 서비스가 바빠요. ${again}에 다시 시도하세요.`,
    server: (again) => `음성 서비스에 문제가 있어요. ${again}에 다시 시도하세요.`,
    timeout: (again) => `음성 서비스의 응답이 너무 오래 걸렸어요. ${again}에 다시 시도하세요.`,
    aborted: '음성 서비스가 응답하기 전에 중지되었어요. 다시 시도하세요.',
    protocol: '음성 서비스가 쓸 수 없는 응답을 보냈어요. 1분 뒤에 다시 시도하세요.',
  },
  brokenOff: '음성 서비스의 응답이 중간에 끊겼어요. 1분 뒤에 다시 시도하세요.',
  inAMinute: '1분 뒤',
  unreachable: (again) => `음성 서비스에 연결할 수 없어요. ${again}에 다시 시도하세요.`,
  down: (since, again) => `음성 서비스가 ${since}부터 멈춰 있어요. ${again}에 다시 시도하세요.`,
  refused: '음성 서비스가 이 내용을 받아들이지 않아요. 바꿔서 다시 시도하세요.',
  refusedField: (field, reason) => `음성 서비스가 이 내용을 받아들이지 않아요(${field}: ${reason}). 바꿔서 다시 시도하세요.`,
  maybeCharged: '서비스가 요금을 매겼을 수 있어서 사용량에는 들어가요.',
  unsupported: {
    catalogue: `이 음성 서비스에는 목소리 목록이 없어요. 목소리 ID를 안다면 ${inlineCode('/say')}에서 쓸 수 있어요.`,
    transcription: '이 음성 서비스는 말하기만 하고 받아쓰기는 못 해요.',
    credit: '이 음성 서비스는 잔액을 알려 주지 않아요.',
    'live-speech': '이 음성 서비스는 실시간으로 말할 수 없어요. 다시 시도하세요.',
    'own-voices': '이 음성 서비스에서는 목소리를 만들 수 없어요.',
    speech: `이 음성 서비스는 말할 수 없어요. 봇 소유자가 ${code('VOICE_API_URL')} 값을 확인할 수 있어요.`,
  },
  voice: {
    busy: '이 서버의 다른 채널에서 말하고 있어요. 그 채널에 들어가거나, 끝나면 다시 시도하세요.',
    hearing: '이 서버의 다른 채널에서 자막을 달고 있어요. 그 채널에 들어가거나, 자막이 끝나면 다시 시도하세요.',
    'join-timeout': 'Discord가 제때 음성 채널에 들여보내 주지 않았어요. 다시 시도하세요. 계속 그러면 채널 설정에서 지역을 바꿔 보세요.',
    'encryption-timeout':
      '음성 채널의 종단 간 암호화가 시작되지 않아서 말하지 않았어요. 다시 시도하거나, 모두 나갔다가 다시 들어와 달라고 하세요.',
    'channel-full': '음성 채널이 꽉 찼어요. 자리가 날 때까지 기다리거나 다른 채널을 고르세요.',
    'not-permitted': '봇이 이 음성 채널에 들어가거나 말할 권한이 없어요. 서버 관리자가 채널 설정에서 허용할 수 있어요.',
    muted: '이 서버에서 봇이 음소거되었어요. 관리자가 음성 채널에서 봇 이름을 오른쪽 클릭해서 풀 수 있어요.',
    'member-muted': '이 서버의 음성 채널에서 관리자가 마이크를 음소거해서 대신 말하기를 멈췄어요. 풀리면 다시 대신 말할 수 있어요.',
    untrusted: 'Discord의 음성 서버를 확인할 수 없어서 말하지 않았어요. 봇 소유자가 컴퓨터의 시계와 인증서를 확인할 수 있어요.',
    kicked: '관리자가 봇을 음성 채널에서 내보내서 대기열이 비었어요. 다시 시도하면 돌아와요.',
    'channel-gone': '음성 채널이 삭제되어 대기열이 비었어요. 다른 채널에 들어가서 다시 시도하세요.',
    'sending-failed': '봇 쪽 문제로 소리를 보내지 못해서 음성 채널에서 나왔어요. 다시 시도하세요. 계속되면 봇 소유자에게 알려 주세요.',
    closing: '봇이 다시 시작하는 중이라 끝내지 못했어요. 1분 뒤에 다시 시도하세요.',
    disconnected: '봇이 음성 채널에서 나와서 대기열이 비었어요. 다시 시도하면 돌아와요.',
    refused: 'Discord가 음성 연결을 거부했어요. 다른 채널에서 시도하세요.',
  },
  status: (status) => `상태 ${status}`,
  request: (id) => `요청 ${code(id)}`,
  code: (code) => `코드 ${code}`,
  budget: {
    switchedOff: {
      speech: `이 서버에서는 말하기가 꺼져 있어요. 서버 관리자가 ${inlineCode('/settings')}의 한도에서 허용할 수 있어요.`,
      transcription: `이 서버에서는 받아쓰기가 꺼져 있어요. 서버 관리자가 ${inlineCode('/settings')}의 한도에서 허용할 수 있어요.`,
    },
    overCap: {
      member: (cap) => `내 하루 한도(${cap})를 넘어요. 더 짧게 해 주세요.`,
      guild: (cap) => `이 서버의 하루 한도(${cap})를 넘어요. 더 짧게 해 주세요.`,
    },
    raise: { admin: '한도는 서버 관리자가 `/settings`에서 올릴 수 있어요.', operator: '한도는 봇 소유자가 올릴 수 있어요.' },
    usedUp: {
      member: {
        speech: (resets) => `오늘의 말하기 한도를 다 썼어요. ${resets} 초기화돼요.`,
        transcription: (resets) => `오늘의 받아쓰기 한도를 다 썼어요. ${resets} 초기화돼요.`,
      },
      guild: {
        speech: (resets) => `이 서버가 오늘의 말하기 한도를 다 썼어요. ${resets} 초기화돼요.`,
        transcription: (resets) => `이 서버가 오늘의 받아쓰기 한도를 다 썼어요. ${resets} 초기화돼요.`,
      },
    },
    left: {
      member: (left, resets) => `오늘 남은 한도(${left})로는 부족해요. 더 짧게 하거나 한도가 초기화될 때까지 기다리세요(${resets}).`,
      guild: (left, resets) =>
        `이 서버의 오늘 남은 한도(${left})로는 부족해요. 더 짧게 하거나 한도가 초기화될 때까지 기다리세요(${resets}).`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { other: '말하기 #자' }),
    transcription: (seconds) => `받아쓰기 ${format.duration(seconds)}`,
  },
  unexpected: (reference) =>
    `봇에 문제가 생겼어요. 다시 시도하세요. 계속 그러면 봇 소유자에게 알려 주세요.\n-# 참조 번호 ${code(reference)}`,
  storeFailed:
    '지금은 데이터를 저장하거나 읽을 수 없어서 아무것도 바꾸지 않았어요. 1분 뒤에 다시 시도하세요.\n-# 봇 소유자에게: 디스크나 공유 저장소를 확인하세요.',
  discordFailed: (status) => `Discord에 문제가 있어서 답장을 보내지 못했어요. 1분 뒤에 다시 시도하세요.\n-# 상태 ${status}`,
  discordBusy: (at) => `Discord의 제한에 걸렸어요. ${format.relative(at)}에 다시 시도하세요.`,
  noPermission: 'Discord가 여기서는 허용하지 않아요. 서버 관리자가 이 채널에서 봇의 권한을 확인할 수 있어요.',
  badAudio: '음성 서비스가 소리가 아닌 것을 보냈어요. 다시 시도하거나 다른 목소리를 고르세요.',
  endlessAudio: '목소리가 말을 멈추지 않아서 끊었어요. 다시 시도하거나 다른 목소리를 고르세요.',
  brokenAudio: '음성 서비스에서 오던 소리가 중간에 끊겼어요. 다시 시도하거나 다른 목소리를 고르세요.',
};
