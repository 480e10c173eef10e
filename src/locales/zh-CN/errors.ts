// What members read when something failed, in Simplified Chinese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: '语音服务不接受我的密钥。需要机器人的所有者来解决。',
    credit: '语音额度已用完。需要机器人的所有者充值。',
    'not-found': '语音服务找不到这个内容。请检查你的选择，然后再试一次。',
    'rate-limited': (again) => `语音服务正忙。请${again}再试。`,
    server: (again) => `语音服务出了问题。请${again}再试。`,
    timeout: (again) => `语音服务太久没有响应。请${again}再试。`,
    aborted: '语音服务响应之前就停止了。请再试一次。',
    protocol: '语音服务的响应我无法使用。请一分钟后再试。',
  },
  brokenOff: '语音服务的响应中断了。请一分钟后再试。',
  inAMinute: '一分钟后',
  unreachable: (again) => `我连不上语音服务。请${again}再试。`,
  down: (since, again) => `语音服务从${since}起就无法使用。请${again}再试。`,
  refused: '语音服务不接受这个内容。请修改后再试。',
  refusedField: (field, reason) => `语音服务不接受这个内容（${field}：${reason}）。请修改后再试。`,
  maybeCharged: '这仍会计入用量，因为语音服务可能已经收费。',
  unsupported: {
    catalogue: `这个语音服务没有声音列表。如果你知道声音的 ID，可以直接在 ${inlineCode('/say')} 里使用。`,
    transcription: '这个语音服务只能朗读，不能转写。',
    credit: '这个语音服务不提供余额。',
    'live-speech': '这个语音服务不能实时朗读。请再试一次。',
    'own-voices': '这个语音服务不能制作声音。',
    speech: `这个语音服务不能朗读。机器人的所有者可以检查 ${code('VOICE_API_URL')}。`,
  },
  voice: {
    busy: '我正在此服务器的另一个频道里朗读。过来找我，或等我读完再试。',
    hearing: '我正在为此服务器的另一个频道提供字幕。过来找我，或等字幕结束再试。',
    'join-timeout': 'Discord 没有及时让我进入语音频道。请再试一次。如果一直这样，可以在频道设置里换一个地区。',
    'encryption-timeout': '语音频道的端到端加密没有启动，所以我什么都没说。请再试一次，或让所有人退出后重新加入。',
    'channel-full': '语音频道已满。等有空位，或换一个频道。',
    'not-permitted': '我没有权限加入这个语音频道或在其中说话。服务器管理员可以在频道设置里允许。',
    muted: '我在此服务器里被静音了。管理员可以在语音频道里右键点击我的名字解除静音。',
    'member-muted': '管理员在此服务器的语音频道里把你静音了，所以我停止了为你朗读。解除后我就能继续为你朗读。',
    untrusted: '我无法验证 Discord 的语音服务器，所以什么都没说。机器人的所有者可以检查机器的时钟和证书。',
    kicked: '管理员把我从语音频道断开了，所以队列已清空。再试一次，我就会回来。',
    'channel-gone': '语音频道被删除了，所以队列已清空。请加入另一个频道再试。',
    'sending-failed': '我这边出了问题，声音无法发送，所以我离开了语音频道。请再试一次。如果一直这样，请告诉机器人的所有者。',
    closing: '我正在重启，所以没有完成。请一分钟后再试。',
    disconnected: '我已离开语音频道，所以队列已清空。再试一次，我就会回来。',
    refused: 'Discord 拒绝了语音连接。请换一个频道试试。',
  },
  status: (status) => `状态码 ${status}`,
  request: (id) => `请求 ${code(id)}`,
  code: (code) => `代码 ${code}`,
  budget: {
    switchedOff: {
      speech: `此服务器已关闭朗读。服务器管理员可以在 ${inlineCode('/settings')} 的“限额”里允许。`,
      transcription: `此服务器已关闭转写。服务器管理员可以在 ${inlineCode('/settings')} 的“限额”里允许。`,
    },
    overCap: {
      member: (cap) => `这超过了你的每日限额（${cap}）。请缩短一些。`,
      guild: (cap) => `这超过了此服务器的每日限额（${cap}）。请缩短一些。`,
    },
    raise: { admin: '服务器管理员可以在 `/settings` 里提高限额。', operator: '机器人的所有者可以提高限额。' },
    usedUp: {
      member: {
        speech: (resets) => `你今天的朗读限额已用完，将在${resets}重置。`,
        transcription: (resets) => `你今天的转写限额已用完，将在${resets}重置。`,
      },
      guild: {
        speech: (resets) => `此服务器今天的朗读限额已用完，将在${resets}重置。`,
        transcription: (resets) => `此服务器今天的转写限额已用完，将在${resets}重置。`,
      },
    },
    left: {
      member: (left, resets) => `你今天只剩${left}，不够用。请缩短一些，或等限额在${resets}重置。`,
      guild: (left, resets) => `此服务器今天只剩${left}，不够用。请缩短一些，或等限额在${resets}重置。`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { other: '朗读 # 个字符' }),
    transcription: (seconds) => `转写 ${format.duration(seconds)}`,
  },
  unexpected: (reference) => `我这边出了点问题。请再试一次。如果一直这样，请告诉机器人的所有者。\n-# 编号 ${code(reference)}`,
  storeFailed: '我现在无法保存或读取数据，所以没有任何更改。请一分钟后再试。\n-# 致机器人的所有者：请检查磁盘或共享存储。',
  discordFailed: (status) => `Discord 出了问题，我的回复没能送达。请一分钟后再试。\n-# 状态码 ${status}`,
  discordBusy: (at) => `我触及了 Discord 的限制。请${format.relative(at)}再试。`,
  noPermission: 'Discord 不允许我在这里这样做。服务器管理员可以检查我在此频道的权限。',
  badAudio: '语音服务发来的不是声音。请再试一次，或换一个声音。',
  endlessAudio: '这个声音一直说个不停，所以我把它停了。请再试一次，或换一个声音。',
  brokenAudio: '语音服务发来的声音中断了。请再试一次，或换一个声音。',
};
