// The whole state of the page in one object. `update` is the only way to change it, and renders the page again.

import {
  type APIApplicationCommand,
  type APIChannel,
  type APIDMChannel,
  type APIGuildMember,
  type APIMessage,
  type APIStickerPack,
  type APIThreadChannel,
  type APIUser,
  type APIVoiceState,
  ChannelType,
  type Locale,
} from 'discord-api-types/v10';
import type { Dispatch, Introduction, MemberGuild, TalkMode } from './protocol.ts';

/** Something sent to the application that has had no response yet, or failed. */
export interface PendingInteraction {
  id: string;
  channel_id: string;
  /** What the member did, such as `/say` or `Transcribe`. */
  label: string;
  /** The message whose button or menu was used. */
  message_id?: string;
  custom_id?: string;
  /** Why it failed, once it has. */
  failure?: string;
}

export type OpenModal = Extract<Dispatch, { t: 'INTERACTION_MODAL_CREATE' }>['d'];

export interface State {
  connection: 'connecting' | 'open' | 'lost';
  me: APIUser | undefined;
  /** The language of the member's Discord. */
  locale: Locale | undefined;
  application: APIUser | undefined;
  introduction: Introduction;
  guilds: MemberGuild[];
  dms: APIDMChannel[];
  stickerPacks: APIStickerPack[];
  /** Those available in the open channel. */
  commands: APIApplicationCommand[];
  guildId: string;
  channelId: string;
  /** By channel, oldest first; absent until loaded. */
  messages: Map<string, APIMessage[]>;
  /** Tab reaches this message and its buttons, arrow keys reach the others. If undefined, Tab reaches the last message. */
  focusedMessageId: string | undefined;
  unread: Set<string>;
  /** By channel: the first message that came unseen. It stays marked until the member leaves the channel or writes there. */
  newFrom: Map<string, string>;
  /** Messages of the open channel that came unseen and still are. */
  unseen: Set<string>;
  /** Messages that came while the tab was hidden. */
  unseenCount: number;
  /** Whether the open channel is scrolled to its end. */
  isAtEnd: boolean;
  /** Applications that are not connected. */
  offline: Set<string>;
  speaking: Set<string>;
  typing: Map<string, { channel_id: string; until: number }>;
  pendingInteractions: PendingInteraction[];
  modal: OpenModal | undefined;
  /** The voice channel this page listens to. */
  voiceChannelId: string | undefined;
  /** Where other members chat by themselves. */
  crowdChannelId: string | undefined;
  /** How other members talk in the voice channel. */
  talkMode: TalkMode | undefined;
  drawerOpen: boolean;
  /** A sentence at the edge of the page, for whatever belongs to no message. */
  notice: { sentence: string; isError: boolean } | undefined;
}

export const state: State = {
  connection: 'connecting',
  me: undefined,
  locale: undefined,
  application: undefined,
  introduction: {
    description: '',
    note: null,
    othersTalk: false,
    farewell: '',
    stepsTitles: { name: '', begin: '', next: '', dismiss: '' },
    firstSteps: [],
  },
  guilds: [],
  dms: [],
  stickerPacks: [],
  commands: [],
  guildId: '',
  channelId: '',
  messages: new Map(),
  focusedMessageId: undefined,
  unread: new Set(),
  newFrom: new Map(),
  unseen: new Set(),
  unseenCount: 0,
  isAtEnd: true,
  offline: new Set(),
  speaking: new Set(),
  typing: new Map(),
  pendingInteractions: [],
  modal: undefined,
  voiceChannelId: undefined,
  crowdChannelId: undefined,
  talkMode: undefined,
  drawerOpen: false,
  notice: undefined,
};

let draw: () => void = () => {};
let scheduled = false;
const afterRenderCallbacks: (() => void)[] = [];

/** Sets the function that renders the page. */
export function setRenderer(callback: () => void): void {
  draw = callback;
}

/** Changes the state, then renders once, however many changes are made in one go. */
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

/** Runs after the next render, for whatever needs the new elements, such as moving the focus. */
export function afterRender(callback: () => void): void {
  afterRenderCallbacks.push(callback);
  update();
}

