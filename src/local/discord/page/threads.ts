// Threads: below their channel in the sidebar, and at the message that they began with.
import { type APIMessage, type APIThreadChannel, MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { accessibleName } from './announce.ts';
import { call } from './connection.ts';
import { type Action, openMenu } from './controls/context-menu.ts';
import { threadIcon } from './icons.ts';
import { textOf } from './messages/message-text.ts';
import { showChannel } from './navigation.ts';
import { currentGuild, findThread, mayInGuild, showError, state } from './state.ts';

const MAX_NAME_LENGTH = 60;

/** The threads of a channel that are not archived, and the one that is open. */
export function threadsView(parentId: string): TemplateResult | typeof nothing {
  const threads = (currentGuild()?.threads ?? [])
    .filter((thread) => thread.parent_id === parentId)
    .filter(({ id, thread_metadata }) => id === state.channelId || !thread_metadata?.archived);
  if (threads.length === 0) return nothing;
  return html`<ul class="threads" aria-label="Threads">${threads.map(threadView)}</ul>`;
}

function threadView(thread: APIThreadChannel): TemplateResult {
  const { id, name } = thread;
  const current = id === state.channelId;
  const unread = state.unread.has(id);
  return html`<li><button type="button" class="channel ${current ? 'current' : ''} ${unread ? 'unread' : ''}" aria-current=${current ? 'page' : nothing} aria-label=${accessibleName(name, 'thread', unread && 'new messages')} data-channel=${name} @click=${() => showChannel(id)}
    @contextmenu=${(event: MouseEvent) => openMenu(event, name, listActions(thread))}>
    ${threadIcon()}<span class="channel-name">${name}</span>
  </button></li>`;
}

function listActions({ id, owner_id, thread_metadata }: APIThreadChannel): Action[] {
  const archived = thread_metadata?.archived ?? false;
  const mayArchive = owner_id === state.me?.id || mayInGuild(P.ManageThreads);
  const archive = () => void call('archive_thread', { channel_id: id, archived: !archived }).catch(showError);
  return [
    ...(mayArchive || archived ? [{ label: archived ? 'Bring back' : 'Archive', group: 'Thread', run: archive }] : []),
    { label: 'Copy thread ID', group: 'Thread', run: () => void navigator.clipboard.writeText(id).catch(showError) },
  ];
}

/** For a message's menu: opens its thread, or starts one named after its first words. */
export function threadAction(message: APIMessage): Action | undefined {
  const { channel_id, id } = message;
  if (message.thread || findThread(id)) return { label: 'Open thread', group: 'Message', run: () => showChannel(id) };
  const canHaveOne = currentGuild()?.channels.some((channel) => channel.id === channel_id) && mayInGuild(P.CreatePublicThreads);
  if (!canHaveOne) return undefined;
  const start = () =>
    void call('create_thread', { channel_id, message_id: id, name: nameAfter(message) }).then(
      (thread) => showChannel(thread.id),
      showError,
    );
  return { label: 'Create thread', group: 'Message', run: start };
}

function nameAfter(message: APIMessage): string {
  const words =
    textOf(message)
      .split('\n', 1)[0]
      ?.replace(/[*_~`|>#]/g, '')
      .trim() ?? '';
  if (words.length <= MAX_NAME_LENGTH) return words || 'New thread';
  const cut = words.slice(0, MAX_NAME_LENGTH);
  return cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : MAX_NAME_LENGTH);
}

/** Below the message that a thread began with, and in the message that announces a thread. */
export function threadLinkView(message: APIMessage): TemplateResult | typeof nothing {
  const id = message.type === MessageType.ThreadCreated ? message.message_reference?.channel_id : message.id;
  const thread = findThread(id) ?? message.thread;
  if (!thread) return nothing;
  return html`<button slot="components" type="button" class="thread-link" @click=${() => showChannel(thread.id)}>${threadIcon()}<b>${thread.name}</b><span class="muted">Open thread</span></button>`;
}
