// The descriptions of the commands and their options, in Simplified Chinese, at most 100 characters each.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: '在你的语音频道里朗读一段文字',
    text: '要朗读的内容',
    voice: '用哪个声音朗读。之后的文字我也会用它',
    channel: '在哪个语音频道里朗读，代替你所在的频道',
    asFile: '改为把声音作为文件发送',
    speed: '从 0.5（慢）到 2（快），1 为正常。之后的文字我也会用它',
  },
  queue: { description: '查看正在播放和接下来的内容' },
  skip: { description: '跳过正在播放的内容：你自己的文字；管理员可以跳过任何人的' },
  stop: { description: '移除你的所有文字；管理员会移除所有人的' },
  leave: { description: '让我离开语音频道' },
  transcribe: {
    description: '把录音转写成文字',
    audio: '录音，最大 20 MB',
    language: '录音的语言。留空 = 自动检测',
    timestamps: '显示每一部分的时间。留空 = 是',
    format: '同时附上文件',
    private: '转写结果只有你能看到',
    formats: { text: '文本 (.txt)', srt: '字幕 (.srt)', vtt: '网页字幕 (.vtt)', json: '数据 (.json)' },
  },
  voices: {
    description: '浏览、试听并挑选你的声音',
    title: '标题里的词',
    tag: '标签，例如 calm 或 robot，用逗号分隔',
    language: '语言的名称或代码，用逗号分隔',
    author: '谁制作的声音',
    sort: '排序方式',
    titleLanguage: '标题的语言，名称或代码',
    all: '也显示不能朗读文字的声音：未训练完的和用于唱歌的',
    mine: '只显示机器人自己账号的声音（供机器人的所有者使用）',
    page: '从第几页开始',
    sorts: { score: '最匹配', task_count: '最常用', created_at: '最新' },
  },
  status: { description: '查明你为什么听不到声音' },
  credit: { description: '查看用了多少、还剩多少' },
  privacy: { description: '查看我保存了你的哪些数据，并可删除' },
  help: { description: '我能做什么，如何开始' },
  settings: { description: '为此服务器设置我：声音、音量、谁能使用我、限额' },
};
