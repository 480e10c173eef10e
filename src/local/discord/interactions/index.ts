// Interactions: what a member does with the application, and the application's answer in time, once.
import { randomBytes } from 'node:crypto';
import {
  InteractionResponseType as Answer,
  type APIApplicationCommandOptionChoice,
  type APIModalInteractionResponseCallbackData,
  ApplicationCommandType,
  InteractionContextType,
  type InteractionType,
  MessageFlags,
  MessageType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { type Form, problems } from '../errors.ts';
import { changeMessage, type Files, fieldsOf, newMessage } from '../messages/index.ts';
import { checkMessage, type MessageForm } from '../messages/validation.ts';
import { addMessage, type Channel, guildOf, hasApplication, isDm, type Message, removeMessage, type World } from '../world/index.ts';
import { asInteractionMember, asMessage, asPartialChannel } from '../world/payloads.ts';
import { may, permissionsIn } from '../world/permissions.ts';
import { snowflake } from '../world/snowflake.ts';
import { checkAnswer } from './response-validation.ts';

/** First answer, and life of the token: https://docs.discord.com/developers/interactions/receiving-and-responding */
const ANSWER_MS = 3_000;
const TOKEN_MS = 15 * 60_000;
/** Follow-ups of an application that is used where it is no member. */
const FOLLOW_UPS_OF_GUESTS = 5;
/** What an application may in direct messages. https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object */
const APP_IN_DMS = P.AttachFiles | P.EmbedLinks | P.MentionEveryone;
/** Attachments of an answer, in bytes: what an application may send without a boost. */
export const ATTACHMENT_LIMIT = 10 * 1024 * 1024;

export interface Interaction {
  id: string;
  token: string;
  type: InteractionType;
  userId: string;
  channel: Channel;
  owners: Owners;
  at: number;
  /** The command line above the answer. */
  command: { name: string; type: ApplicationCommandType } | null;
  /** The message on which the component stands that was used. */
  source: Message | null;
  state: 'waiting' | 'answered' | 'late';
  timer: NodeJS.Timeout;
  /** The first answer's message, once there is one. */
  originalId: string | null;
  /** The form that it was answered with. */
  modal: Form | null;
  followUps: number;
  onChoices: (choices: APIApplicationCommandOptionChoice[] | null) => void;
}

/** Who installed the application, as far as it concerns the command: the guild (`0`; its value is `0` in direct messages), the member (`1`). */
export type Owners = { 0?: string; 1?: string };

/** What a member did, before the application is told. */
export interface Deed {
  type: InteractionType;
  userId: string;
  channel: Channel;
  owners: Owners;
  data: object;
  command?: { name: string; type: ApplicationCommandType };
  source?: Message | null;
  onChoices?: (choices: APIApplicationCommandOptionChoice[] | null) => void;
}

export type Interactions = ReturnType<typeof createInteractions>;

/** `now` in ms. */
export function createInteractions(world: World, options: { hasSession: () => boolean; now?: () => number }) {
  const { hasSession, now = Date.now } = options;
  const { application } = world;
  const interactions = new Map<string, Interaction>();
  const tokens = new Map<string, Interaction>();

  /** Tells the application; from now it has 3 s. */
  function begin(deed: Deed): string {
    const { type, userId, channel, owners, data, command = null, source = null, onChoices = () => {} } = deed;
    forgetOld();
    const interaction: Interaction = {
      id: snowflake(),
      token: randomBytes(48).toString('base64url'),
      ...{ type, userId, channel, owners, command, source, onChoices },
      at: now(),
      state: 'waiting',
      timer: setTimeout(() => fail(interaction, LATE), ANSWER_MS),
      ...{ originalId: null, modal: null, followUps: 0 },
    };
    interactions.set(interaction.id, interaction);
    tokens.set(interaction.token, interaction);
    if (hasSession()) world.tell({ t: 'INTERACTION_CREATE', d: asCreated(interaction, data), to: 'bot', ...placeOf(channel) });
    else fail(interaction, 'the application is offline');
    return interaction.id;
  }

  function asCreated({ id, token, type, userId, channel, owners, source }: Interaction, data: object) {
    const guild = guildOf(world, channel);
    return {
      ...{ id, type, data, token },
      application_id: application.id,
      version: 1,
      ...(guild
        ? {
            guild_id: guild.id,
            guild: { id: guild.id, locale: 'en-US', features: [] },
            member: asInteractionMember(guild, userId, channel as never),
            guild_locale: 'en-US',
          }
        : { user: world.users.get(userId) }),
      channel_id: channel.id,
      channel: asPartialChannel(world, channel, userId),
      locale: 'en-US',
      app_permissions: appPermissions(channel, userId).toString(),
      entitlements: [],
      authorizing_integration_owners: owners,
      context: contextOf(world, channel),
      attachment_size_limit: ATTACHMENT_LIMIT,
      ...(source ? { message: asMessage(source) } : {}),
    };
  }

  /** A guest may what its member may. */
  function appPermissions(channel: Channel, userId: string): bigint {
    if (isDm(channel)) return APP_IN_DMS | (channel.userIds.includes(application.id) ? P.UseExternalEmojis : 0n);
    return permissionsIn(world, isGuest(channel) ? userId : application.id, channel);
  }

  /** Is the application no member here, but brought along by the member who uses it? */
  function isGuest(channel: Channel): boolean {
    const guild = guildOf(world, channel);
    return guild ? !hasApplication(world, guild) : !(channel as { userIds?: readonly string[] }).userIds?.includes(application.id);
  }

  /** Where members may not use applications of their own in public, only they see the answer. */
  function isHidden({ channel, owners, userId }: Interaction): boolean {
    return owners[0] === undefined && !isDm(channel) && !may(world, userId, channel, P.UseExternalApps);
  }

  /** Interactions are in the order of their time: those whose tokens ended long ago come first. */
  function forgetOld(): void {
    for (const { id, token, at } of interactions.values()) {
      if (now() - at <= TOKEN_MS * 2) return;
      interactions.delete(id);
      tokens.delete(token);
    }
  }

  function fail(interaction: Interaction, reason: string): void {
    clearTimeout(interaction.timer);
    interaction.state = 'late';
    interaction.onChoices(null);
    world.tell({ t: 'INTERACTION_FAILURE', d: { interaction_id: interaction.id, reason }, to: { member: interaction.userId } });
  }

  /** POST /interactions/:id/:token/callback. @throws DiscordProblem 10062, 40060, 50035 */
  function answer(id: string, token: string, type: number, data: Form, files: Files): { type: InteractionType; message: Message | null } {
    const interaction = awaited(id, token);
    const message = firstAnswer(interaction, type, data, files);
    clearTimeout(interaction.timer);
    interaction.state = 'answered';
    interaction.originalId = message?.id ?? interaction.source?.id ?? null;
    const to = { member: interaction.userId };
    world.tell({ t: 'INTERACTION_SUCCESS', d: { interaction_id: id }, to });
    if (type === Answer.Modal) {
      interaction.modal = data;
      const d = { ...(data as APIModalInteractionResponseCallbackData), interaction_id: id, channel_id: interaction.channel.id };
      world.tell({ t: 'INTERACTION_MODAL_CREATE', d, to });
    }
    return { type: interaction.type, message };
  }

  /** The interaction that still waits for its first answer. @throws DiscordProblem 10062, 40060 */
  function awaited(id: string, token: string): Interaction {
    const interaction = interactions.get(id);
    if (!interaction || interaction.token !== token || interaction.state === 'late') throw problems.unknownInteraction();
    if (interaction.state === 'answered') throw problems.alreadyAcknowledged();
    return interaction;
  }

  function firstAnswer(interaction: Interaction, type: number, data: Form, files: Files): Message | null {
    checkAnswer(interaction.type, type, interaction.source !== null, data);
    const { source } = interaction;
    switch (type) {
      case Answer.ChannelMessageWithSource:
        return create(interaction, data, files);
      case Answer.DeferredChannelMessageWithSource:
        return create(interaction, { flags: (data.flags ?? 0) & MessageFlags.Ephemeral }, files, true);
      case Answer.UpdateMessage:
        return changeMessage(world, source as Message, data, files);
      case Answer.ApplicationCommandAutocompleteResult:
        interaction.onChoices(data.choices);
        return null;
      default:
        return null;
    }
  }

  function create(interaction: Interaction, form: MessageForm, files: Files, thinking = false): Message {
    if (!thinking) checkMessage(form, files.attachments.size);
    const { id, type, userId, channel, owners, command, source, originalId } = interaction;
    const user = world.users.get(userId);
    const flags = (form.flags ?? 0) | (isHidden(interaction) ? MessageFlags.Ephemeral : 0);
    const message = {
      ...newMessage(channel.id, application.user),
      type: originalId ? MessageType.Default : typeOf(interaction),
      application_id: application.id,
      webhook_id: application.id,
      flags: flags | (thinking ? MessageFlags.Loading : 0),
      ...fieldsOf(world, form, files, [], application.user, channel),
      ...(flags & MessageFlags.Ephemeral ? { onlyFor: userId } : {}),
      ...(command && { interaction: { id, type, name: command.name, user } }),
      interaction_metadata: {
        ...{ id, type, user },
        authorizing_integration_owners: owners,
        ...(originalId && { original_response_message_id: originalId }),
        ...(source && { interacted_message_id: source.id }),
      },
    } as unknown as Message;
    addMessage(world, message);
    return message;
  }

  /** The interaction of a webhook token that is still good. @throws DiscordProblem 10015, 50027 */
  function byToken(token: string): Interaction {
    const interaction = tokens.get(token);
    if (!interaction) throw problems.unknownWebhook();
    if (now() - interaction.at > TOKEN_MS) throw problems.invalidToken();
    if (interaction.state !== 'answered') throw problems.unknownWebhook();
    return interaction;
  }

  /** @throws DiscordProblem 10008 */
  function messageOf({ channel, originalId }: Interaction, id: string): Message {
    const messageId = id === '@original' ? originalId : id;
    const message = world.messages.get(channel.id)?.find((one) => one.id === messageId);
    if (!message || message.application_id !== application.id) throw problems.unknownMessage();
    return message;
  }

  return {
    begin,
    answer,
    awaited,
    byToken,
    messageOf,
    /** The form that a member was shown, and where. */
    modalOf(id: string): (Pick<Deed, 'channel' | 'owners' | 'source' | 'userId'> & { form: Form }) | null {
      const interaction = interactions.get(id);
      if (!interaction?.modal) return null;
      const { modal: form, channel, owners, source, userId } = interaction;
      return { form, channel, owners, source, userId };
    },
    /** POST /webhooks/:application/:token: the first one after a deferral takes its place, private or public as that was. */
    followUp(token: string, form: MessageForm, files: Files): Message {
      const interaction = byToken(token);
      const original = world.messages.get(interaction.channel.id)?.find(({ id }) => id === interaction.originalId);
      if (original && (original.flags ?? 0) & MessageFlags.Loading) return changeMessage(world, original, form, files);
      if (isGuest(interaction.channel) && interaction.followUps >= FOLLOW_UPS_OF_GUESTS) throw problems.tooManyFollowUps();
      const message = create(interaction, form, files);
      interaction.followUps++;
      return message;
    },
    remove(token: string, id: string): void {
      const interaction = byToken(token);
      removeMessage(world, interaction.channel.id, messageOf(interaction, id).id);
    },
    /** For tests: the 3 s, or the 15 min, of every interaction are over now. */
    expire(what: 'first answers' | 'tokens'): void {
      for (const interaction of interactions.values()) {
        if (what === 'tokens') interaction.at -= TOKEN_MS + 1;
        else if (interaction.state === 'waiting') fail(interaction, LATE);
      }
    },
    close(): void {
      for (const { timer } of interactions.values()) clearTimeout(timer);
    },
  };
}

/** 0: a guild; 1: direct messages with the application; 2: those of others. */
export function contextOf({ application }: World, channel: Channel): InteractionContextType {
  if (!isDm(channel)) return InteractionContextType.Guild;
  return channel.userIds.includes(application.id) ? InteractionContextType.BotDM : InteractionContextType.PrivateChannel;
}

function placeOf(channel: Channel): { guildId?: string } {
  return isDm(channel) ? {} : { guildId: channel.guild_id };
}

const LATE = 'the application did not respond within 3 seconds';

function typeOf({ command }: Interaction): MessageType {
  if (!command) return MessageType.Default;
  return command.type === ApplicationCommandType.ChatInput ? MessageType.ChatInputCommand : MessageType.ContextMenuCommand;
}
