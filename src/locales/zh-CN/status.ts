// What /status says, in Simplified Chinese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `在语音频道里右键点击我的名字，调高${bold('用户音量')}`;

export const status: Words['status'] = {
  notInGuild: `这里不是我所在的服务器，所以没有语音频道。使用 ${say}，我会把声音作为文件发给你。`,
  notInVoice: `你不在语音频道里。先加入一个，再使用 ${say}。`,
  speaksElsewhere: (id) => `我正在 ${channelMention(id)} 里朗读。加入就能听到。`,
  stage: (id) => `${channelMention(id)} 是讲堂频道，我不能在那里朗读。请加入语音频道。`,
  serverDeaf: '管理员在这个服务器里关闭了你的耳机。请让他们恢复。',
  selfDeaf: '你关闭了自己的耳机。点击名字旁边的耳机图标。',
  elsewhere: (mine, theirs) => `我在 ${channelMention(mine)} 里朗读，而你在 ${channelMention(theirs)}。过来找我，或等我读完。`,
  missing: (permissions, id) =>
    `我需要在 ${channelMention(id)} 里拥有 ${format.and(permissions.map((name) => bold(name)))} 权限。服务器管理员可以在频道设置里允许，或者换一个频道。`,
  serverMute: `我在这个服务器里被静音了，没有人能听到。用 ${say} 叫我进入语音频道，然后管理员可以右键点击我的名字解除静音。`,
  full: (id) => `${channelMention(id)} 已满。等有人离开，或换一个频道。`,
  silent: `我在这个服务器里的音量是 0%。服务器管理员可以在 ${settings} 里调高。`,
  underWay: {
    connecting: '我正在加入你的语音频道，请稍等几秒。',
    encrypting: '我已在你的语音频道里，正在建立端到端加密，请稍等几秒。',
    reconnecting: '语音连接断开了，我正在重新连接，几秒后继续。',
  },
  stuck: {
    connecting: 'Discord 不让我进入语音频道。请再试一次。如果一直这样，请在频道设置里换一个地区。',
    encrypting: '你的语音频道无法建立端到端加密。请让所有人退出后重新加入。',
    reconnecting: `语音连接断开后没有恢复。使用 ${inlineCode('/leave')}，然后再试一次。`,
  },
  service: (problem) => `语音服务无法使用。${problem}`,
  others: `我正在为别人朗读，队列里没有你的内容。听不到？请${louder}。`,
  queued: (before) => format.plural(before, { other: `你的文字前面还有 # 条在等待。可用 ${inlineCode('/queue')} 查看。` }),
  speaking: `我正在为你朗读。听不到？请${louder}，并检查语音设置里的输出设备。`,
  slow: (seconds) => `一切正常，但语音服务较慢（${format.number(seconds, 1)} 秒），可能会晚一点开始。`,
  ready: `一切正常，目前没有播放内容。试试 ${say}。如果听不到我，请${louder}。`,
  titles: {
    here: '此频道',
    voice: '你的语音频道',
    connection: '语音连接',
    you: '你',
    service: '语音服务',
    credit: '额度（只有机器人的所有者能看到）',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}：${next}`,
  permissionNext: '服务器管理员可以允许',
  sendMessages: '发送消息',
  sendMessagesNext: '只有超过 15 分钟的转写才需要；没有它时会以私信发送',
  viewChannel: '查看频道',
  notMuted: '我没有被静音',
  muted: '我被静音了',
  mutedNext: '管理员可以解除',
  room: '有我的位置',
  isFull: '已满',
  fullNext: '等有人离开',
  noChannel: '无。加入一个就能听到我。',
  isStage: '这是讲堂频道。请加入语音频道。',
  hears: '你的耳机已打开',
  deaf: '你的耳机已关闭',
  selfDeafNext: '点击名字旁边的耳机图标',
  serverDeafNext: '请管理员恢复',
  allowed: `你可以在这里使用 ${say}`,
  notAllowed: `你不能在这里使用 ${say}`,
  notConnected: '还没有。使用 /say 时我会连接。',
  connection: {
    connecting: (channel, since) => `${channel}，${since}开始加入`,
    encrypting: (channel, since) => `${channel}，${since}开始建立加密`,
    ready: (channel, since) => `${channel}，${since}已连接`,
    reconnecting: (channel, since) => `${channel}，${since}断开`,
    closed: (channel, since) => `${channel}，${since}结束`,
  },
  encrypted: '已端到端加密',
  notEncrypted: '未端到端加密',
  notEncryptedNext: '那里没有其他人，或 Discord 在此通话中关闭了加密',
  ping: (ms) => `延迟：${format.number(ms)} 毫秒`,
  queueAndVolume: (length, volume) =>
    length === 0
      ? `队列：空。音量：${format.percent(volume)}`
      : `队列：${format.plural(length, { other: '# 条' })}。音量：${format.percent(volume)}`,
  answered: (ms) => `${format.number(ms)} 毫秒内响应`,
  noCatalogue: '它没有声音列表，所以不消耗额度就无法检查。',
  noAnswer: (seconds) =>
    `它在 ${format.plural(seconds, { other: '# 秒' })}内没有响应。请一分钟后再试。如果一直这样，请告诉机器人的所有者。`,
};
