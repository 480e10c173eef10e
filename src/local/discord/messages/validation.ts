// Discord's limits on what a message, its embeds and its components may hold.
import { ButtonStyle, ComponentType, MessageFlags } from 'discord-api-types/v10';
import { createFormCheck, type Form, type FormCheck, problems } from '../errors.ts';

/** A message as an application sends it, before it is checked. */
export interface MessageForm {
  content?: string | null;
  embeds?: Record<string, unknown>[] | null;
  components?: Record<string, unknown>[] | null;
  attachments?: { id: string | number; filename?: string; description?: string; duration_secs?: number; waveform?: string }[] | null;
  flags?: number;
  allowed_mentions?: Form;
  message_reference?: unknown;
  nonce?: string | number;
}

/** Flags that an application may set on its own messages. */
const SETTABLE =
  MessageFlags.SuppressEmbeds |
  MessageFlags.Ephemeral |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsVoiceMessage |
  MessageFlags.IsComponentsV2;

/**
 * `files`: how many were uploaded beside it. `edited`: the message that it changes, whose other parts stay.
 * @throws DiscordProblem 50035 naming each fault, 50006 where nothing is in it, 50160-50162 for voice messages
 */
export function checkMessage(
  form: MessageForm,
  files: number,
  edited: { content: string; embeds: object[]; components?: object[]; attachments: object[] } | null = null,
): void {
  const check = createFormCheck();
  for (const name of ['embeds', 'components', 'attachments'] as const) check.list(name, form[name]);
  check.done();
  if (form.content != null) check.length('content', form.content, 0, 2000);
  if ((form.flags ?? 0) & ~SETTABLE) check.fault('flags', 'MESSAGE_FLAGS_INVALID', 'The flags cannot be set.');
  if (form.attachments && form.attachments.length > 10)
    check.fault('attachments', 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
  checkMentions(form.allowed_mentions, check);
  checkEmbeds(form.embeds ?? [], check);
  checkRows(form.components ?? [], check);
  check.done();
  const { content, embeds, components, attachments } = { ...edited, ...form };
  const hasSomething = [content, embeds, components, attachments].some((part) => part != null && part.length > 0);
  if (!hasSomething && files === 0) throw problems.emptyMessage();
  if ((form.flags ?? 0) & MessageFlags.IsVoiceMessage) checkVoiceMessage(form, files);
}

function checkVoiceMessage(form: MessageForm, files: number): void {
  if (form.content || form.embeds?.length || form.components?.length) throw problems.voiceMessageContent();
  if (files !== 1) throw problems.voiceMessageAttachment();
  const [attachment] = form.attachments ?? [];
  if (typeof attachment?.duration_secs !== 'number' || !attachment.waveform) throw problems.voiceMessageMetadata();
}

function checkMentions(allowed: Form | undefined, check: FormCheck): void {
  for (const kind of ['users', 'roles']) {
    if (allowed?.[kind]?.length > 100) check.fault(`allowed_mentions.${kind}`, 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.');
    if (allowed?.[kind]?.length > 0 && allowed?.parse?.includes(kind))
      check.fault(
        'allowed_mentions',
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse: ["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      );
  }
}

function checkEmbeds(embeds: Record<string, unknown>[], check: FormCheck): void {
  if (embeds.length > 10) check.fault('embeds', 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
  let sum = 0;
  const count = (path: string, text: unknown, most: number, required = false) => {
    if (text == null && !required) return;
    check.length(path, text, required ? 1 : 0, most);
    if (typeof text === 'string') sum += text.length;
  };
  embeds.forEach((embed, index) => {
    const at = `embeds.${index}`;
    count(`${at}.title`, embed.title, 256);
    count(`${at}.description`, embed.description, 4096);
    const { footer, author, fields, image, thumbnail, url } = embed as Form;
    if (footer) count(`${at}.footer.text`, footer.text, 2048, true);
    if (author) count(`${at}.author.name`, author.name, 256, true);
    for (const [name, address] of Object.entries({
      url,
      'image.url': image?.url,
      'thumbnail.url': thumbnail?.url,
      'footer.icon_url': footer?.icon_url,
      'author.icon_url': author?.icon_url,
      'author.url': author?.url,
    })) {
      if (address != null && !/^(https?|attachment):\/\/\S+$/.test(String(address)))
        check.fault(`${at}.${name}`, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
    }
    const all = check.list(`${at}.fields`, fields);
    if (all.length > 25) check.fault(`${at}.fields`, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
    all.forEach((field, place) => {
      count(`${at}.fields.${place}.name`, field.name, 256, true);
      count(`${at}.fields.${place}.value`, field.value, 1024, true);
    });
  });
  if (sum > 6000) check.fault('embeds', 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000');
}

function checkRows(rows: Form[], check: FormCheck): void {
  const ids = new Set<string>();
  if (rows.length > 5) check.fault('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  rows.forEach((row, index) => {
    const at = `components.${index}`;
    if (row.type !== ComponentType.ActionRow) {
      check.fault(`${at}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).');
      return;
    }
    const inner = check.list(`${at}.components`, row.components);
    const most = inner.some(({ type }) => type !== ComponentType.Button) ? 1 : 5;
    if (inner.length < 1 || inner.length > most)
      check.fault(`${at}.components`, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${most} in length.`);
    inner.forEach((component, place) => {
      const path = `${at}.components.${place}`;
      if (component.type === ComponentType.Button) checkButton(component, path, check);
      else checkSelect(component, path, check);
      if (component.custom_id === undefined) return;
      check.length(`${path}.custom_id`, component.custom_id, 1, 100);
      if (ids.has(component.custom_id))
        check.fault(`${path}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
      ids.add(component.custom_id);
    });
  });
}

function checkButton(button: Form, path: string, check: FormCheck): void {
  if (button.label != null) check.length(`${path}.label`, button.label, 0, 80);
  if (!button.label && !button.emoji) check.fault(path, 'BUTTON_COMPONENT_INVALID', 'A button needs a label or an emoji.');
  const isLink = button.style === ButtonStyle.Link;
  if (isLink === (button.custom_id !== undefined) || isLink !== (button.url !== undefined))
    check.fault(path, 'BUTTON_COMPONENT_INVALID', 'A link has a url and no custom_id; every other button the reverse.');
}

export const SELECTS: readonly number[] = [
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
];

/** Which kinds of `default_values` a menu takes. */
const DEFAULTS: Record<number, string[]> = {
  [ComponentType.UserSelect]: ['user'],
  [ComponentType.RoleSelect]: ['role'],
  [ComponentType.MentionableSelect]: ['user', 'role'],
  [ComponentType.ChannelSelect]: ['channel'],
};

export function checkSelect(select: Form, path: string, check: FormCheck): void {
  const { type, options, placeholder, min_values: least = 1, max_values: most = 1 } = select;
  if (!SELECTS.includes(type)) {
    check.fault(`${path}.type`, 'UNION_TYPE_CHOICES', 'Not a component that a message can hold.');
    return;
  }
  if (select.custom_id === undefined) check.fault(`${path}.custom_id`, 'BASE_TYPE_REQUIRED', 'This field is required');
  if (placeholder != null) check.length(`${path}.placeholder`, placeholder, 0, 150);
  if (least < 0 || most > 25 || least > most) check.fault(`${path}.max_values`, 'NUMBER_TYPE_MAX', 'Not a range within 0 and 25.');
  if (type !== ComponentType.StringSelect) {
    checkDefaults(select, path, check);
    return;
  }
  if (!Array.isArray(options) || options.length < 1 || options.length > 25) {
    check.fault(`${path}.options`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 25 in length.');
    return;
  }
  const values = new Set<unknown>();
  check.list(`${path}.options`, options).forEach((option, index) => {
    check.length(`${path}.options.${index}.label`, option.label, 1, 100);
    check.length(`${path}.options.${index}.value`, option.value, 1, 100);
    if (option.description != null) check.length(`${path}.options.${index}.description`, option.description, 0, 100);
    if (values.has(option.value))
      check.fault(
        `${path}.options.${index}.value`,
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      );
    values.add(option.value);
  });
  if (most > options.length)
    check.fault(
      `${path}.max_values`,
      'SELECT_COMPONENT_MAX_VALUES',
      `Must be less than or equal to the number of options (${options.length}).`,
    );
  if (options.filter((option) => option.default).length > most)
    check.fault(`${path}.options`, 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES', 'More options are chosen already than may be.');
}

function checkDefaults({ type, default_values, min_values: least = 1, max_values: most = 1 }: Form, path: string, check: FormCheck): void {
  const given = check.list(`${path}.default_values`, default_values);
  if (given.length > 0 && (given.length < least || given.length > most))
    check.fault(`${path}.default_values`, 'BASE_TYPE_BAD_LENGTH', `Must be between ${least} and ${most} in length.`);
  for (const [index, one] of given.entries()) {
    if (!DEFAULTS[type]?.includes(one.type))
      check.fault(`${path}.default_values.${index}.type`, 'BASE_TYPE_CHOICES', `Value must be one of {${DEFAULTS[type]?.join(', ')}}.`);
    if (!/^\d+$/.test(String(one.id))) check.fault(`${path}.default_values.${index}.id`, 'NUMBER_TYPE_COERCE', 'Not a snowflake.');
  }
}
