// A member at the keyboard: everything of page/protocol.ts, in process. The page's socket is a thin bridge onto this.
import {
  type APIApplicationCommand,
  type APIMessage,
  type APIUser,
  type APIVoiceState,
  ApplicationCommandOptionType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { commandsIn, ownersOf } from '../interactions/available-commands.ts';
import { readCommand } from '../interactions/command-data.ts';
import { readClick, readModal } from '../interactions/component-data.ts';
import type { Interactions, Owners } from '../interactions/index.ts';
import type { Uploads } from '../messages/attachments.ts';
import { mentionsIn, newMessage } from '../messages/index.ts';
import type { Dispatch, FilledOption, HeardPacket, Method, Methods, Snapshot, Upload } from '../page/protocol.ts';
import type { ListenerStats, VoiceServer } from '../voice/types.ts';
import {
  addMessage,
  type Channel,
  findMessage,
  type Guild,
  isDm,
  type Message,
  openDm,
  removeMessage,
  type World,
} from '../world/index.ts';
import { asDm, asMessage } from '../world/payloads.ts';
import { may } from '../world/permissions.ts';
import { createMemberSight } from './visibility.ts';
import { createMemberVoice } from './voice.ts';

const SHOWN_MESSAGES = 50;
const NEXT_MS = 30_000;

/** What is said with a dispatch of this name. */
type DispatchOf<T extends Dispatch['t'], D = Dispatch> = D extends { t: infer U; d: infer Said } ? (T extends U ? Said : never) : never;

export interface MemberClient {
  readonly userId: string;
  /** @throws Error with a sentence for the member. */
  call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']>;
  upload(filename: string, contentType: string, bytes: Uint8Array): Upload;
  /** Returns what ends it. */
  onDispatch(listener: (dispatch: Dispatch) => void): () => void;
  onHeard(listener: (packet: HeardPacket) => void): () => void;
  /** Resolves with the first dispatch that fits, from now on. @throws Error after 30 s, with the names of those that came instead */
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

function isSubcommand({ type }: FilledOption): boolean {
  return type === ApplicationCommandOptionType.Subcommand || type === ApplicationCommandOptionType.SubcommandGroup;
}

/** `home`: the guild that this client looks at first. */
export function createMemberClient(userId: string, home: Guild, powers: Powers): MemberClient {
  const { world, voice, uploads, interactions } = powers;
  const { application } = world;
  const dispatchListeners = new Set<(dispatch: Dispatch) => void>();
  const heardListeners = new Set<(packet: HeardPacket) => void>();
  const waitingForNext = new Set<NodeJS.Timeout>();
  const findUpload = (id: string) => uploads.find(userId, id);
  const sight = createMemberSight(world, userId, home);
  const ears = createMemberVoice({
    ...{ world, voice, userId },
    onHeard(heard) {
      for (const each of heardListeners) each(heard);
    },
    onSpeaking: (event) => emit({ t: 'SPEAKING', d: event }),
  });

  const stopListening = world.onHappening((happening) => {
    const { t, d, guildId = '' } = happening;
    if (t === 'VOICE_STATE_UPDATE' && (d as APIVoiceState).user_id === userId) ears.follow(guildId, d as APIVoiceState);
    for (const dispatch of sight.dispatches(happening)) emit(dispatch);
  });

  function emit(dispatch: Dispatch): void {
    for (const each of dispatchListeners) each(dispatch);
  }

  function channelOf(id: string, ...flags: bigint[]): Channel {
    const channel = world.channels.get(id);
    if (!channel || !sight.sees(channel)) throw new Error('There is no such channel.');
    for (const flag of flags)
      if (!may(world, userId, channel, flag)) throw new Error('You do not have the permission for that in this channel.');
    return channel;
  }

  function commandOf(channel: Channel, id: string): { command: APIApplicationCommand; owners: Owners } {
    const command = commandsIn(world, userId, channel).find((one) => one.id === id);
    if (!command) throw new Error('There is no such command (any more).');
    return { command, owners: ownersOf(world, userId, channel, command) };
  }

  const methods: { [M in Method]: (params: Methods[M]['params']) => Methods[M]['result'] | Promise<Methods[M]['result']> } = {
    hello,

    commands: ({ channel_id }) => commandsIn(world, userId, channelOf(channel_id)),

    open_dm({ user_id }) {
      const known = world.users.get(user_id);
      if (!known || user_id === userId) throw new Error('There is nobody to write to.');
      return asDm(world, openDm(world, userId, user_id), userId);
    },

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
        const attachment = uploads.find(userId, id);
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
      if (!isOwn && !may(world, userId, channel, P.ManageMessages)) throw new Error('You may not delete this message.');
      removeMessage(world, channel_id, message_id);
      return null;
    },

    run_command({ channel_id, command_id, options = [], target_id }) {
      const channel = channelOf(channel_id, P.UseApplicationCommands);
      const { command, owners } = commandOf(channel, command_id);
      const { name, type } = command;
      const filled = { options, ...(target_id !== undefined && { target_id }) };
      const data = readCommand(world, userId, channel, command, filled, findUpload);
      const interaction_id = interactions.begin({
        type: InteractionType.ApplicationCommand,
        userId,
        channel,
        owners,
        data,
        command: { name: [name, ...options.flatMap((option) => (isSubcommand(option) ? option.name : []))].join(' '), type },
      });
      return { interaction_id };
    },

    autocomplete({ channel_id, command_id, options }) {
      const channel = channelOf(channel_id, P.UseApplicationCommands);
      const { command, owners } = commandOf(channel, command_id);
      const data = readCommand(world, userId, channel, command, { options }, findUpload, true);
      return new Promise((resolve) => {
        const onChoices = (choices: Methods['autocomplete']['result'] | null) => resolve(choices ?? []);
        interactions.begin({ type: InteractionType.ApplicationCommandAutocomplete, userId, channel, owners, data, onChoices });
      });
    },

    click({ channel_id, message_id, custom_id, component_type, values }) {
      const channel = channelOf(channel_id);
      const source = findMessage(world, channel_id, message_id, userId);
      if (!source) throw new Error('The message is gone.');
      const data = readClick(world, channel, source, custom_id, component_type, values);
      const owners = ownersOfMessage(channel, source);
      return { interaction_id: interactions.begin({ type: InteractionType.MessageComponent, userId, channel, owners, data, source }) };
    },

    submit_modal({ channel_id, interaction_id: of, custom_id, fields }) {
      const modal = interactions.modalOf(of);
      if (!modal || modal.userId !== userId || modal.channel.id !== channel_id) throw new Error('This form is no longer open.');
      const data = readModal(world, modal.channel, modal.form, custom_id, fields);
      const { channel, owners, source = null } = modal;
      return { interaction_id: interactions.begin({ type: InteractionType.ModalSubmit, userId, channel, owners, data, source }) };
    },

    join_voice({ channel_id }) {
      ears.join(channel_id === null ? null : channelOf(channel_id, P.Connect));
      return null;
    },
  };

  /** A message that answered a command carries whose installation that was. */
  function ownersOfMessage(channel: Channel, { interaction_metadata }: Message): Owners {
    return interaction_metadata?.authorizing_integration_owners ?? { 0: isDm(channel) ? '0' : channel.guild_id };
  }

  function hello(): Snapshot {
    // Whether the application is there is said at once, as a presence.
    const status = powers.online() ? ('online' as const) : ('offline' as const);
    queueMicrotask(() => emit({ t: 'PRESENCE_UPDATE', d: { user_id: application.id, status } }));
    return sight.snapshot();
  }

  return {
    userId,
    async call(method, params) {
      if (!Object.hasOwn(methods, method)) throw new Error('There is no such method.');
      return methods[method](params);
    },
    upload: (filename, contentType, bytes) => uploads.receive(userId, filename, contentType, bytes),
    onDispatch(each) {
      dispatchListeners.add(each);
      return () => dispatchListeners.delete(each);
    },
    onHeard(each) {
      heardListeners.add(each);
      return () => heardListeners.delete(each);
    },
    next(t, fits = () => true) {
      return new Promise((resolve, reject) => {
        const others: string[] = [];
        const each = (dispatch: Dispatch) => {
          if (dispatch.t !== t || !fits(dispatch.d as never)) {
            others.push(dispatch.t);
            return;
          }
          clearTimeout(timer);
          dispatchListeners.delete(each);
          resolve(dispatch.d as never);
        };
        const timer = setTimeout(() => {
          dispatchListeners.delete(each);
          reject(new Error(`Waited ${NEXT_MS / 1000} s in vain for a ${t} that fits; what came: ${others.join(', ') || 'nothing'}`));
        }, NEXT_MS);
        waitingForNext.add(timer);
        dispatchListeners.add(each);
      });
    },
    voiceStats: ears.stats,
    voicePrivacyCode: ears.privacyCode,
    close() {
      for (const timer of waitingForNext) clearTimeout(timer);
      stopListening();
      ears.close();
    },
  };
}
