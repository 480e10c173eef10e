// Members and roles named after an `@`: completed as they are typed, and sent as Discord writes them.
import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { filterByLabel, itemsForOption } from '../controls/guild-items.ts';
import type { List } from '../controls/listbox.ts';
import { currentGuild } from '../state.ts';

/** An `@` that begins a word, and what follows it up to the cursor. Names may have spaces. */
const BEGUN = /(?<![^\s(])@([^@\n]{0,32})$/;
const MAX_ITEMS = 20;

interface Mentionable {
  /** Without the `@`; no two are the same. */
  label: string;
  detail: string;
  /** Such as `<@123>`. */
  sent: string;
}

/**
 * Those whose name begins with, or has, what stands after the `@` before the cursor; undefined if nothing is being named there.
 * @param put takes the text with the name completed, and where the cursor goes
 */
export function mentionList(text: string, cursor: number, put: (text: string, cursor: number) => void): List | undefined {
  const [mention, typed = ''] = BEGUN.exec(text.slice(0, cursor)) ?? [];
  if (mention === undefined) return undefined;
  const all = listMentionables();
  const isComplete = typed !== typed.trimEnd() && all.some(({ label }) => label === typed.trimEnd());
  const matching = isComplete ? [] : filterByLabel(all, typed).slice(0, MAX_ITEMS);
  if (matching.length === 0) return undefined;
  const before = text.slice(0, cursor - mention.length);
  const items = matching.map(({ label, detail }) => ({
    label: `@${label}`,
    detail,
    select: () => put(`${before}@${label} ${text.slice(cursor)}`, before.length + label.length + 2),
  }));
  return { id: 'mention-list', title: 'Members and roles', items, active: 0 };
}

/** Turns each `@name` into what is sent for it. */
export function encodeMentions(text: string): string {
  const all = new Map(listMentionables().map(({ label, sent }) => [label, sent]));
  const names = [...all.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  if (names.length === 0) return text;
  const named = new RegExp(`(?<![^\\s(])@(${names.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  return text.replace(named, (written, name: string) => all.get(name) ?? written);
}

/** The other way round, for a message that is edited. */
export function decodeMentions(text: string): string {
  const all = new Map(listMentionables().map(({ label, sent }) => [sent, label]));
  return text.replace(/<@&?\d+>/g, (sent) => (all.has(sent) ? `@${all.get(sent)}` : sent));
}

/** A member goes before a role of the same name, and by their username if another member has the name. */
function listMentionables(): Mentionable[] {
  const all = new Map<string, Mentionable>();
  for (const { value, label, detail = '' } of itemsForOption(ApplicationCommandOptionType.User) ?? []) {
    const name = all.has(label) ? detail : label;
    all.set(name, { label: name, detail, sent: `<@${value}>` });
  }
  for (const { value, label, detail = '' } of itemsForOption(ApplicationCommandOptionType.Role) ?? []) {
    const name = label.slice(1);
    const sent = value === currentGuild()?.id ? label : `<@&${value}>`;
    if (!all.has(name)) all.set(name, { label: name, detail, sent });
  }
  return [...all.values()];
}
