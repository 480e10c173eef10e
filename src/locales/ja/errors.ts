// What members read when something failed, in Japanese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: '音声サービスがボットの鍵を受け付けません。ボットの所有者の対応が必要です。',
    credit: '音声のクレジットがなくなりました。ボットの所有者がチャージする必要があります。',
    'not-found': '音声サービスで見つかりません。選んだものを確認して、もう一度試してください。',
    'rate-limited': (again) => `音声サービスが混み合っています。${again}にもう一度試してください。`,
    server: (again) => `音声サービスに問題が起きています。${again}にもう一度試してください。`,
    timeout: (again) => `音声サービスの応答に時間がかかりすぎました。${again}にもう一度試してください。`,
    aborted: '音声サービスが応答する前に中止されました。もう一度試してください。',
    protocol: '音声サービスから使えない応答が届きました。1分後にもう一度試してください。',
  },
  brokenOff: '音声サービスの応答が途中で切れました。1分後にもう一度試してください。',
  inAMinute: '1分後',
  unreachable: (again) => `音声サービスにつながりません。${again}にもう一度試してください。`,
  down: (since, again) => `音声サービスは${since}から止まっています。${again}にもう一度試してください。`,
  refused: '音声サービスがこの内容を受け付けません。変更して、もう一度試してください。',
  refusedField: (field, reason) => `音声サービスがこの内容を受け付けません(${field}：${reason})。変更して、もう一度試してください。`,
  maybeCharged: 'サービスが課金した可能性があるため、使用量に入ります。',
  unsupported: {
    catalogue: `この音声サービスには声の一覧がありません。声の ID を知っていれば、${inlineCode('/say')} で使えます。`,
    transcription: 'この音声サービスは読み上げ専用で、文字起こしはできません。',
    credit: 'この音声サービスは残高を知らせません。',
    'live-speech': 'この音声サービスはリアルタイムで読み上げできません。もう一度試してください。',
    'own-voices': 'この音声サービスでは声を作れません。',
    speech: `この音声サービスは読み上げできません。ボットの所有者が ${code('VOICE_API_URL')} を確認できます。`,
  },
  voice: {
    busy: 'このサーバーの別のチャンネルで読み上げています。そこに参加するか、終わってからもう一度試してください。',
    'join-timeout':
      'ボイスチャンネルへの参加が時間内に終わりませんでした。もう一度試してください。続くときはチャンネル設定でリージョンを変えてみてください。',
    'encryption-timeout':
      'ボイスチャンネルのエンドツーエンド暗号化が始まらなかったので、読み上げませんでした。もう一度試すか、全員に一度退出して入り直してもらってください。',
    'channel-full': 'ボイスチャンネルが満員です。空きを待つか、別のチャンネルを選んでください。',
    'not-permitted':
      'このボイスチャンネルに参加したり発言したりする権限がボットにありません。サーバーの管理者がチャンネル設定で許可できます。',
    muted: 'ボットがこのサーバーでミュートされています。モデレーターがボイスチャンネルでボットの名前を右クリックすると解除できます。',
    'member-muted':
      'このサーバーのボイスチャンネルでモデレーターにミュートされたため、読み上げをやめました。解除されれば、また読み上げできます。',
    untrusted: 'Discord の音声サーバーを確認できないので、読み上げませんでした。ボットの所有者がマシンの時計と証明書を確認できます。',
    kicked: 'モデレーターがボットをボイスチャンネルから切断したので、キューは空になりました。もう一度試すと戻ります。',
    'channel-gone': 'ボイスチャンネルが削除されたので、キューは空になりました。別のチャンネルに参加して、もう一度試してください。',
    'sending-failed':
      'ボット側の問題で音声を送信できなかったため、ボイスチャンネルから退出しました。もう一度試してください。続く場合は、ボットの所有者に知らせてください。',
    closing: '再起動するため、最後まで終わりませんでした。1分後にもう一度試してください。',
    disconnected: 'ボットがボイスチャンネルから退出したので、キューは空になりました。もう一度試すと戻ります。',
    refused: 'Discord にボイス接続を断られました。別のチャンネルで試してください。',
  },
  status: (status) => `ステータス ${status}`,
  request: (id) => `リクエスト ${code(id)}`,
  code: (code) => `コード ${code}`,
  budget: {
    switchedOff: {
      speech: `このサーバーでは読み上げがオフです。サーバーの管理者が ${inlineCode('/settings')} の「上限」で許可できます。`,
      transcription: `このサーバーでは文字起こしがオフです。サーバーの管理者が ${inlineCode('/settings')} の「上限」で許可できます。`,
    },
    overCap: {
      member: (cap) => `自分の1日の上限(${cap})を超えます。短くしてください。`,
      guild: (cap) => `このサーバーの1日の上限(${cap})を超えます。短くしてください。`,
    },
    raise: { admin: '上限はサーバーの管理者が `/settings` で上げられます。', operator: '上限はボットの所有者が上げられます。' },
    usedUp: {
      member: {
        speech: (resets) => `今日の読み上げの上限に達しました。${resets}にリセットされます。`,
        transcription: (resets) => `今日の文字起こしの上限に達しました。${resets}にリセットされます。`,
      },
      guild: {
        speech: (resets) => `このサーバーは今日の読み上げの上限に達しました。${resets}にリセットされます。`,
        transcription: (resets) => `このサーバーは今日の文字起こしの上限に達しました。${resets}にリセットされます。`,
      },
    },
    left: {
      member: (left, resets) => `今日の残り(${left})では足りません。短くするか、上限が${resets}にリセットされるまで待ってください。`,
      guild: (left, resets) =>
        `このサーバーの今日の残り(${left})では足りません。短くするか、上限が${resets}にリセットされるまで待ってください。`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { other: '読み上げ # 文字' }),
    transcription: (seconds) => `文字起こし ${format.duration(seconds)}`,
  },
  unexpected: (reference) =>
    `内部で問題が起きました。もう一度試してください。続くときはボットの所有者に知らせてください。\n-# 参照番号 ${code(reference)}`,
  storeFailed:
    'いまデータの保存と読み込みができないため、何も変更していません。1分後にもう一度試してください。\n-# ボットの所有者へ：ディスク、または共有ストアを確認してください。',
  discordFailed: (status) => `Discord に問題が起きていて、返信が届きませんでした。1分後にもう一度試してください。\n-# ステータス ${status}`,
  discordBusy: (at) => `Discord の制限に達しました。${format.relative(at)}にもう一度試してください。`,
  noPermission: 'ここでは Discord に許可されていません。サーバーの管理者が、このチャンネルでのボットの権限を確認できます。',
  badAudio: '音声サービスから、音声ではないものが届きました。もう一度試すか、別の声を選んでください。',
  endlessAudio: '声がいつまでも話し終わらないので、打ち切りました。もう一度試すか、別の声を選んでください。',
  brokenAudio: '音声サービスからの音声が途中で切れました。もう一度試すか、別の声を選んでください。',
};
