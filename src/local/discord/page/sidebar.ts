// The sidebar: servers, channels, voice members, direct messages, and the member’s own corner.

import type { APIChannel, APIUser } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { accessibleName } from './announce.ts';
import { avatarUrl } from './avatar.ts';
import { openDraft } from './composer/draft.ts';
import { crowdView } from './crowd.ts';
import { loadCommands, openDm } from './direct-messages.ts';
import { chatIcon, closeIcon, moonIcon, sunIcon, textChannelIcon, voiceChannelIcon } from './icons.ts';
import { languageView } from './language.ts';
import { openMemberMenu } from './member-menu.ts';
import { loadMessages } from './messages/message-list.ts';
import { scrollToEnd } from './scroll.ts';
import {
  connectedVoiceChannelId,
  currentGuild,
  displayName,
  dmPartner,
  isDm,
  isReadable,
  isVoice,
  state,
  update,
  voiceMembers,
} from './state.ts';
import { isLight, toggleTheme } from './theme.ts';
import { threadsView } from './threads.ts';
import { voicePanelView } from './voice/panel.ts';
import { joinVoice } from './voice/playback.ts';
import { voiceMemberView } from './voice/voice-member.ts';

/** Members of a server that are listed as people to write to. */
const MAX_PEOPLE = 12;

/** Channels whose messages can be opened. */
export function textChannels(): APIChannel[] {
  return channelsOf(isReadable);
}

export function voiceChannels(): APIChannel[] {
  return channelsOf(isVoice);
}

function channelsOf(wanted: (channel: APIChannel) => boolean): APIChannel[] {
  const place = (channel: APIChannel): number => ('position' in channel ? (channel.position ?? 0) : 0);
  return (currentGuild()?.channels ?? []).filter(wanted).sort((one, other) => place(one) - place(other));
}

export function sidebarView(): TemplateResult {
  return html`<nav class="sidebar" id="sidebar" aria-label="Server and channels">
    ${railView()}
    <div class="side">
      <header class="server-name"><h2>${currentGuild()?.name ?? 'Local Discord'}</h2>
        <button type="button" class="quiet-button drawer-close" aria-label="Close the channel list" @click=${closeDrawer}>${closeIcon()}</button></header>
      <div class="channels">
        <h2 id="text-channels">Text channels</h2>
        <ul aria-labelledby="text-channels">${textChannels().map(textChannelView)}</ul>
        <h2 id="voice-channels">Voice channels</h2>
        <ul aria-labelledby="voice-channels">${voiceChannels().map(voiceChannelView)}</ul>
        ${peopleView()}
      </div>
      ${voicePanelView('panel')} ${meView()}
    </div>
  </nav>`;
}

function railView(): TemplateResult {
  return html`<div class="rail" role="group" aria-label="Servers">
    ${state.guilds.map((guild) => html`<button type="button" title=${guild.name} aria-label=${guild.name} aria-current=${guild.id === state.guildId} @click=${() => openGuild(guild.id)}><img src=${avatarUrl(guild.name)} alt=""></button>`)}
  </div>`;
}

function textChannelView(channel: APIChannel): TemplateResult {
  const current = channel.id === state.channelId;
  const unread = state.unread.has(channel.id);
  return html`<li><button type="button" class="channel ${current ? 'current' : ''} ${unread ? 'unread' : ''}" aria-current=${current ? 'page' : nothing} aria-label=${accessibleName(channel.name ?? '', unread && 'new messages')} data-channel=${channel.name ?? ''} @click=${() => openChannel(channel.id)}>
    ${textChannelIcon()}<span class="channel-name">${channel.name}</span>
  </button>${threadsView(channel.id)}</li>`;
}

function voiceChannelView(channel: APIChannel): TemplateResult {
  const joined = channel.id === connectedVoiceChannelId();
  const members = voiceMembers(channel.id);
  const status = currentGuild()?.voice_statuses[channel.id];
  const places = 'user_limit' in channel && channel.user_limit ? `${members.length}/${channel.user_limit}` : '';
  const unread = state.unread.has(channel.id);
  const chat = accessibleName(`Chat of ${channel.name}`, unread && 'new messages');
  return html`<li><div class="voice-channel">
    <button type="button" class="channel ${joined ? 'joined' : ''}" aria-pressed=${joined} data-channel=${channel.name ?? ''} aria-label=${accessibleName(`${channel.name} ${places}`.trim(), 'voice channel', joined ? 'you are in it' : 'join')} @click=${() => joined || join(channel)}>
      ${voiceChannelIcon()}<span class="channel-name">${channel.name}</span>
      ${places ? html`<span class="muted">${places}</span>` : nothing}
    </button>
    <button type="button" class="quiet-button chat-button ${unread ? 'unread' : ''}" aria-current=${channel.id === state.channelId ? 'page' : nothing} aria-label=${chat} title=${chat} @click=${() => openChannel(channel.id)}>${chatIcon()}</button></div>
    ${status ? html`<p class="voice-status muted">${status}</p>` : nothing}
    <ul class="voice-members" aria-label="In ${channel.name}">
      ${members.map(voiceMemberView)}
    </ul>
  </li>`;
}

