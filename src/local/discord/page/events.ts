// Applies the local Discord's dispatches to the state, and tracks interactions that await a response.
import type { APIChannel, APIGuildMember, APIMessage, APIVoiceState } from 'discord-api-types/v10';
import { call } from './connection.ts';
import { loadCommands, openDm } from './direct-messages.ts';
import { noteMessage } from './first-steps/progress.ts';
import { announceMessage } from './messages/announcement.ts';
import { applyVote } from './messages/poll.ts';
import { applyReaction } from './messages/reactions.ts';
import { noteArrival } from './messages/unseen.ts';
import type { Dispatch, MemberGuild } from './protocol.ts';
import { findChannel, focusBox, type PendingInteraction, showError, state, update } from './state.ts';

const TYPING_LASTS_MS = 10_000;
/** Longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Per channel; older ones are dropped. */
const MAX_MESSAGES = 500;
/** Interactions that finished before the reply with their id arrived, with the reason if they failed. */
const earlyResults = new Map<string, string | undefined>();
/** Ids of the interactions that this page sent. */
const ownInteractions = new Set<string>();

export function applyDispatch(dispatch: Dispatch): void {
  update(() => apply(dispatch));
}

function apply(dispatch: Dispatch): void {
  switch (dispatch.t) {
    case 'MESSAGE_CREATE':
      addMessage(dispatch.d);
      break;
    case 'MESSAGE_UPDATE':
      replaceMessage(dispatch.d);
      break;
    case 'MESSAGE_DELETE':
      removeMessage(dispatch.d.channel_id, dispatch.d.id);
      break;
    case 'MESSAGE_DELETE_BULK':
      for (const id of dispatch.d.ids) removeMessage(dispatch.d.channel_id, id);
      break;
    case 'MESSAGE_REACTION_ADD':
    case 'MESSAGE_REACTION_REMOVE':
    case 'MESSAGE_REACTION_REMOVE_EMOJI':
    case 'MESSAGE_REACTION_REMOVE_ALL':
      changeMessages(dispatch.d.channel_id, (message) =>
        message.id === dispatch.d.message_id ? applyReaction(message, dispatch) : message,
      );
      break;
    case 'MESSAGE_POLL_VOTE_ADD':
    case 'MESSAGE_POLL_VOTE_REMOVE':
      changeMessages(dispatch.d.channel_id, (message) => (message.id === dispatch.d.message_id ? applyVote(message, dispatch) : message));
      break;
    case 'CHANNEL_UPDATE':
      changeChannel(dispatch.d);
      break;
    case 'CHANNEL_DELETE':
      for (const guild of state.guilds) {
        guild.channels = guild.channels.filter(({ id }) => id !== dispatch.d.id);
        guild.threads = guild.threads.filter(({ parent_id }) => parent_id !== dispatch.d.id);
      }
      state.messages.delete(dispatch.d.id);
      state.unread.delete(dispatch.d.id);
      break;
    case 'THREAD_CREATE':
    case 'THREAD_UPDATE': {
      const thread = dispatch.d;
      changeGuild(thread.guild_id, ({ threads }) => ({ threads: [...threads.filter(({ id }) => id !== thread.id), thread] }));
      break;
    }
    case 'THREAD_DELETE':
      changeGuild(dispatch.d.guild_id, ({ threads }) => ({ threads: threads.filter(({ id }) => id !== dispatch.d.id) }));
      state.messages.delete(dispatch.d.id);
      state.unread.delete(dispatch.d.id);
      break;
    case 'VOICE_STATE_UPDATE':
      moveInVoice(dispatch.d);
      break;
    case 'VOICE_CHANNEL_STATUS_UPDATE': {
      const { id, guild_id, status } = dispatch.d;
      changeGuild(guild_id, ({ voice_statuses: { [id]: _, ...others } }) => ({
        voice_statuses: status === null ? others : { ...others, [id]: status },
      }));
      break;
    }
    case 'SPEAKING':
      if (dispatch.d.speaking) state.speaking.add(dispatch.d.user_id);
      else state.speaking.delete(dispatch.d.user_id);
      break;
    case 'TYPING_START':
      startTyping(dispatch.d.user_id, dispatch.d.channel_id);
      break;
    case 'COMMANDS_UPDATE':
      loadCommands();
      break;
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_UPDATE':
      changeGuild(dispatch.d.guild_id, ({ members }) => ({
        members: [...members.filter(({ user }) => user.id !== dispatch.d.user.id), dispatch.d],
      }));
      renderAfterTimeout(dispatch.d);
      break;
    case 'GUILD_MEMBER_REMOVE':
      changeGuild(dispatch.d.guild_id, ({ members }) => ({ members: members.filter(({ user }) => user.id !== dispatch.d.user.id) }));
      break;
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      changeGuild(dispatch.d.guild_id, ({ roles }) => ({
        roles: [...roles.filter(({ id }) => id !== dispatch.d.role.id), dispatch.d.role],
      }));
      break;
    case 'GUILD_UPDATE':
      changeGuild(dispatch.d.id, () => dispatch.d);
      break;
    case 'CROWD_UPDATE':
      state.crowdChannelId = dispatch.d.channel_id ?? undefined;
      break;
    case 'TALKERS_UPDATE':
      state.talkMode = dispatch.d.mode ?? undefined;
      if (dispatch.d.failure) showError(dispatch.d.failure);
      break;
    case 'VOICE_WARNING':
      showError(dispatch.d.sentence);
      break;
    case 'INTRODUCTION_UPDATE':
      state.introduction = dispatch.d;
      break;
    case 'USER_SETTINGS_UPDATE':
      state.locale = dispatch.d.locale;
      break;
    case 'PRESENCE_UPDATE':
      if (dispatch.d.status === 'offline') state.offline.add(dispatch.d.user_id);
      else state.offline.delete(dispatch.d.user_id);
      break;
    case 'INTERACTION_MODAL_CREATE':
      // The member's other tabs did not ask for it.
      if (ownInteractions.has(dispatch.d.interaction_id)) state.modal = dispatch.d;
      break;
    case 'INTERACTION_SUCCESS':
      settleInteraction(dispatch.d.interaction_id, undefined);
      break;
    case 'INTERACTION_FAILURE':
      settleInteraction(dispatch.d.interaction_id, dispatch.d.reason || 'The application did not respond.');
      break;
  }
}

