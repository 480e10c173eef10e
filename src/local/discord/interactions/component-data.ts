// Builds the data of component and modal interactions. Refuses what Discord's own clients would not send.
// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-message-component-data-structure
import { ComponentType } from 'discord-api-types/v10';
import { flattenComponents } from '../messages/component-tree.ts';
import { SELECT_TYPES } from '../messages/component-validation.ts';
import type { Methods } from '../page/protocol.ts';
import type { JsonObject } from '../validator.ts';
import { serializeResolvedMember } from '../world/serialize.ts';
import { type Channel, guildOf, type Message, type World } from '../world/world.ts';
import type { CommandUse } from './command-data.ts';

/** A button press, or a choice from a select menu. @throws Error with a sentence for the member */
export function buildComponentData(
  world: World,
  channel: Channel,
  source: Message,
  customId: string,
  type: number,
  values: string[] = [],
): object {
  const component = flattenComponents(source.components).find((candidate) => candidate.custom_id === customId && candidate.type === type);
  if (!component) throw new Error('There is no such button or menu on this message.');
  if (component.disabled) throw new Error('This button or menu is disabled.');
  const data = { custom_id: customId, component_type: type, id: component.id };
  if (!SELECT_TYPES.includes(type)) return data;
  return { ...data, ...readChoices({ world, channel }, component, values) };
}

type ModalContext = Omit<CommandUse, 'userId'>;

/** The fields in the structure of the modal. @throws Error with a sentence for the member */
export function buildModalData(
  context: ModalContext,
  modal: JsonObject,
  customId: string,
  filled: Methods['submit_modal']['params']['fields'],
): object {
  if (modal.custom_id !== customId) throw new Error('This form is no longer open.');
  const resolved: Resolved = {};
  const readField = (field: JsonObject): object => {
    const { type, id, custom_id, label = 'The field', required = true } = field;
    const answer = filled.find((candidate) => candidate.custom_id === custom_id);
    if (type === ComponentType.TextInput) return { type, id, custom_id, value: readText(field, answer?.value ?? '') };
    const values = answer?.values ?? (answer?.value ? [answer.value] : []);
    if (values.length === 0) {
      if (required) throw new Error(`“${label}” is required.`);
      return { type, id, custom_id, values };
    }
    const choices = type === ComponentType.FileUpload ? readFiles(context, field, values) : readChoices(context, field, values);
    for (const [kind, objects] of Object.entries(choices.resolved ?? {}) as [keyof Resolved, Resolved[keyof Resolved]][])
      resolved[kind] = { ...resolved[kind], ...objects };
    return { type, id, custom_id, values };
  };
  const rows: JsonObject[] = modal.components;
  const components = rows.map((row): object => {
    if (row.component) return { type: row.type, id: row.id, component: readField({ label: row.label, ...row.component }) };
    return { type: row.type, id: row.id, ...(row.components && { components: row.components.map(readField) }) };
  });
  return { custom_id: customId, components, ...(Object.keys(resolved).length > 0 && { resolved }) };
}

/** @throws Error with a sentence for the member */
function readFiles({ findUpload }: ModalContext, field: JsonObject, ids: string[]): Choices {
  const { min_values: min = 1, max_values: max = 1, label } = field;
  if (ids.length < min || ids.length > max) throw new Error(`“${label}” takes ${min === max ? min : `${min} to ${max}`} files.`);
  const attachments = ids.map((id) => {
    const attachment = findUpload(id);
    if (!attachment) throw new Error('The file is gone: upload it again.');
    return [id, { ...attachment, ephemeral: true }];
  });
  return { values: ids, resolved: { attachments: Object.fromEntries(attachments) } };
}

function readText(
  { label = 'The field', required = true, min_length: min = 0, max_length: max = 4000 }: JsonObject,
  value: string,
): string {
  if (value === '' && required) throw new Error(`“${label}” is required.`);
  const isTooShort = value.length < min && (required || value !== '');
  if (isTooShort || value.length > max) throw new Error(`“${label}” takes ${min} to ${max} characters.`);
  return value;
}

/** The objects that the ids in a field's values stand for, by kind and id. */
type Resolved = Partial<Record<'users' | 'members' | 'roles' | 'channels' | 'attachments', Record<string, unknown>>>;

interface Choices {
  values: string[];
  resolved?: Resolved;
}

/** @throws Error with a sentence for the member */
function readChoices({ world, channel }: Omit<ModalContext, 'findUpload'>, menu: JsonObject, values: string[]): Choices {
  const { type, min_values: min = 1, max_values: max = 1, options, channel_types: channelTypes } = menu;
  if (values.length < min || values.length > max) throw new Error(`Choose ${min === max ? min : `${min} to ${max}`}.`);
  const noSuchChoice = new Error('This menu has no such choice.');
  if (type === ComponentType.StringSelect) {
    if (!values.every((value) => options.some((option: JsonObject) => option.value === value))) throw noSuchChoice;
    return { values };
  }
  const resolved = resolveValues(world, channel, type, values);
  const { users = {}, roles = {}, channels = {} } = resolved;
  if (!values.every((id) => users[id] || roles[id] || channels[id])) throw noSuchChoice;
  const isAllowed = (chosen: unknown) => channelTypes.includes((chosen as JsonObject).type);
  if (channelTypes?.length && !Object.values(channels).every(isAllowed)) throw noSuchChoice;
  return { values, resolved };
}

function resolveValues(world: World, channel: Channel, type: number, values: string[]): Resolved {
  const guild = guildOf(world, channel);
  const lookUp = (find: (id: string) => unknown): Record<string, unknown> =>
    Object.fromEntries(values.map((id) => [id, find(id)]).filter(([, object]) => object !== undefined));
  const findUsers = () => ({
    users: lookUp((id) => world.users.get(id)),
    members: lookUp((id) => (guild?.members.has(id) ? serializeResolvedMember(guild, id, channel) : undefined)),
  });
  const findRoles = () => ({ roles: lookUp((id) => guild?.roles.find((role) => role.id === id)) });
  if (type === ComponentType.UserSelect) return findUsers();
  if (type === ComponentType.RoleSelect) return findRoles();
  if (type === ComponentType.MentionableSelect) return { ...findUsers(), ...findRoles() };
  return {
    channels: lookUp((id) => {
      const chosen = guild?.channels.get(id);
      return chosen && { id, name: chosen.name, type: chosen.type, permissions: '0' };
    }),
  };
}
