// What the member is about to send: text and files, or a command with its options. Each channel has its own draft.
import { type APIMessage, ApplicationCommandOptionType } from 'discord-api-types/v10';
import type { List } from '../controls/listbox.ts';
import { decodeEmoji } from '../emoji.ts';
import { afterRender, focusBox, placeCursor, showError, state, update } from '../state.ts';
import { checkFiles } from '../uploads.ts';
import { decodeMentions, mentionList } from './mentions.ts';
import {
  type Field,
  fixedChoices,
  listSlashCommands,
  matchCommands,
  type SlashCommand,
  shownDescription,
  shownName,
} from './slash-commands.ts';

export interface CommandDraft {
  command: SlashCommand;
  /** The options shown, in order; the others can be added. */
  fields: Field[];
  /** Words typed after the command that no option takes: they are the next message. */
  rest: string;
}

/** The message that is being answered or edited. */
export type Reference = { how: 'reply'; message: APIMessage; mentions: boolean } | { how: 'edit'; message: APIMessage };

/** Belongs to a channel, and is sent there even if another one is open by then. */
export interface Draft {
  readonly channelId: string;
  text: string;
  files: File[];
  command: CommandDraft | undefined;
  list: List | undefined;
  /** Whether its command is being sent. */
  sending: boolean;
  about: Reference | undefined;
}

const drafts = new Map<string, Draft>();

/** The draft of the open channel. */
export let draft: Draft = draftOf('');

