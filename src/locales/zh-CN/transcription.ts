// What transcribing says, in Simplified Chinese.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: '这条消息里没有录音。请选择带语音消息或音频文件的消息。',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} 时长 ${format.duration(seconds)}，而我最多能转写 ${format.duration(limit)}。请分成几段。`,
  tooManyJobs: (most) => format.plural(most, { other: '我还在为你转写 # 段录音。请等其中一段完成后再试。' }),
  unreadable: (name) => `语音服务无法读取 ${code(name)}。它可能已损坏、不完整或格式少见：请另存为 MP3 或 WAV 后再试。`,
  tooLargeForService: (name) => `${code(name)} 对语音服务来说太大了。请分成几段，或另存为 MP3 或 Opus。`,
  tooLongForService: (name) => `${code(name)} 对语音服务来说太长了。请分成几段。`,
  languageRefused: (language) => `语音服务不能转写${language}。请选择其他语言，或让它自动检测。`,
  noSpeech: '我没有听到有人说话。',
  noSpeechInLanguage: '我没有听到有人说话。如果有，请换一种语言试试。',
  transcriptGone: '这份转写的文件已不存在，所以按钮无法使用。请重新转写录音。',
  transcriptTooLarge: (limit) => `这个文件会超过 Discord 在这里接受的 ${format.megabytes(limit)}。请把录音分成几段。`,

  reading: (done, all) => `读取中：${format.megabytes(done)} / ${format.megabytes(all)}`,
  transcribing: (elapsed, expected) => `转写中：${format.duration(elapsed)} / 约 ${format.duration(expected)}`,
  takingLonger: (elapsed) => `转写中：${format.duration(elapsed)}，比平时久`,
  transcribingSince: (at) => `转写中，${format.relative(at)}开始`,
  gettingReady: '正在准备聆听。第一段录音会多花几秒钟。',
  continuesInChannel: '这需要一些时间。完成后我会把结果发到此频道。',
  continuesInDirectMessage: '这需要一些时间。完成后我会发给你，在此之前请允许来自此服务器成员的私信。',
  cancelButton: '取消',
  cancelled: '已取消。不会占用你的每日限额。',
  tooLateToCancel: '已经来不及取消了：转写结果马上就会出现。',
  interruptedByRestart: '完成之前我被重启了。请再试一次。',
  lateReply: (userId) => `${userMention(userId)}，你的转写已完成。`,
  lateFailure: (name) => `我没能转写 ${code(name)}。请稍后再试，或把它分成几段。`,
  someLeftOut: (taken, all) =>
    `我转写了 ${format.number(all)} 段录音中的前 ${format.number(taken)} 段，因为在我没有加入的服务器里只能回复几次。其余的请用 ${inlineCode('/transcribe')}。`,

  confirm: (seconds, share) => `音频约 ${format.duration(seconds)}，将用掉剩余额度的约 ${format.percent(share)}。要转写吗？`,
  confirmAtMost: (seconds, share) => `音频最长 ${format.duration(seconds)}，最多将用掉剩余额度的 ${format.percent(share)}。要转写吗？`,
  confirmButton: '转写',
  listen: '收听',
  notAsked: (taken, all) => `这只针对 ${format.number(all)} 段录音中的前 ${format.number(taken)} 段。其余的请再次请求。`,

  title: '转写',
  originalMessage: '原消息',
  pageOf: (page, pages) => `第 ${format.number(page)} / ${format.number(pages)} 页`,
  tooLargeToAttach: '完整的转写太大，无法附加，所以这里只有开头。',
  download: '下载…',
  otherLanguage: '用另一种语言转写…',
  chooseLanguage: '选择语言…',
  detectLanguage: '检测语言',
};
