// Everything the page knows, in one object, and the one way to change it: `update`, which draws the page again.

import type { APIApplicationCommand, APIChannel, APIDMChannel, APIGuildMember, APIMessage, APIUser } from 'discord-api-types/v10';
import { ChannelType } from 'discord-api-types/v10';
import type { Dispatch, MemberGuild } from './protocol.ts';

/** Something sent to the application whose answer is not there yet, or did not come. */
export interface PendingInteraction {
  id: string;
  channel_id: string;
  /** What the member did: `/say`, `Transcribe`. */
  label: string;
  /** The message whose button or menu was used. */
  message_id?: string;
  custom_id?: string;
  /** Why there was no answer, once that is sure. */
  failure?: string;
}

export type OpenModal = Extract<Dispatch, { t: 'INTERACTION_MODAL_CREATE' }>['d'];

export interface State {
  connection: 'connecting' | 'open' | 'lost';
  me: APIUser | undefined;
  application: APIUser | undefined;
  guilds: MemberGuild[];
  dms: APIDMChannel[];
  /** Those that the open channel offers. */
  commands: APIApplicationCommand[];
  guildId: string;
  channelId: string;
  /** By channel, oldest first; absent until asked for. */
  messages: Map<string, APIMessage[]>;
  /** The message that has the focus: Tab reaches it and its buttons, arrows the others. Otherwise Tab reaches the last one. */
  focusedMessageId: string | undefined;
  unread: Set<string>;
  /** Applications that are not connected. */
  offline: Set<string>;
  speaking: Set<string>;
  typing: Map<string, { channel_id: string; until: number }>;
  pendingInteractions: PendingInteraction[];
  modal: OpenModal | undefined;
  /** The voice channel this page listens to. */
  voiceChannelId: string | undefined;
  drawerOpen: boolean;
  /** One sentence at the edge of the page, for what belongs to no message. */
  notice: string | undefined;
}

export const state: State = {
  connection: 'connecting',
  me: undefined,
  application: undefined,
  guilds: [],
  dms: [],
  commands: [],
  guildId: '',
  channelId: '',
  messages: new Map(),
  focusedMessageId: undefined,
  unread: new Set(),
  offline: new Set(),
  speaking: new Set(),
  typing: new Map(),
  pendingInteractions: [],
  modal: undefined,
  voiceChannelId: undefined,
  drawerOpen: false,
  notice: undefined,
};

let draw: () => void = () => {};
let scheduled = false;
const afterRenderCallbacks: (() => void)[] = [];

/** Names the function that draws the page. */
export function setRenderer(callback: () => void): void {
  draw = callback;
}

/** Changes the state, then draws the page once, however many changes come together. */
export function update(change: () => void = () => {}): void {
  change();
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    draw();
    for (const callback of afterRenderCallbacks.splice(0)) callback();
  });
}

/** Runs once the next drawing is done, for what needs the new elements, such as focus. */
export function afterRender(callback: () => void): void {
  afterRenderCallbacks.push(callback);
  update();
}

export function showNotice(sentence: string | undefined): void {
  update(() => {
    state.notice = sentence;
  });
}

/** Shows why something failed; meant for `catch`. */
export function showError(error: unknown): void {
  showNotice(error instanceof Error ? error.message : String(error));
}

export function currentGuild(): MemberGuild | undefined {
  return state.guilds.find((guild) => guild.id === state.guildId);
}

export function findChannel(id: string | undefined): APIChannel | undefined {
  for (const guild of state.guilds) {
    const channel = guild.channels.find((candidate) => candidate.id === id);
    if (channel) return channel;
  }
  return state.dms.find((candidate) => candidate.id === id);
}

export function isDm(channel: APIChannel | undefined): channel is APIDMChannel {
  return channel?.type === ChannelType.DM;
}

/** Whom one writes to in direct messages. */
export function dmPartner(channel: APIDMChannel): APIUser | undefined {
  return channel.recipients?.[0];
}

/** `#general`, or `@Sam` in direct messages. */
export function channelTitle(channel: APIChannel | undefined): string {
  if (!isDm(channel)) return `#${channel?.name ?? ''}`;
  const partner = dmPartner(channel);
  return `@${partner ? displayName(partner) : ''}`;
}

export function findMember(userId: string): APIGuildMember | undefined {
  return currentGuild()?.members.find((member) => member.user.id === userId);
}

/** The name a user goes by in this server. */
export function displayName(user: APIUser): string {
  return findMember(user.id)?.nick ?? user.global_name ?? user.username;
}

export function isVoice(channel: APIChannel | undefined): boolean {
  return channel?.type === ChannelType.GuildVoice || channel?.type === ChannelType.GuildStageVoice;
}

/** Who sits in a voice channel. */
export function voiceMembers(channelId: string): APIUser[] {
  const guild = currentGuild();
  return (guild?.voice_states ?? [])
    .filter((voice) => voice.channel_id === channelId)
    .flatMap((voice) => guild?.members.find((member) => member.user.id === voice.user_id)?.user ?? []);
}
