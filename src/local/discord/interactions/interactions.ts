// Interactions: what a member does with the application's commands, components and modals, and how the application responds.
// https://docs.discord.com/developers/interactions/receiving-and-responding
import { randomBytes } from 'node:crypto';
import {
  ApplicationCommandType,
  type InteractionType,
  MessageFlags,
  MessageType,
  PermissionFlagsBits as P,
  InteractionResponseType as ResponseType,
} from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import { completeComponents } from '../messages/component-fields.ts';
import { buildMessageFields, createBlankMessage, editMessage, type UploadedFiles } from '../messages/messages.ts';
import { buildReply } from '../messages/references.ts';
import { type MessageBody, validateMessage } from '../messages/validation.ts';
import type { JsonObject } from '../validator.ts';
import { localeOf } from '../world/languages.ts';
import { addMessage } from '../world/messages.ts';
import { hasPermissions } from '../world/permissions.ts';
import { createSnowflake } from '../world/snowflake.ts';
import { findMessage, isDm, type Message, type World } from '../world/world.ts';
import { localize } from './localizations.ts';
import { validateModal } from './modal-validation.ts';
import { nestErrors, validateChoices, validateResponseType } from './response-validation.ts';
import { computeApplicationPermissions, isGuest, serializeInteraction } from './serialize.ts';
import type { Interaction, InteractionRequest, SavedInteraction } from './types.ts';

/** How long an interaction's token is valid. */
const TOKEN_MS = 15 * 60_000;
/** Per interaction, for an application that isn't a member of the guild. */
const MAX_GUEST_FOLLOW_UPS = 5;

export type Interactions = ReturnType<typeof createInteractions>;

interface InteractionOptions {
  /** Whether the application would receive an interaction. */
  hasSession: () => boolean;
  /** How long the application has for its initial response, in milliseconds. */
  responseMs: number;
}

