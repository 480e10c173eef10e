// Captions of a voice channel, in Simplified Chinese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('为我配字幕');
const stopMe = bold('不再为我配字幕');

export const captions: Words['captions'] = {
  notInGuild: '我只能为自己所在服务器的语音频道配字幕。请先邀请我。',
  noVoiceChannel: `我不知道你指的是哪个语音频道。请加入它，或者在它的聊天里使用 ${start}。`,
  noSpareCalls:
    '我无法在这里提供字幕：我同一时间只能调用一次语音服务，字幕会占住其他所有功能。机器人的运营者可以把 `VOICE_API_CONCURRENCY` 调到 2 或更大。',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `这里只有拥有 ${format.or(roleIds.map(roleMention))} 的成员可以开启字幕。服务器管理员可以给你这个身份组。`
      : '这里只有拥有特定身份组的成员可以开启字幕，而这些身份组已经不存在了。请让服务器管理员选择其他身份组。',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `这里只有 ${format.or(channelIds.map(channelMention))} 可以使用字幕。请加入后再试。`
      : `可以使用字幕的语音频道已经不存在了。请让服务器管理员在 ${inlineCode('/settings')} 里选择其他频道。`,
  missing: (permissions, channelId) =>
    `要写字幕，我需要在 ${channelMention(channelId)} 拥有${format.and(permissions.map((name) => bold(name)))}权限。服务器管理员可以在频道设置里授予。`,
  cannotConnect: (channelId) => `你无法加入 ${channelMention(channelId)}，所以不能在那里开启字幕。请选择其他语音频道。`,
  alreadyOn: (link) => `字幕已经开启：${link}`,
  elsewhere: (channelId) => `我正在为 ${channelMention(channelId)} 配字幕，而我只能待在一个语音频道里。等那边结束后再试吧。`,
  started: (link) => `字幕已开启：${link}\n我只听在那里按下${captionMe}的人。`,
  notOn: `这个服务器没有开启字幕。用 ${start} 开启。`,
  mayNotStop: (starterId) =>
    `字幕可以由开启它的 ${userMention(starterId)}、管理人员，或最后一位配字幕的成员关闭。如果只是你自己不想参加，请按${stopMe}。`,
  stopped: '完成。字幕已关闭。',
  leaveStops: '我正在为那个语音频道配字幕，离开会让字幕结束。',

  title: (channelId) => `${channelMention(channelId)} 的字幕`,
  what: `那里说的话会写在这里，谁都能看。我只听按下${captionMe}的人：其他人的声音连解密都不会。`,
  sound: (host) =>
    host === null
      ? '每句话的声音会交给我自己机器上的语音服务，没有人保留。文字只在我这里的消息中。'
      : `每句话的声音会发给 ${inlineCode(host)} 的语音服务，不附带你的名字。我不会保留。文字只在我这里的消息中。`,
  consent: (isKept) =>
    isKept ? `如果你同意，我会在这个服务器记住 90 天，或者直到你按下${stopMe}。` : '我每次都会询问：这些字幕结束后，我会忘记谁同意过。',
  startedBy: (memberId) => `由 ${userMention(memberId)} 开启`,
  captioned: (memberIds, more) =>
    `${bold('配字幕的人：')} ${memberIds.length === 0 ? '还没有人' : [...memberIds.map(userMention), ...(more > 0 ? [`以及另外 ${format.number(more)} 人`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('听不到：')} ${memberIds.map(userMention).join(' ')}。无法解密他们的声音；退出语音频道再加入通常就好了。`,
  outOfBudget: (memberId, at) => `⚠️ ${userMention(memberId)} 已用完每日转写额度，${format.relative(at)}恢复字幕。`,
  serverOutOfBudget: (at) => `⚠️ 这个服务器已用完每日转写额度，字幕${format.relative(at)}继续。`,
  cost: (seconds, cost) =>
    `到目前为止：${format.duration(seconds)}的讲话，计入说话者的额度${cost === null ? '' : `，约 ${format.significant(cost)} 点余额`}`,
  captionButton: '为我配字幕',
  stopButton: '不再为我配字幕',
  deleteButton: '删除我的话',
  languageMenu: '我说的语言（只对我有效）',
  hasEnded: '字幕已结束',

  isOn: (isKept) =>
    isKept
      ? `完成。从现在起为你说的话配字幕，今后 90 天内这个服务器每次开启字幕时也一样。用${stopMe}或 ${privacyCommand} 可以撤销。`
      : `完成。在这些字幕结束之前，或者在你按下${stopMe}之前，会为你说的话配字幕。`,
  isOff: `完成。我不再听你说话。正在写的内容已丢弃；要删除这里已有的内容，请按${bold('删除我的话')}。`,
  isOffUnstored: `完成。我不再听你说话。现在还无法保存这一点，我会一直重试。如果我在保存之前重启，请再按一次${bold('不再为我配字幕')}。`,
  excluded: '这个服务器的管理员决定，拥有你某个身份组的成员从不配字幕。',
  wordsDeleted: (count) => (count === 0 ? '这里没有你的话。' : `完成。已删除你的 ${format.number(count)} 行话。`),
  languageChosen: (name) => (name === null ? '完成。我会自动检测你说的语言。' : `完成。我会按你说${name}来听。`),
  notCaptioned: `目前没有为你配字幕。请先按${captionMe}。`,
  endedAlready: `这些字幕已经结束。用 ${start} 可以再次开启。`,

  behind: (seconds) => `我落后了${format.duration(seconds)}。`,
  dropped: (name, seconds) => `我略过了 ${name} 说的${format.duration(seconds)}。`,
  failed: '语音服务现在无法使用，所以缺少了一部分内容。我会继续尝试。',
  resumed: '我中断了一下。在这之前说的话可能有遗漏。',

  ended: {
    stopped: (memberId) => `字幕已结束：${userMention(memberId)} 关闭了字幕。`,
    nobody: '字幕已结束：语音频道里有两分钟没有配字幕的人。',
    moved: '字幕已结束：管理人员把我移走或断开了。',
    left: '字幕已结束：我离开了语音频道。',
    channelGone: '字幕已结束：语音频道被删除了。',
    lost: `字幕已结束：我与语音频道的连接断开了。用 ${start} 可以再次开启。`,
    unwritable: '字幕已结束：我无法再在这个频道里写消息。',
    interrupted: `字幕已结束：我离线太久了。用 ${start} 可以再次开启。`,
    unavailable: '字幕已结束：我无法在这台机器上转写讲话。机器人的所有者可以在日志里看到原因。',
  },
  noTranscript: '这次没有转写结果，因为我没能读取所需的全部内容。上面的字幕会保留。',
  transcriptName: (channel) => `${channel} 的字幕`,
  threadName: (channel) => `${channel} 的字幕`,
  voiceStatus: '💬 字幕已开启',

  spoken: {
    begin: '字幕已开启。我只写下在聊天里按下“为我配字幕”的人说的话。',
    joined: '这里开启了字幕。如果想把你的话也写下来，请在聊天里按“为我配字幕”。',
  },
  permissionNames: { CreatePublicThreads: '创建公共子区' },
  status: (channelId, count) => `字幕：在 ${channelMention(channelId)} 开启，${format.number(count)} 位成员`,

  panel: {
    starters: '可以开启字幕',
    startersMenu: '可以开启字幕的身份组（不选＝所有人）',
    channels: '可用字幕的频道',
    channelsMenu: '可用字幕的语音频道（不选＝全部）',
    excluded: '从不配字幕',
    excludedMenu: '从不配字幕的身份组',
    consentName: '同意',
    consent: { kept: '记住谁同意过，保留 90 天', each: '每次都询问所有人' },
    placeName: '写在',
    place: { chat: '语音频道的聊天里', thread: '子区里' },
    placeWhat: {
      chat: '无论在哪里开启',
      thread: '开启字幕的文字频道的子区；语音频道的聊天没有子区',
    },
    languageName: '讲话的语言',
    language: (name) => `语言：${name}`,
  },

  privacy: (count) =>
    `${bold('字幕。')}在有字幕的语音频道里，只有你同意了我才会听你说话。声音只在内存里保留一句话的时间；文字只在我的消息里。${
      count === 0 ? '你还没有在任何地方同意过。' : `我会记住你在 ${format.number(count)} 个服务器同意过，连同你选择的语言，保留 90 天。`
    }`,
  consentGoes: '这也会撤回你在所有地方对字幕的同意。',
};