/** On a phone the sidebar closes, so that the voice bar and the composer are visible. */
function join(channel: APIChannel): void {
  closeDrawer();
  void joinVoice(channel.id);
}

/** Everybody this member can write to: the application, partners of past conversations, and members of this server. */
function peopleView(): TemplateResult {
  const { application, me } = state;
  const known = [
    ...(application ? [application] : []),
    ...state.dms.flatMap((channel) => dmPartner(channel) ?? []),
    ...(currentGuild()?.members ?? []).map(({ user }) => user).slice(0, MAX_PEOPLE),
  ];
  const people = [...new Map(known.map((user) => [user.id, user])).values()].filter(({ id }) => id !== me?.id);
  return html`<h2 id="direct-messages">Direct messages</h2>
    <ul aria-labelledby="direct-messages" class="people">${people.map(personView)}</ul>`;
}

function personView(user: APIUser): TemplateResult {
  const channel = state.dms.find((one) => dmPartner(one)?.id === user.id);
  const current = isDm(channel) && channel.id === state.channelId;
  const unread = channel !== undefined && state.unread.has(channel.id);
  const presence = user.bot ? (state.offline.has(user.id) ? 'offline' : 'online') : undefined;
  const name = displayName(user);
  return html`<li class=${presence ?? ''}><button type="button" class="channel person ${current ? 'current' : ''} ${unread ? 'unread' : ''}" aria-current=${current ? 'page' : nothing} aria-label=${accessibleName(name, presence, unread && 'new messages')} @click=${() => void open(user.id)} @contextmenu=${(event: MouseEvent) => openMemberMenu(event, user)}>
    <span class="with-status"><img src=${avatarUrl(name)} alt="">${presence ? html`<span class="status"></span>` : nothing}</span><span class="channel-name">${name}</span> ${presence ? html`<span class="presence muted">${presence}</span>` : nothing}
  </button></li>`;
}

async function open(userId: string): Promise<void> {
  const channel = await openDm(userId);
  if (channel) openChannel(channel.id);
}

function meView(): TemplateResult | typeof nothing {
  const { me } = state;
  if (!me) return nothing;
  const others = (currentGuild()?.members ?? []).map((member) => member.user).filter((user) => !user.bot && user.id !== me.id);
  return html`${crowdView()}<div class="second-self muted">${others.length > 0 ? html`<span>Open another tab as ${others.slice(0, 3).map(secondSelfView)}</span>` : nothing}${languageView()}</div>
  <footer class="me">
    <button type="button" class="me-button" aria-haspopup="menu" title="Your nickname, and more" @click=${(event: MouseEvent) => openMemberMenu(event, me)} @contextmenu=${(event: MouseEvent) => openMemberMenu(event, me)}>
      <img src=${avatarUrl(displayName(me))} alt=""><b class="me-name">${displayName(me)}</b></button>
    <button type="button" class="quiet-button" aria-label=${isLight() ? 'Dark colours' : 'Light colours'} title=${isLight() ? 'Dark colours' : 'Light colours'} @click=${toggleTheme}>${isLight() ? moonIcon() : sunIcon()}</button>
  </footer>`;
}

/** So that one person can try what two do. */
function secondSelfView(user: APIUser): TemplateResult {
  const name = displayName(user);
  const address = `/?user=${encodeURIComponent(user.global_name ?? user.id)}${location.hash}`;
  return html`<a href=${address} target="_blank" aria-label="Open another tab as ${name}" title="See and hear what ${name} does, while you stay who you are here">${name}</a> `;
}

/** Resolves when its messages are shown. */
export async function openChannel(id: string): Promise<void> {
  update(() => {
    openDraft(id);
    const guild = state.guilds.find(({ channels, threads }) => [...channels, ...threads].some((one) => one.id === id));
    if (guild) state.guildId = guild.id;
    if (id !== state.channelId) state.newFrom.delete(state.channelId);
    state.unseen.clear();
    state.channelId = id;
    state.unread.delete(id);
    state.drawerOpen = false;
  });
  loadCommands();
  scrollToEnd();
  await loadMessages(id);
}

function openGuild(id: string): void {
  update(() => {
    state.guildId = id;
  });
  const first = textChannels()[0];
  if (first) openChannel(first.id);
}

export function closeDrawer(): void {
  update(() => {
    state.drawerOpen = false;
  });
}
