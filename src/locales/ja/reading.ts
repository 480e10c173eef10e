// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Japanese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord の設定により、メッセージを読めません。ボットの所有者が開発者ポータルで ${bold('Message Content Intent')} をオンにして再起動すると読めるようになります。それまでは ${bold('Read this aloud')} で1件ずつ読み上げられます。`,
  notInGuild: 'チャンネルの読み上げは、参加しているサーバーでだけできます。管理者に追加を頼んでください。',
  notAllowed: (roles) =>
    roles.length === 0
      ? `チャンネルの読み上げを開始・終了するには${bold('サーバー管理')}の権限が必要です。管理者は ${settings} でほかのロールにも許可できます。`
      : `チャンネルの読み上げを開始・終了するには${bold('サーバー管理')}の権限か ${format.or(roles.map(roleMention))} のロールが必要です。ロールは管理者が付けられます。`,
  privateThread: `非公開スレッドは、招待されていない人にも聞こえてしまうので読み上げません。チャンネルで ${start} を使ってください。`,
  noVoiceChannel: `ボイスチャンネルに参加していません。参加するか、${inlineCode('voice_channel')} で選んでください。`,
  cannotSeeVoice: 'そのボイスチャンネルは見られません。別のチャンネルを選んでください。',
  cannotSeeText: (id) => `${channelMention(id)} を見られないので、読み上げさせることはできません。`,
  iCannotSee: (id) =>
    `${channelMention(id)} に書かれたメッセージがこのボットには見えません。サーバーの管理者が${bold('チャンネルを見る')}を許可できます。`,
  alreadyReading: (text, voice) => `${channelMention(text)} はすでに ${channelMention(voice)} で読み上げています。`,
  readingElsewhere: (texts, voice) =>
    `${channelMention(voice)} で ${channels(texts)} の読み上げを聞いている人がいます。一度に入れるボイスチャンネルは1つだけです。先に ${stop} を使うか、そのボイスチャンネルを選んでください。`,
  exposed: (who, text, voice) =>
    `${bold('このチャンネルを見られない人にも聞こえます。')}\n${channelMention(voice)} に入れて ${channelMention(text)} を見られないのは ${format.and(who)} です。それでも読み上げますか？`,
  everyone: '全員',
  others: (count) => format.plural(count, { other: 'ほか # 件' }),
  startAnyway: 'それでも読み上げる',
  cancel: 'キャンセル',
  cancelled: '読み上げを始めませんでした。',
  startedAnyway: '読み上げを始めました。',
  started: (member, text, voice) =>
    `${userMention(member)} がチャンネルの読み上げをオンにしました。${channelMention(text)} に書かれたメッセージを ${channelMention(voice)} の全員に読み上げます。`,
  resumed: (member, text, voice) =>
    `${userMention(member)} がボットを呼び戻しました。${channelMention(text)} に書かれたメッセージを、また ${channelMention(voice)} の全員に読み上げます。`,
  optOut: `自分のメッセージを読み上げてほしくないときは ${inlineCode('/read me off')} を使ってください。`,
  skipOne: (prefix) => `1件だけ読み上げないようにするには、メッセージを ${code(prefix)} で始めてください。`,
  stopped: (member, texts) => `${userMention(member)} が ${channels(texts)} の読み上げをオフにしました。`,
  stoppedAlways: `常に読み上げる設定なので、全員がボイスチャンネルを出たあと誰かが入ると再開します。管理者は ${settings} で変更できます。`,
  notReading: `読み上げているチャンネルはありません。${start} で始められます。`,
  stillReading: `新しいメッセージは引き続き読み上げます。やめるには ${stop} を使ってください。`,
  pausedReading: `全員がボイスチャンネルを出たあと誰かが入るか、${start} を使うと、読み上げを再開します。`,
  leaveStops: (texts) => `ここで ${channels(texts)} を読み上げているため、退出すると読み上げが止まります。`,
  meOff: (dropped) =>
    dropped === 0
      ? '完了しました。どのサーバーでもあなたのメッセージを読み上げません。'
      : `完了しました。どのサーバーでもあなたのメッセージを読み上げません。${format.plural(dropped, { other: '待っていた # 件は取り消しました。' })}`,
  meOn: '完了しました。読み上げがオンの場所で、あなたのメッセージをまた読み上げます。',
  mutedHere: `このサーバーでは、モデレーターがあなたのメッセージの読み上げをオフにしました。管理者に頼むと、${bold('Stop reading this member')} か ${settings} で元に戻してもらえます。`,
  authorOptedOut: (id) => `${userMention(id)} は自分のメッセージの読み上げを望んでいません。`,
  authorMuted: (id) => `このサーバーでは ${userMention(id)} のメッセージの読み上げがオフになっています。`,
  nothingToRead: 'このメッセージには読み上げられるものがありません。言葉のあるメッセージを選んでください。',
  messageGone: '読み上げる前に、このメッセージは削除されました。',
  readsMessage: (author, link) => `${userMention(author)} の[メッセージ](${link})を読み上げます`,
  muted: (id) =>
    `完了しました。${userMention(id)} のメッセージは読み上げず、${inlineCode('/say')} も使えなくなりました。管理者は、このコマンドか ${settings} で元に戻せます。`,
  unmuted: (id) => `完了しました。${userMention(id)} のメッセージをまた読み上げます。${inlineCode('/say')} も使えます。`,
  onlyAdminsUnmute: (id) =>
    `${userMention(id)} のメッセージはすでに読み上げないようになっています。元に戻せるのは管理者だけです。このコマンドか ${settings} でできます。`,
  cannotMuteMe: 'このボット自身のメッセージは読み上げません。ほかの人を選んでください。',
  status: {
    title: 'チャンネルの読み上げ',
    reads: (text, voice) => `${channelMention(text)} を ${channelMention(voice)} で読み上げています。`,
    readsAlways: (text, voice) => `${channelMention(text)} を常に ${channelMention(voice)} で読み上げます。`,
    paused: {
      leave: `いまは読み上げていません。誰かが ${inlineCode('/leave')} でボイスチャンネルから退出させました。全員が出たあと誰かが入るか、${start} を使うと再開します。`,
      disconnect: `いまは読み上げていません。モデレーターがボイスチャンネルから切断しました。全員が出たあと誰かが入るか、${start} を使うと再開します。`,
    },
    stopped: (texts) =>
      `${channels(texts)} を常に読み上げる設定ですが、誰かが ${stop} でオフにしました。全員がボイスチャンネルを出たあと誰かが入るか、${start} を使うと再開します。`,
    nothing: `読み上げているチャンネルはありません。読み上げてほしいチャンネルで ${start} を使ってください。`,
    nothingWaits: '待っているメッセージはありません',
    waiting: (messages, delay) =>
      `${format.plural(messages, { other: '# 件が待っています' })}。新しいメッセージは約 ${format.duration(delay)}後に聞こえます`,
    faster: (factor) => `遅れないように ${format.number(factor, 1)} 倍の速さで話しています`,
    nameless: '遅れないように名前を省いています',
    skipped: (count) => format.plural(count, { other: '遅れないように # 件を飛ばしました' }),
    left: (characters, resets) =>
      characters === null
        ? 'このサーバーに1日の上限はありません'
        : `このサーバーの今日の残り: ${format.plural(characters, { other: '# 文字' })}（${resets}に更新）`,
    usedUp: (resets) => `このサーバーは今日の分を使い切りました。${resets}に再開します。`,
    optedOut: `読み上げを断っているので、あなたのメッセージは読み上げません。${inlineCode('/read me on')} で元に戻せます。`,
    slowVoice: (title) => `${title} はこのコンピューターでは遅すぎて読み上げに使えないので、あなたのメッセージは別の声で読み上げます。`,
    problem: (sentence, at) => `最後の問題（${at}）: ${sentence}`,
    titles: { now: '現在', here: '権限', you: 'あなた' },
    viewChannelNext: 'これがないとメッセージが届きません。サーバーの管理者が許可できます',
    optional: {
      SendMessages: 'これがないと、聞こえない理由をここに書けません',
      AddReactions: 'これがないと、聞こえないメッセージに印を付けられません',
      ReadMessageHistory: 'これがないと、聞こえないメッセージに印を付けたり、転送メッセージを読み上げたりできません',
    },
    permissionNames: {
      SendMessages: 'メッセージを送信',
      AddReactions: 'リアクションの追加',
      ReadMessageHistory: 'メッセージ履歴を読む',
    },
  },
  panel: {
    always: '常に読み上げ',
    pair: (text, voice) => `${text} を ${voice} で`,
    alwaysMenu: '常に読み上げ: 読み上げるボイスチャンネルを選ぶ',
    textMenu: 'そこで常に読み上げるテキストチャンネル',
    who: {
      everyone: '全員のメッセージを読み上げる',
      listeners: 'ボイスチャンネルにいる人だけ読み上げる',
    },
    optionsMenu: '名前・ボット・リアクション: なし',
    options: {
      names: { label: '書いた人の名前を言う', description: '書く人が変わるたびに1回' },
      bots: { label: 'ボットも読み上げる', description: 'ほかのボットやウェブフックのメッセージも' },
      reactions: { label: '聞こえないものに印を付ける', description: 'メッセージへのリアクションで' },
    },
    roles: '読み上げるロール',
    rolesMenu: '読み上げるロール（なし = 全員）',
    readerRoles: '開始・終了できる人',
    readerRolesMenu: '管理者のほかに開始・終了できるロール',
    adminsOnly: '管理者のみ',
    delay: '新しいメッセージが聞こえるまで',
    seconds: (count) => format.plural(count, { other: '# 秒以内' }),
    prefix: '読み上げない先頭の文字',
    formTitle: 'チャンネルの読み上げ',
    delayLabel: 'メッセージが聞こえるまでの秒数',
    delayHint: (least, most, usual) =>
      `${format.number(least)}～${format.number(most)}。空欄 = ${format.number(usual)}。多すぎるときは一部を飛ばします。`,
    prefixLabel: 'これで始まるメッセージを飛ばす',
    prefixHint: '空欄 = すべて読み上げる',
  },
};