/** Shows an interaction as pending; call one of the returned functions once it is known whether it was sent. */
export function trackInteraction(what: Omit<PendingInteraction, 'id' | 'failure'>): {
  sent(interactionId: string): void;
  failed(reason: string): void;
  /** It was not sent, and the caller shows why. */
  forget(): void;
} {
  const interaction: PendingInteraction = { ...what, id: `unsent-${crypto.randomUUID()}` };
  update(() => {
    // The member has seen the previous failure of the same kind by now.
    state.pendingInteractions = state.pendingInteractions.filter(
      (other) => !(other.failure && other.label === what.label && other.message_id === what.message_id),
    );
    state.pendingInteractions.push(interaction);
  });
  return {
    sent: (interactionId) =>
      update(() => {
        interaction.id = interactionId;
        ownInteractions.add(interactionId);
        if (earlyResults.has(interactionId)) settleInteraction(interactionId, earlyResults.get(interactionId));
      }),
    failed: (reason) =>
      update(() => {
        interaction.failure = reason;
      }),
    forget: () => dismissInteraction(interaction.id),
  };
}

export function dismissInteraction(id: string): void {
  update(() => {
    state.pendingInteractions = state.pendingInteractions.filter((interaction) => interaction.id !== id);
  });
}

/** Hides an ephemeral message. */
export function dismissMessage(message: APIMessage): void {
  update(() => removeMessage(message.channel_id, message.id));
  focusBox();
  // Deleted from the local Discord too, or it would be back after a reload. It is gone from the page either way.
  call('delete_message', { channel_id: message.channel_id, message_id: message.id }).catch(() => {});
}

