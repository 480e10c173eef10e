// Discord's limits on messages and their embeds. https://docs.discord.com/developers/resources/message#create-message
import { MessageFlags } from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import { createValidator, type JsonObject, type Validator } from '../validator.ts';
import type { Message } from '../world/world.ts';
import { validateRows } from './component-validation.ts';
import { validateLayout } from './layout-validation.ts';
import { validatePoll } from './polls.ts';

/** A message as the application sends it, before validation. */
export interface MessageBody {
  content?: string | null;
  embeds?: Record<string, unknown>[] | null;
  components?: Record<string, unknown>[] | null;
  attachments?: { id: string | number; filename?: string; description?: string; duration_secs?: number; waveform?: string }[] | null;
  flags?: number;
  allowed_mentions?: JsonObject;
  message_reference?: unknown;
  nonce?: string | number;
  enforce_nonce?: boolean;
  poll?: JsonObject | null;
  sticker_ids?: unknown[] | null;
}

/** Flags that an application may set on its own messages. */
const SETTABLE_FLAGS =
  MessageFlags.SuppressEmbeds |
  MessageFlags.Ephemeral |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsVoiceMessage |
  MessageFlags.IsComponentsV2;

/**
 * `fileCount`: the files uploaded with it. `edited`: the message being edited, whose other fields stay.
 * @throws DiscordError 50035 for invalid fields, 50006 if the message is empty, 50160–50162 for voice messages
 */
export function validateMessage(body: MessageBody, fileCount: number, edited: Message | null = null): void {
  const validator = createValidator();
  for (const name of ['embeds', 'components', 'attachments'] as const) validator.checkList(name, body[name]);
  validator.throwIfInvalid();
  if (body.content != null) validator.checkLength('content', body.content, 0, 2000);
  if ((body.flags ?? 0) & ~SETTABLE_FLAGS) validator.addError('flags', 'MESSAGE_FLAGS_INVALID', 'The flags cannot be set.');
  if (body.attachments && body.attachments.length > 10)
    validator.addError('attachments', 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
  validateAllowedMentions(body.allowed_mentions, validator);
  validateEmbeds(body.embeds ?? [], validator);
  if (body.poll) validatePoll(body.poll, validator);
  const { content, embeds, components, attachments, poll, sticker_ids: stickers = edited?.sticker_items } = { ...edited, ...body };
  const flags = body.flags ?? edited?.flags ?? 0;
  const isLayout = (flags & MessageFlags.IsComponentsV2) !== 0;
  if (isLayout) validateLayout(body.components ?? [], validator);
  else validateRows(body.components ?? [], validator);
  if (isLayout) refuseLegacyFields({ ...edited, ...body }, validator);
  else if ((edited?.flags ?? 0) & MessageFlags.IsComponentsV2)
    validator.addError('flags', 'MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG', 'The IS_COMPONENTS_V2 flag cannot be removed');
  validator.throwIfInvalid();
  const shown = isLayout ? [components] : [content, embeds, components, attachments, stickers];
  const hasContent = shown.some((part) => part != null && part.length > 0) || (!isLayout && (fileCount > 0 || poll != null));
  if (!hasContent) throw discordErrors.emptyMessage();
  if ((body.flags ?? 0) & MessageFlags.IsVoiceMessage) validateVoiceMessage(body, fileCount);
}

/** With the flag IS_COMPONENTS_V2 a message has components only. An edit that sets it has to clear what the message had. */
function refuseLegacyFields(message: JsonObject, validator: Validator): void {
  for (const field of ['content', 'embeds', 'sticker_ids', 'poll']) {
    const value = message[field];
    if (value == null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    validator.addError(
      field,
      'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
      `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    );
  }
}

/** Discord's own apps record no more. */
const MAX_VOICE_MESSAGE_SECONDS = 20 * 60;
/** https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_WAVEFORM_BYTES = 256;

function validateVoiceMessage(body: MessageBody, fileCount: number): void {
  if (body.content || body.embeds?.length || body.components?.length) throw discordErrors.voiceMessageContent();
  if (fileCount !== 1) throw discordErrors.voiceMessageAttachment();
  const [attachment] = body.attachments ?? [];
  const { duration_secs: seconds, waveform = '' } = attachment ?? {};
  const isSound = typeof seconds === 'number' && seconds > 0 && seconds <= MAX_VOICE_MESSAGE_SECONDS;
  const isWaveform = /^[A-Za-z0-9+/]+={0,2}$/.test(waveform) && Buffer.from(waveform, 'base64').length <= MAX_WAVEFORM_BYTES;
  if (!isSound || !isWaveform) throw discordErrors.voiceMessageMetadata();
}

function validateAllowedMentions(allowed: JsonObject | undefined, validator: Validator): void {
  for (const kind of ['users', 'roles']) {
    if (allowed?.[kind]?.length > 100)
      validator.addError(`allowed_mentions.${kind}`, 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.');
    if (allowed?.[kind]?.length > 0 && allowed?.parse?.includes(kind))
      validator.addError(
        'allowed_mentions',
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse: ["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      );
  }
}

function validateEmbeds(embeds: Record<string, unknown>[], validator: Validator): void {
  if (embeds.length > 10) validator.addError('embeds', 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
  let characters = 0;
  const checkText = (path: string, text: unknown, max: number, required = false) => {
    if (text == null && !required) return;
    validator.checkLength(path, text, required ? 1 : 0, max);
    if (typeof text === 'string') characters += text.length;
  };
  embeds.forEach((embed, index) => {
    const at = `embeds.${index}`;
    checkText(`${at}.title`, embed.title, 256);
    checkText(`${at}.description`, embed.description, 4096);
    const { footer, author, fields, image, thumbnail, url } = embed as JsonObject;
    if (footer) checkText(`${at}.footer.text`, footer.text, 2048, true);
    if (author) checkText(`${at}.author.name`, author.name, 256, true);
    for (const [name, value] of Object.entries({
      url,
      'image.url': image?.url,
      'thumbnail.url': thumbnail?.url,
      'footer.icon_url': footer?.icon_url,
      'author.icon_url': author?.icon_url,
      'author.url': author?.url,
    })) {
      if (value != null && !/^(https?|attachment):\/\/\S+$/.test(String(value)))
        validator.addError(`${at}.${name}`, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
    }
    const checkedFields = validator.checkList(`${at}.fields`, fields);
    if (checkedFields.length > 25) validator.addError(`${at}.fields`, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
    checkedFields.forEach((field, fieldIndex) => {
      checkText(`${at}.fields.${fieldIndex}.name`, field.name, 256, true);
      checkText(`${at}.fields.${fieldIndex}.value`, field.value, 1024, true);
    });
  });
  if (characters > 6000) validator.addError('embeds', 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000');
}
