// Builds and edits messages: content, mentions, attachments, embeds and components.
import { type APIAttachment, type APIUser, MessageFlags, MessageType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { JsonObject } from '../validator.ts';
import { type Channel, guildOf, type Message, type World } from '../world/index.ts';
import { emitMessage } from '../world/messages.ts';
import { hasPermissions } from '../world/permissions.ts';
import { createSnowflake } from '../world/snowflake.ts';
import { type MessageBody, validateMessage } from './validation.ts';

/** Attachments that came with a request, by the number in `files[n]`. */
export type UploadedFiles = Map<string, APIAttachment>;

export function createBlankMessage(channelId: string, author: APIUser) {
  return {
    id: createSnowflake(),
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

/** The fields of a message that its body sets. `existing`: the attachments that it already has. */
export function buildMessageFields(
  world: World,
  body: MessageBody,
  files: UploadedFiles,
  existing: APIAttachment[],
  author: APIUser,
  channel: Channel,
) {
  const fields: Record<string, unknown> = {};
  if (body.content !== undefined) {
    fields.content = body.content ?? '';
    Object.assign(fields, resolveMentions(world, body.content ?? '', body.allowed_mentions, author, channel));
  }
  if (body.components !== undefined) fields.components = numberComponents(body.components ?? []);
  const listed = body.attachments?.flatMap(({ id, description, duration_secs, waveform }) => {
    const attachment = files.get(String(id)) ?? existing.find((candidate) => candidate.id === String(id));
    if (!attachment) return [];
    return [{ ...attachment, ...(description && { description }), ...(duration_secs !== undefined && { duration_secs, waveform }) }];
  });
  const unlisted = [...files].filter(([index]) => !body.attachments?.some(({ id }) => String(id) === index));
  if (listed || unlisted.length > 0) fields.attachments = [...(listed ?? existing), ...unlisted.map(([, attachment]) => attachment)];
  if (body.embeds !== undefined) {
    const attachments = (fields.attachments ?? existing) as APIAttachment[];
    fields.embeds = (body.embeds ?? []).map((embed) => resolveAttachmentUrls({ type: 'rich', ...embed }, attachments));
  }
  return fields;
}

/** Edits a message; fields that the body doesn't set stay. @throws DiscordError */
export function editMessage(world: World, message: Message, body: MessageBody, files: UploadedFiles): Message {
  const flags = message.flags ?? 0;
  const wasDeferred = (flags & MessageFlags.Loading) !== 0;
  validateMessage(body, files.size, wasDeferred ? null : message);
  const channel = world.channels.get(message.channel_id) as Channel;
  Object.assign(message, buildMessageFields(world, body, files, message.attachments, message.author, channel), {
    flags: (flags & ~MessageFlags.Loading) | ((body.flags ?? 0) & MessageFlags.SuppressEmbeds),
    ...(!wasDeferred && { edited_timestamp: new Date().toISOString() }),
  });
  emitMessage(world, 'MESSAGE_UPDATE', message);
  return message;
}

/** Whom a text mentions, limited by `allowed_mentions` and the author's permissions. */
export function resolveMentions(world: World, content: string, allowed: JsonObject | undefined, author: APIUser, channel: Channel) {
  const roles = guildOf(world, channel)?.roles ?? [];
  const findIds = (pattern: RegExp) => [...new Set([...content.matchAll(pattern)].map(([, id]) => id as string))];
  const isAllowed = (kind: 'users' | 'roles', id: string) =>
    !allowed || allowed.parse?.includes(kind) === true || allowed[kind]?.includes(id) === true;
  const allowsEveryone = !allowed || allowed.parse?.includes('everyone') === true;
  return {
    mentions: findIds(/<@!?(\d+)>/g).flatMap((id) => (isAllowed('users', id) ? (world.users.get(id) ?? []) : [])),
    mention_roles: findIds(/<@&(\d+)>/g).filter((id) => isAllowed('roles', id) && roles.some((role) => role.id === id)),
    mention_everyone:
      allowsEveryone &&
      /@(everyone|here)\b/.test(content) &&
      hasPermissions(world, author.id, channel, PermissionFlagsBits.MentionEveryone),
  };
}

/** Replaces each `attachment://name` in an embed by that attachment's URL. */
function resolveAttachmentUrls(embed: JsonObject, attachments: APIAttachment[]): JsonObject {
  const text = JSON.stringify(embed, (_, value) => {
    const name = typeof value === 'string' && /^attachment:\/\/(.+)$/.exec(value)?.[1];
    return name ? (attachments.find(({ filename }) => filename === name)?.url ?? value) : value;
  });
  return JSON.parse(text);
}

/** Discord numbers the components of a message that have no id. */
function numberComponents(components: JsonObject[]): JsonObject[] {
  let last = 0;
  const number = (component: JsonObject): JsonObject => ({
    ...component,
    id: component.id || ++last,
    ...(component.components && { components: component.components.map(number) }),
  });
  return components.map(number);
}
