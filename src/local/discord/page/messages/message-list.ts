// The messages of the open channel, by day, with what is still under way at the end.

import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { call } from '../connection.ts';
import { forgetWaiting } from '../events.ts';
import { describeDay, isSameDay } from '../format.ts';
import { closeIcon, warnIcon } from '../icons.ts';
import { scrollToEnd } from '../scroll.ts';
import {
  channelTitle,
  currentGuild,
  displayName,
  findChannel,
  findMember,
  isDm,
  isVoice,
  notifyError,
  state,
  update,
  type Waiting,
} from '../state.ts';
import { isLight } from '../theme.ts';
import { hasOrigin, messageView } from './message.ts';

const together = 7 * 60_000;
const atMost = 200;

/** Asks for a channel's messages unless they are there. */
export function loadMessages(channelId: string): void {
  if (!channelId || state.messages.has(channelId)) return;
  call('messages', { channel_id: channelId, limit: atMost }).then((messages) => {
    update(() => state.messages.set(channelId, messages));
    scrollToEnd();
  }, notifyError);
}

export function messageListView(): TemplateResult {
  const messages = state.messages.get(state.channelId);
  const tabStop = (messages?.find(({ id }) => id === state.focusedMessageId) ?? messages?.at(-1))?.id;
  return html`<main class="messages" id="messages" aria-label="Messages in ${channelTitle(findChannel(state.channelId))}" tabindex="-1">
    <div class="messages-end">
      ${introView()}
      <discord-messages no-background ?light-theme=${isLight()}>
        ${
          messages
            ? repeat(
                messages,
                (message) => message.id,
                (message, at) => withDay(messages, message, at, message.id === tabStop),
              )
            : html`<p class="muted loading" role="status">Loading messages…</p>`
        }
      </discord-messages>
      ${state.waiting.filter((waiting) => waiting.channel_id === state.channelId && !waiting.custom_id).map(waitingView)}
    </div>
  </main>
  ${typingView()}`;
}

function introView(): TemplateResult {
  const channel = findChannel(state.channelId);
  const title = channelTitle(channel);
  const isDirect = isDm(channel);
  const topic = channel && 'topic' in channel && channel.topic ? channel.topic : 'This is the beginning of the channel.';
  return html`<header class="channel-intro">
    <h2>${isDirect ? title.slice(1) : isVoice(channel) ? `Chat of ${title.slice(1)}` : `Welcome to ${title}!`}</h2>
    <p class="muted">${isDirect ? 'This is the beginning of your direct messages.' : topic}</p>
  </header>`;
}

/** Drawn anew only when something it shows has changed: a channel may be long, and the page is drawn at every key. */
function withDay(messages: APIMessage[], message: APIMessage, at: number, inTabOrder: boolean) {
  const before = messages[at - 1];
  const newDay = !before || !isSameDay(before.timestamp, message.timestamp);
  const continues = !newDay && follows(before, message);
  const guild = currentGuild();
  const use = state.waiting
    .filter((waiting) => waiting.message_id === message.id)
    .map((waiting) => `${waiting.custom_id} ${waiting.failure}`);
  return guard([message, newDay, continues, inTabOrder, isLight(), state.commands, guild, guild?.members.length, use.join()], () => [
    newDay ? html`<div class="day" role="separator"><span>${describeDay(message.timestamp)}</span></div>` : nothing,
    messageView(message, { follows: continues, inTabOrder }),
  ]);
}

function follows(before: APIMessage | undefined, message: APIMessage): boolean {
  if (!before || before.author.id !== message.author.id || hasOrigin(message)) return false;
  if (((before.flags ?? 0) ^ (message.flags ?? 0)) & 64) return false;
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) < together;
}

function waitingView(waiting: Waiting): TemplateResult {
  if (!waiting.failure)
    return html`<div class="waiting" role="status"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>Sending ${waiting.label}…</div>`;
  return html`<div class="waiting failed" role="alert">
    ${warnIcon()}<span><b>${waiting.label}</b>: ${waiting.failure}</span>
    <button type="button" class="quiet-button" aria-label="Dismiss" @click=${() => forgetWaiting(waiting.id)}>${closeIcon()}</button>
  </div>`;
}

function typingView(): TemplateResult {
  const names = [...state.typing]
    .filter(([userId, { channel_id, until }]) => channel_id === state.channelId && until > Date.now() && userId !== state.me?.id)
    .map(([userId]) => findMember(userId)?.user)
    .map((user) => (user ? displayName(user) : 'Someone'));
  return html`<div class="typing" aria-live="off">${names.length ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><b>${names.join(', ')}</b> ${names.length === 1 ? 'is' : 'are'} typing…` : nothing}</div>`;
}
