// What a member does with buttons, menus and forms, checked as Discord's own clients do before they send it.
import { ComponentType } from 'discord-api-types/v10';
import type { Form } from './problems.ts';
import { type Channel, guildOf, type Message, type World } from './world.ts';

const SELECTS: number[] = [
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
];

/** Data of an interaction of type 3. @throws Error with a sentence for the member. */
export function readClick(world: World, channel: Channel, source: Message, customId: string, type: number, values: string[] = []): object {
  const rows = (source.components ?? []) as Form[];
  const component: Form | undefined = rows
    .flatMap((row) => row.components ?? [])
    .find((one) => one.custom_id === customId && one.type === type);
  if (!component) throw new Error('There is no such button or menu on this message.');
  if (component.disabled) throw new Error('This button or menu is disabled.');
  const data = { custom_id: customId, component_type: type, id: component.id };
  if (!SELECTS.includes(type)) return data;
  const { min_values: least = 1, max_values: most = 1, options } = component;
  if (values.length < least || values.length > most) throw new Error(`Choose ${least === most ? least : `${least} to ${most}`}.`);
  if (type === ComponentType.StringSelect) {
    if (!values.every((value) => options.some((option: Form) => option.value === value))) throw new Error('This menu has no such choice.');
    return { ...data, values };
  }
  return { ...data, values, resolved: resolve(world, channel, type, values) };
}

/** What the ids in a menu's values stand for. */
function resolve(world: World, place: Channel, type: number, values: string[]): object {
  const { users } = world;
  const guild = guildOf(world, place);
  const pick = <T>(of: (id: string) => T | undefined) =>
    Object.fromEntries(values.flatMap((id) => (of(id) === undefined ? [] : [[id, of(id)]])));
  const pickUsers = () => ({
    users: pick((id) => users.get(id)),
    members: pick((id) => {
      const { user: _, ...member } = guild?.members.get(id) ?? {};
      return guild?.members.has(id) ? member : undefined;
    }),
  });
  const pickRoles = () => ({ roles: pick((id) => guild?.roles.find((role) => role.id === id)) });
  if (type === ComponentType.UserSelect) return pickUsers();
  if (type === ComponentType.RoleSelect) return pickRoles();
  if (type === ComponentType.MentionableSelect) return { ...pickUsers(), ...pickRoles() };
  return {
    channels: pick((id) => {
      const channel = guild?.channels.get(id);
      return channel && { id, name: channel.name, type: channel.type, permissions: '0' };
    }),
  };
}

/** Data of an interaction of type 5: the fields in the shape of the form. @throws Error with a sentence for the member. */
export function readModal(form: Form, customId: string, fields: { custom_id: string; value: string }[]): object {
  if (form.custom_id !== customId) throw new Error('This form is no longer open.');
  const fill = (input: Form): object => {
    const value = fields.find((field) => field.custom_id === input.custom_id)?.value ?? '';
    const { type, id, custom_id, label = 'The field', required = true, min_length = 0, max_length = 4000, options } = input;
    if (value === '' && required) throw new Error(`“${label}” is required.`);
    if (type !== ComponentType.TextInput) {
      if (options && value !== '' && !options.some((option: Form) => option.value === value))
        throw new Error('This menu has no such choice.');
      return { type, id, custom_id, values: value === '' ? [] : [value] };
    }
    const isTooShort = value.length < min_length && (required || value !== '');
    if (isTooShort || value.length > max_length) throw new Error(`“${label}” takes ${min_length} to ${max_length} characters.`);
    return { type, id, custom_id, value };
  };
  const rows: Form[] = form.components;
  const components = rows.flatMap((row): object[] => {
    if (row.component) return [{ type: row.type, id: row.id, component: fill({ label: row.label, ...row.component }) }];
    return row.components ? [{ type: row.type, id: row.id, components: row.components.map(fill) }] : [];
  });
  return { custom_id: customId, components };
}
