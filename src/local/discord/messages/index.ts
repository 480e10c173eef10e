// Messages as they are made and changed: content, mentions, attachments, embeds, components.
import { type APIAttachment, type APIUser, MessageFlags, MessageType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Form } from '../errors.ts';
import { type Channel, guildOf, type Message, tellMessage, type World } from '../world/index.ts';
import { may } from '../world/permissions.ts';
import { snowflake } from '../world/snowflake.ts';
import { checkMessage, type MessageForm } from './validation.ts';

export interface Files {
  /** By the number in `files[n]`. */
  attachments: Map<string, APIAttachment>;
}

/** A message with nothing in it. */
export function newMessage(channelId: string, author: APIUser) {
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

/** The fields of a message that its form names. `kept`: attachments that it has already. */
export function fieldsOf(world: World, form: MessageForm, files: Files, kept: APIAttachment[], author: APIUser, channel: Channel) {
  const fields: Record<string, unknown> = {};
  if (form.content !== undefined) {
    fields.content = form.content ?? '';
    Object.assign(fields, mentionsIn(world, form.content ?? '', form.allowed_mentions, author, channel));
  }
  if (form.components !== undefined) fields.components = withIds(form.components ?? []);
  const named = form.attachments?.flatMap(({ id, description, duration_secs, waveform }) => {
    const attachment = files.attachments.get(String(id)) ?? kept.find((one) => one.id === String(id));
    const more = { ...(description && { description }), ...(duration_secs !== undefined && { duration_secs, waveform }) };
    return attachment ? [{ ...attachment, ...more }] : [];
  });
  const unnamed = [...files.attachments].filter(([index]) => !form.attachments?.some(({ id }) => String(id) === index));
  if (named || unnamed.length > 0) fields.attachments = [...(named ?? kept), ...unnamed.map(([, attachment]) => attachment)];
  if (form.embeds !== undefined) {
    const all = (fields.attachments ?? kept) as APIAttachment[];
    fields.embeds = (form.embeds ?? []).map((embed) => resolveAttachments({ type: 'rich', ...embed }, all));
  }
  return fields;
}

/** PATCH of a message; what is not named stays. @throws DiscordProblem */
export function changeMessage(world: World, message: Message, form: MessageForm, files: Files): Message {
  const wasThinking = ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
  checkMessage(form, files.attachments.size, wasThinking ? null : message);
  const channel = world.channels.get(message.channel_id) as Channel;
  Object.assign(message, fieldsOf(world, form, files, message.attachments, message.author, channel), {
    flags: ((message.flags ?? 0) & ~MessageFlags.Loading) | ((form.flags ?? 0) & MessageFlags.SuppressEmbeds),
    ...(wasThinking ? {} : { edited_timestamp: new Date().toISOString() }),
  });
  tellMessage(world, 'MESSAGE_UPDATE', message);
  return message;
}

/** Whom a text pings: what it names, as far as `allowed_mentions` lets it. */
export function mentionsIn(world: World, content: string, allowed: Form | undefined, author: APIUser, channel: Channel) {
  const { users } = world;
  const roles = guildOf(world, channel)?.roles ?? [];
  const named = (pattern: RegExp) => [...new Set([...content.matchAll(pattern)].map(([, id]) => id as string))];
  const lets = (kind: 'users' | 'roles', id: string) =>
    !allowed || allowed.parse?.includes(kind) === true || allowed[kind]?.includes(id) === true;
  const everyone = !allowed || allowed.parse?.includes('everyone') === true;
  return {
    mentions: named(/<@!?(\d+)>/g).flatMap((id) => (lets('users', id) ? (users.get(id) ?? []) : [])),
    mention_roles: named(/<@&(\d+)>/g).filter((id) => lets('roles', id) && roles.some((role) => role.id === id)),
    mention_everyone: everyone && /@(everyone|here)\b/.test(content) && may(world, author.id, channel, PermissionFlagsBits.MentionEveryone),
  };
}

/** `attachment://name` becomes the address of that attachment. */
function resolveAttachments(embed: Form, attachments: APIAttachment[]): Form {
  const text = JSON.stringify(embed, (_, value) => {
    const name = typeof value === 'string' && /^attachment:\/\/(.+)$/.exec(value)?.[1];
    return name ? (attachments.find(({ filename }) => filename === name)?.url ?? value) : value;
  });
  return JSON.parse(text);
}

/** Discord numbers the components of a message. */
function withIds(rows: Form[]): Form[] {
  let next = 0;
  const number = (component: Form): Form => ({
    ...component,
    id: component.id || ++next,
    ...(component.components ? { components: component.components.map(number) } : {}),
  });
  return rows.map(number);
}