export function draftOf(channelId: string): Draft {
  const known = drafts.get(channelId);
  if (known) return known;
  const added: Draft = { channelId, text: '', files: [], command: undefined, list: undefined, sending: false, about: undefined };
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

/** Answers or edits a message of the open channel. */
export function draftAbout(about: Reference): void {
  update(() => {
    draft.about = about;
    draft.command = undefined;
    if (about.how === 'edit') draft.text = decodeMentions(decodeEmoji(about.message.content));
  });
  focusBox();
}

/** Back to an ordinary message; what was to be edited stays as it is. */
export function leaveReference(): void {
  update(() => {
    if (draft.about?.how === 'edit') draft.text = '';
    draft.about = undefined;
  });
  focusBox();
}

const MAX_FILES = 10;

/** Handles input in the message box: a leading slash opens the list of commands, an `@` before the cursor that of members and roles. */
export function typeText(text: string, cursor = text.length): void {
  update(() => {
    draft.text = text;
    const typed = text.startsWith('/') && !text.includes('\n') ? text.slice(1) : undefined;
    draft.list = typed === undefined ? mentionList(text, cursor, placeText) : undefined;
    if (typed === undefined) return;
    const commands = listSlashCommands(state.commands);
    const named = commands.findLast(({ title }) => typed.startsWith(`${title} `));
    const rest = named ? typed.slice(named.title.length + 1) : '';
    // Without options there is no place for more words: they stay in the box until Enter.
    if (named?.options.length === 0) draft.list = commandList(named.title, rest);
    else if (named) startCommand(named, rest);
    // With a space it may still be the name of a subcommand.
    else if (!typed.includes(' ') || commands.some(({ title }) => title.startsWith(typed))) draft.list = commandList(typed);
  });
}

/** Lists the commands again if they have changed while the member looks for one. */
export function refreshCommandList(): void {
  if (draft.list?.id === 'command-list' && draft.text.startsWith('/')) typeText(draft.text);
}

/** Replaces the text of the message box, and puts the cursor there. */
export function placeText(text: string, cursor: number): void {
  typeText(text, cursor);
  placeCursor('composer-text', cursor);
}

/** Lists commands whose name or description has what was typed; the one that is taken is given `rest`. */
export function commandList(typed: string, rest = ''): List {
  const all = listSlashCommands(state.commands);
  const items = matchCommands(all, typed).map((command) => ({
    label: `/${command.title}`,
    detail: command.description,
    aside: command.options
      .filter((option) => option.required)
      .map(shownName)
      .join(', '),
    select: () => update(() => startCommand(command, rest)),
  }));
  const note =
    all.length === 0
      ? 'No application has registered commands yet.'
      : items.length === 0
        ? 'You can use no command of this name here.'
        : undefined;
  return { id: 'command-list', title: 'Commands', items, active: 0, note };
}

/** Shows a command's options, with `rest` in the first that takes words. */
function startCommand(command: SlashCommand, rest: string): void {
  const words = rest.trimStart();
  const taker = words ? command.options.find(takesWords) : undefined;
  const shown = command.options.filter((option) => option.required || option === taker);
  const fields: Field[] = shown.map((option) => ({ option, text: option === taker ? words : '' }));
  draft.text = '';
  draft.command = { command, fields, rest: taker ? '' : words };
  draft.list = undefined;
  afterRender(() => focusField(fields.find(({ option }) => option === taker) ?? fields[0]));
}

function takesWords(option: SlashCommand['options'][number]): boolean {
  return option.type === ApplicationCommandOptionType.String && !fixedChoices(option);
}

/** Makes room for letters typed while no option has the focus. Returns whether there is an option for them. */
export function addOptionForWords(): boolean {
  const option = unusedOptions().find(takesWords);
  if (option) addOption(option.name);
  return option !== undefined;
}

/** Opens a command with texts in its options, and the cursor in the first without. Returns whether it could be sent like this. */
export function fillCommand(command: SlashCommand, texts: Record<string, string> = {}): boolean {
  const shown = command.options.filter(({ name, required }) => required || name in texts);
  const fields: Field[] = shown.map((option) => ({ option, text: texts[option.name] ?? '' }));
  update(() => {
    draft.command = { command, fields, rest: draft.command?.rest ?? draft.text };
    draft.text = '';
    draft.list = undefined;
  });
  afterRender(() => focusField(fields.find(({ text }) => text === '')));
  return fields.every(({ option, text }) => !option.required || text !== '');
}

/** Opens a command from elsewhere on the page; if it isn't available here, the list of commands shows which are. */
export function openCommand(name: string): void {
  const command = listSlashCommands(state.commands).find((candidate) => candidate.name === name);
  if (command) fillCommand(command);
  else {
    typeText(`/${name}`);
    focusBox();
  }
}

/** Moves the focus to the message box, unless the member has gone on to something else meanwhile. */
export function returnToBox(): void {
  afterRender(() => {
    const at = document.activeElement;
    if (!at || at === document.body || at.closest('.composer')) document.getElementById('composer-text')?.focus();
  });
}

/** Returns from a command to the message box, with the words that no option took. */
export function leaveCommand(text?: string, left = draft): void {
  update(() => {
    left.text = text ?? left.command?.rest ?? '';
    left.command = undefined;
    left.list = undefined;
  });
  if (left === draft) returnToBox();
}

/** Options of the open command that are not shown yet. */
export function unusedOptions(): SlashCommand['options'] {
  const shown = new Set(draft.command?.fields.map((field) => field.option.name));
  return draft.command?.command.options.filter((option) => !shown.has(option.name)) ?? [];
}

/** Lists the options that can be added. None is active, so that Enter sends the command. */
export function openOptionList(): void {
  update(() => {
    draft.list = {
      id: 'option-list',
      title: 'Options',
      active: -1,
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

/** Adds the files that aren't too large to the message, or the first of them to a command that takes one. */
export function addFiles(chosen: Iterable<File>, to = draft): void {
  const field = to.command?.fields.find((candidate) => candidate.option.type === ApplicationCommandOptionType.Attachment);
  const { files, problem } = checkFiles(chosen);
  const [first] = files;
  update(() => {
    if (field) {
      field.file = first ?? field.file;
      field.problem = first ? undefined : problem;
    } else to.files = [...to.files, ...files].slice(0, MAX_FILES);
  });
  if (problem && !field) showError(problem);
}
