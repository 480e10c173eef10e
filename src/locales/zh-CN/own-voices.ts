// What making voices of recordings says, in Simplified Chinese.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) => (host === null ? '我所在机器上的语音服务' : `语音服务 ${inlineCode(host)}`);

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `只有机器人的所有者可以制作声音。请改从 ${inlineCode('/voices')} 里选一个。`,
    adminsOnly: `这里只有服务器管理员和拥有特定身份组的成员可以制作声音。请管理员在 ${inlineCode('/settings')} 里添加你的身份组。`,
    notOutsideServers: '在服务器之外，只有机器人的所有者可以制作声音。请在服务器里再试。',
    tooMany: (most) => `你的声音已达上限：${format.number(most)} 个，包括还在制作的。请先在 ${mine} 里删除一个。`,

    titleMissing: '声音需要一个标题。请填写后再试。',
    titleTooLong: (length, most) => `标题有 ${format.number(length)} 个字符，而声音的标题最多 ${format.number(most)} 个。请缩短。`,
    unknownLanguage: (typed) => `我不认识语言 ${code(typed)}。请从列表中选择，或留空。`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} 有 ${format.megabytes(bytes)}，而录音最大 ${format.megabytes(limit)}。请发送其中最好的一分钟。`,
    tooShort: (seconds, least) => `总共只有 ${format.duration(seconds)}，而制作声音至少需要 ${format.duration(least)}。请再录几句话。`,
    forwarded: '我无法知道转发的消息里是谁在说话。请使用原消息。',
    fromBot: '这是机器人的消息，没有人可以同意。请选择真人的录音。',
    cannotAskHere: (speakerId) => `只有 ${userMention(speakerId)} 可以同意，而我在这里无法询问。请在我加入的服务器里再试。`,
    speakerLeft: '录音的成员已离开服务器，无法同意。请选择另一段录音。',

    formTitle: '制作声音',
    formLabel: '声音的标题',
    formAsks: '这是别人的录音，我会在这个频道里询问对方。',

    sends: (_, host) => `我会把录音发送到${service(host)}来制作声音。我不保留副本。`,
    onlyYouMayUse: `只有你可以使用这个声音，除非你在 ${mine} 里分享它。`,
    everyoneMayUse: '此服务器的所有人都可以使用这个声音。',
    ownMessage: '这是你自己的语音消息，由你决定。',
    makeButton: '制作我的声音',
    whoSpeaks: '请确认录音里只有你在说话，或者说话的人允许你制作这个声音。',
    ownButton: '这是我自己的声音',
    permissionButton: '我已获得许可',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}，${userMention(makerId)} 想用${hyperlink('你的录音', url)}制作一个声音。如果你同意，${userMention(makerId)} 就能用它说任何文字。`,
    untilThen: (host) => `只有你可以决定。如果你同意，我会把录音发送到${service(host)}。在那之前我什么都不发送。`,
    agreeButton: '我同意',
    refuseButton: '不同意',
    onlySpeaker: (speakerId) => `这是 ${userMention(speakerId)} 的录音，只有对方可以回答。`,
    refused: (speakerId) => `${userMention(speakerId)} 不同意，所以我什么都没有发送。`,
    takenBack: (makerId) => `${userMention(makerId)} 撤回了请求。我什么都没有发送。`,
    makerLeft: (makerId) => `${userMention(makerId)} 已离开服务器，不用再制作了。我什么都没有发送。`,
    makerMayNot: (makerId) => `${userMention(makerId)} 已不能在这里制作声音，所以我什么都没有发送。`,

    sending: (share) => `发送中：${format.percent(share)}`,
    waiting: '已发送，正在等待训练开始…',
    training: '正在训练声音… 通常不到一分钟。',
    withdrawn: '已取消。我什么都没有发送。',
    cancelButton: '取消',
    cancelled: '已取消。语音服务也不会保留它。',
    interrupted: `制作这个声音时我重启了。如果录音已经送达，它很快会出现在 ${mine} 里；否则请重新制作。`,
    takesLong: `训练比平常久。我会继续等：完成后，声音会出现在 ${mine} 里。`,
    trainingFailed: (reason) =>
      `语音服务无法用它制作声音${reason === '' ? '。' : `：${reason}`}\n-# 效果最好的是一个人清楚说话 10 到 60 秒的录音，没有音乐和噪音。`,
    deletedMeanwhile: '声音在制作期间被删除了。如果还需要，请重新制作。',
    notMade: '我这边出了问题，没有做成声音。请一分钟后再试。',

    ready: `${bold('完成了。')}在 ${inlineCode('/say')} 的 ${inlineCode('voice')} 选项里，它排在最前面。`,
    onlyOwnerMayUse: (ownerId) => `只有 ${userMention(ownerId)} 可以使用这个声音。`,
    agreed: (speakerId) => `${userMention(speakerId)} 已同意。`,
    gone: `这个声音已经不存在了。请用 ${inlineCode('/voice create')} 制作新的。`,
    hello: '你好！这是我的新声音。告诉我说什么，我就说什么。',
  },

  mine: {
    yours: '你制作的',
    shared: '在此共享',

    heading: '你制作的声音',
    none: `你还没有制作过声音。用 ${inlineCode('/voice create')} 可以从录音制作一个。`,
    explain: '除非你与某个服务器共享，否则别人找不到也用不了你的声音。',
    onlyYou: '只有你能用',
    sharedWith: (here, others) => {
      if (others === 0) return '此服务器的所有人都能用';
      return here
        ? format.plural(others, { other: '此服务器和另外 # 个服务器的所有人都能用' })
        : format.plural(others, { other: '另外 # 个服务器的所有人都能用' });
    },
    made: (when) => `制作于 ${when}`,
    goneAtService: '语音服务已经没有它了，所以它不能说话。',
    edit: '重命名…',
    share: '与此服务器共享',
    unshare: '停止共享',
    delete: '删除…',

    formTitle: '重命名声音',
    titleField: '标题',
    descriptionField: '描述',
    changed: (title) => `已保存 ${titled(title)}。`,
    nowShared: (title) => `现在此服务器的所有人都可以在 ${inlineCode('/say')} 里选择 ${titled(title)}。`,
    nowPrivate: (title) => `${titled(title)} 不再共享。选了它的人会用别的声音。`,
    shareFirst: (title) => `目前只有你能用 ${titled(title)}。请先在 ${inlineCode('/voice mine')} 里把它与此服务器共享。`,
    deleteQuestion: (title) =>
      `要在这里和语音服务中删除 ${titled(title)} 以及它的所有缓存声音吗？使用它的人会换成别的声音。此操作无法撤销。`,
    deleteYes: '删除',
    cancel: '取消',
    deleted: (title) => `已删除 ${titled(title)}。`,
    deletedLater: (title) => `${titled(title)} 已在这里删除，没有人能再用它。语音服务暂时没能删除它，我会继续尝试。`,
    gone: `这个声音已经没有了。用 ${inlineCode('/voice mine')} 查看你现有的声音。`,
  },
};
