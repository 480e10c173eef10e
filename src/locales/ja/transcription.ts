// What transcribing says, in Japanese.
import { inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const transcription: Words['transcription'] = {
  noAudioInMessage: 'このメッセージには録音がありません。ボイスメッセージか音声ファイルのあるメッセージを選んでください。',
  recordingTooLong: (name, seconds, limit) =>
    `${code(name)} は${format.duration(seconds)}あります。文字起こしできるのは${format.duration(limit)}までです。分割してください。`,
  tooManyJobs: (most) => format.plural(most, { other: 'まだ録音 # 件を文字起こししています。終わってからもう一度試してください。' }),
  unreadable: (name) =>
    `音声サービスが ${code(name)} を読めません。壊れているか、途中で切れているか、珍しい形式かもしれません。MP3 か WAV で保存して、もう一度試してください。`,
  tooLargeForService: (name) => `${code(name)} は音声サービスには大きすぎます。分割するか、MP3 か Opus で保存してください。`,
  tooLongForService: (name) => `${code(name)} は音声サービスには長すぎます。分割してください。`,
  languageRefused: (language) => `音声サービスは${language}を文字起こしできません。別の言語を選ぶか、自動検出にしてください。`,
  noSpeech: '話し声が聞こえませんでした。',
  noSpeechInLanguage: '話し声が聞こえませんでした。話している場合は、別の言語を試してください。',
  transcriptGone: 'この文字起こしのファイルがなくなったため、ボタンが使えません。録音をもう一度文字起こししてください。',
  transcriptTooLarge: (limit) =>
    `このファイルは、ここで Discord が受け付ける ${format.megabytes(limit)} を超えます。録音を分割してください。`,

  reading: (done, all) => `読み込み中：${format.megabytes(all)} 中 ${format.megabytes(done)}`,
  transcribing: (elapsed, expected) => `文字起こし中：約${format.duration(expected)}中 ${format.duration(elapsed)}`,
  takingLonger: (elapsed) => `文字起こし中：${format.duration(elapsed)}、いつもより長くかかっています`,
  transcribingSince: (at) => `文字起こし中(${format.relative(at)}に開始)`,
  gettingReady: '聞き取りの準備をしています。最初の録音は数秒長くかかります。',
  continuesInChannel: '少し時間がかかります。できあがったら、このチャンネルに投稿します。',
  continuesInDirectMessage:
    '少し時間がかかります。できあがったら送るので、それまでこのサーバーのメンバーからのダイレクトメッセージを許可してください。',
  cancelButton: 'キャンセル',
  cancelled: 'キャンセルしました。1日の上限からは差し引かれません。',
  tooLateToCancel: 'もうキャンセルできません。まもなく文字起こしが表示されます。',
  interruptedByRestart: '終わる前に再起動しました。もう一度試してください。',
  lateReply: (userId) => `${userMention(userId)} さん、文字起こしができました。`,
  lateFailure: (name) => `${code(name)} を文字起こしできませんでした。あとでもう一度試すか、分割してください。`,
  someLeftOut: (taken, all) =>
    `${format.number(all)} 件の録音のうち最初の ${format.number(taken)} 件を文字起こししました。参加していないサーバーでは数回しか返信できないためです。残りには ${inlineCode('/transcribe')} を使ってください。`,

  confirm: (seconds, share) =>
    `約${format.duration(seconds)}の音声で、残りのクレジットの約 ${format.percent(share)} を使います。文字起こししますか？`,
  confirmAtMost: (seconds, share) =>
    `最長${format.duration(seconds)}の音声で、残りのクレジットの最大 ${format.percent(share)} を使います。文字起こししますか？`,
  confirmButton: '文字起こしする',
  listen: '聞く',
  notAsked: (taken, all) =>
    `${format.number(all)} 件の録音のうち最初の ${format.number(taken)} 件が対象です。残りはもう一度頼んでください。`,

  title: '文字起こし',
  originalMessage: '元のメッセージ',
  pageOf: (page, pages) => `${format.number(page)} / ${format.number(pages)} ページ`,
  tooLargeToAttach: '全文は大きすぎて添付できないため、ここには最初の部分だけがあります。',
  download: 'ダウンロード…',
  otherLanguage: '別の言語で文字起こし…',
  chooseLanguage: '言語を選択…',
  detectLanguage: '言語を自動検出',
};
