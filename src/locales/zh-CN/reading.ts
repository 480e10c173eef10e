// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Simplified Chinese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord 不让我读取消息。机器人所有者可以在开发者门户里开启 ${bold('Message Content Intent')} 并重启我。在那之前，我只能用 ${bold('Read this aloud')} 朗读单条消息。`,
  notInGuild: '我只能在自己加入的服务器里朗读频道。请管理员把我添加到这里。',
  notAllowed: (roles) =>
    roles.length === 0
      ? `开始或停止朗读频道需要${bold('管理服务器')}权限。管理员可以在 ${settings} 里允许更多身份组。`
      : `开始或停止朗读频道需要${bold('管理服务器')}权限，或 ${format.or(roles.map(roleMention))} 身份组。管理员可以给你身份组。`,
  privateThread: `我不朗读私密子区，因为未受邀的人也会听到。请在频道里使用 ${start}。`,
  noVoiceChannel: `你不在语音频道里。先加入一个，或在 ${inlineCode('voice_channel')} 里选择。`,
  cannotSeeVoice: '你看不到那个语音频道。请换一个。',
  cannotSeeText: (id) => `你看不到 ${channelMention(id)}，所以不能让我朗读它。`,
  iCannotSee: (id) => `我看不到 ${channelMention(id)} 里写的内容。服务器管理员可以在那里允许我${bold('查看频道')}。`,
  alreadyReading: (text, voice) => `我已经在 ${channelMention(voice)} 里朗读 ${channelMention(text)} 了。`,
  readingElsewhere: (texts, voice) =>
    `${channelMention(voice)} 里有人在听我朗读 ${channels(texts)}，而我同一时间只能在一个语音频道里。请先使用 ${stop}，或选择那个语音频道。`,
  exposed: (who, text, voice) =>
    `${bold('一些看不到此频道的人也会听到。')}\n能加入 ${channelMention(voice)} 但看不到 ${channelMention(text)} 的有：${format.and(who)}。仍要朗读吗？`,
  everyone: '所有人',
  others: (count) => format.plural(count, { other: '另外 # 个' }),
  startAnyway: '仍要朗读',
  cancel: '取消',
  cancelled: '好的，我不朗读它。',
  startedAnyway: '好的，我开始朗读。',
  started: (member, text, voice) =>
    `${userMention(member)} 开启了频道朗读：我现在会把 ${channelMention(text)} 里写的内容读给 ${channelMention(voice)} 里的所有人听。`,
  resumed: (member, text, voice) =>
    `${userMention(member)} 把我叫了回来：我会重新把 ${channelMention(text)} 里写的内容读给 ${channelMention(voice)} 里的所有人听。`,
  optOut: `不想让自己的消息被朗读？请使用 ${inlineCode('/read me off')}。`,
  skipOne: (prefix) => `想跳过某一条消息，就用 ${code(prefix)} 开头。`,
  stopped: (member, texts) => `${userMention(member)} 关闭了对 ${channels(texts)} 的朗读。`,
  stoppedAlways: `它被设为始终朗读，所以等所有人都离开语音频道、又有人加入时，我会继续。管理员可以在 ${settings} 里更改。`,
  notReading: `我没有在朗读任何频道。用 ${start} 开始。`,
  stillReading: `我会继续朗读新消息。要停止，请使用 ${stop}。`,
  pausedReading: `等所有人都离开语音频道、又有人加入时，我会继续朗读，也可以用 ${start}。`,
  leaveStops: (texts) => `我正在这里朗读 ${channels(texts)}，离开就会停止朗读。`,
  meOff: (dropped) =>
    dropped === 0
      ? '好了。在任何服务器里我都不会朗读你的消息。'
      : `好了。在任何服务器里我都不会朗读你的消息。${format.plural(dropped, { other: '我丢弃了等待中的 # 条。' })}`,
  meOn: '好了。在开启朗读的地方，我会重新朗读你的消息。',
  mutedHere: `在此服务器里，有管理人员关闭了对你消息的朗读。请找服务器管理员，可以用 ${bold('Stop reading this member')} 或在 ${settings} 里撤销。`,
  authorOptedOut: (id) => `${userMention(id)} 不希望自己的消息被朗读。`,
  authorMuted: (id) => `在此服务器里，${userMention(id)} 的消息朗读已被关闭。`,
  nothingToRead: '这条消息里没有我能朗读的内容。请选一条有文字的。',
  messageGone: '还没来得及朗读，这条消息就被删除了。',
  readsMessage: (author, link) => `请我朗读 ${userMention(author)} 的[消息](${link})`,
  muted: (id) =>
    `好了。我不再朗读 ${userMention(id)} 的消息，对方也不能使用 ${inlineCode('/say')}。服务器管理员可以用此命令或在 ${settings} 里撤销。`,
  unmuted: (id) => `好了。我会重新朗读 ${userMention(id)} 的消息，对方也可以使用 ${inlineCode('/say')} 了。`,
  onlyAdminsUnmute: (id) => `我已经不朗读 ${userMention(id)} 的消息了。只有服务器管理员可以用此命令或在 ${settings} 里撤销。`,
  cannotMuteMe: '我不朗读自己的消息。请选别人。',
  status: {
    title: '频道朗读',
    reads: (text, voice) => `我在 ${channelMention(voice)} 里朗读 ${channelMention(text)}。`,
    readsAlways: (text, voice) => `我始终在 ${channelMention(voice)} 里朗读 ${channelMention(text)}。`,
    paused: {
      leave: `我现在没有朗读：有人用 ${inlineCode('/leave')} 让我离开了语音频道。等所有人都离开、又有人加入时我会回来，也可以用 ${start}。`,
      disconnect: `我现在没有朗读：管理人员断开了我与语音频道的连接。等所有人都离开、又有人加入时我会回来，也可以用 ${start}。`,
    },
    stopped: (texts) =>
      `我始终朗读 ${channels(texts)}，但有人用 ${stop} 关闭了。等所有人都离开语音频道、又有人加入时我会回来，也可以用 ${start}。`,
    nothing: `我没有在朗读任何频道。请在要我朗读的频道里使用 ${start}。`,
    nothingWaits: '没有消息在等待',
    waiting: (messages, delay) => `${format.plural(messages, { other: '# 条消息在等待' })}；新消息约 ${format.duration(delay)}后能听到`,
    faster: (factor) => `为了跟上，我正以 ${format.number(factor, 1)} 倍速度朗读`,
    nameless: '为了跟上，我省略了名字',
    skipped: (count) => format.plural(count, { other: '为了跟上，我跳过了 # 条消息' }),
    left: (characters, resets) =>
      characters === null
        ? '此服务器没有每日限额'
        : `此服务器今天还剩：${format.plural(characters, { other: '# 个字符' })}（${resets}重置）`,
    usedUp: (resets) => `此服务器今天的朗读额度已用完。${resets}恢复。`,
    optedOut: `你选择了不被朗读，所以我不朗读你的消息。用 ${inlineCode('/read me on')} 撤销。`,
    slowVoice: (title) => `${title} 在这台电脑上太慢，不适合朗读，所以我用别的声音朗读你的消息。`,
    problem: (sentence, at) => `最近的问题（${at}）：${sentence}`,
    titles: { now: '现在', here: '权限', you: '你' },
    viewChannelNext: '没有它我收不到任何消息；服务器管理员可以允许',
    optional: {
      SendMessages: '没有它我无法在这里写明为什么听不到',
      AddReactions: '没有它我无法标记听不到的消息',
      ReadMessageHistory: '没有它我无法标记听不到的消息，也无法朗读转发的消息',
    },
    permissionNames: {
      SendMessages: '发送消息',
      AddReactions: '添加反应',
      ReadMessageHistory: '阅读消息历史记录',
    },
  },
  panel: {
    always: '始终朗读',
    pair: (text, voice) => `${text} → ${voice}`,
    alwaysMenu: '始终朗读：选择在哪个语音频道',
    textMenu: '在那里始终朗读的文字频道',
    who: {
      everyone: '朗读所有人的消息',
      listeners: '只朗读语音频道里的人',
    },
    optionsMenu: '名字、机器人、反应：都不要',
    options: {
      names: { label: '说出是谁写的', description: '换人时说一次' },
      bots: { label: '朗读机器人', description: '也朗读其他机器人和 Webhook 的消息' },
      reactions: { label: '标记听不到的消息', description: '在消息上添加反应' },
    },
    roles: '被朗读的身份组',
    rolesMenu: '被朗读的身份组（不选 = 所有人）',
    readerRoles: '可以开始和停止朗读',
    readerRolesMenu: '除管理员外可以开始和停止的身份组',
    adminsOnly: '仅管理员',
    delay: '新消息多久内能听到',
    seconds: (count) => format.plural(count, { other: '# 秒' }),
    prefix: '以此开头则不朗读',
    formTitle: '频道朗读',
    delayLabel: '多少秒内能听到消息',
    delayHint: (least, most, usual) =>
      `${format.number(least)} 到 ${format.number(most)}。留空 = ${format.number(usual)}。消息太多时我会跳过一些。`,
    prefixLabel: '跳过以此开头的消息',
    prefixHint: '留空 = 朗读所有消息',
  },
};

