// One message: author, time, text, and everything below it.

import { type APIMessage, MessageFlags, MessageType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { accessibleName } from '../announce.ts';
import { avatarUrl } from '../avatar.ts';
import { dismissMessage } from '../events.ts';
import { formatTime, formatTimestamp } from '../format.ts';
import { eyeIcon, moreIcon } from '../icons.ts';
import { displayName, findMember, state, update } from '../state.ts';
import { isLight } from '../theme.ts';
import { threadLinkView } from '../threads.ts';
import { attachmentView } from './attachments.ts';
import { componentsView, failureView } from './components.ts';
import { embedView } from './embed.ts';
import { layoutView } from './layout.ts';
import { markdownView } from './markdown-view.ts';
import { openMessageMenu, openReactionMenu } from './message-menu.ts';
import { isPollResult, pollResultView, pollView } from './poll.ts';
import { reactionsView } from './reactions.ts';
import { forwardView, replyLineView } from './references.ts';
import { stickersView } from './stickers.ts';

interface Position {
  /** The same author wrote just before, so name and avatar are not repeated. */
  follows: boolean;
  /** Tab stops at only one message and at its controls, so that it does not take long to cross a channel. */
  inTabOrder: boolean;
}

export function messageView(message: APIMessage, { follows, inTabOrder }: Position): TemplateResult {
  const { author } = message;
  const flags = message.flags ?? 0;
  const ephemeral = (flags & MessageFlags.Ephemeral) !== 0;
  const name = displayName(author);
  const isEdited = message.edited_timestamp !== null && (flags & MessageFlags.Loading) === 0;
  const isLayout = (flags & MessageFlags.IsComponentsV2) !== 0;
  // A layout shows only the files that its components refer to.
  const files = isLayout ? [] : message.attachments;
  // Follows the text; if there is none, it follows the time.
  const editedBesideTime = isEdited && message.content === '' ? ' (edited)' : '';
  return html`<discord-message
    id="message-${message.id}"
    class="${ephemeral ? 'ephemeral' : ''} ${follows ? 'follows' : ''}"
    role="article"
    tabindex=${inTabOrder ? 0 : -1}
    aria-label=${accessibleName(name, author.bot && 'app', formatTimestamp(message.timestamp), isEdited && 'edited')}
    data-author=${author.username}
    .author=${name}
    .avatar=${avatarUrl(name)}
    ?bot=${author.bot ?? false}
    .timestamp=${follows ? formatTime(message.timestamp) : formatTimestamp(message.timestamp) + editedBesideTime}
    ?edited=${isEdited && !editedBesideTime}
    ?message-body-only=${follows}
    ?highlight=${mentionsMe(message)}
    ?light-theme=${isLight()}
    @contextmenu=${(event: MouseEvent) => openMessageMenu(event, message)}
    @keydown=${(event: KeyboardEvent) => handleKey(event, message)}
    @focusin=${() => focusMessage(message.id)}
    @focusout=${resetFocusedMessage}
  >
    ${headerLineView(message)} ${bodyView(message, flags, name)}
    ${files.length ? html`<discord-attachments slot="attachments">${files.map(attachmentView)}</discord-attachments>` : nothing}
    ${stickersView(message)} ${pollView(message)} ${forwardView(message)} ${message.embeds.filter((embed) => !isPollResult(embed)).map(embedView)} ${isLayout ? layoutSlotView(message) : componentsView(message)} ${ephemeral ? ephemeralView(message) : reactionsView(message, (event) => openReactionMenu(event, message))}
    ${threadLinkView(message)}
    <button slot="components" type="button" class="more-button" aria-label="More for the message of ${name}" aria-haspopup="menu" @click=${(event: MouseEvent) => openMessageMenu(event, message)}>${moreIcon()}</button>
  </discord-message>`;
}

/** Whether a line above the message says what it responds to: a command, or another message. */
export function hasHeaderLine(message: APIMessage): boolean {
  return Boolean(commandOf(message)) || message.type === MessageType.Reply;
}

function commandOf({ type, interaction }: APIMessage): APIMessage['interaction'] {
  return type === MessageType.ChatInputCommand || type === MessageType.ContextMenuCommand ? interaction : undefined;
}

function headerLineView(message: APIMessage): TemplateResult | typeof nothing {
  const command = commandOf(message);
  if (command) {
    const name = displayName(findMember(command.user.id)?.user ?? command.user);
    return html`<div slot="reply" class="origin"><img src=${avatarUrl(name)} alt=""><b>${name}</b> used <span class="command-name">${message.type === MessageType.ChatInputCommand ? '/' : ''}${command.name}</span></div>`;
  }
  if (message.type === MessageType.Reply || message.type === MessageType.ThreadStarterMessage) return replyLineView(message);
  return nothing;
}

function layoutSlotView(message: APIMessage): TemplateResult {
  return html`<div slot="components">${layoutView(message)} ${failureView(message)}</div>`;
}

function bodyView(message: APIMessage, flags: number, name: string): TemplateResult | typeof nothing | string {
  if (flags & MessageFlags.Loading)
    return html`<span class="thinking" data-announce><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${name} is thinking…</span>`;
  if (message.type === MessageType.PollResult) return pollResultView(message, name);
  if (message.type === MessageType.ThreadCreated) return html`${name} started a thread.`;
  if (message.type === MessageType.ThreadStarterMessage) return html`${name} began the thread with this message.`;
  return markdownView(message.content) as TemplateResult;
}

function ephemeralView(message: APIMessage): TemplateResult {
  return html`<div slot="reactions" class="ephemeral-note">
    ${eyeIcon()} Only you can see this · <button type="button" class="link-button" @click=${() => dismissMessage(message)}>Dismiss</button>
  </div>`;
}

function mentionsMe(message: APIMessage): boolean {
  return message.mention_everyone || message.mentions.some((user) => user.id === state.me?.id);
}

function focusMessage(id: string): void {
  if (state.focusedMessageId === id) return;
  update(() => {
    state.focusedMessageId = id;
  });
}

/** Once the focus leaves the messages, it returns to the newest one. */
function resetFocusedMessage(event: FocusEvent): void {
  const to = event.relatedTarget as Element | null;
  if (!to || to.closest('discord-message')) return;
  update(() => {
    state.focusedMessageId = undefined;
  });
}

/** Arrow keys move between messages. The menu key and Shift+F10 open a message's menu through `contextmenu`. */
function handleKey(event: KeyboardEvent, message: APIMessage): void {
  const element = event.currentTarget as HTMLElement;
  if (event.target !== element) return;
  if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    event.preventDefault();
    const all = [...document.querySelectorAll<HTMLElement>('discord-message')];
    const next = all[all.indexOf(element) + (event.key === 'ArrowUp' ? -1 : 1)];
    if (next) next.focus();
    else if (event.key === 'ArrowDown') document.getElementById('composer-text')?.focus();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    openMessageMenu(event, message);
  } else if (event.key === 'Escape') document.getElementById('composer-text')?.focus();
}
