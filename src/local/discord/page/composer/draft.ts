// What the member is about to send: text and files, or a command with its options. Each channel has its own draft.
import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import type { List } from '../controls/listbox.ts';
import { afterRender, state, update } from '../state.ts';
import { type Field, listSlashCommands, matchCommands, type SlashCommand, shownDescription, shownName } from './slash-commands.ts';

export interface CommandDraft {
  command: SlashCommand;
  /** The options shown, in order; the others can be added. */
  fields: Field[];
}

/** Belongs to a channel, and is sent there even if another one is open by then. */
export interface Draft {
  readonly channelId: string;
  text: string;
  files: File[];
  command: CommandDraft | undefined;
  list: List | undefined;
  sending: boolean;
}

const drafts = new Map<string, Draft>();

/** The draft of the open channel. */
export let draft: Draft = draftOf('');

export function draftOf(channelId: string): Draft {
  const known = drafts.get(channelId);
  if (known) return known;
  const added: Draft = { channelId, text: '', files: [], command: undefined, list: undefined, sending: false };
  drafts.set(channelId, added);
  return added;
}

/** Keeps the draft of a deleted channel by moving it to another one. */
export function moveDraft(from: string, to: string): void {
  drafts.set(to, { ...draftOf(from), channelId: to });
  drafts.delete(from);
}

/** Switches to the draft of the channel that was opened. */
export function openDraft(channelId: string): void {
  draft.list = undefined;
  draft = draftOf(channelId);
}

const MAX_FILES = 10;

/** Handles input in the message box: a leading slash opens the list of commands. */
export function typeText(text: string): void {
  update(() => {
    draft.text = text;
    const typed = text.startsWith('/') && !text.includes('\n') ? text.slice(1) : undefined;
    draft.list = undefined;
    if (typed === undefined) return;
    const commands = listSlashCommands(state.commands);
    const named = commands.findLast(({ title }) => typed.startsWith(`${title} `));
    if (named) startCommand(named, typed.slice(named.title.length + 1));
    // With a space it may still be the name of a subcommand.
    else if (!typed.includes(' ') || commands.some(({ title }) => title.startsWith(typed))) draft.list = commandList(typed);
  });
}

function commandList(typed: string): List {
  const all = listSlashCommands(state.commands);
  const items = matchCommands(all, typed).map((command) => ({
    label: `/${command.title}`,
    detail: command.description,
    aside: command.options
      .filter((option) => option.required)
      .map(shownName)
      .join(', '),
    select: () => update(() => startCommand(command, '')),
  }));
  const note =
    all.length === 0 ? 'No application has registered commands yet.' : items.length === 0 ? 'No command has this name.' : undefined;
  return { id: 'command-list', title: 'Commands', items, active: 0, note };
}

/** Shows a command's options, with `rest` in the first of them. */
export function startCommand(command: SlashCommand, rest: string): void {
  const fields: Field[] = command.options.filter((option) => option.required).map((option) => ({ option, text: '' }));
  const first = command.options[0];
  if (fields.length === 0 && rest.trim() && first) fields.push({ option: first, text: '' });
  if (fields[0] && rest.trim() && fields[0].option.type === ApplicationCommandOptionType.String) fields[0].text = rest.trimStart();
  draft.text = '';
  draft.command = { command, fields };
  draft.list = undefined;
  afterRender(() => focusField(fields[0]));
}

/** Returns from a command to the message box. */
export function leaveCommand(text = '', left = draft): void {
  update(() => {
    left.command = undefined;
    left.list = undefined;
    left.text = text;
  });
  if (left !== draft) return;
  afterRender(() => document.getElementById('composer-text')?.focus());
}

/** Options of the open command that are not shown yet. */
export function unusedOptions(): SlashCommand['options'] {
  const shown = new Set(draft.command?.fields.map((field) => field.option.name));
  return draft.command?.command.options.filter((option) => !shown.has(option.name)) ?? [];
}

/** Lists the options that can be added. With `active` −1, Enter sends the command. */
export function openOptionList(active = 0): void {
  update(() => {
    draft.list = {
      id: 'option-list',
      title: 'Options',
      active,
      items: unusedOptions().map((option) => ({
        label: shownName(option),
        detail: shownDescription(option),
        select: () => addOption(option.name),
      })),
    };
  });
}

function addOption(name: string): void {
  const option = unusedOptions().find((candidate) => candidate.name === name);
  if (!option || !draft.command) return;
  const field: Field = { option, text: '' };
  update(() => {
    draft.command?.fields.push(field);
    draft.list = undefined;
  });
  afterRender(() => focusField(field));
}

export function removeField(field: Field): void {
  const { command } = draft;
  if (!command) return;
  const at = command.fields.indexOf(field);
  update(() => {
    command.fields.splice(at, 1);
    draft.list = undefined;
  });
  afterRender(() =>
    command.fields.length ? focusField(command.fields[Math.max(0, at - 1)]) : document.getElementById('add-option')?.focus(),
  );
}

export function fieldId(field: Field): string {
  return `option-${field.option.name}`;
}

export function focusField(field: Field | undefined): void {
  document.getElementById(field ? fieldId(field) : 'add-option')?.focus();
}

export function addFiles(files: Iterable<File>, to = draft): void {
  const field = to.command?.fields.find((candidate) => candidate.option.type === ApplicationCommandOptionType.Attachment);
  const [first] = files;
  update(() => {
    if (field && first) {
      field.file = first;
      field.problem = undefined;
    } else to.files = [...to.files, ...files].slice(0, MAX_FILES);
  });
}
