// What /say and the buttons of its replies say, in Simplified Chinese.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { other: '# 个字符' });

export const say: Words['say'] = {
  noText: `没有要朗读的内容。请在 ${inlineCode('text')} 里写点文字。`,
  nothingSpeakable: '这段文字里没有能念出来的内容。请至少写一个词或数字。',
  andSoOn: '等等',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `找不到名为 ${code(voice)} 的声音。请从列表里选择，或浏览 ${inlineCode('/voices')}。`
      : `找不到名为 ${code(voice)} 的声音。请从列表里选择，或浏览 ${inlineCode('/voices')}。最接近的是 ${closest.map((title) => code(title)).join('、')}。`,
  voiceReplaced: (gone, used) => `这里不能用声音 ${code(gone)}，所以我用了 ${code(used)}。请在 ${inlineCode('/voices')} 里选另一个声音。`,
  voiceIsYours: `这是你的声音：${inlineCode('/voice mine')} 会显示它出了什么问题。`,
  voiceNotHere: `这里不能用这个声音。请在 ${inlineCode('/voices')} 里选另一个声音。`,
  speedUnsupported: `这个语音服务不能改变语速。请把 ${inlineCode('speed')} 设为 1 再试，我会记住。`,
  textGone: `这段文字已经没有了。请用 ${inlineCode('/say')} 重新输入。`,
  confirm: (count, share) => `这将用掉剩余额度的约 ${format.percent(share)}（${characters(count)}）。要朗读吗？`,
  tooExpensive: (count, share) => `这将用掉剩余额度的约 ${format.percent(share)}（${characters(count)}）。请分成几段短一些的。`,
  confirmButton: '朗读',
  stopButton: '停止',
  skipButton: '跳过',
  cancelButton: '取消',
  moreMenu: '接下来做什么？',
  replay: '重播',
  saveAsFile: '保存为文件',
  sayMore: '继续朗读',
  showText: '显示全文',
  sayMoreTitle: (voice) => `继续朗读：${voice}`,
  sayMoreLabel: '要我念什么？',
  textHidden: '此服务器不显示朗读的内容。',
  recentVoice: '最近用过',
  favouriteVoice: '收藏',
  fileTooLarge: (limit) => `这个文件会超过 Discord 在这里接受的 ${format.megabytes(limit)}。请缩短文字。`,
  fileInstead: '我只能在自己加入的服务器里朗读，所以把声音作为文件发给你。',
  nobodyThere: (channelId) => `${channelMention(channelId)} 里现在没有人。`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: '正在朗读',
  queued: (before) => (before === 1 ? '下一条' : format.plural(before, { other: '前面还有 # 条' })),
  interrupted: (seconds) => `${format.duration(seconds)}后中断`,
  interruptedByRestart: '完成之前我重启了',
  notSpoken: '未朗读',
  spoken: (seconds) => `已朗读，${format.duration(seconds)}`,
  shortened: '已按此服务器的上限截短',
  characters,
  fromCache: '来自缓存，免费',
  cachedSoundGone: (budget) => `这段文字等待期间，缓存的声音被删除了，所以不再免费。${budget}`,
  skipped: '已跳过',
  stopped: '已停止',
  cancelled: '已取消',
  cancelledCharged: (count) => `已取消。语音服务已经生成了声音，所以 ${characters(count)}仍计入用量`,
  chargedUnheard: (count) => `语音服务已经生成了声音，所以 ${characters(count)}仍计入用量。`,
  defaultVoice: '默认声音',
};

// What /queue, /skip, /stop and /leave say, in Simplified Chinese.

export const queue: Words['queue'] = {
  full: (most) => format.plural(most, { other: '队列已满（# 条）。请稍后再试。' }),
  tooManyWaiting: (most) => format.plural(most, { other: `你在队列里已有 # 条文字。请等其中一条读完，或用 ${inlineCode('/stop')} 移除。` }),
  onlyOwnerCanSkip: (ownerId) => `只有 ${userMention(ownerId)} 或管理员可以跳过。`,
  onlyOwnerCanStop: (ownerId) => `只有 ${userMention(ownerId)} 或管理员可以停止。`,
  onlyOwnerCanUse: (ownerId) => `只有 ${userMention(ownerId)} 或管理员可以这样做。`,
  onlyModerators: '只有管理员可以这样做。',
  empty: '目前没有播放内容。',
  nothingToStop: '你没有正在播放或等待的文字。',
  othersWaiting: `队列里还有别人的文字，所以只有管理员能让我离开，也就是在我所在的语音频道里拥有${bold('麦克风静音成员')}或${bold('管理消息')}权限的人。`,
  skipped: (ownerId) => `已跳过 ${userMention(ownerId)} 的文字。`,
  stopped: (count) => format.plural(count, { other: '已停止，移除了 # 条文字。' }),
  left: (channelId) => `我已离开 ${channelMention(channelId)}。`,
  nowPlaying: '正在播放',
  upNext: '接下来',
  starting: '即将开始…',
  timeLeft: (seconds) => `还剩约 ${format.duration(seconds)}`,
  almostDone: '即将结束',
  lasts: (seconds) => `约 ${format.duration(seconds)}`,
  removeButton: '移除',
  alreadyGone: '那条文字已不在队列里。',
  pageOf: (page, pages) => `第 ${format.number(page)} / ${format.number(pages)} 页`,
};
