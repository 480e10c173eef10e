// What a member does with buttons, menus and forms, checked as Discord's own clients do before they send it.
import { ComponentType } from 'discord-api-types/v10';
import type { Form } from '../errors.ts';
import { SELECTS } from '../messages/validation.ts';
import { type Channel, guildOf, type Message, type World } from '../world/index.ts';
import { asResolvedMember } from '../world/payloads.ts';

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
  return { ...data, ...readChoices(world, channel, component, values) };
}

/** What was chosen in a menu. @throws Error with a sentence for the member. */
function readChoices(world: World, channel: Channel, menu: Form, values: string[]): { values: string[]; resolved?: Resolved } {
  const { type, min_values: least = 1, max_values: most = 1, options, channel_types: kinds } = menu;
  if (values.length < least || values.length > most) throw new Error(`Choose ${least === most ? least : `${least} to ${most}`}.`);
  const noSuchChoice = new Error('This menu has no such choice.');
  if (type === ComponentType.StringSelect) {
    if (!values.every((value) => options.some((option: Form) => option.value === value))) throw noSuchChoice;
    return { values };
  }
  const resolved = resolve(world, channel, type, values);
  const { users = {}, roles = {}, channels = {} } = resolved;
  if (!values.every((id) => users[id] || roles[id] || channels[id])) throw noSuchChoice;
  if (kinds?.length && !Object.values(channels).every((one) => kinds.includes((one as Form).type))) throw noSuchChoice;
  return { values, resolved };
}

type Resolved = Partial<Record<'users' | 'members' | 'roles' | 'channels', Record<string, unknown>>>;

/** What the ids in a menu's values stand for. */
function resolve(world: World, place: Channel, type: number, values: string[]): Resolved {
  const { users } = world;
  const guild = guildOf(world, place);
  const pick = <T>(of: (id: string) => T | undefined) =>
    Object.fromEntries(values.flatMap((id) => (of(id) === undefined ? [] : [[id, of(id)]])));
  const pickUsers = () => ({
    users: pick((id) => users.get(id)),
    members: pick((id) => (guild?.members.has(id) ? asResolvedMember(guild, id, place) : undefined)),
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

/** A field as a member left it: text, or what was chosen. */
export interface FilledField {
  custom_id: string;
  value?: string;
  values?: string[];
}

/** Data of an interaction of type 5: the fields in the shape of the form. @throws Error with a sentence for the member. */
export function readModal(world: World, channel: Channel, form: Form, customId: string, fields: FilledField[]): object {
  if (form.custom_id !== customId) throw new Error('This form is no longer open.');
  const resolved: Resolved = {};
  const fill = (field: Form): object => {
    const { type, id, custom_id, label = 'The field', required = true } = field;
    const filled = fields.find((one) => one.custom_id === custom_id);
    if (type === ComponentType.TextInput) return { type, id, custom_id, value: readText(field, filled?.value ?? '') };
    const values = filled?.values ?? (filled?.value ? [filled.value] : []);
    if (values.length === 0) {
      if (required) throw new Error(`“${label}” is required.`);
      return { type, id, custom_id, values };
    }
    const read = readChoices(world, channel, field, values);
    for (const [kind, found] of Object.entries(read.resolved ?? {}))
      resolved[kind as keyof Resolved] = { ...resolved[kind as keyof Resolved], ...found };
    return { type, id, custom_id, values };
  };
  const rows: Form[] = form.components;
  const components = rows.map((row): object => {
    if (row.component) return { type: row.type, id: row.id, component: fill({ label: row.label, ...row.component }) };
    return { type: row.type, id: row.id, ...(row.components && { components: row.components.map(fill) }) };
  });
  return { custom_id: customId, components, ...(Object.keys(resolved).length > 0 ? { resolved } : {}) };
}

function readText({ label = 'The field', required = true, min_length: least = 0, max_length: most = 4000 }: Form, value: string): string {
  if (value === '' && required) throw new Error(`“${label}” is required.`);
  const isTooShort = value.length < least && (required || value !== '');
  if (isTooShort || value.length > most) throw new Error(`“${label}” takes ${least} to ${most} characters.`);
  return value;
}
