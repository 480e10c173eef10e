// What /help says, in Japanese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: '入力した文章をボイスチャンネルで読み上げます。録音を送ると、話された内容を文字に起こします。',
  stepsTitle: 'はじめかた',
  steps: (say, voices) =>
    `1. ボイスチャンネルに参加します。\n2. ${say} と読み上げる文章を入力します。声は ${inlineCode('voice')} オプションで選べます。\n3. ${voices} でお気に入りの声を探します。`,
  asVoiceMessage: (say) => `ここにはボイスチャンネルがないので、${say} はボイスメッセージを送ります。`,
  groups: {
    speaking: '読み上げ',
    listening: '文字起こし',
    voices: '声',
    about: '便利な機能',
    admins: '管理者向け',
    more: 'その他',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – メッセージを右クリック(スマートフォンでは長押し)して${bold('アプリ')}を選ぶと、その中で話された内容を読めます`,
    'Make a voice': (name) =>
      `${bold(name)} – メッセージを右クリック(スマートフォンでは長押し)して${bold('アプリ')}を選ぶと、その中の録音から声を作れます`,
    'Read this aloud': (name) =>
      `${bold(name)} – メッセージを右クリック(スマートフォンでは長押し)して${bold('アプリ')}を選ぶと、自分のボイスチャンネルで聞けます`,
    'Stop reading this member': (name) =>
      `${bold(name)} – モデレーター用：メンバーを右クリックして${bold('アプリ')}を選ぶと、そのメッセージの読み上げを止めたり許可したりできます`,
  },
};
