// What transcribing says, in Korean.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: '이 메시지에는 녹음이 없어요. 음성 메시지나 오디오 파일이 있는 메시지를 고르세요.',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} 파일은 ${format.duration(seconds)} 길이인데 ${format.duration(limit)}까지만 받아쓸 수 있어요. 나눠서 보내 주세요.`,
  tooManyJobs: (most) => format.plural(most, { other: '아직 녹음 #개를 받아쓰고 있어요. 끝나면 다시 시도하세요.' }),
  unreadable: (name) =>
    `음성 서비스가 ${code(name)} 파일을 읽지 못해요. 손상되었거나 잘렸거나 드문 형식일 수 있어요. MP3나 WAV로 저장해서 다시 시도하세요.`,
  tooLargeForService: (name) => `${code(name)} 파일은 음성 서비스가 받기에 너무 커요. 나누거나 MP3나 Opus로 저장하세요.`,
  tooLongForService: (name) => `${code(name)} 파일은 음성 서비스가 받기에 너무 길어요. 나눠서 보내 주세요.`,
  languageRefused: (language) => `음성 서비스는 ${language}를 받아쓸 수 없어요. 다른 언어를 고르거나 자동으로 감지하게 두세요.`,
  noSpeech: '말소리가 들리지 않았어요.',
  noSpeechInLanguage: '말소리가 들리지 않았어요. 말하고 있다면 다른 언어로 시도해 보세요.',
  transcriptGone: '이 받아쓰기의 파일이 없어져서 버튼이 작동하지 않아요. 녹음을 다시 받아써 주세요.',
  transcriptTooLarge: (limit) => `이 파일은 여기서 Discord가 받는 ${format.megabytes(limit)}를 넘어요. 녹음을 나눠 주세요.`,

  reading: (done, all) => `읽는 중: ${format.megabytes(all)} 중 ${format.megabytes(done)}`,
  transcribing: (elapsed, expected) => `받아쓰는 중: 약 ${format.duration(expected)} 중 ${format.duration(elapsed)}`,
  takingLonger: (elapsed) => `받아쓰는 중: ${format.duration(elapsed)}, 평소보다 오래 걸려요`,
  transcribingSince: (at) => `받아쓰는 중, ${format.relative(at)} 시작`,
  gettingReady: '들을 준비를 하고 있어요. 첫 녹음은 몇 초 더 걸려요.',
  continuesInChannel: '시간이 좀 걸려요. 다 되면 이 채널에 올릴게요.',
  continuesInDirectMessage: '시간이 좀 걸려요. 다 되면 보내 드릴 테니 그때까지 이 서버 멤버의 다이렉트 메시지를 허용해 주세요.',
  cancelButton: '취소',
  cancelled: '취소했어요. 하루 한도에서 빠지지 않아요.',
  tooLateToCancel: '이제는 취소할 수 없어요. 곧 받아쓴 글이 나타나요.',
  interruptedByRestart: '끝나기 전에 다시 시작되었어요. 다시 시도하세요.',
  lateReply: (userId) => `${userMention(userId)} 님, 받아쓰기가 끝났어요.`,
  lateFailure: (name) => `${code(name)} 파일을 받아쓰지 못했어요. 나중에 다시 시도하거나 나눠서 보내 주세요.`,
  someLeftOut: (taken, all) =>
    `녹음 ${format.number(all)}개 중 처음 ${format.number(taken)}개를 받아썼어요. 봇이 없는 서버에서는 몇 번만 답할 수 있거든요. 나머지는 ${inlineCode('/transcribe')}를 쓰세요.`,

  confirm: (seconds, share) =>
    `약 ${format.duration(seconds)} 길이의 소리이고 남은 크레딧의 약 ${format.percent(share)}를 써요. 받아쓸까요?`,
  confirmAtMost: (seconds, share) =>
    `최대 ${format.duration(seconds)} 길이의 소리이고 남은 크레딧의 최대 ${format.percent(share)}를 써요. 받아쓸까요?`,
  confirmButton: '받아쓰기',
  listen: '듣기',
  notAsked: (taken, all) => `녹음 ${format.number(all)}개 중 처음 ${format.number(taken)}개에 대한 것이에요. 나머지는 다시 요청하세요.`,

  title: '받아쓰기',
  originalMessage: '원본 메시지',
  pageOf: (page, pages) => `${format.number(page)} / ${format.number(pages)}쪽`,
  tooLargeToAttach: '전체 내용은 너무 커서 첨부할 수 없어 앞부분만 있어요.',
  download: '내려받기…',
  otherLanguage: '다른 언어로 받아쓰기…',
  chooseLanguage: '언어 고르기…',
  detectLanguage: '언어 자동 감지',
};
