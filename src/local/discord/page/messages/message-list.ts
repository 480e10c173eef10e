// The messages of the open channel, separated by day, followed by pending interactions.

import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { avatarUrl } from '../avatar.ts';
import { call } from '../connection.ts';
import { dismissInteraction } from '../events.ts';
import { formatDate, isSameDay } from '../format.ts';
import { closeIcon, infoIcon, warnIcon } from '../icons.ts';
import { scrollToEnd } from '../scroll.ts';
import {
  channelTitle,
  currentGuild,
  displayName,
  dmPartner,
  findChannel,
  findMember,
  findThread,
  isDm,
  isVoice,
  type PendingInteraction,
  showError,
  state,
  update,
} from '../state.ts';
import { isLight } from '../theme.ts';
import { hasHeaderLine, messageView } from './message.ts';
import { jumpView } from './unseen.ts';

const GROUPING_WINDOW_MS = 7 * 60_000;
const HISTORY_LIMIT = 200;

/** Loads a channel's messages unless they are there. */
export async function loadMessages(channelId: string): Promise<void> {
  if (!channelId || state.messages.has(channelId)) return;
  await reloadMessages(channelId);
  scrollToEnd();
}

/** Replaces what is shown of a channel by what it has now. A member who has scrolled up stays where they are. */
export async function reloadMessages(channelId: string): Promise<void> {
  try {
    const messages = await call('messages', { channel_id: channelId, limit: HISTORY_LIMIT });
    update(() => state.messages.set(channelId, messages));
  } catch (error) {
    // A channel that was deleted meanwhile has been left.
    if (state.channelId === channelId) showError(error);
  }
}

export function messageListView(): TemplateResult {
  const messages = state.messages.get(state.channelId);
  const tabStop = (messages?.find(({ id }) => id === state.focusedMessageId) ?? messages?.at(-1))?.id;
  return html`<section class="messages" id="messages" aria-label="Messages in ${channelTitle(findChannel(state.channelId))}" tabindex="-1">
    <div class="messages-end">
      ${introView()}
      <discord-messages no-background ?light-theme=${isLight()}>
        ${
          messages
            ? repeat(
                messages,
                (message) => message.id,
                (message, at) => messageWithDayView(messages, message, at, message.id === tabStop),
              )
            : html`<p class="muted loading" data-announce>Loading messages…</p>`
        }
      </discord-messages>
      ${state.pendingInteractions.filter((interaction) => interaction.channel_id === state.channelId && !interaction.custom_id).map(pendingInteractionView)}
    </div>
  </section>
  ${jumpView()} ${typingView()}`;
}

function introView(): TemplateResult {
  const channel = findChannel(state.channelId);
  const thread = findThread(state.channelId);
  if (thread)
    return html`<header class="channel-intro">
      <h2>${thread.name}</h2>
      <p class="muted">A thread in ${channelTitle(findChannel(thread.parent_id ?? ''))}.</p>
    </header>`;
  const title = channelTitle(channel);
  const isDirect = isDm(channel);
  const topic = channel && 'topic' in channel && channel.topic ? channel.topic : 'This is the beginning of the channel.';
  return html`<header class="channel-intro">
    <h2>${isDirect ? title.slice(1) : isVoice(channel) ? `Chat of ${title.slice(1)}` : `Welcome to ${title}!`}</h2>
    <p class="muted">${isDirect ? 'This is the beginning of your direct messages.' : topic}</p>
    ${!isDirect || dmPartner(channel)?.id === state.application?.id ? introductionView() : nothing}
  </header>`;
}

/** What the application is, for those who meet it here first. */
function introductionView(): TemplateResult | typeof nothing {
  const { application, introduction } = state;
  const { description, note } = introduction;
  if (!application || (!description && !note)) return nothing;
  const name = displayName(application);
  return html`<section class="introduction" aria-label="About ${name}">
    <img src=${avatarUrl(name)} alt="">
    <div>
      <h3>${name} <span class="app-tag">APP</span></h3>
      ${description ? html`<p>${description}</p>` : nothing}
      ${note ? html`<p class="introduction-note muted">${infoIcon()}<span>${note}</span></p>` : nothing}
    </div>
  </section>`;
}

/** Rendered again only if something it shows has changed: a channel may be long, and every key press renders the page. */
function messageWithDayView(messages: APIMessage[], message: APIMessage, at: number, inTabOrder: boolean) {
  const before = messages[at - 1];
  const newDay = !before || !isSameDay(before.timestamp, message.timestamp);
  const isFirstNew = message.id === state.newFrom.get(message.channel_id);
  const continues = !newDay && !isFirstNew && follows(before, message);
  const guild = currentGuild();
  const use = state.pendingInteractions
    .filter((interaction) => interaction.message_id === message.id)
    .map((interaction) => `${interaction.custom_id} ${interaction.failure}`);
  return guard(
    [message, newDay, isFirstNew, continues, inTabOrder, isLight(), state.locale, state.commands, guild, guild?.members.length, use.join()],
    () => [
      newDay ? html`<div class="day" role="separator"><span>${formatDate(message.timestamp)}</span></div>` : nothing,
      isFirstNew ? html`<div class="day new" role="separator"><span>New</span></div>` : nothing,
      messageView(message, { follows: continues, inTabOrder }),
    ],
  );
}

function follows(before: APIMessage | undefined, message: APIMessage): boolean {
  if (!before || before.author.id !== message.author.id || hasHeaderLine(message)) return false;
  if (((before.flags ?? 0) ^ (message.flags ?? 0)) & 64) return false;
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) < GROUPING_WINDOW_MS;
}

function pendingInteractionView(interaction: PendingInteraction): TemplateResult {
  if (!interaction.failure)
    return html`<div class="waiting" data-announce><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>Sending ${interaction.label}…</div>`;
  return html`<div class="waiting failed" data-announce>
    ${warnIcon()}<span><b>${interaction.label}</b>: ${interaction.failure}</span>
    <button type="button" class="quiet-button" aria-label="Dismiss" @click=${() => dismissInteraction(interaction.id)}>${closeIcon()}</button>
  </div>`;
}

function typingView(): TemplateResult {
  const names = [...state.typing]
    .filter(([userId, { channel_id, until }]) => channel_id === state.channelId && until > Date.now() && userId !== state.me?.id)
    .map(([userId]) => findMember(userId)?.user)
    .map((user) => (user ? displayName(user) : 'Someone'));
  return html`<div class="typing">${names.length ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><b>${names.join(', ')}</b> ${names.length === 1 ? 'is' : 'are'} typing…` : nothing}</div>`;
}
