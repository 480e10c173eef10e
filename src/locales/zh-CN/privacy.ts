// What /privacy says, in Simplified Chinese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: '你的隐私',
  sent: (host) =>
    host === null
      ? `${bold('谁会收到。')}你的文字和录音只会发送到我所在机器上的语音服务，不会发往别处。`
      : `${bold('谁会收到。')}你的文字和录音会发送到语音服务 ${inlineCode(host)}，不带你的名字。之后如何处理由其运营者决定。我不会发往别处。`,
  notKept: `${bold('我从不保存的内容。')}录音和转写结果。我不会把它们、你的文字或你的名字写入任何日志。`,
  texts: `${bold('文字。')}如果我的回复无法原样显示你的文字（例如文字太长），我会加密保存最多 30 天，以便重播。唯一的密钥就在回复里：删除回复后，谁也无法读取这段文字。`,
  kept: `${bold('我保存的关于你的内容。')}你的声音、收藏和最近用过的声音以及语速，直到你删除为止。你的用量，以数字形式保存两天。`,
  madeVoices: `${bold('你制作的声音。')}保存它们的标题、谁在何时同意，直到你删除它们。录音只发送到语音服务。等待别人同意期间，我会密封保存你的请求，最长 20 小时。`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('声音。')}我不保存。`
      : `${bold('声音。')}我最多缓存 ${format.megabytes(bytes)} 的音频，这样在同一服务器里重复朗读就不收费。最旧的先删除，最多保留 30 天。文件名不会泄露文字内容。我会记下哪些声音属于你，方便你删除。`,
  server: `${bold('我保存的关于服务器的内容。')}设置（包括谁被禁用）直到更改，或在我被移除后保留 30 天。用量，以不含名字的数字保存 31 天。每种声音的音量，保存 90 天。`,
  messages: `${bold('我的回复。')}它们是 Discord 消息，会一直保留到有人删除。`,
  localMessages: `${bold('我的回复。')}这是我所在机器上的本地 Discord。它代替 Discord 的服务器，把所有人的消息和附件保存一天，存放在只有运行它的用户才能读取的文件夹里。`,
  openReplies:
    '回复未完成时，我会记下它的位置，以便重启后修正。对于只有你能看到的回复，我还会加密保存编辑所需的密钥，最多 15 分钟。如果你直接给我发消息，我会记录一天：已经向你介绍过命令。',
  erased: `${bold('删除。')}你删除的内容会立即被覆盖。数据库中的其他副本（例如其他成员最近使用的声音里你的声音的标题）会在 10 分钟内清除。`,
  reading: (isRead) =>
    `${bold('频道朗读。')}在有人开启的频道里，我会在语音频道朗读新消息。我不保存消息。声音只放在内存里，直到消息被编辑或删除，最多保留到最后一次播放后一小时。每个服务器里用哪个声音读你的消息，我会记到最后一次读出后 30 天。你开启朗读的频道，我也会记到朗读关闭为止。${isRead ? '你的消息可以被朗读。' : '你选择了在任何服务器里都不朗读你的消息。'}`,
  optOutButton: '不要朗读我的消息',
  optInButton: '重新朗读我的消息',
  optOutGoes: '你的消息也会重新开始被朗读。',
  deleteButton: '删除我的数据…',
  emptyButton: '清空声音缓存…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? '要删除你的声音、语速、词典、保存的文字及其音频吗？此操作无法撤销。'
      : '要删除你的声音、语速、词典和保存的文字吗？此操作无法撤销。',
  whatStays: '有两项会保留：今天的用量（保留两天，以免删除会重置额度），以及你是否被管理员在某个服务器中禁用。',
  deleteYes: '删除',
  cancel: '取消',
  deleted: (sounds) =>
    sounds === 0 ? '完成。你的数据已删除。' : `完成。你的数据和 ${format.plural(sounds, { other: '# 段缓存的声音' })}已删除。`,
  deletedLater: '部分缓存的声音在一台目前未运行的机器上，它会在播放任何内容之前被删除。',
  emptyQuestion: '要清空所有成员和服务器的声音缓存吗？再次朗读相同内容将消耗额度。',
  emptyYes: '清空',
  emptied: (bytes) => `完成。声音缓存已清空，释放了 ${format.megabytes(bytes)}。`,
  yourVoices: (titles) => `你的声音：${titles}。`,
  voicesOfYou: (count) =>
    `${bold('别人使用的你的声音。')}${format.plural(count, { other: '经你同意，其他成员有 # 个声音是用你的录音制作的。' })}`,
  voicesToo: (count) => format.plural(count, { other: '你制作的和用你的录音制作的 # 个声音也会一并删除，包括在语音服务中。' }),
  voicesDeleted: (count) => format.plural(count, { other: '# 个声音也已删除。' }),
  voicesLeft: (count) => format.plural(count, { other: '语音服务暂时没能删除 # 个声音。没有人能再用它们，我会继续尝试。' }),
  operatorsOnly: `只有机器人的所有者可以清空声音缓存。你自己的部分可以用${bold('删除我的数据')}删除。`,
};
