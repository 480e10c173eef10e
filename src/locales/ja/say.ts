// What /say and the buttons of its replies say, in Japanese.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { other: '# 文字' });

export const say: Words['say'] = {
  noText: `読み上げる文章がありません。${inlineCode('text')} に入力してください。`,
  nothingSpeakable: 'この文章には読み上げられるものがありません。言葉か数字を入れてください。',
  andSoOn: '以下省略',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `${code(voice)} という声が見つかりません。一覧から選ぶか、${inlineCode('/voices')} で探してください。`
      : `${code(voice)} という声が見つかりません。一覧から選ぶか、${inlineCode('/voices')} で探してください。近い名前の声は ${format.and(closest.map((title) => code(title)))} です。`,
  voiceReplaced: (gone, used) =>
    `ここでは ${code(gone)} の声を使えないので、${code(used)} で読み上げました。${inlineCode('/voices')} で別の声を選んでください。`,
  voiceIsYours: `これはあなたの声です。${inlineCode('/voice mine')} で状態を確認できます。`,
  voiceNotHere: `ここではこの声を使えません。${inlineCode('/voices')} で別の声を選んでください。`,
  speedUnsupported: `この音声サービスでは速さを変えられません。${inlineCode('speed')} を 1 にして、もう一度試してください。次からも 1 になります。`,
  tooSlow: (count) =>
    `このコンピューターでは、この声には長すぎます。${characters(count)}くらいに短くするか、もっと速い声を選んでください。`,
  textGone: `この文章はもう残っていません。${inlineCode('/say')} でもう一度入力してください。`,
  confirm: (count, share) => `残りのクレジットの約 ${format.percent(share)} を使います(${characters(count)})。読み上げますか？`,
  tooExpensive: (count, share) => `残りのクレジットの約 ${format.percent(share)} を使います(${characters(count)})。短く分けてください。`,
  confirmMaking: (count) => `音声がもう保存されていないため、作り直すとクレジットを ${characters(count)}分使います。作りますか？`,
  confirmButton: '読み上げる',
  makeButton: '作る',
  stopButton: '停止',
  skipButton: 'スキップ',
  cancelButton: 'キャンセル',
  moreMenu: '次はどうしますか？',
  replay: 'もう一度再生',
  saveAsFile: 'ファイルに保存',
  sendAsVoiceMessage: 'ボイスメッセージで送る',
  sayMore: '続けて読み上げ',
  showText: '全文を表示',
  sayMoreTitle: (voice) => `続けて読み上げ：${voice}`,
  sayMoreLabel: '読み上げる文章',
  textHidden: 'このサーバーでは内容を表示しません。',
  recentVoice: '最近',
  favouriteVoice: 'お気に入り',
  fileTooLarge: (limit) => `ファイルが、ここで Discord が受け付ける ${format.megabytes(limit)} を超えます。短い文章で試してください。`,
  voiceMessageInstead: '読み上げできるのは参加しているサーバーだけなので、ボイスメッセージで送ります。',
  voiceMessageForbidden: 'ここではボイスメッセージを送れないため（権限「ボイスメッセージを送信」）、音声をファイルで送ります。',
  voiceMessageRefused: 'Discord がボイスメッセージとして受け付けなかったため、音声をファイルで送ります。',
  voiceMessageTooLong: (minutes) => `ボイスメッセージは最長${format.plural(minutes, { other: '# 分' })}なので、音声をファイルで送ります。`,
  nobodyThere: (channelId) => `いま ${channelMention(channelId)} には誰もいません。`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: '読み上げ中',
  queued: (before) => (before === 1 ? '次に再生' : format.plural(before, { other: '前に # 件' })),
  interrupted: (seconds) => `${format.duration(seconds)}で中断`,
  interruptedByRestart: '終わる前に再起動しました',
  notSpoken: '読み上げませんでした',
  spoken: (seconds) => `${format.duration(seconds)}で読み上げました`,
  shortened: 'サーバーの上限に合わせて短縮',
  characters,
  fromCache: 'キャッシュにあったので無料',
  cachedSoundGone: (budget) => `待っている間にキャッシュの音声が消えたため、無料ではなくなりました。${budget}`,
  skipped: 'スキップしました',
  stopped: '停止しました',
  cancelled: 'キャンセルしました',
  cancelledCharged: (count) => `キャンセルしました。音声サービスがすでに音声を作っていたので、${characters(count)}は使用量に入ります`,
  chargedUnheard: (count) => `音声サービスがすでに音声を作っていたので、${characters(count)}は使用量に入ります。`,
  defaultVoice: 'デフォルトの声',
};

// What /queue, /skip, /stop and /leave say, in Japanese.

export const queue: Words['queue'] = {
  full: (most) => format.plural(most, { other: 'キューが # 件でいっぱいです。少し待ってからもう一度試してください。' }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      other: `自分の文章がもう # 件キューにあります。終わるのを待つか、${inlineCode('/stop')} で取り消してください。`,
    }),
  onlyOwnerCanSkip: (ownerId) => `これをスキップできるのは ${userMention(ownerId)} さんとモデレーターだけです。`,
  onlyOwnerCanStop: (ownerId) => `これを停止できるのは ${userMention(ownerId)} さんとモデレーターだけです。`,
  onlyOwnerCanUse: (ownerId) => `これができるのは ${userMention(ownerId)} さんとモデレーターだけです。`,
  onlyModerators: 'これができるのはモデレーターだけです。',
  empty: '何も再生していません。',
  nothingToStop: '再生中や待機中の自分の文章はありません。',
  othersWaiting: `ほかの人の文章がまだキューにあるので、退出させられるのはモデレーターだけです。モデレーターは、ボットがいるボイスチャンネルで${bold('メンバーをミュート')}か${bold('メッセージの管理')}の権限を持つ人です。`,
  skipped: (ownerId) => `${userMention(ownerId)} さんの文章をスキップしました。`,
  skippedOwn: '自分の文章をスキップしました。',
  stopped: (count) => format.plural(count, { other: '停止して、文章 # 件を取り消しました。' }),
  left: (channelId) => `${channelMention(channelId)} から退出しました。`,
  nowPlaying: '再生中',
  upNext: '次に再生',
  starting: 'まもなく開始…',
  timeLeft: (seconds) => `残り約 ${format.duration(seconds)}`,
  almostDone: 'まもなく終了',
  lasts: (seconds) => `約 ${format.duration(seconds)}`,
  removeButton: '取り消す',
  alreadyGone: 'その文章はもうキューにありません。',
  pageOf: (page, pages) => `${format.number(page)} / ${format.number(pages)} ページ`,
};
