// A member at the keyboard: everything of page/protocol.ts, in process. The page's socket is a thin bridge onto this.
import {
  type APIApplicationCommand,
  type APIMessage,
  type APIUser,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { readOptions } from './commands.ts';
import { readClick, readModal } from './components.ts';
import type { Interactions } from './interactions.ts';
import { mentionsIn, newMessage } from './messages.ts';
import type { Dispatch, Heard, Method, Methods, Snapshot, Upload } from './page/protocol.ts';
import { may, permissionsOf } from './permissions.ts';
import type { Uploads } from './uploads.ts';
import { asGuild, asMessage } from './views.ts';
import type { Listener, ListenerStats, VoiceServer } from './voice/types.ts';
import { setVoiceState } from './voice-states.ts';
import { addMessage, findMessage, type GuildChannel, type Happening, removeMessage, type World } from './world.ts';

const SHOWN_MESSAGES = 50;

/** What is said with a dispatch of this name. */
type DispatchOf<T extends Dispatch['t'], D = Dispatch> = D extends { t: infer U; d: infer Said } ? (T extends U ? Said : never) : never;

export interface MemberClient {
  readonly userId: string;
  /** @throws Error with a sentence for the member. */
  call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']>;
  upload(filename: string, contentType: string, bytes: Uint8Array): Upload;
  /** Returns what ends it. */
  onDispatch(listener: (dispatch: Dispatch) => void): () => void;
  onHeard(listener: (heard: Heard) => void): () => void;
  /** Resolves with the first dispatch that fits, from now on. */
  next<T extends Dispatch['t']>(t: T, fits?: (d: DispatchOf<T>) => boolean): Promise<DispatchOf<T>>;
  /** Of the voice channel the member is in. */
  voiceStats(): ListenerStats | null;
  voicePrivacyCode(): string;
  close(): void;
}

export interface Powers {
  world: World;
  voice: VoiceServer;
  uploads: Uploads;
  interactions: Interactions;
  online: () => boolean;
}

/** @throws Error where there is no such member. */
export function createMemberClient(userId: string, powers: Powers): MemberClient {
  const { world, voice, uploads, interactions } = powers;
  const { guild, application } = world;
  const dispatchListeners = new Set<(dispatch: Dispatch) => void>();
  const heardListeners = new Set<(heard: Heard) => void>();
  let listener: Listener | null = null;
  /** Of several clients of one member, the one that joined is the one that hears. */
  let joinedHere = false;

  const stopListening = world.onHappening(({ t, d, to }: Happening) => {
    if (to === 'bot' || (typeof to === 'object' && to.member !== userId)) return;
    const channelId = (d as { channel_id?: string }).channel_id;
    const channel = channelId ? guild.channels.get(channelId) : undefined;
    if (channel && t.startsWith('MESSAGE_') && !may(guild, userId, channel, P.ViewChannel)) return;
    if (t === 'VOICE_STATE_UPDATE' && (d as { user_id: string }).user_id === userId) followVoice(channelId ?? null);
    emit((t === 'COMMANDS_UPDATE' ? { t, d: commandsFor() } : { t, d }) as Dispatch);
  });

  function emit(dispatch: Dispatch): void {
    for (const each of dispatchListeners) each(dispatch);
  }

  /** Listens where the member's voice state says, also when a moderator moved it. */
  function followVoice(channelId: string | null): void {
    if (listener?.channelId === channelId) return;
    listener?.leave();
    if (channelId === null) joinedHere = false;
    listener = !joinedHere || channelId === null ? null : voice.listen({ guildId: guild.id, channelId, userId });
    listener?.onHeard((heard) => {
      for (const each of heardListeners) each(heard);
    });
    listener?.onSpeaking((event) => emit({ t: 'SPEAKING', d: event }));
  }

  function channelOf(id: string, ...flags: bigint[]): GuildChannel {
    const channel = guild.channels.get(id);
    if (!channel || !may(guild, userId, channel, P.ViewChannel)) throw new Error('There is no such channel.');
    for (const flag of flags)
      if (!may(guild, userId, channel, flag)) throw new Error('You do not have the permission for that in this channel.');
    return channel;
  }

  /** What the member finds in this guild: commands that are for it, and that they have the permissions for. */
  function commandsFor(): APIApplicationCommand[] {
    const installation = guild.members.has(application.user.id)
      ? ApplicationIntegrationType.GuildInstall
      : ApplicationIntegrationType.UserInstall;
    const mine = permissionsOf(guild, userId);
    return world.commands.filter(({ guild_id, integration_types, contexts, default_member_permissions }) => {
      if (guild_id === undefined && !(integration_types ?? [ApplicationIntegrationType.GuildInstall]).includes(installation)) return false;
      if (contexts && !contexts.includes(InteractionContextType.Guild)) return false;
      if (default_member_permissions == null) return true;
      // `0` is nobody but administrators.
      const needed = BigInt(default_member_permissions) || P.Administrator;
      return (mine & needed) === needed;
    });
  }

  function commandOf(id: string): APIApplicationCommand {
    const command = commandsFor().find((one) => one.id === id);
    if (!command) throw new Error('There is no such command (any more).');
    return command;
  }

  const methods: { [M in Method]: (params: Methods[M]['params']) => Methods[M]['result'] | Promise<Methods[M]['result']> } = {
    hello: () => snapshot(),

    messages({ channel_id, limit = SHOWN_MESSAGES }) {
      channelOf(channel_id);
      const seen = (world.messages.get(channel_id) ?? []).filter(({ onlyFor }) => onlyFor === undefined || onlyFor === userId);
      return seen.slice(-limit).map(asMessage);
    },

    send_message({ channel_id, content = '', uploads: ids = [], voice_message }) {
      const channel = channelOf(channel_id, P.SendMessages, ...(ids.length > 0 ? [P.AttachFiles] : []));
      if (content.length > 2000) throw new Error(`The message has ${content.length} characters; 2000 is the limit.`);
      if (content.trim() === '' && ids.length === 0) throw new Error('There is nothing to send.');
      if (voice_message && ids.length !== 1) throw new Error('A voice message is one recording.');
      const attachments = ids.map((id) => {
        const attachment = uploads.get(id);
        if (!attachment) throw new Error('The file is gone: upload it again.');
        return { ...attachment, ...voice_message };
      });
      const user = world.users.get(userId) as APIUser;
      const message = {
        ...newMessage(channel.id, user),
        content,
        ...mentionsIn(world, content, undefined, user, channel),
        attachments,
        flags: voice_message ? MessageFlags.IsVoiceMessage : 0,
      };
      addMessage(world, message as never);
      return message as unknown as APIMessage;
    },

    delete_message({ channel_id, message_id }) {
      const channel = channelOf(channel_id);
      const message = findMessage(world, channel_id, message_id, userId);
      if (!message) throw new Error('The message is gone.');
      const isOwn = message.author.id === userId || message.onlyFor === userId;
      if (!isOwn && !may(guild, userId, channel, P.ManageMessages)) throw new Error('You may not delete this message.');
      removeMessage(world, channel_id, message_id);
      return null;
    },

    run_command({ channel_id, command_id, options = [], target_id }) {
      const channel = channelOf(channel_id, P.UseApplicationCommands);
      const command = commandOf(command_id);
      const { id, name, type } = command;
      const base = { id, name, type, ...(command.guild_id ? { guild_id: command.guild_id } : {}) };
      let data: object;
      if (type === ApplicationCommandType.Message) {
        const target = findMessage(world, channel_id, target_id ?? '', userId);
        if (!target) throw new Error('The message is gone.');
        data = { ...base, target_id, resolved: { messages: { [target.id]: asMessage(target) } } };
      } else {
        data = { ...base, ...readOptions(world, command, options, uploads.all) };
      }
      const interaction_id = interactions.begin({
        type: InteractionType.ApplicationCommand,
        userId,
        channel,
        data,
        command: { name, type },
      });
      return { interaction_id };
    },

    autocomplete({ channel_id, command_id, options }) {
      const channel = channelOf(channel_id, P.UseApplicationCommands);
      const command = commandOf(command_id);
      const { id, name, type } = command;
      const data = { id, name, type, ...readOptions(world, command, options, uploads.all, true) };
      return new Promise((resolve) => {
        const onChoices = (choices: Methods['autocomplete']['result'] | null) => resolve(choices ?? []);
        interactions.begin({ type: InteractionType.ApplicationCommandAutocomplete, userId, channel, data, onChoices });
      });
    },

    click({ channel_id, message_id, custom_id, component_type, values }) {
      const channel = channelOf(channel_id);
      const source = findMessage(world, channel_id, message_id, userId);
      if (!source) throw new Error('The message is gone.');
      const data = readClick(world, source, custom_id, component_type, values);
      return { interaction_id: interactions.begin({ type: InteractionType.MessageComponent, userId, channel, data, source }) };
    },

    submit_modal({ channel_id, interaction_id: of, custom_id, fields }) {
      const modal = interactions.modalOf(of);
      if (!modal || modal.userId !== userId || modal.channel.id !== channel_id) throw new Error('This form is no longer open.');
      const data = readModal(modal.form, custom_id, fields);
      const { channel, source } = modal;
      return { interaction_id: interactions.begin({ type: InteractionType.ModalSubmit, userId, channel, data, source }) };
    },

    join_voice({ channel_id }) {
      if (channel_id !== null) {
        const channel = channelOf(channel_id, P.Connect);
        if (channel.type === ChannelType.GuildText) throw new Error('This is a text channel.');
        const others = [...guild.voiceStates.values()].filter((state) => state.channel_id === channel_id && state.user_id !== userId);
        if (channel.user_limit > 0 && others.length >= channel.user_limit && !may(guild, userId, channel, P.MoveMembers))
          throw new Error('The voice channel is full.');
      }
      joinedHere = channel_id !== null;
      setVoiceState(world, voice, userId, channel_id);
      return null;
    },
  };

  function snapshot(): Snapshot {
    const visible = [...guild.channels.values()].filter((channel) => may(guild, userId, channel, P.ViewChannel));
    const memberGuild = {
      ...asGuild(guild),
      channels: visible,
      members: [...guild.members.values()],
      voice_states: [...guild.voiceStates.values()],
    };
    // Whether the application is there is said at once, as a presence.
    const status = powers.online() ? ('online' as const) : ('offline' as const);
    queueMicrotask(() => emit({ t: 'PRESENCE_UPDATE', d: { user_id: application.user.id, status } }));
    return { user: world.users.get(userId), guilds: [memberGuild], commands: commandsFor() } as unknown as Snapshot;
  }

  return {
    userId,
    async call(method, params) {
      if (!Object.hasOwn(methods, method)) throw new Error('There is no such method.');
      return methods[method](params);
    },
    upload: uploads.receive,
    onDispatch(each) {
      dispatchListeners.add(each);
      return () => dispatchListeners.delete(each);
    },
    onHeard(each) {
      heardListeners.add(each);
      return () => heardListeners.delete(each);
    },
    next(t, fits = () => true) {
      return new Promise((resolve) => {
        const each = (dispatch: Dispatch) => {
          if (dispatch.t !== t || !fits(dispatch.d as never)) return;
          dispatchListeners.delete(each);
          resolve(dispatch.d as never);
        };
        dispatchListeners.add(each);
      });
    },
    voiceStats: () => listener?.stats() ?? null,
    voicePrivacyCode: () => listener?.voicePrivacyCode() ?? '',
    close() {
      stopListening();
      if (joinedHere) setVoiceState(world, voice, userId, null);
      listener?.leave();
      listener = null;
    },
  };
}
