// A member's Discord client, in this process: implements page/protocol.ts. The page's socket only forwards to it.
import {
  type APIApplicationCommand,
  type APIMessage,
  type APIVoiceState,
  ApplicationCommandOptionType,
  ComponentType,
  InteractionType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { findIntegrationOwners, type IntegrationOwners, listAvailableCommands } from '../interactions/available-commands.ts';
import { buildAutocompleteData, buildCommandData } from '../interactions/command-data.ts';
import { buildComponentData, buildModalData } from '../interactions/component-data.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { localize } from '../interactions/localizations.ts';
import type { AttachmentStore } from '../messages/attachments.ts';
import { serializeMemberMessage } from '../messages/serialize.ts';
import type { Dispatch, FilledOption, HeardPacket, Introduction, Method, Methods, Snapshot, Upload } from '../page/protocol.ts';
import type { ListenerStats, Microphone, VoiceServer } from '../voice/types.ts';
import { openDm } from '../world/channels.ts';
import { localeOf, setLocale } from '../world/languages.ts';
import { serializeDm } from '../world/serialize.ts';
import { type Channel, findGuildChannel, type Guild, type GuildChannel, isDm, type Message, type World } from '../world/world.ts';
import { createCrowd } from './crowd.ts';
import { createLookup } from './lookup.ts';
import { moderate } from './moderation.ts';
import { createPolling } from './polls.ts';
import { createTalkers, type Speak } from './talkers.ts';
import { createThreading } from './threads.ts';
import { createVisibility } from './visibility.ts';
import { createMemberVoice } from './voice.ts';
import { createWriting } from './writing.ts';

/** How many messages a client shows unless it asks for more or fewer. */
const DEFAULT_MESSAGE_COUNT = 50;
/** Long enough for what a busy machine does. */
const NEXT_TIMEOUT_MS = 180_000;

/** The payload of the dispatch with this name. */
type DispatchPayload<T extends Dispatch['t'], D = Dispatch> = D extends { t: infer U; d: infer Payload }
  ? T extends U
    ? Payload
    : never
  : never;

export interface MemberClient {
  readonly userId: string;
  /** @throws Error with a sentence for the member */
  call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']>;
  upload(filename: string, contentType: string, bytes: Uint8Array): Upload;
  /** @returns a function that removes the listener */
  onDispatch(listener: (dispatch: Dispatch) => void): () => void;
  /** @returns a function that removes the listener */
  onHeard(listener: (packet: HeardPacket) => void): () => void;
  /**
   * Resolves with the first matching dispatch after this call.
   * @throws Error after three minutes, with the names of the dispatches that were received instead
   */
  next<T extends Dispatch['t']>(t: T, matches?: (d: DispatchPayload<T>) => boolean): Promise<DispatchPayload<T>>;
  /** What the member says in their voice channel; nothing while they have muted or deafened themselves. */
  microphone: Microphone;
  /** What is heard in the member's voice channel; null while in none. */
  voiceStats(): ListenerStats | null;
  /** Privacy code of the member's voice channel; empty while in none. */
  voicePrivacyCode(): string;
  /** Tells the member's page what it says of the application now. */
  showIntroduction(): void;
  close(): void;
}

interface MemberDependencies {
  world: World;
  voice: VoiceServer;
  attachments: AttachmentStore;
  interactions: Interactions;
  introduction: () => Introduction;
  /** The browser's language. */
  takeLanguage: (language: string) => void;
  /** Whether the application is connected to the gateway. */
  isApplicationOnline: () => boolean;
  /** Whether this user has a client open. */
  isPresent: (userId: string) => boolean;
  /** In ms, between the messages of the crowd. */
  crowdPaceMs: number;
  /** The voices of members who talk; null if there are none. */
  speak: Speak | null;
  /** The `custom_id` of a button that they press wherever it appears in the chat of their voice channel. */
  talkersPress: string | null;
  /** In ms, between two of their sentences. */
  talkPauseMs: number;
}

type MethodImplementations = {
  [M in Method]: (params: Methods[M]['params']) => Methods[M]['result'] | Promise<Methods[M]['result']>;
};

/** `home`: the guild that the client shows first. */
export function createMemberClient(userId: string, home: Guild, dependencies: MemberDependencies): MemberClient {
  const { world, voice, attachments, interactions, introduction, takeLanguage, isApplicationOnline, isPresent, crowdPaceMs } = dependencies;
  const { speak, talkersPress, talkPauseMs } = dependencies;
  const { application } = world;
  const dispatchListeners = new Set<(dispatch: Dispatch) => void>();
  const heardListeners = new Set<(packet: HeardPacket) => void>();
  const nextTimers = new Set<NodeJS.Timeout>();
  const visibility = createVisibility(world, userId, home);
  const lookup = createLookup(world, userId);
  const { requireChannel, requireMessage } = lookup;
  const memberVoice = createMemberVoice({
    world,
    voice,
    userId,
    onHeard(packet) {
      for (const listener of heardListeners) listener(packet);
    },
    onSpeaking: (event) => emit({ t: 'SPEAKING', d: event }),
  });

  const crowd = createCrowd({
    world,
    attachments,
    userId,
    isPresent,
    paceMs: crowdPaceMs,
    onChange: (channel_id) => emit({ t: 'CROWD_UPDATE', d: { channel_id } }),
  });

  const talkers =
    speak &&
    createTalkers({
      world,
      voice,
      userId,
      isPresent,
      speak,
      pauseMs: talkPauseMs,
      press: talkersPress === null ? undefined : { customId: talkersPress, run: pressAs },
      onChange: (mode, failure) => emit({ t: 'TALKERS_UPDATE', d: { mode, ...(failure && { failure }) } }),
    });

  const stopListening = world.onEvent((event) => {
    const { t, d, guildId = '' } = event;
    if (t === 'VOICE_STATE_UPDATE' && (d as APIVoiceState).user_id === userId) memberVoice.follow(guildId, d as APIVoiceState);
    for (const dispatch of visibility.toDispatches(event)) {
      emit(dispatch);
      if (dispatch.t === 'USER_SETTINGS_UPDATE') showIntroduction();
    }
  });

  const methods: MethodImplementations = {
    hello,
    commands: ({ channel_id }) =>
      listAvailableCommands(world, userId, requireChannel(channel_id)).map((command) => localize(command, localeOf(world, userId))),
    set_locale({ locale }) {
      setLocale(world, userId, locale);
      return null;
    },
    open_dm: ({ user_id }) => serializeDm(world, openDm(world, userId, user_id), userId),
    messages: listMessages,
    ...createWriting(world, userId, attachments),
    ...createPolling(world, userId, lookup),
    ...createThreading(world, userId, lookup),
    run_command: runCommand,
    autocomplete,
    click,
    submit_modal: submitModal,
    join_voice({ channel_id, ...flags }) {
      memberVoice.join(channel_id === null ? null : requireChannel(channel_id, P.Connect), flags);
      return null;
    },
    set_voice(flags) {
      memberVoice.setFlags(flags);
      return null;
    },
    set_crowd({ channel_id }) {
      if (channel_id === null) crowd.stop();
      else crowd.start(requireChannel(channel_id));
      return null;
    },
    set_talkers({ mode }) {
      if (mode === null) talkers?.stop();
      else if (!talkers) throw new Error('The other members have no voices here.');
      else talkers.start(requireVoiceChannel(), mode);
      return null;
    },
    edit_member: (params) => moderate(world, voice, userId, params),
  };

  const showIntroduction = () => emit({ t: 'INTRODUCTION_UPDATE', d: introduction() });

  function hello({ language }: Methods['hello']['params']): Snapshot {
    if (typeof language === 'string') takeLanguage(language);
    // The application's presence is not part of the snapshot; it follows immediately.
    const status = isApplicationOnline() ? ('online' as const) : ('offline' as const);
    queueMicrotask(() => emit({ t: 'PRESENCE_UPDATE', d: { user_id: application.id, status } }));
    return { ...visibility.snapshot(), introduction: introduction() };
  }

  function listMessages({ channel_id, limit = DEFAULT_MESSAGE_COUNT }: Methods['messages']['params']): APIMessage[] {
    requireChannel(channel_id);
    const messages = world.messages.get(channel_id) ?? [];
    const visible = messages.filter(({ visibleTo }) => visibleTo === undefined || visibleTo === userId);
    return visible.slice(-limit).map((message) => serializeMemberMessage(world, message, userId));
  }

  function runCommand({ channel_id, command_id, options = [], target_id }: Methods['run_command']['params']): { interaction_id: string } {
    const channel = requireChannel(channel_id, P.UseApplicationCommands);
    const { command, owners } = requireCommand(channel, command_id);
    const data = buildCommandData({ world, userId, channel, findUpload }, command, { options, targetId: target_id });
    const interaction_id = interactions.create({
      type: InteractionType.ApplicationCommand,
      userId,
      channel,
      owners,
      data,
      command: { name: [command.name, ...options.filter(isSubcommand).map(({ name }) => name)].join(' '), type: command.type },
    });
    return { interaction_id };
  }

  function autocomplete({ channel_id, command_id, options }: Methods['autocomplete']['params']) {
    const channel = requireChannel(channel_id, P.UseApplicationCommands);
    const { command, owners } = requireCommand(channel, command_id);
    const data = buildAutocompleteData(command, options);
    return new Promise<Methods['autocomplete']['result']>((resolve) => {
      interactions.create({
        type: InteractionType.ApplicationCommandAutocomplete,
        userId,
        channel,
        owners,
        data,
        onChoices: (choices) => resolve(choices ?? []),
      });
    });
  }

  function click({ channel_id, message_id, custom_id, component_type, values }: Methods['click']['params']) {
    const channel = requireChannel(channel_id);
    const source = requireMessage(channel_id, message_id);
    const data = buildComponentData(world, channel, source, custom_id, component_type, values);
    const owners = findOwnersOfMessage(channel, source);
    return { interaction_id: interactions.create({ type: InteractionType.MessageComponent, userId, channel, owners, data, source }) };
  }

  function pressAs(presser: string, channel: Channel, source: Message): void {
    const data = buildComponentData(world, channel, source, talkersPress ?? '', ComponentType.Button);
    const owners = findOwnersOfMessage(channel, source);
    interactions.create({ type: InteractionType.MessageComponent, userId: presser, channel, owners, data, source });
  }

  function submitModal({ channel_id, interaction_id: originId, custom_id, fields }: Methods['submit_modal']['params']) {
    const origin = interactions.find(originId);
    if (!origin?.modal || origin.userId !== userId || origin.channel.id !== channel_id) throw new Error('This form is no longer open.');
    const { channel, owners, source, modal } = origin;
    const data = buildModalData({ world, channel, findUpload }, modal, custom_id, fields);
    return { interaction_id: interactions.create({ type: InteractionType.ModalSubmit, userId, channel, owners, data, source }) };
  }

  function requireVoiceChannel(): GuildChannel {
    const state = [...world.guilds.values()].flatMap(({ voiceStates }) => voiceStates.get(userId) ?? []).at(0);
    const channel = findGuildChannel(world, state?.channel_id ?? '');
    if (!channel) throw new Error('Join a voice channel first.');
    return channel;
  }

  function requireCommand(channel: Channel, id: string): { command: APIApplicationCommand; owners: IntegrationOwners } {
    const command = listAvailableCommands(world, userId, channel).find((candidate) => candidate.id === id);
    if (!command) throw new Error('There is no such command (any more).');
    return { command, owners: findIntegrationOwners(world, userId, channel, command) };
  }

  function findUpload(id: string) {
    return attachments.findUpload(userId, id);
  }

  function emit(dispatch: Dispatch): void {
    for (const listener of dispatchListeners) listener(dispatch);
  }

  function onDispatch(listener: (dispatch: Dispatch) => void): () => void {
    dispatchListeners.add(listener);
    return () => dispatchListeners.delete(listener);
  }

  return {
    userId,
    async call(method, params) {
      if (!Object.hasOwn(methods, method)) throw new Error('There is no such method.');
      return methods[method](params);
    },
    upload: (filename, contentType, bytes) => attachments.addUpload(userId, filename, contentType, bytes),
    onDispatch,
    onHeard(listener) {
      heardListeners.add(listener);
      return () => heardListeners.delete(listener);
    },
    next(t, matches = () => true) {
      return new Promise((resolve, reject) => {
        const others: string[] = [];
        const timer = setTimeout(() => {
          unsubscribe();
          reject(new Error(`No matching ${t} within ${NEXT_TIMEOUT_MS / 1000} s; received: ${others.join(', ') || 'nothing'}.`));
        }, NEXT_TIMEOUT_MS);
        nextTimers.add(timer);
        const unsubscribe = onDispatch((dispatch) => {
          if (dispatch.t !== t || !matches(dispatch.d as never)) {
            others.push(dispatch.t);
            return;
          }
          clearTimeout(timer);
          nextTimers.delete(timer);
          unsubscribe();
          resolve(dispatch.d as never);
        });
      });
    },
    microphone: memberVoice.microphone,
    voiceStats: memberVoice.stats,
    voicePrivacyCode: memberVoice.privacyCode,
    showIntroduction,
    close() {
      for (const timer of nextTimers) clearTimeout(timer);
      stopListening();
      crowd.stop();
      talkers?.stop();
      memberVoice.close();
    },
  };
}

/** A message that answered a command carries the installation of that command. */
function findOwnersOfMessage(channel: Channel, { interaction_metadata }: Message): IntegrationOwners {
  return interaction_metadata?.authorizing_integration_owners ?? { 0: isDm(channel) ? '0' : channel.guild_id };
}

function isSubcommand({ type }: FilledOption): boolean {
  return type === ApplicationCommandOptionType.Subcommand || type === ApplicationCommandOptionType.SubcommandGroup;
}
