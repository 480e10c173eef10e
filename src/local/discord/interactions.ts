// Interactions: what a member does with the application, and the application's answer in time, once.
import { randomBytes } from 'node:crypto';
import {
  type APIApplicationCommandOptionChoice,
  type APIAttachment,
  type APIModalInteractionResponseCallbackData,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
} from 'discord-api-types/v10';
import { checkMessage, checkModal, type MessageForm } from './message-form.ts';
import { permissionsOf } from './permissions.ts';
import { createFormCheck, type Form, problems } from './problems.ts';
import { snowflake } from './snowflake.ts';
import { asInteractionMember, asMessage, asPartialChannel } from './views.ts';
import { addMessage, type GuildChannel, type Message, removeMessage, tellMessage, type World } from './world.ts';

/** First answer, and life of the token: https://docs.discord.com/developers/interactions/receiving-and-responding */
const ANSWER_MS = 3_000;
const TOKEN_MS = 15 * 60_000;
/** Attachments of an answer, in bytes: what an application may send without a boost. */
export const ATTACHMENT_LIMIT = 10 * 1024 * 1024;

interface Interaction {
  id: string;
  token: string;
  type: InteractionType;
  userId: string;
  channel: GuildChannel;
  at: number;
  /** The command line above the answer. */
  command: { name: string; type: ApplicationCommandType } | null;
  /** Of a component: the message it stands on. */
  source: Message | null;
  state: 'waiting' | 'answered' | 'late';
  timer: NodeJS.Timeout;
  /** The first answer's message, once there is one. */
  originalId: string | null;
  /** The public or private "is thinking" that the first follow-up or edit replaces. */
  onChoices?: (choices: APIApplicationCommandOptionChoice[] | null) => void;
}

export interface Files {
  /** By the number in `files[n]`. */
  attachments: Map<string, APIAttachment>;
}

/** What a member did, before the application is told. */
export interface Deed {
  type: InteractionType;
  userId: string;
  channel: GuildChannel;
  data: object;
  command?: { name: string; type: ApplicationCommandType };
  source?: Message;
  onChoices?: (choices: APIApplicationCommandOptionChoice[] | null) => void;
}

export type Interactions = ReturnType<typeof createInteractions>;

