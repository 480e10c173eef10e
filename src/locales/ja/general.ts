// What any command may say, in Japanese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: '終わる前に再起動しました。もう一度試してください。',
  toMember: (userId, sentence) => `${userMention(userId)} さん：${sentence}`,
  restarting: '再起動しています。1分後にもう一度試してください。',
  unknownCommand: 'このコマンドはなくなりました。Discord を再読み込みすると、いまあるコマンドが表示されます。',
  unreadableInteraction: 'Discord から届いた内容がわかりませんでした。もう一度試すか、Discord を再読み込みしてください。',
  started: '始めます。',
  directHint: `コマンドだけがわかります。${inlineCode('/')} を入力すると一覧が出ます。${inlineCode('/help')} も使えます。`,
  expiredMessage: 'このメッセージは古くなりました。コマンドをもう一度実行してください。',
  notYourButtons: (command) =>
    `このボタンを使えるのはコマンドを実行したメンバーだけです。${inlineCode(command)} を実行すると、自分用のボタンが表示されます。`,
  previousPage: '‹ 前へ',
  nextPage: '次へ ›',
};

// Refusals, in Japanese.

const settings = inlineCode('/settings');

/** A longer list says nothing. */
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `このサーバーでは ${inlineCode('/say')} を使えない設定になっています。${settings} で元に戻せます。`
      : `サーバーの管理者の設定により、${inlineCode('/say')} を使えません。`,
  roles: (ids) =>
    isShort(ids)
      ? `ここで使えるのは ${format.or(ids.map(roleMention))} のロールを持つメンバーだけです。ロールはサーバーの管理者が付けられます。`
      : 'ここで使えるのは特定のロールを持つメンバーだけです。ロールはサーバーの管理者が付けられます。',
  channels: (ids) =>
    isShort(ids)
      ? `このサーバーで使えるのは ${format.or(ids.map(channelMention))} だけです。そこでもう一度試してください。`
      : 'このサーバーで使えるのは特定のチャンネルだけです。そのどれかでもう一度試してください。',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `このサーバーで読み上げできるのは ${format.or(ids.map(channelMention))} だけです。参加してからもう一度試してください。`
      : 'このサーバーで読み上げできるのは特定のボイスチャンネルだけです。そのどれかに参加してからもう一度試してください。',
  channelsGone: `このサーバーで使えるチャンネルがすべてなくなりました。${settings} で別のチャンネルを選ぶよう、サーバーの管理者に頼んでください。`,
  voiceChannelsGone: `このサーバーで読み上げできるボイスチャンネルがすべてなくなりました。${settings} で別のチャンネルを選ぶよう、サーバーの管理者に頼んでください。`,
  tooFast: (again) => `少し速すぎます。${format.relative(again)}にもう一度試してください。`,
};

// What is wrong with an attached file, in Japanese.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) =>
    `${code(name)} は Discord にありません。読み込めるのは Discord のファイルだけなので、ファイルそのものをアップロードしてください。`,
  empty: (name) => `${code(name)} は空です。もう一度アップロードしてください。`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} は ${format.megabytes(bytes)} あります。文字起こしできるのは ${format.megabytes(limit)} までです。分割するか、MP3 か Opus で保存してください。`,
  notAudio: (name) => `${code(name)} を音声として読み込めません。MP3、WAV、Ogg、Opus、FLAC、M4A、WebM のどれかを使ってください。`,
  downloadFailed: (name) => `Discord から ${code(name)} を取得できませんでした。もう一度試すか、アップロードし直してください。`,
  downloadGone: (name) =>
    `${code(name)} は削除されたか、リンクの期限(1日)が切れました。アップロードし直すか、元のメッセージで ${inlineCode('Transcribe')} を使ってください。`,
  downloadIncomplete: (name) => `${code(name)} の読み込みが途中で切れました。もう一度試すか、アップロードし直してください。`,
  downloadOversized: (name) =>
    `${code(name)} は Discord が示す大きさを超えているため、読み込みをやめました。アップロードし直してください。`,
  downloadSlow: (name) => `Discord から ${code(name)} が届くのが遅すぎます。あとでもう一度試してください。`,
};

// Why the bot can't speak in a voice channel, in Japanese.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'チャンネルを見る', Connect: '接続', Speak: '発言' },
  botNotInGuild: `読み上げできるのは参加しているサーバーだけです。${inlineCode('send_as')} で「ボイスメッセージ」を選ぶと、音声を受け取れます。`,
  memberNotInVoice: `ボイスチャンネルに参加していません。参加するか、${inlineCode('channel')} で選んでください。`,
  botNotInVoice: `このボットはボイスチャンネルにいません。ボイスチャンネルに参加して ${inlineCode('/say')} を使うと呼べます。`,
  stageChannel: (id) => `${channelMention(id)} はステージです。読み上げできるのはボイスチャンネルだけなので、そちらを選んでください。`,
  memberCannotConnect: (id) => `自分が参加できない ${channelMention(id)} では読み上げできません。別のチャンネルを選んでください。`,
  memberCannotSpeak: (id) =>
    `${channelMention(id)} で読み上げるには、自分に${bold('発言')}の権限が必要です。別のチャンネルを選んでください。`,
  memberServerMuted: 'このサーバーのボイスチャンネルでモデレーターにミュートされています。解除されれば、また読み上げできます。',
  missingPermissions: (permissions, id) =>
    `ボットに ${channelMention(id)} での ${format.and(permissions.map((name) => bold(name)))} の権限が必要です。サーバーの管理者がチャンネル設定で許可できます。`,
  full: (id) => `${channelMention(id)} は満員です。空きを待つか、別のチャンネルを選んでください。`,
};