function removeMessage(channelId: string, id: string): void {
  const messages = state.messages.get(channelId);
  if (!messages) return;
  state.unseen.delete(id);
  state.messages.set(
    channelId,
    messages.filter((message) => message.id !== id),
  );
  changeMessages(channelId, (message) => (message.referenced_message?.id === id ? { ...message, referenced_message: null } : message));
}

function changeMessages(channelId: string, change: (message: APIMessage) => APIMessage): void {
  const messages = state.messages.get(channelId);
  if (messages) state.messages.set(channelId, messages.map(change));
}

function settleInteraction(id: string, failure: string | undefined): void {
  const interaction = state.pendingInteractions.find((candidate) => candidate.id === id);
  if (!interaction) {
    earlyResults.set(id, failure);
    return;
  }
  earlyResults.delete(id);
  if (failure) interaction.failure = failure;
  else state.pendingInteractions = state.pendingInteractions.filter((other) => other !== interaction);
}

function addMessage(message: APIMessage): void {
  noteMessage(message);
  noteArrival(message);
  state.typing.delete(message.author.id);
  const messages = state.messages.get(message.channel_id);
  if (messages && !messages.some((known) => known.id === message.id))
    state.messages.set(message.channel_id, [...messages, message].slice(-MAX_MESSAGES));
  if (message.channel_id !== state.channelId) state.unread.add(message.channel_id);
  // The first message of a new direct conversation. Before `hello` is answered there is nothing to do: its snapshot has it.
  if (state.connection === 'open' && !findChannel(message.channel_id) && message.author.id !== state.me?.id) void openDm(message.author.id);
  announceMessage(message);
}

function replaceMessage(message: APIMessage): void {
  noteMessage(message);
  const messages = state.messages.get(message.channel_id);
  if (!messages) return;
  const known = messages.some((other) => other.id === message.id);
  state.messages.set(
    message.channel_id,
    known ? messages.map((other) => (other.id === message.id ? message : other)) : [...messages, message],
  );
  changeMessages(message.channel_id, (other) =>
    other.referenced_message?.id === message.id ? { ...other, referenced_message: message } : other,
  );
  announceMessage(message);
}

/** So that the message box comes back by itself. */
function renderAfterTimeout({ communication_disabled_until: until }: APIGuildMember): void {
  const ms = until == null ? 0 : Date.parse(until) - Date.now();
  if (ms > 0) setTimeout(update, Math.min(ms, MAX_TIMER_MS));
}

/** Adds a channel that has become visible to this member, or replaces one that has changed. */
function changeChannel(channel: APIChannel): void {
  const guildId = 'guild_id' in channel ? channel.guild_id : undefined;
  changeGuild(guildId, ({ channels }) => ({
    channels: channels.some(({ id }) => id === channel.id)
      ? channels.map((known) => (known.id === channel.id ? channel : known))
      : [...channels, channel],
  }));
}

function changeGuild(id: string | undefined, change: (guild: MemberGuild) => Partial<MemberGuild>): void {
  state.guilds = state.guilds.map((guild) => (guild.id === id ? { ...guild, ...change(guild) } : guild));
}

function moveInVoice(voice: APIVoiceState): void {
  const guild = state.guilds.find((candidate) => candidate.id === voice.guild_id) ?? state.guilds[0];
  if (!guild) return;
  const { member } = voice;
  if (member && !guild.members.some((known) => known.user.id === member.user.id)) guild.members.push(member);
  guild.voice_states = guild.voice_states.filter((known) => known.user_id !== voice.user_id);
  if (voice.channel_id) guild.voice_states.push(voice);
  else state.speaking.delete(voice.user_id);
  // Somebody moved this member: if this page is the one listening, it follows.
  if (voice.user_id === state.me?.id && voice.channel_id && state.voiceChannelId) state.voiceChannelId = voice.channel_id;
}

function startTyping(userId: string, channelId: string): void {
  const typing = { channel_id: channelId, until: Date.now() + TYPING_LASTS_MS };
  state.typing.set(userId, typing);
  setTimeout(() => update(() => state.typing.get(userId) === typing && state.typing.delete(userId)), TYPING_LASTS_MS);
}