/** `now` in ms. */
export function createInteractions(world: World, options: { online: () => boolean; now?: () => number }) {
  const { online, now = Date.now } = options;
  const interactions = new Map<string, Interaction>();

  /** Tells the application; from now it has 3 s. */
  function begin(deed: Deed): string {
    const { type, userId, channel, data, command = null, source = null, onChoices } = deed;
    const { guild, application } = world;
    for (const old of interactions.values()) if (now() - old.at > TOKEN_MS * 2) interactions.delete(old.id);
    const interaction: Interaction = {
      id: snowflake(),
      token: randomBytes(48).toString('base64url'),
      ...{ type, userId, channel, command, source },
      at: now(),
      state: 'waiting',
      timer: setTimeout(() => fail(interaction, 'the application did not respond within 3 seconds'), ANSWER_MS),
      originalId: null,
      ...(onChoices ? { onChoices } : {}),
    };
    interactions.set(interaction.id, interaction);
    if (!online()) {
      fail(interaction, 'the application is offline');
      return interaction.id;
    }
    const d = {
      id: interaction.id,
      application_id: application.id,
      type,
      data,
      token: interaction.token,
      version: 1,
      guild_id: guild.id,
      guild: { id: guild.id, locale: 'en-US', features: [] },
      channel_id: channel.id,
      channel: asPartialChannel(guild, channel, userId),
      member: asInteractionMember(guild, userId, channel),
      locale: 'en-US',
      guild_locale: 'en-US',
      app_permissions: permissionsOf(guild, application.user.id, channel).toString(),
      entitlements: [],
      authorizing_integration_owners: { 0: guild.id },
      context: 0,
      attachment_size_limit: ATTACHMENT_LIMIT,
      ...(source ? { message: asMessage(source) } : {}),
    };
    world.tell({ t: 'INTERACTION_CREATE', d, to: 'bot' });
    return interaction.id;
  }

  function fail(interaction: Interaction, reason: string): void {
    clearTimeout(interaction.timer);
    interaction.state = 'late';
    interaction.onChoices?.(null);
    world.tell({ t: 'INTERACTION_FAILURE', d: { interaction_id: interaction.id, reason }, to: { member: interaction.userId } });
  }

  /** POST /interactions/:id/:token/callback. @throws DiscordProblem 10062, 40060, 50035 */
  function answer(id: string, token: string, type: number, data: Form, files: Files): Message | null {
    const interaction = interactions.get(id);
    if (!interaction || interaction.token !== token || interaction.state === 'late') throw problems.unknownInteraction();
    if (interaction.state === 'answered') throw problems.alreadyAcknowledged();
    const message = firstAnswer(interaction, type, data, files);
    clearTimeout(interaction.timer);
    interaction.state = 'answered';
    interaction.originalId = message?.id ?? interaction.source?.id ?? null;
    world.tell({ t: 'INTERACTION_SUCCESS', d: { interaction_id: id }, to: { member: interaction.userId } });
    if (type === InteractionResponseType.Modal) {
      const d = { ...(data as APIModalInteractionResponseCallbackData), interaction_id: id, channel_id: interaction.channel.id };
      world.tell({ t: 'INTERACTION_MODAL_CREATE', d, to: { member: interaction.userId } });
    }
    return message;
  }

  function firstAnswer(interaction: Interaction, type: number, data: Form, files: Files): Message | null {
    const isComplete = interaction.type === InteractionType.ApplicationCommandAutocomplete;
    const wrongType = () => {
      const check = createFormCheck();
      check.fault('type', 'INTERACTION_CALLBACK_TYPE_INVALID', 'This response type does not fit this interaction.');
      check.done();
    };
    if (isComplete !== (type === InteractionResponseType.ApplicationCommandAutocompleteResult)) wrongType();
    switch (type) {
      case InteractionResponseType.ChannelMessageWithSource:
        return create(interaction, data, files);
      case InteractionResponseType.DeferredChannelMessageWithSource:
        return create(interaction, { flags: (data.flags ?? 0) & MessageFlags.Ephemeral }, files, true);
      case InteractionResponseType.DeferredMessageUpdate:
        if (!interaction.source) wrongType();
        return null;
      case InteractionResponseType.UpdateMessage:
        if (!interaction.source) wrongType();
        return change(interaction.source as Message, data, files);
      case InteractionResponseType.ApplicationCommandAutocompleteResult:
        checkChoices(data.choices);
        interaction.onChoices?.(data.choices);
        return null;
      case InteractionResponseType.Modal:
        if (interaction.type === InteractionType.ModalSubmit) wrongType();
        checkModal(data);
        return null;
      default:
        wrongType();
        return null;
    }
  }

  function create(interaction: Interaction, form: MessageForm, files: Files, thinking = false): Message {
    if (!thinking) checkMessage(form, files.attachments.size);
    const { application, users } = world;
    const message = {
      ...newMessage(interaction.channel.id, application.user),
      type:
        interaction.command?.type === ApplicationCommandType.Message
          ? MessageType.ContextMenuCommand
          : interaction.command
            ? MessageType.ChatInputCommand
            : MessageType.Default,
      application_id: application.id,
      webhook_id: application.id,
      flags: (form.flags ?? 0) | (thinking ? MessageFlags.Loading : 0),
      ...content(form, files, []),
      ...((form.flags ?? 0) & MessageFlags.Ephemeral ? { onlyFor: interaction.userId } : {}),
      ...(interaction.command
        ? {
            interaction: {
              id: interaction.id,
              type: interaction.type,
              name: interaction.command.name,
              user: users.get(interaction.userId),
            },
            interaction_metadata: {
              id: interaction.id,
              type: interaction.type,
              user: users.get(interaction.userId),
              authorizing_integration_owners: { 0: world.guild.id },
            },
          }
        : {}),
    } as unknown as Message;
    addMessage(world, message);
    return message;
  }

  /** PATCH of a message; what is not named stays. */
  function change(message: Message, form: MessageForm, files: Files): Message {
    const wasThinking = ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
    checkMessage(form, files.attachments.size, !wasThinking);
    Object.assign(message, content(form, files, message.attachments), {
      flags: (message.flags ?? 0) & ~MessageFlags.Loading,
      ...(wasThinking ? {} : { edited_timestamp: new Date(now()).toISOString() }),
    });
    tellMessage(world, 'MESSAGE_UPDATE', message);
    return message;
  }

  /** The interaction of a webhook token that is still good. @throws DiscordProblem 10015, 50027 */
  function byToken(token: string): Interaction {
    const interaction = [...interactions.values()].find((one) => one.token === token);
    if (!interaction) throw problems.unknownWebhook();
    if (now() - interaction.at > TOKEN_MS) throw problems.invalidToken();
    if (interaction.state !== 'answered') throw problems.unknownWebhook();
    return interaction;
  }

  function messageOf(interaction: Interaction, id: string): Message {
    const messageId = id === '@original' ? interaction.originalId : id;
    const message = world.messages.get(interaction.channel.id)?.find((one) => one.id === messageId);
    if (!message || message.application_id !== world.application.id) throw problems.unknownMessage();
    return message;
  }

  return {
    begin,
    answer,
    byToken,
    messageOf,
    change,
    /** POST /webhooks/:application/:token: the first one after a deferral takes its place, private or public as that was. */
    followUp(token: string, form: MessageForm, files: Files): Message {
      const interaction = byToken(token);
      const original = world.messages.get(interaction.channel.id)?.find(({ id }) => id === interaction.originalId);
      if (original && (original.flags ?? 0) & MessageFlags.Loading) return change(original, form, files);
      return create(interaction, form, files);
    },
    remove(token: string, id: string): void {
      const interaction = byToken(token);
      removeMessage(world, interaction.channel.id, messageOf(interaction, id).id);
    },
    /** For tests: the 3 s, or the 15 min, of every interaction are over now. */
    expire(what: 'first answers' | 'tokens'): void {
      for (const interaction of interactions.values()) {
        if (what === 'tokens') interaction.at -= TOKEN_MS;
        else if (interaction.state === 'waiting') fail(interaction, 'the application did not respond within 3 seconds');
      }
    },
    close(): void {
      for (const { timer } of interactions.values()) clearTimeout(timer);
    },
  };
}

