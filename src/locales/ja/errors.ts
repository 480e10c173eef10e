// What members read when something failed, in Japanese.
import { inlineCode } from 'discord.js';
import type { ApiError } from '../../api/index.ts';
import type { BudgetError, SpendingKind } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { VoiceError } from '../../voice/types.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api,
  budget,
  voice,
  unexpected: (reference) =>
    `内部で問題が起きました。もう一度試してください。続くときはボットの所有者に知らせてください。\n-# 参照番号 ${code(reference)}`,
  storeFailed:
    'いまデータの保存と読み込みができないため、何も変更していません。1分後にもう一度試してください。\n-# ボットの所有者へ：ディスクを確認してください。',
  discordFailed: (status) => `Discord に問題が起きていて、返信が届きませんでした。1分後にもう一度試してください。\n-# ステータス ${status}`,
  discordBusy: (at) => `Discord の制限に達しました。${format.relative(at)}にもう一度試してください。`,
  noPermission: 'ここでは Discord に許可されていません。サーバーの管理者が、このチャンネルでのボットの権限を確認できます。',
  badAudio: '音声サービスから、音声ではないものが届きました。もう一度試すか、別の声を選んでください。',
  endlessAudio: '声がいつまでも話し終わらないので、打ち切りました。もう一度試すか、別の声を選んでください。',
  brokenAudio: '音声サービスからの音声が途中で切れました。もう一度試すか、別の声を選んでください。',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? '1分後' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `音声サービスは${format.relative(now - error.downForMs)}から止まっています。${again}にもう一度試してください。`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: '音声サービスがボットの鍵を受け付けません。ボットの所有者の対応が必要です。',
    credit: '音声のクレジットがなくなりました。ボットの所有者がチャージする必要があります。',
    validation: refusal(error),
    'not-found': '音声サービスで見つかりません。選んだものを確認して、もう一度試してください。',
    'rate-limited': `音声サービスが混み合っています。${again}にもう一度試してください。`,
    server:
      error.status === null
        ? `音声サービスにつながりません。${again}にもう一度試してください。`
        : `音声サービスに問題が起きています。${again}にもう一度試してください。`,
    timeout: `音声サービスの応答に時間がかかりすぎました。${again}にもう一度試してください。`,
    aborted: '音声サービスが応答する前に中止されました。もう一度試してください。',
    protocol: '音声サービスから使えない応答が届きました。1分後にもう一度試してください。',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? 'サービスが課金した可能性があるため、使用量に入ります。' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `ステータス ${error.status}`;
  const request = error.requestId ? `リクエスト ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `この音声サービスには声の一覧がありません。声の ID を知っていれば、${inlineCode('/say')} で使えます。`,
    transcription: 'この音声サービスは読み上げ専用で、文字起こしはできません。',
    credit: 'この音声サービスは残高を知らせません。',
    'live-speech': 'この音声サービスはリアルタイムで読み上げできません。もう一度試してください。',
    'own-voices': 'この音声サービスでは声を作れません。',
    speech: `この音声サービスは読み上げできません。ボットの所有者が ${code('VOICE_API_URL')} を確認できます。`,
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
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
    closing: '再起動するため、最後まで終わりませんでした。1分後にもう一度試してください。',
    disconnected: 'ボットがボイスチャンネルから退出したので、キューは空になりました。もう一度試すと戻ります。',
    refused: `Discord にボイス接続を断られました。別のチャンネルで試してください。${error.code === null ? '' : `\n-# コード ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return '音声サービスがこの内容を受け付けません。変更して、もう一度試してください。';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `音声サービスがこの内容を受け付けません(${field}：${asMarkdown(detail.msg, 150)})。変更して、もう一度試してください。`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next = setBy === 'admin' ? '上限はサーバーの管理者が `/settings` で上げられます。' : '上限はボットの所有者が上げられます。';
    return isMember
      ? `自分の1日の上限(${amountOf(kind, cap)})を超えます。短くしてください。${next}`
      : `このサーバーの1日の上限(${amountOf(kind, cap)})を超えます。短くしてください。${next}`;
  }
  const used = { speech: '読み上げ', transcription: '文字起こし' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `今日の${used}の上限に達しました。${resets}にリセットされます。`
      : `このサーバーは今日の${used}の上限に達しました。${resets}にリセットされます。`;
  return isMember
    ? `今日の残り(${amountOf(kind, left)})では足りません。短くするか、上限が${resets}にリセットされるまで待ってください。`
    : `このサーバーの今日の残り(${amountOf(kind, left)})では足りません。短くするか、上限が${resets}にリセットされるまで待ってください。`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech' ? format.plural(Math.floor(amount), { other: '読み上げ # 文字' }) : `文字起こし ${format.duration(amount)}`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `このサーバーでは読み上げがオフです。サーバーの管理者が ${inlineCode('/settings')} の「上限」で許可できます。`,
    transcription: `このサーバーでは文字起こしがオフです。サーバーの管理者が ${inlineCode('/settings')} の「上限」で許可できます。`,
  }[kind];
}