// What is said while a channel is read aloud, in Japanese.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { other: '#件のメッセージを飛ばしました。' }),
  goesOn: '復旧したら、新しいメッセージから読み上げを再開します。',
  mostUsed: (share, left) =>
    format.plural(left, {
      other: `このサーバーは今日の読み上げの上限の${format.percent(share)}を使いました。チャンネルの読み上げと${inlineCode('/say')}に使える残りは#文字です。`,
    }),
  channelGone: 'ボイスチャンネルがなくなったため、このチャンネルの読み上げを終了しました。',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Japanese.

export const heard: Words['heard'] = {
  inPlace: { link: 'リンク', spoiler: 'ネタバレ', someone: '誰か', role: 'ロール', channel: 'チャンネル' },
  code: 'コード',
  linkTo: (site) => `${site} へのリンク`,
  messageLink: 'メッセージへのリンク',
  gif: 'GIF',
  repeated: (emoji, count) => `${emoji} ${format.plural(count, { other: '#回' })}`,

  says: (name, text) => `${name}さん、${text}`,
  saysTo: (name, to, text) => `${name}さんから${to}さんへ、${text}`,
  to: (to, text) => `${to}さんへ、${text}`,
  sends: (name, what) => `${name}さんが${what}を送信`,
  with: (what) => `${what}付き`,
  forwarded: (text) => `転送メッセージ、${text}`,
  forwardedUnread: '転送メッセージ',
  pictures: (count) => format.plural(count, { other: '画像#枚' }),
  gifs: (count) => format.plural(count, { other: 'GIF #個' }),
  videos: (count) => format.plural(count, { other: '動画#本' }),
  sounds: (count) => format.plural(count, { other: '音声ファイル#個' }),
  files: (count) => format.plural(count, { other: 'ファイル#個' }),
  voiceMessage: (seconds) => (seconds === null ? 'ボイスメッセージ' : `${format.duration(seconds)}のボイスメッセージ`),
  sticker: (name) => `スタンプ「${name}」`,
  poll: (question) => `投票「${question}」`,
  and: format.and,
  or: format.or,
};