// What is said while a channel is read aloud, in Simplified Chinese.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { other: '跳过了 # 条消息。' }),
  goesOn: '恢复后，我会从新消息开始继续朗读。',
  mostUsed: (share, left) =>
    format.plural(left, {
      other: `此服务器已用掉今天朗读限额的 ${format.percent(share)}，朗读频道和 ${inlineCode('/say')} 还剩 # 个字符。`,
    }),
  channelGone: '语音频道已不存在，所以我不再朗读此频道。',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Simplified Chinese.

export const heard: Words['heard'] = {
  inPlace: { link: '链接', spoiler: '剧透', someone: '某人', role: '身份组', channel: '频道' },
  code: '代码',
  linkTo: (site) => `${site} 的链接`,
  messageLink: '一条消息的链接',
  gif: '一个动图',
  repeated: (emoji, count) => `${emoji}${format.plural(count, { other: '#次' })}`,

  says: (name, text) => `${name}说：${text}`,
  saysTo: (name, to, text) => `${name}回复${to}：${text}`,
  to: (to, text) => `回复${to}：${text}`,
  sends: (name, what) => `${name}发了${what}`,
  with: (what) => `附${what}`,
  forwarded: (text) => `一条转发的消息：${text}`,
  forwardedUnread: '一条转发的消息',
  pictures: (count) => format.plural(count, { other: '#张图片' }),
  gifs: (count) => format.plural(count, { other: '#个动图' }),
  videos: (count) => format.plural(count, { other: '#个视频' }),
  sounds: (count) => format.plural(count, { other: '#个音频' }),
  files: (count) => format.plural(count, { other: '#个文件' }),
  voiceMessage: (seconds) => (seconds === null ? '一条语音消息' : `一条${format.duration(seconds)}的语音消息`),
  sticker: (name) => `贴纸“${name}”`,
  poll: (question) => `投票：${question}`,
  and: format.and,
  or: format.or,
};