export function createInteractions(world: World, { hasSession, responseMs }: InteractionOptions) {
  let limitMs = responseMs;
  const { application } = world;
  const byId = new Map<string, Interaction>();
  const byToken = new Map<string, Interaction>();

  /** Sends an interaction to the application. @returns its id */
  function create(request: InteractionRequest): string {
    const { type, userId, channel, owners, data, command = null, source = null, onChoices = () => {} } = request;
    forgetExpired();
    const interaction: Interaction = {
      id: createSnowflake(),
      token: randomBytes(48).toString('base64url'),
      type,
      userId,
      channel,
      owners,
      createdAt: Date.now(),
      command,
      source,
      state: 'pending',
      timer: undefined,
      originalId: null,
      modal: null,
      followUps: 0,
      onChoices,
    };
    interaction.timer = setTimeout(failLate, limitMs, interaction, limitMs);
    byId.set(interaction.id, interaction);
    byToken.set(interaction.token, interaction);
    if (hasSession())
      world.emit({
        t: 'INTERACTION_CREATE',
        d: serializeInteraction(world, interaction, data),
        to: 'bot',
        ...(!isDm(channel) && { guildId: channel.guild_id }),
      });
    else fail(interaction, 'the application is offline');
    return interaction.id;
  }

  /** The maps are in the order of creation. */
  function forgetExpired(): void {
    for (const { id, token, createdAt } of byId.values()) {
      if (Date.now() - createdAt <= TOKEN_MS * 2) return;
      byId.delete(id);
      byToken.delete(token);
    }
  }

  function fail(interaction: Interaction, reason: string): void {
    clearTimeout(interaction.timer);
    interaction.state = 'failed';
    interaction.onChoices(null);
    world.emit({ t: 'INTERACTION_FAILURE', d: { interaction_id: interaction.id, reason }, to: { member: interaction.userId } });
  }

  /** The interaction, if it waits for its initial response. @throws DiscordError 10062, 40060 */
  function requirePending(id: string, token: string): Interaction {
    const interaction = byId.get(id);
    if (!interaction || interaction.token !== token || interaction.state === 'failed') throw discordErrors.unknownInteraction();
    if (interaction.state === 'responded') throw discordErrors.alreadyAcknowledged();
    return interaction;
  }

  /** POST /interactions/:id/:token/callback. @throws DiscordError 10062, 40060, 50035 */
  function respond(
    id: string,
    token: string,
    type: number,
    data: JsonObject,
    files: UploadedFiles,
  ): { type: InteractionType; message: Message | null } {
    const interaction = requirePending(id, token);
    validateResponseType(interaction.type, type, interaction.source !== null);
    const message = nestErrors(() => applyResponse(interaction, type, data, files));
    clearTimeout(interaction.timer);
    interaction.state = 'responded';
    interaction.originalId = message?.id ?? interaction.source?.id ?? null;
    const to = { member: interaction.userId };
    world.emit({ t: 'INTERACTION_SUCCESS', d: { interaction_id: id }, to });
    if (type === ResponseType.Modal) {
      const modal = { ...data, components: completeComponents(data.components, []) };
      interaction.modal = modal;
      world.emit({ t: 'INTERACTION_MODAL_CREATE', d: { ...modal, interaction_id: id, channel_id: interaction.channel.id }, to });
    }
    return { type: interaction.type, message };
  }

  function applyResponse(interaction: Interaction, type: number, data: JsonObject, files: UploadedFiles): Message | null {
    switch (type) {
      case ResponseType.ChannelMessageWithSource:
        validateMessage(data, files.size);
        return createMessage(interaction, data, files);
      case ResponseType.DeferredChannelMessageWithSource: {
        const ephemeral = (data.flags ?? 0) & MessageFlags.Ephemeral;
        return createMessage(interaction, { flags: ephemeral }, files, MessageFlags.Loading);
      }
      case ResponseType.UpdateMessage:
        return editMessage(world, interaction.source as Message, data, files);
      case ResponseType.Modal:
        validateModal(data);
        return null;
      case ResponseType.ApplicationCommandAutocompleteResult:
        validateChoices(data.choices);
        interaction.onChoices(data.choices.map((choice: JsonObject) => localize(choice, localeOf(world, interaction.userId))));
        return null;
      default:
        return null;
    }
  }

  function createMessage(interaction: Interaction, body: MessageBody, files: UploadedFiles, extraFlags = 0): Message {
    const { id, type, userId, channel, owners, command, source, originalId } = interaction;
    // Of all permissions, this one counts for responses as well.
    const isVoiceMessage = ((body.flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
    if (isVoiceMessage && !isDm(channel) && !(computeApplicationPermissions(world, channel, userId) & P.SendVoiceMessages))
      throw discordErrors.missingPermissions();
    const user = world.users.get(userId);
    // A follow-up replies to the first response; a response to a component, to the message that has it.
    const answeredId = originalId ?? source?.id;
    const flags = (body.flags ?? 0) | (mustBeEphemeral(interaction) ? MessageFlags.Ephemeral : 0);
    const message = {
      ...createBlankMessage(channel.id, application.user),
      type: messageTypeOf(interaction),
      application_id: application.id,
      webhook_id: application.id,
      flags: flags | extraFlags,
      ...buildMessageFields(world, body, files, null, application.user, channel),
      ...(answeredId !== undefined && buildReply(channel, answeredId)),
      ...(flags & MessageFlags.Ephemeral && { visibleTo: userId }),
      ...(command && { interaction: { id, type, name: command.name, user } }),
      interaction_metadata: {
        id,
        type,
        user,
        authorizing_integration_owners: owners,
        ...(originalId && { original_response_message_id: originalId }),
        ...(source && { interacted_message_id: source.id }),
      },
    } as unknown as Message;
    addMessage(world, message);
    return message;
  }

  /** Only the member sees the responses of a user-installed application if they lack the permission to use it in public. */
  function mustBeEphemeral({ channel, owners, userId }: Interaction): boolean {
    return owners[0] === undefined && !isDm(channel) && !hasPermissions(world, userId, channel, P.UseExternalApps);
  }

  /** The interaction of a token that is still valid. @throws DiscordError 10015, 50027 */
  function requireToken(token: string): Interaction {
    const interaction = byToken.get(token);
    if (!interaction) throw discordErrors.unknownWebhook();
    if (Date.now() - interaction.createdAt > TOKEN_MS) throw discordErrors.invalidToken();
    if (interaction.state !== 'responded') throw discordErrors.unknownWebhook();
    return interaction;
  }

  /** `messageId` may be `@original`. A component's own message counts even if no interaction created it. @throws DiscordError 10008 */
  function requireMessage({ channel, originalId, source }: Interaction, messageId: string): Message {
    const id = messageId === '@original' ? originalId : messageId;
    const message = world.messages.get(channel.id)?.find((candidate) => candidate.id === id);
    if (!message || (message.application_id !== application.id && message.id !== source?.id)) throw discordErrors.unknownMessage();
    return message;
  }

  /** POST /webhooks/:application/:token. After a deferred response, the first one fills in that response's message. */
  function followUp(token: string, body: MessageBody, files: UploadedFiles): Message {
    const interaction = requireToken(token);
    const original = world.messages.get(interaction.channel.id)?.find(({ id }) => id === interaction.originalId);
    if (original && (original.flags ?? 0) & MessageFlags.Loading) return editMessage(world, original, body, files);
    const isOverLimit = interaction.followUps >= MAX_GUEST_FOLLOW_UPS && isGuest(world, interaction.channel);
    if (isOverLimit) throw discordErrors.tooManyFollowUps();
    validateMessage(body, files.size);
    const message = createMessage(interaction, body, files);
    interaction.followUps++;
    return message;
  }

  /** Those whose tokens are still valid, for after a restart. */
  function list(): SavedInteraction[] {
    const responded = [...byId.values()].filter(({ state, createdAt }) => state === 'responded' && Date.now() - createdAt <= TOKEN_MS);
    return responded.map(({ channel, source, state: _, timer: __, onChoices: ___, ...kept }) => ({
      ...kept,
      channelId: channel.id,
      sourceId: source?.id ?? null,
    }));
  }

  function restore(saved: SavedInteraction[]): void {
    for (const { channelId, sourceId, ...kept } of saved) {
      const channel = world.channels.get(channelId);
      if (!channel) continue;
      const source = (sourceId !== null && findMessage(world, channelId, sourceId)) || null;
      const interaction: Interaction = { ...kept, channel, source, state: 'responded', timer: undefined, onChoices: () => {} };
      byId.set(interaction.id, interaction);
      byToken.set(interaction.token, interaction);
    }
  }

  function failLate(interaction: Interaction, afterMs: number): void {
    fail(interaction, `the application did not respond within ${afterMs / 1000} seconds`);
  }

  /** For tests: makes all initial responses late, or all tokens expire. */
  function expire(what: 'initial responses' | 'tokens'): void {
    for (const interaction of byId.values()) {
      if (what === 'tokens') interaction.createdAt -= TOKEN_MS + 1;
      else if (interaction.state === 'pending') failLate(interaction, limitMs);
    }
  }

  function close(): void {
    for (const { timer } of byId.values()) clearTimeout(timer);
  }

  return {
    create,
    find: (id: string) => byId.get(id),
    respond,
    requirePending,
    requireToken,
    requireMessage,
    followUp,
    list,
    restore,
    expire,
    limitResponses(ms: number) {
      limitMs = ms;
    },
    close,
  };
}

function messageTypeOf({ command }: Interaction): MessageType {
  if (!command) return MessageType.Default;
  return command.type === ApplicationCommandType.ChatInput ? MessageType.ChatInputCommand : MessageType.ContextMenuCommand;
}
