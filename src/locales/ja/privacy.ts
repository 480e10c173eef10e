// What /privacy says, in Japanese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'プライバシー',
  sent: (host) =>
    host === null
      ? `${bold('送信先')} 文章と録音は、このボットと同じマシン上の音声サービスにだけ送られます。`
      : `${bold('送信先')} 文章と録音は、名前を伏せて音声サービス ${inlineCode(host)} に送られます。そこでの扱いはサービスの運営者が決めます。ほかには送りません。`,
  notKept: `${bold('保存しないもの')} 文章、録音、文字起こし。これらも名前も、ファイルやログには書き込みません。`,
  kept: `${bold('保存するもの')} 選んだ声、お気に入りと最近の声、速さ(削除するまで)。使った量は数値で2日間。`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('音声')} 保存しません。`
      : `${bold('音声')} 同じサーバーでの繰り返しが無料になるよう、最大 ${format.megabytes(bytes)} を保存します。古いものから消え、遅くとも30日で消えます。ファイル名から内容はわかりません。削除できるように、どの音声が誰のものかを記録します。`,
  server: `${bold('サーバーについて保存するもの')} 設定(ミュートされたメンバーを含む)は変更されるまで、または退出から30日間。使用量は名前のない数値で31日間。声ごとの音量は90日間。`,
  messages: `${bold('返信')} Discord のメッセージなので、誰かが削除するまで残ります。`,
  localMessages: `${bold('返信')} これはボットと同じマシン上のローカル Discord です。Discord のサーバーの代わりに、全員のメッセージと添付ファイルを1日間、実行ユーザーだけが読めるフォルダーに保存します。`,
  openReplies:
    '返信が完了するまでは、再起動後に直せるようにその場所を記録します。自分だけに見える返信については、編集に必要な鍵も暗号化して最大15分間保存します。',
  deleteButton: 'データを削除…',
  emptyButton: '音声キャッシュを空にする…',
  deleteQuestion: (hasSound) =>
    hasSound ? '声、速さ、保存された音声を削除しますか？ 元には戻せません。' : '声と速さを削除しますか？ 元には戻せません。',
  whatStays:
    '残るものが2つあります。今日の使用量(削除で上限がリセットされないよう2日間)と、サーバーで管理者にミュートされているかどうかです。',
  deleteYes: '削除する',
  cancel: 'キャンセル',
  deleted: (sounds) =>
    sounds === 0 ? 'データを削除しました。' : `データと、${format.plural(sounds, { other: '保存された音声 # 件' })}を削除しました。`,
  emptyQuestion: 'すべてのメンバーとサーバーの音声キャッシュを空にしますか？ 同じ内容をもう一度読み上げるとクレジットを使います。',
  emptyYes: '空にする',
  emptied: (bytes) => `音声キャッシュを空にして、${format.megabytes(bytes)} を解放しました。`,
  operatorsOnly: `音声キャッシュを空にできるのはボットの所有者だけです。自分の分は${bold('データを削除')}で消せます。`,
};
