// What making voices of recordings says, in Japanese.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) => (host === null ? 'このボットと同じマシン上の音声サービス' : `音声サービス ${inlineCode(host)}`);

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `声を作れるのはボットの所有者だけです。代わりに ${inlineCode('/voices')} から選んでください。`,
    adminsOnly: `ここで声を作れるのは、サーバーの管理者と、決められたロールのあるメンバーだけです。${inlineCode('/settings')} にロールを追加するよう、管理者に頼んでください。`,
    notOutsideServers: 'サーバーの外で声を作れるのはボットの所有者だけです。サーバーで試してください。',
    tooMany: (most) => `作れる声は、作成中のものも含めて${format.number(most)}個までです。先に ${mine} で1つ削除してください。`,

    titleMissing: '声にはタイトルが必要です。入力して、もう一度試してください。',
    titleTooLong: (length, most) =>
      `タイトルが${format.number(length)}文字あります。声のタイトルは${format.number(most)}文字までです。短くしてください。`,
    unknownLanguage: (typed) => `${code(typed)} という言語はわかりません。一覧から選ぶか、空欄にしてください。`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} は ${format.megabytes(bytes)} あります。録音は ${format.megabytes(limit)} までです。いちばん良い1分間を送ってください。`,
    tooShort: (seconds, least) =>
      `合わせて${format.duration(seconds)}しかありません。声には${format.duration(least)}以上必要です。もう少し話して録音してください。`,
    forwarded: '転送されたメッセージでは、誰が話しているのかわかりません。元のメッセージを使ってください。',
    fromBot: 'これはボットのメッセージなので、同意できる人がいません。人の録音を選んでください。',
    cannotAskHere: (speakerId) =>
      `同意できるのは ${userMention(speakerId)} さんだけですが、ここでは尋ねられません。このボットがいるサーバーで試してください。`,
    speakerLeft: 'これを録音したメンバーはサーバーを抜けたため、同意できません。別の録音を選んでください。',

    formTitle: '声を作る',
    formLabel: '声のタイトル',
    formAsks: 'ほかの人の録音なので、このチャンネルで本人に尋ねます。',

    sends: (_, host) => `録音を${service(host)}に送って、声を作ります。コピーは保存しません。`,
    onlyYouMayUse: `この声は、${mine} で共有しないかぎり、自分だけが使えます。`,
    everyoneMayUse: 'この声は、このサーバーの全員が使えます。',
    ownMessage: '自分のボイスメッセージなので、自分で決められます。',
    makeButton: '自分の声を作る',
    whoSpeaks: '話しているのが自分だけであること、または話している人からこの声を作る許可を得ていることを確認してください。',
    ownButton: '自分の声です',
    permissionButton: '許可を得ています',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)} さん、${userMention(makerId)} さんが${hyperlink('あなたの録音', url)}から声を作りたいそうです。同意すると、${userMention(makerId)} さんはその声でどんな文章でも読み上げられます。`,
    untilThen: (host) => `決められるのはあなただけです。同意すると、録音を${service(host)}に送ります。それまでは何も送りません。`,
    agreeButton: '同意する',
    refuseButton: '同意しない',
    onlySpeaker: (speakerId) => `${userMention(speakerId)} さんの録音なので、答えられるのは本人だけです。`,
    refused: (speakerId) => `${userMention(speakerId)} さんは同意しませんでした。何も送っていません。`,
    takenBack: (makerId) => `${userMention(makerId)} さんが取り下げました。何も送っていません。`,
    makerLeft: (makerId) => `${userMention(makerId)} さんがサーバーを抜けたため、声は作りません。何も送っていません。`,
    makerMayNot: (makerId) => `${userMention(makerId)} さんはここで声を作れなくなりました。何も送っていません。`,

    sending: (share) => `送信中：${format.percent(share)}`,
    waiting: '送信しました。学習が始まるのを待っています…',
    training: '声を学習しています… 通常は1分以内に終わります。',
    withdrawn: 'キャンセルしました。何も送っていません。',
    cancelButton: 'キャンセル',
    cancelled: 'キャンセルしました。音声サービスにも残りません。',
    interrupted: `この声を作っている間に再起動しました。録音が届いていれば、まもなく ${mine} に表示されます。そうでなければ、もう一度作ってください。`,
    takesLong: `学習にいつもより時間がかかっています。このまま待って、終わったら声を ${mine} に追加します。`,
    trainingFailed: (reason) =>
      `音声サービスはこの録音から声を作れませんでした${reason === '' ? '。' : `：${reason}`}\n-# 1人がはっきり話している10～60秒の録音で、音楽や雑音のないものが最適です。`,
    deletedMeanwhile: '作っている間に声が削除されました。必要なら、もう一度作ってください。',
    notMade: 'こちらで問題が起きたため、声を作れませんでした。1分後にもう一度試してください。',

    ready: `${bold('できました。')}${inlineCode('/say')} の ${inlineCode('voice')} オプションの最初に表示されます。`,
    onlyOwnerMayUse: (ownerId) => `この声は ${userMention(ownerId)} さんだけが使えます。`,
    agreed: (speakerId) => `${userMention(speakerId)} さんが同意しました。`,
    gone: `この声はもうありません。${inlineCode('/voice create')} で新しく作ってください。`,
    hello: 'こんにちは。これが新しい声です。何でも読み上げます。',
  },

  mine: {
    yours: '自分で作成',
    shared: 'ここで共有中',

    heading: '作成した声',
    none: `まだ声を作成していません。${inlineCode('/voice create')} で録音から作成できます。`,
    explain: 'サーバーと共有しないかぎり、ほかの人が見つけたり使ったりすることはできません。',
    onlyYou: '自分だけが使えます',
    sharedWith: (here, others) => {
      if (others === 0) return 'このサーバーの全員が使えます';
      return here
        ? format.plural(others, { other: 'このサーバーとほかの # サーバーの全員が使えます' })
        : format.plural(others, { other: 'ほかの # サーバーの全員が使えます' });
    },
    made: (when) => `作成日 ${when}`,
    goneAtService: '音声サービスからなくなったため、読み上げられません。',
    edit: '名前を変更…',
    share: 'このサーバーと共有',
    unshare: '共有をやめる',
    delete: '削除…',

    formTitle: '声の名前を変更',
    titleField: 'タイトル',
    descriptionField: '説明',
    changed: (title) => `${titled(title)} を保存しました。`,
    nowShared: (title) => `このサーバーの全員が ${inlineCode('/say')} で ${titled(title)} を選べるようになりました。`,
    nowPrivate: (title) => `${titled(title)} の共有をやめました。選んでいた人は別の声になります。`,
    shareFirst: (title) =>
      `${titled(title)} を使えるのは今のところ自分だけです。先に ${inlineCode('/voice mine')} でこのサーバーと共有してください。`,
    deleteQuestion: (title) =>
      `${titled(title)} を、ここと音声サービスから、保存された音声ごと削除しますか？ 使っている人は別の声になります。元には戻せません。`,
    deleteYes: '削除',
    cancel: 'キャンセル',
    deleted: (title) => `${titled(title)} を削除しました。`,
    deletedLater: (title) =>
      `${titled(title)} をここから削除したので、もう誰も使えません。音声サービスではまだ削除できていないので、引き続き試します。`,
    gone: `この声はもうありません。${inlineCode('/voice mine')} で今ある声を確認できます。`,
  },
};
