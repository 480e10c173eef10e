// What /dictionary says, in Japanese.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => `${format.number(count)}件`;

export const dictionary: Words['dictionary'] = {
  titles: { server: 'サーバーの辞書', me: '自分の辞書' },
  count: (count, most) => `${entries(count)} / 最大${entries(most)}`,
  found: (count, typed) => `${code(typed)} を含む項目: ${entries(count)}`,
  empty: {
    server: `まだ何もありません。${inlineCode('/dictionary add')} で言葉の読み方を教えてください。`,
    me: `まだ何もありません。${inlineCode('/dictionary add')} で自分用の読み方を教えてください。自分の辞書はサーバーの辞書より優先されます。`,
  },
  noneFound: (typed) => `${code(typed)} を含む項目はありません。言葉のもっと短い部分で試してください。`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'サーバーの辞書に追加しました。', me: '自分の辞書に追加しました。' },
  changed: { server: 'サーバーの辞書で変更しました。', me: '自分の辞書で変更しました。' },
  before: (spoken) => `変更前: ${spoken}`,
  removed: { server: 'サーバーの辞書から削除しました。', me: '自分の辞書から削除しました。' },
  hear: '聞いてみる',
  undo: '元に戻す',
  undone: { server: '元に戻しました。サーバーの辞書は前と同じです。', me: '元に戻しました。自分の辞書は前と同じです。' },
  undoExpired: `もう元に戻せません。今の内容は ${inlineCode('/dictionary list')} で見られます。`,
  notFound: {
    server: (word) => `${code(word)} はサーバーの辞書にありません。内容は ${inlineCode('/dictionary list')} で見られます。`,
    me: (word) => `${code(word)} は自分の辞書にありません。内容は ${inlineCode('/dictionary list')} で見られます。`,
  },
  nothingApplies: (text) => `${code(text)} の読み方を変える項目はありません。${inlineCode('/dictionary add')} で追加してください。`,
  full: {
    server: (most) => `サーバーの辞書はいっぱいです(最大${entries(most)})。先に1件削除してください。`,
    me: (most) => `自分の辞書はいっぱいです(最大${entries(most)})。先に1件削除してください。`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `サーバーの辞書を変えるには${bold('サーバー管理')}の権限が必要です。自分の辞書を変えるには ${inlineCode('for')} で選んでください。`
      : `サーバーの辞書を変えるには${bold('サーバー管理')}の権限か ${format.or(roles.map(roleMention))} が必要です。自分の辞書を変えるには ${inlineCode('for')} で選んでください。`,
  notInGuild: `ここには自分の辞書しかありません。${inlineCode('for')} は空のままにしてください。`,
  problems: {
    noWord: '言葉に文字も数字もありません。入力されるとおりに書いてください。',
    longWord: '言葉が長すぎます。100文字以内にしてください。',
    noSpoken: '読み方がありません。文字か数字を1つ以上書いてください。',
    longSpoken: '読み方が長すぎます。200文字以内にしてください。',
    language: `この言語は知りません。${inlineCode('en')} のようなコードを使うか、すべての言語なら空にしてください。`,
    duplicate: '同じ言葉が前の行にあります。そちらが使われます。',
    quotes: 'ここか、これより前の引用符が閉じていません。',
    full: '辞書がいっぱいです。',
  },
  showServer: 'サーバーの辞書',
  showMine: '自分の辞書',
  removeMenu: '言葉を削除…',
  exported: {
    server: 'サーバーの辞書です。表計算ソフトで編集して、またインポートできます。',
    me: '自分の辞書です。表計算ソフトで編集して、またインポートできます。',
  },
  importTitle: { server: 'サーバーの辞書にインポート', me: '自分の辞書にインポート' },
  importLabel: 'CSV ファイル',
  importHint: '列: 言葉、読み方、言語(空でもよい)。1 MB まで。',
  importModeLabel: '今ある項目',
  importModes: { merge: '残す。同じ言葉はファイルの内容にする', replace: '先にすべて削除する' },
  imported: (added, changed) =>
    changed === 0 ? `インポートしました。追加${entries(added)}。` : `インポートしました。追加${entries(added)}、変更${entries(changed)}。`,
  importedInstead: (count, gone) => `インポートしました。前の${entries(gone)}に代わって、今は${entries(count)}です。`,
  importedNothing: (file) => `${code(file)} に使えるものがありません。何も変更していません。`,
  skipped: (count) => `取り込まなかった行(${format.number(count)}行):`,
  line: (line, reason) => `${format.number(line)}行目: ${reason}`,
  lines: (from, to, reason) => `${format.number(from)}～${format.number(to)}行目: ${reason}`,
  moreSkipped: (count) => `…ほか${format.number(count)}か所。すべて添付ファイルにあります。`,
  unread: {
    full: (line) => `辞書がいっぱいのため、${format.number(line)}行目で読み込みを止めました。`,
    tooManyBad: (line) =>
      `取り込めない行が多すぎるため、${format.number(line)}行目で読み込みを止めました。それらを直してから、もう一度ファイルをインポートしてください。`,
  },
  notText: (file) =>
    `${code(file)} は UTF-8 のテキストファイルではありません。Excel では「CSV UTF-8」で保存してください。何も変更していません。`,
  fileTooLarge: (file, limit) =>
    `${code(file)} は ${format.megabytes(limit)} を超えていて、辞書に入りきりません。分けてください。何も変更していません。`,
  privacy: (count) =>
    `${bold('辞書')} ${count === 0 ? '' : `自分の辞書は${entries(count)}、削除するまで。`}サーバーの辞書は、サーバーの設定と同じ期間です。`,
};