/** A message with nothing in it. */
export function newMessage(channelId: string, author: World['application']['user']) {
  return {
    id: snowflake(),
    channel_id: channelId,
    author,
    content: '',
    timestamp: new Date().toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    type: MessageType.Default,
    flags: 0,
  };
}

/** The fields of a message that its form names. */
export function content(form: MessageForm, files: Files, kept: APIAttachment[]) {
  const fields: Record<string, unknown> = {};
  if (form.content !== undefined) fields.content = form.content ?? '';
  if (form.components !== undefined) fields.components = withIds(form.components ?? []);
  const named = form.attachments?.flatMap(({ id, description }) => {
    const attachment = files.attachments.get(String(id)) ?? kept.find((one) => one.id === String(id));
    return attachment ? [{ ...attachment, ...(description ? { description } : {}) }] : [];
  });
  if (named || files.attachments.size > 0) fields.attachments = named ?? [...kept, ...files.attachments.values()];
  if (form.embeds !== undefined) {
    const all = (fields.attachments ?? kept) as APIAttachment[];
    fields.embeds = (form.embeds ?? []).map((embed) => resolveAttachments({ type: 'rich', ...embed }, all));
  }
  return fields;
}

/** `attachment://name` becomes the address of that attachment. */
function resolveAttachments(embed: Form, attachments: APIAttachment[]) {
  const text = JSON.stringify(embed, (_, value) => {
    const name = typeof value === 'string' && /^attachment:\/\/(.+)$/.exec(value)?.[1];
    return name ? (attachments.find(({ filename }) => filename === name)?.url ?? value) : value;
  });
  return JSON.parse(text);
}

/** Discord numbers the components of a message. */
function withIds(rows: Form[]) {
  let next = 0;
  const number = (component: Form): Form => ({
    ...component,
    id: component.id || ++next,
    ...(component.components ? { components: component.components.map(number) } : {}),
  });
  return rows.map(number);
}

function checkChoices(choices: unknown): void {
  const check = createFormCheck();
  if (!Array.isArray(choices)) check.fault('data.choices', 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (choices.length > 25) check.fault('data.choices', 'BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 25 in length.');
  else
    choices.forEach((choice, index) => {
      check.length(`data.choices.${index}.name`, choice.name, 1, 100);
      if (typeof choice.value === 'string') check.length(`data.choices.${index}.value`, choice.value, 1, 100);
    });
  check.done();
}
