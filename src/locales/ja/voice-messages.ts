// Voice messages that are answered with their words, in Japanese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('聞くより読みたいですか？')}このチャンネルの${files ? 'ボイスメッセージと音声ファイル' : 'ボイスメッセージ'}に、内容を文字で返信できます。オンにした人のものだけです。ボタンを押すか、${privacyCommand} を使ってください。対応しているすべてのサーバーで有効になります。`,
    everyone: (files) =>
      `${bold('これから')}このチャンネルの${files ? 'ボイスメッセージと音声ファイル' : 'ボイスメッセージ'}に、内容を文字で返信します。自分のものは不要ですか？ボタンを押すか、${privacyCommand} を使ってください。すべてのサーバーで有効になります。`,
    kept: '音声は音声サービスに送られます。音声も文字も保存しません。文字は返信にだけあり、元のメッセージを削除すると返信も削除します。',
  },
  onButton: '自分のボイスメッセージを文字にする',
  offButton: '自分のボイスメッセージを文字にしない',
  stayOutButton: '自分のものは文字にしない',
  isOn: `完了しました。対応しているサーバーで、あなたのボイスメッセージに内容を文字で返信します。元に戻すには ${privacyCommand} を使ってください。`,
  isOff: `完了しました。どのサーバーでも、あなたのボイスメッセージに文字で返信しません。元に戻すには ${privacyCommand} を使ってください。`,
  isOffAndDeleted: `完了しました。返信を削除しました。どのサーバーでも、あなたのボイスメッセージに文字で返信しません。元に戻すには ${privacyCommand} を使ってください。`,

  tooLong: (minutes) =>
    `${format.duration(60 * minutes)}より長いため、このサーバーでは自動では文字にしません。メッセージに ${transcribe} を使ってください。`,
  tooMany: `ボイスメッセージが一度に多すぎるため、一部を飛ばしました。それらには ${transcribe} を使ってください。`,
  littleCredit: `クレジットの残りが少ないため、自動では文字にしません。メッセージに ${transcribe} を使ってください。`,

  panel: {
    noAccess: `届いたボイスメッセージが見えません。ボットの所有者がメッセージの読み取り（${inlineCode('READ_MESSAGES')}）と Discord の ${bold('Message Content Intent')} をオンにする必要があります。それまではメッセージに ${transcribe} を使えます。`,
    channels: 'ボイスメッセージに返信するチャンネル',
    lacks: (id, permissions) =>
      `⚠️ ${channelMention(id)} ではまだ返信できません。必要な権限: ${format.and(permissions.map((name) => bold(name)))}`,
    channelsMenu: '返信するチャンネル（なし = オフ）',
    who: { asked: 'オンにした人だけ', everyone: 'オフにしていない人全員' },
    whoWhat: {
      asked: '各チャンネルにボタン付きのメッセージを投稿します',
      everyone: '各チャンネルに断る方法を知らせます。メンバーにも伝えてください',
    },
    optionsMenu: 'スポイラー・音声ファイル: なし',
    options: {
      spoiler: { label: '文字を隠す', description: '誰かが押すまでスポイラーにします' },
      files: { label: '音声ファイルも', description: 'ボイスメッセージだけでなく、添付された録音も' },
    },
    longestName: 'ボイスメッセージの最大の長さ',
    longest: (minutes) => `${format.duration(60 * minutes)}まで`,
    languageName: '話されている言語',
    language: (name) => `言語: ${name}`,
  },
  permissionNames: { AttachFiles: 'ファイルを添付', SendMessagesInThreads: 'スレッドでメッセージを送信' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'まだ選んでいません。サーバーが全員に対して行う場合だけ返信します。'
        : isOn
          ? '自分のものはオンにしています（対応しているすべてのサーバー）。'
          : '自分のものはオフにしています（すべてのサーバー）。';
    return `${bold('ボイスメッセージ')} 管理者が設定した場所では、ボイスメッセージに内容を文字で返信します。一緒に削除できるように、どの返信がどのメッセージのものかを30日間記録します。${choice}`;
  },
  optOutGoes: 'ボイスメッセージを文字にしないという設定も消えます。',
  wordsToo: '過去30日間のあなたのボイスメッセージの文字を載せた返信も削除されます。',
};
