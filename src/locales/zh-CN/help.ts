// What /help says, in Simplified Chinese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: '输入文字，我就在你的语音频道里念出来。发来录音，我就把里面说的话写下来。',
  stepsTitle: '快速上手',
  steps: (say, voices) =>
    `1. 加入一个语音频道。\n2. 输入 ${say} 和要念的文字，用 ${inlineCode('voice')} 选项挑选声音。\n3. 在 ${voices} 里找到你最喜欢的声音。`,
  asVoiceMessage: (say) => `这里没有语音频道，所以 ${say} 会给你发一条语音消息。`,
  groups: {
    speaking: '朗读',
    listening: '转写',
    voices: '声音',
    about: '实用信息',
    admins: '管理员',
    more: '更多',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) => `${bold(name)} – 右键点击消息（手机上长按），选择${bold('应用')}，即可阅读其中说的内容`,
    'Make a voice': (name) => `${bold(name)} – 右键点击消息（手机上长按），选择${bold('应用')}，即可用其中的录音制作声音`,
    'Read this aloud': (name) => `${bold(name)} – 右键点击消息（手机上长按），选择${bold('应用')}，即可在你的语音频道里听到它`,
    'Stop reading this member': (name) => `${bold(name)} – 供管理员使用：右键点击成员，选择${bold('应用')}，即可停止或允许朗读其消息`,
  },
};
