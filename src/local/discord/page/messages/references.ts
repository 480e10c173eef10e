// What a message refers to: the line above a reply, and the text and files of a forward.
import type { APIMessage, APIMessageSnapshot } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { avatarUrl } from '../avatar.ts';
import { formatTimestamp } from '../format.ts';
import { showMessage } from '../navigation.ts';
import { channelTitle, displayName, findChannel, state } from '../state.ts';
import { attachmentView } from './attachments.ts';
import { embedView } from './embed.ts';
import { type Inline, parseInline } from './markdown.ts';
import { markdownView, mentionedName } from './markdown-view.ts';
import { textOf } from './message-text.ts';
import { stickersView } from './stickers.ts';

/** What marks a line as a heading, subtext, quote or list item. */
const BLOCK_MARK = /^(?:#{1,3}|-#|>|[-*]|\d+\.) +/;

/** Pressing it goes to the message that is answered. */
export function replyLineView(message: APIMessage): TemplateResult {
  const { channel_id, referenced_message, message_reference: reference, mentions } = message;
  // A message that only this member sees is left out of what everybody gets.
  const answered = referenced_message ?? state.messages.get(channel_id)?.find(({ id }) => id === reference?.message_id);
  if (!answered) return html`<div slot="reply" class="origin"><i>The original message was deleted</i></div>`;
  const name = displayName(answered.author);
  const isMentioned = mentions.some(({ id }) => id === answered.author.id);
  const text = plainText(parseInline(textOf(answered).split('\n', 1)[0]?.replace(BLOCK_MARK, '') ?? '')) || describeUnwritten(answered);
  return html`<div slot="reply" class="origin"><img src=${avatarUrl(name)} alt=""><b>${isMentioned ? '@' : ''}${name}</b>
    <button type="button" class="origin-text" aria-label="Reply to ${name}: ${text.slice(0, 80)}" @click=${() => showMessage(channel_id, answered.id)}>${text}</button></div>`;
}

/** For the line of a reply to a message without text. */
function describeUnwritten({ message_snapshots, poll, sticker_items: stickers }: APIMessage): string {
  if (poll) return `Poll: ${poll.question.text}`;
  if (stickers?.[0]) return `Sticker: ${stickers[0].name}`;
  return message_snapshots ? 'Forwarded message' : 'Press to see the attachment';
}

export function forwardView({ message_snapshots: snapshots = [], message_reference }: APIMessage): TemplateResult | typeof nothing {
  if (snapshots.length === 0) return nothing;
  const from = findChannel(message_reference?.channel_id);
  return html`<div slot="attachments" class="forward" role="group" aria-label="Forwarded message">
    <span class="muted"><i>Forwarded${from && from.id !== state.channelId ? ` from ${channelTitle(from)}` : ''}</i></span>
    ${snapshots.map(snapshotView)}
  </div>`;
}

function snapshotView({ message }: APIMessageSnapshot): TemplateResult {
  const { attachments, embeds, timestamp } = message;
  return html`${markdownView(textOf(message))} ${attachments.map(attachmentView)} ${embeds.map(embedView)} ${stickersView(message)}
    <span class="muted">${formatTimestamp(timestamp)}</span>`;
}

/** Without marks: the line is a button. */
function plainText(nodes: Inline[]): string {
  const toText = (node: Inline) => {
    if ('children' in node) return plainText(node.children);
    if ('text' in node) return node.text;
    if (node.kind === 'channel') return `#${mentionedName(node)}`;
    return node.kind === 'user' || node.kind === 'role' ? `@${mentionedName(node)}` : '';
  };
  return nodes.map(toText).join('');
}