/** To the message box, if the member may write. */
export function focusBox(): void {
  afterRender(() => document.getElementById('composer-text')?.focus());
}

/** To a field, with the cursor at this place in its text. */
export function placeCursor(id: string, cursor: number): void {
  afterRender(() => {
    const box = document.getElementById(id) as HTMLTextAreaElement | null;
    box?.focus();
    box?.setSelectionRange(cursor, cursor);
  });
}

/** Milliseconds, enough to read a notice; an error stays until it is dismissed. */
const NOTICE_LASTS_MS = 10_000;

export function showNotice(sentence: string): void {
  const notice = { sentence, isError: false };
  setNotice(notice);
  setTimeout(() => state.notice === notice && setNotice(undefined), NOTICE_LASTS_MS);
}

/** For `catch`. */
export function showError(error: unknown): void {
  setNotice({ sentence: error instanceof Error ? error.message : String(error), isError: true });
}

export function dismissNotice(): void {
  setNotice(undefined);
}

function setNotice(notice: State['notice']): void {
  update(() => {
    state.notice = notice;
  });
}

export function currentGuild(): MemberGuild | undefined {
  return state.guilds.find((guild) => guild.id === state.guildId);
}

export function findChannel(id: string | undefined): APIChannel | undefined {
  for (const guild of state.guilds) {
    const channel = [...guild.channels, ...guild.threads].find((candidate) => candidate.id === id);
    if (channel) return channel;
  }
  return state.dms.find((candidate) => candidate.id === id);
}

export function findThread(id: string | undefined): APIThreadChannel | undefined {
  return state.guilds.flatMap(({ threads }) => threads).find((thread) => thread.id === id);
}

export function isDm(channel: APIChannel | undefined): channel is APIDMChannel {
  return channel?.type === ChannelType.DM;
}

/** The other user of a direct conversation. */
export function dmPartner(channel: APIDMChannel): APIUser | undefined {
  return channel.recipients?.[0];
}

/** `#general`, or `@Sam` for direct messages. */
export function channelTitle(channel: APIChannel | undefined): string {
  if (!isDm(channel)) return `#${channel?.name ?? ''}`;
  const partner = dmPartner(channel);
  return `@${partner ? displayName(partner) : ''}`;
}

export function findMember(userId: string): APIGuildMember | undefined {
  return currentGuild()?.members.find((member) => member.user.id === userId);
}

/** The name shown for a user in this server. */
export function displayName(user: APIUser): string {
  return findMember(user.id)?.nick ?? user.global_name ?? user.username;
}

export function isReadable(channel: APIChannel): boolean {
  return channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement;
}

export function findVoiceState(userId: string): APIVoiceState | undefined {
  return currentGuild()?.voice_states.find((voice) => voice.user_id === userId);
}

/** Whether this member has a permission in the server, overwrites of channels aside. Nobody has any in direct messages. */
export function mayInGuild(permission: bigint): boolean {
  return !isDm(findChannel(state.channelId)) && (BigInt(currentGuild()?.permissions ?? 0) & permission) !== 0n;
}

export function isTimedOut({ communication_disabled_until: until }: APIGuildMember): boolean {
  return until != null && Date.parse(until) > Date.now();
}

export function isVoice(channel: APIChannel | undefined): boolean {
  return channel?.type === ChannelType.GuildVoice || channel?.type === ChannelType.GuildStageVoice;
}

/** The voice channel that this page listens to, once the member is in it: not while it joins, or while the connection is lost. */
export function connectedVoiceChannelId(): string | undefined {
  const states = state.guilds.flatMap(({ voice_states }) => voice_states);
  return states.find(({ user_id, channel_id }) => user_id === state.me?.id && channel_id === state.voiceChannelId)?.channel_id ?? undefined;
}

/** The users connected to a voice channel. */
export function voiceMembers(channelId: string): APIUser[] {
  const guild = currentGuild();
  return (guild?.voice_states ?? [])
    .filter((voice) => voice.channel_id === channelId)
    .flatMap((voice) => guild?.members.find((member) => member.user.id === voice.user_id)?.user ?? []);
}
