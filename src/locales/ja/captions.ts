// Captions of a voice channel, in Japanese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('字幕をつける');
const stopMe = bold('字幕をやめる');

export const captions: Words['captions'] = {
  notInGuild: '字幕をつけられるのは、わたしがいるサーバーのボイスチャンネルだけです。先に招待してください。',
  noVoiceChannel: `どのボイスチャンネルかわかりません。参加するか、そのチャットで${start}を使ってください。`,
  noSpareCalls:
    'ここでは字幕を付けられません。音声サービスを同時に1件しか呼び出せないため、字幕がほかのすべてを止めてしまいます。Botの管理者は`VOICE_API_CONCURRENCY`を2以上にしてください。',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `ここで字幕を始められるのは${format.or(roleIds.map(roleMention))}のメンバーだけです。ロールはサーバーの管理者がつけられます。`
      : 'ここで字幕を始められるのは特定のロールのメンバーだけですが、そのロールはもうありません。別のロールを選ぶようサーバーの管理者に頼んでください。',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `ここで字幕が使えるのは${format.or(channelIds.map(channelMention))}だけです。参加してからもう一度お試しください。`
      : `字幕が使えるボイスチャンネルはもうありません。${inlineCode('/settings')}で別のチャンネルを選ぶようサーバーの管理者に頼んでください。`,
  missing: (permissions, channelId) =>
    `字幕を書くには、${channelMention(channelId)}で${format.and(permissions.map((name) => bold(name)))}の権限が必要です。サーバーの管理者がチャンネルの設定で許可できます。`,
  cannotConnect: (channelId) =>
    `${channelMention(channelId)}に参加できないので、そこで字幕を始めることはできません。別のボイスチャンネルを選んでください。`,
  alreadyOn: (link) => `字幕はもう始まっています: ${link}`,
  elsewhere: (channelId) =>
    `いま${channelMention(channelId)}で字幕をつけています。一度に入れるボイスチャンネルはひとつだけなので、終わってからもう一度お試しください。`,
  started: (link) => `字幕を始めました: ${link}\nそこで${captionMe}を押した人の声だけを聞きます。`,
  notOn: `このサーバーでは字幕は始まっていません。${start}で始められます。`,
  mayNotStop: (starterId) =>
    `字幕を終えられるのは、始めた${userMention(starterId)}、モデレーター、または最後のひとりになった字幕の参加者です。自分だけ外れるには${stopMe}を押してください。`,
  stopped: '完了しました。字幕を終えました。',
  leaveStops: 'そのボイスチャンネルで字幕をつけているので、退出すると字幕が終わってしまいます。',

  title: (channelId) => `${channelMention(channelId)}の字幕`,
  what: `話された内容をここに書くので、だれでも読めます。${captionMe}を押した人の声だけを聞き、ほかの人の音声は復号さえしません。`,
  sound: (host) =>
    host === null
      ? '一文ごとの音声はわたしと同じマシンの音声サービスに送られ、だれも保存しません。言葉が残るのはここのわたしのメッセージだけです。'
      : `一文ごとの音声は、名前をつけずに${inlineCode(host)}の音声サービスに送られます。わたしは保存しません。言葉が残るのはここのわたしのメッセージだけです。`,
  consent: (isKept) =>
    isKept
      ? `同意すると、このサーバーでは90日間、または${stopMe}を押すまで覚えています。`
      : '毎回たずねます。この字幕が終わると、だれが同意したかを忘れます。',
  startedBy: (memberId) => `開始: ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('字幕をつける人:')} ${memberIds.length === 0 ? 'まだいません' : [...memberIds.map(userMention), ...(more > 0 ? [`ほか${format.number(more)}人`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('聞こえない人:')} ${memberIds.map(userMention).join(' ')}。音声を復号できません。ボイスチャンネルに入り直すと、たいてい直ります。`,
  outOfBudget: (memberId, at) => `⚠️ ${userMention(memberId)}は文字起こしの1日の上限に達しました。${format.relative(at)}に再開します。`,
  serverOutOfBudget: (at) => `⚠️ このサーバーは文字起こしの1日の上限に達しました。${format.relative(at)}に再開します。`,
  cost: (seconds, cost) =>
    `これまで: ${format.duration(seconds)}分の発言（話した人の上限から${cost === null ? '' : `、クレジット約${format.significant(cost)}`}）`,
  captionButton: '字幕をつける',
  stopButton: '字幕をやめる',
  deleteButton: '自分の言葉を削除',
  languageMenu: '自分が話す言語（自分にだけ有効）',
  hasEnded: '字幕は終わりました',

  isOn: (isKept) =>
    isKept
      ? `完了しました。あなたの発言に字幕をつけます。今後90日間は、このサーバーで字幕が始まるたびに有効です。取り消すには${stopMe}または${privacyCommand}を使ってください。`
      : `完了しました。この字幕が終わるか、${stopMe}を押すまで、あなたの発言に字幕をつけます。`,
  isOff: `完了しました。もうあなたの声は聞きません。書きかけの分は捨てました。すでにここにある分を消すには${bold('自分の言葉を削除')}を押してください。`,
  isOffUnstored: `完了しました。もうあなたの声は聞きません。いまはこれを保存できないため、保存できるまで試し続けます。その前にボットが再起動したら、もう一度${bold('字幕をやめる')}を押してください。`,
  excluded: 'このサーバーの管理者が、あなたのロールのひとつには字幕をつけないと決めています。',
  wordsDeleted: (count) =>
    count === 0 ? 'ここにあなたの言葉はありません。' : `完了しました。あなたの発言を${format.number(count)}行削除しました。`,
  languageChosen: (name) =>
    name === null ? '完了しました。話す言語は自動で判別します。' : `完了しました。${name}で話すものとして聞きます。`,
  notCaptioned: `あなたには字幕をつけていません。先に${captionMe}を押してください。`,
  endedAlready: `この字幕は終わっています。${start}でもう一度始められます。`,

  behind: (seconds) => `${format.duration(seconds)}遅れています。`,
  dropped: (name, seconds) => `${name}の発言のうち${format.duration(seconds)}分を省きました。`,
  failed: 'いま音声サービスが動いていないため、発言の一部が抜けています。引き続き試します。',
  resumed: '中断していました。この直前の発言が抜けているかもしれません。',

  ended: {
    stopped: (memberId) => `字幕は終わりました。${userMention(memberId)}が終えました。`,
    nobody: '字幕は終わりました。2分間、字幕をつける人がボイスチャンネルにいませんでした。',
    moved: '字幕は終わりました。モデレーターがわたしを移動または切断しました。',
    left: '字幕は終わりました。ボイスチャンネルから退出しました。',
    channelGone: '字幕は終わりました。ボイスチャンネルが削除されました。',
    lost: `字幕は終わりました。ボイスチャンネルとの接続が切れました。${start}でもう一度始められます。`,
    unwritable: '字幕は終わりました。このチャンネルに書き込めなくなりました。',
    interrupted: `字幕は終わりました。オフラインの時間が長すぎました。${start}でもう一度始められます。`,
    unavailable: '字幕は終わりました。このマシンでは発言を書き起こせません。理由はログに書いてあり、ボットの所有者が確認できます。',
  },
  noTranscript: '今回は文字起こしを作れませんでした。必要なものをすべて読み込めなかったためです。上の字幕はそのまま残ります。',
  transcriptName: (channel) => `${channel}の字幕`,
  threadName: (channel) => `${channel}の字幕`,
  voiceStatus: '💬 字幕あり',

  spoken: {
    begin: '字幕を始めました。チャットで「字幕をつける」を押した人の発言だけを書きます。',
    joined: 'ここでは字幕がついています。自分の発言にもつけたいときは、チャットで「字幕をつける」を押してください。',
  },
  permissionNames: { CreatePublicThreads: '公開スレッドの作成' },
  status: (channelId, count) => `字幕: ${channelMention(channelId)}で実行中、${format.number(count)}人`,

  panel: {
    starters: '字幕を始められる人',
    startersMenu: '字幕を始められるロール（なし＝全員）',
    channels: '字幕が使えるチャンネル',
    channelsMenu: '字幕が使えるボイスチャンネル（なし＝すべて）',
    excluded: '字幕をつけない人',
    excludedMenu: '決して字幕をつけないロール',
    consentName: '同意',
    consent: { kept: '同意した人を90日間覚える', each: '毎回全員にたずねる' },
    placeName: '書く場所',
    place: { chat: 'ボイスチャンネルのチャット', thread: 'スレッド' },
    placeWhat: {
      chat: 'どこで始めても同じです',
      thread: '始めたテキストチャンネルのスレッド。ボイスチャンネルのチャットにはスレッドがありません',
    },
    languageName: '話される言語',
    language: (name) => `言語: ${name}`,
  },

  privacy: (count) =>
    `${bold('字幕。')}字幕のあるボイスチャンネルでは、同意した場合だけあなたの声を聞きます。音声は一文の間だけメモリにあり、言葉はわたしのメッセージにしか残りません。${
      count === 0
        ? 'どこでも同意していません。'
        : `${format.number(count)}個のサーバーで同意したことを、選んだ言語とともに90日間覚えています。`
    }`,
  consentGoes: '字幕への同意も、すべてのサーバーで取り消されます。',
};
