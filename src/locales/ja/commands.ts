// The descriptions of the commands and their options, in Japanese, at most 100 characters each.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'ボイスチャンネルで文章を読み上げます',
    text: '読み上げる文章',
    voice: '読み上げる声。次の文章からも使います',
    channel: '参加中のチャンネルの代わりに読み上げるボイスチャンネル',
    asFile: '代わりに音声をファイルで送る',
    speed: '0.5(遅い)から 2(速い)まで。1 が普通。次の文章からも使います',
  },
  queue: { description: '再生中の文章と、次の文章を見ます' },
  skip: { description: '再生中の自分の文章をスキップします。モデレーターは誰のものでもスキップできます' },
  stop: { description: '自分の文章をすべて取り消します。モデレーターは全員のものを取り消します' },
  leave: { description: 'ボットをボイスチャンネルから退出させます' },
  transcribe: {
    description: '録音を文字に起こします',
    audio: '録音、20 MB まで',
    language: '話されている言語。空欄 = 自動検出',
    timestamps: '話された時間を表示。空欄 = はい',
    format: 'ファイルも添付',
    private: '文字起こしを自分だけに表示',
    formats: { text: 'テキスト (.txt)', srt: '字幕 (.srt)', vtt: 'ウェブ用字幕 (.vtt)', json: 'データ (.json)' },
  },
  voices: {
    description: '声を探して、聞いて、選びます',
    title: 'タイトルに含まれる言葉',
    tag: 'calm や robot などのタグ、コンマ区切り',
    language: '言語の名前かコード、コンマ区切り',
    author: '声の作者',
    sort: '並び順',
    titleLanguage: 'タイトルの言語の名前かコード',
    all: '文章を読み上げられない声(学習中や歌声用)も含める',
    mine: 'ボット自身のアカウントの声だけ(ボットの所有者用)',
    page: '最初に開くページ',
    sorts: { score: '関連度順', task_count: 'よく使われる順', created_at: '新しい順' },
  },
  status: { description: '音が聞こえない理由を調べます' },
  credit: { description: '使った量と残りを見ます' },
  privacy: { description: '保存しているデータを確認して、削除できます' },
  help: { description: 'できることと、はじめかた' },
  settings: { description: 'このサーバーでの設定：声、音量、使える人、上限' },
};
