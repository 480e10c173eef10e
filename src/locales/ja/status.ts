// What /status says, in Japanese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `ボイスチャンネルでこのボットの名前を右クリックして${bold('ユーザーの音量')}を上げてください`;

export const status: Words['status'] = {
  notInGuild: `ここは参加しているサーバーではないので、ボイスチャンネルがありません。${say} で音声をファイルとして送れます。`,
  notInVoice: `ボイスチャンネルに参加していません。参加してから ${say} を使ってください。`,
  speaksElsewhere: (id) => `いま ${channelMention(id)} で読み上げています。参加すると聞こえます。`,
  stage: (id) => `${channelMention(id)} はステージなので読み上げできません。ボイスチャンネルに参加してください。`,
  serverDeaf: 'このサーバーでモデレーターにスピーカーミュートされています。解除を頼んでください。',
  selfDeaf: '自分でスピーカーミュートしています。名前の横のヘッドホンをクリックしてください。',
  elsewhere: (mine, theirs) =>
    `${channelMention(mine)} で読み上げていますが、いまいるのは ${channelMention(theirs)} です。移動するか、終わるまで待ってください。`,
  missing: (permissions, id) =>
    `${channelMention(id)} で ${format.and(permissions.map((name) => bold(name)))} の権限が必要です。サーバーの管理者がチャンネル設定で許可できます。別のチャンネルを選ぶこともできます。`,
  serverMute: `このサーバーでミュートされているので、誰にも聞こえません。${say} でボイスチャンネルに呼ぶと、モデレーターがボットの名前を右クリックして解除できます。`,
  full: (id) => `${channelMention(id)} は満員です。誰かが出るのを待つか、別のチャンネルを選んでください。`,
  silent: `このサーバーでの音量が 0% です。サーバーの管理者が ${settings} で上げられます。`,
  underWay: {
    connecting: 'ボイスチャンネルに参加しています。数秒お待ちください。',
    encrypting: 'ボイスチャンネルでエンドツーエンド暗号化を準備しています。数秒お待ちください。',
    reconnecting: 'ボイス接続が切れたので再接続しています。数秒で再開します。',
  },
  stuck: {
    connecting:
      'Discord がボイスチャンネルに入れてくれません。もう一度試してください。続くときはチャンネル設定でリージョンを変えてみてください。',
    encrypting: 'このボイスチャンネルではエンドツーエンド暗号化がうまくいきません。全員に一度退出して入り直してもらってください。',
    reconnecting: `ボイス接続が切れたまま戻りません。${inlineCode('/leave')} を使ってからもう一度試してください。`,
  },
  service: (problem) => `音声サービスが使えません。${problem}`,
  others: `いまはほかの人の文章を読み上げていて、キューに自分の文章はありません。聞こえないときは、${louder}。`,
  queued: (before) => format.plural(before, { other: `前に # 件待っています。${inlineCode('/queue')} で確認できます。` }),
  speaking: `いま読み上げています。聞こえないときは、${louder}。音声設定の出力デバイスも確認してください。`,
  slow: (seconds) => `すべて動いていますが、音声サービスが遅いため(${format.number(seconds, 1)} 秒)、始まるのが遅れることがあります。`,
  ready: `すべて動いていて、何も再生していません。${say} を試してください。聞こえないときは、${louder}。`,
  titles: {
    here: 'このチャンネル',
    voice: '参加中のボイスチャンネル',
    connection: 'ボイス接続',
    you: '自分',
    service: '音声サービス',
    credit: 'クレジット(ボットの所有者だけに表示)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}：${next}`,
  permissionNext: 'サーバーの管理者が許可できます',
  sendMessages: 'メッセージを送信',
  sendMessagesNext: '15分を超える文字起こしにだけ必要です。ないときは DM で届きます',
  viewChannel: 'チャンネルを見る',
  notMuted: 'ミュートされていません',
  muted: 'ミュートされています',
  mutedNext: 'モデレーターが解除できます',
  room: '空きがあります',
  isFull: '満員です',
  fullNext: '誰かが出るのを待ってください',
  noChannel: 'なし。聞くには参加してください。',
  isStage: 'ステージです。ボイスチャンネルに参加してください。',
  hears: 'スピーカーミュートされていません',
  deaf: 'スピーカーミュートされています',
  selfDeafNext: '名前の横のヘッドホンをクリックしてください',
  serverDeafNext: 'モデレーターに解除を頼んでください',
  allowed: `ここで ${say} を使えます`,
  notAllowed: `ここでは ${say} を使えません`,
  notConnected: 'まだありません。/say を使うと接続します。',
  connection: {
    connecting: (channel, since) => `${channel}：参加中(${since}から)`,
    encrypting: (channel, since) => `${channel}：暗号化を準備中(${since}から)`,
    ready: (channel, since) => `${channel}：接続済み(${since})`,
    reconnecting: (channel, since) => `${channel}：切断(${since})`,
    closed: (channel, since) => `${channel}：終了(${since})`,
  },
  encrypted: 'エンドツーエンドで暗号化されています',
  notEncrypted: 'エンドツーエンドで暗号化されていません',
  notEncryptedNext: 'ほかに誰もいないか、Discord がこの通話で無効にしています',
  ping: (ms) => `Ping：${format.number(ms)} ms`,
  queueAndVolume: (length, volume) =>
    length === 0
      ? `キュー：空。音量：${format.percent(volume)}`
      : `キュー：${format.plural(length, { other: '# 件' })}。音量：${format.percent(volume)}`,
  answered: (ms) => `${format.number(ms)} ms で応答`,
  noCatalogue: '声の一覧がないため、クレジットを使わずに確認できません。',
  noAnswer: (seconds) =>
    `${format.plural(seconds, { other: '# 秒' })}以内に応答がありませんでした。1分後にもう一度試してください。続くときはボットの所有者に知らせてください。`,
};
