// Builds and edits messages: content, mentions, attachments, embeds and components.
import { type APIAttachment, type APIUser, MessageFlags, MessageType, PermissionFlagsBits } from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import type { JsonObject } from '../validator.ts';
import { emitMessage } from '../world/message-events.ts';
import { addMessage } from '../world/messages.ts';
import { hasPermissions } from '../world/permissions.ts';
import { createSnowflake } from '../world/snowflake.ts';
import { type Channel, findMessage, type GuildChannel, guildOf, type Message, type World } from '../world/world.ts';
import { completeComponents } from './component-fields.ts';
import { textsOf } from './component-tree.ts';
import { createPoll } from './polls.ts';
import { type MessageBody, validateMessage } from './validation.ts';

/** Flags that an edit may set. */
const EDITABLE_FLAGS = MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2;

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

/**
 * The fields of a message that its body sets. `edited`: the message that is edited, whose other fields stay.
 * @throws DiscordError 50035 if a component refers to an attachment that the message doesn't have, 50161 if a voice message isn't sound
 */
export function buildMessageFields(
  world: World,
  body: MessageBody,
  files: UploadedFiles,
  edited: Message | null,
  author: APIUser,
  channel: Channel,
): Partial<Message> {
  const attachments = listAttachments(body, files, [...(edited?.attachments ?? []), ...(edited?.shownFiles ?? [])]);
  const isVoiceMessage = edited === null && ((body.flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
  if (isVoiceMessage && !attachments[0]?.content_type?.startsWith('audio/')) throw discordErrors.voiceMessageAttachment();
  const fields: Partial<Message> = {};
  const isLayout = ((body.flags ?? edited?.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
  if (body.content !== undefined || (isLayout && body.components !== undefined)) {
    const text = [body.content ?? '', ...textsOf(body.components)].join('\n');
    Object.assign(fields, resolveMentions(world, text, body.allowed_mentions, author, channel));
  }
  if (body.content !== undefined) fields.content = body.content ?? '';
  // No edit changes a poll; only the answer to a deferred response brings one.
  if (body.poll && !edited?.poll) fields.poll = createPoll(body.poll);
  if (body.components !== undefined)
    fields.components = completeComponents(body.components ?? [], attachments.filter(isNamedIn(body))) as never;
  if (body.embeds !== undefined) fields.embeds = (body.embeds ?? []).map((embed) => resolveEmbed({ type: 'rich', ...embed }, attachments));
  const { components, embeds } = { ...edited, ...fields };
  // Discord doesn't list a file again that an embed or component shows. https://github.com/discord/discord-api-docs/pull/8279
  const shown = JSON.stringify([components, embeds]);
  const isShown = ({ url }: APIAttachment) => shown.includes(JSON.stringify(url));
  fields.shownFiles = attachments.filter(isShown);
  fields.attachments = attachments.filter((attachment) => !isShown(attachment));
  return fields;
}

/** A message's attachments after a request: those listed in its body, or all it had, and the files it brings. */
function listAttachments(body: MessageBody, files: UploadedFiles, existing: APIAttachment[]): APIAttachment[] {
  const listed = body.attachments?.flatMap(({ id, description, duration_secs, waveform }) => {
    const attachment = files.get(String(id)) ?? existing.find((candidate) => candidate.id === String(id));
    if (!attachment) return [];
    return [{ ...attachment, ...(description && { description }), ...(duration_secs !== undefined && { duration_secs, waveform }) }];
  });
  const unlisted = [...files].filter(([index]) => !body.attachments?.some(({ id }) => String(id) === index));
  return [...(listed ?? existing), ...unlisted.map(([, attachment]) => attachment)];
}

/** Whether components may refer to an attachment by its name: a body that keeps it by its id has to name it, too, as Discord has it. */
function isNamedIn({ attachments: listed }: MessageBody): (attachment: APIAttachment) => boolean {
  return ({ id, filename }) => !listed?.some((entry) => String(entry.id) === id && entry.filename !== filename);
}

/** Edits a message; fields that the body doesn't set stay. @throws DiscordError */
export function editMessage(world: World, message: Message, body: MessageBody, files: UploadedFiles): Message {
  const flags = message.flags ?? 0;
  const wasDeferred = (flags & MessageFlags.Loading) !== 0;
  validateMessage(body, files.size, wasDeferred ? null : message);
  const channel = world.channels.get(message.channel_id) as Channel;
  const fields = buildMessageFields(world, body, files, message, message.author, channel);
  if (fields.mentions) fields.mentions = [...fields.mentions, ...findPinged(world, message, fields.mentions)];
  Object.assign(message, fields, {
    flags: (flags & ~MessageFlags.Loading) | ((body.flags ?? 0) & EDITABLE_FLAGS),
    ...(!wasDeferred && { edited_timestamp: new Date().toISOString() }),
  });
  emitMessage(world, 'MESSAGE_UPDATE', message);
  return message;
}

/** The author of the message that this one replies to, if the reply mentions them and `mentions` doesn't: an edit of the text keeps that. */
function findPinged(
  world: World,
  { message_reference: reference, mentions: before }: Message,
  mentions: Message['mentions'],
): Message['mentions'] {
  const replied = reference?.message_id ? findMessage(world, reference.channel_id, reference.message_id) : undefined;
  return before.filter(({ id }) => id === replied?.author.id && !mentions.some((user) => user.id === id));
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

/**
 * Has a new incoming webhook of this name write a message, as bridges and other services do: its author is neither a member nor a user.
 * https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export function addWebhookMessage(world: World, channel: GuildChannel, name: string, content: string): Message {
  const author: APIUser = { id: createSnowflake(), username: name, global_name: null, discriminator: '0000', avatar: null, bot: true };
  const message: Message = {
    ...createBlankMessage(channel.id, author),
    content,
    ...resolveMentions(world, content, undefined, author, channel),
    webhook_id: author.id,
  };
  addMessage(world, message);
  return message;
}

/** Replaces each `attachment://name` in an embed by that attachment's URL. */
function resolveEmbed(embed: JsonObject, attachments: APIAttachment[]): JsonObject {
  const text = JSON.stringify(embed, (_, value) => {
    const name = typeof value === 'string' && /^attachment:\/\/(.+)$/.exec(value)?.[1];
    return name ? (attachments.find(({ filename }) => filename === name)?.url ?? value) : value;
  });
  return JSON.parse(text);
}
