// What the member is about to send: text and files, or a command with its options. And the list that helps with it.
import { type APIApplicationCommandOptionChoice, ApplicationCommandOptionType } from 'discord-api-types/v10';
import { type Field, fixedChoices, isEmpty, listSlashCommands, matchCommands, readField, type SlashCommand } from './command-form.ts';
import { call, uploadFile } from './connection.ts';
import { expectAnswer } from './events.ts';
import type { List } from './listbox.ts';
import { matchPicks, picksForOption } from './picks.ts';
import type { FilledOption } from './protocol.ts';
import { scrollToEnd } from './scroll.ts';
import { afterDraw, notify, notifyError, state, update } from './state.ts';

export interface CommandDraft {
  command: SlashCommand;
  /** Options on show, in order; the others can be added. */
  fields: Field[];
}

export interface Draft {
  text: string;
  files: File[];
  command: CommandDraft | undefined;
  list: List | undefined;
  sending: boolean;
}

export const draft: Draft = { text: '', files: [], command: undefined, list: undefined, sending: false };

const autocompleteDelayMs = 150;
const mostFiles = 10;
let autocompleteTimer: ReturnType<typeof setTimeout> | undefined;
let autocompleteRound = 0;

/** The member typed in the message box. */
export function typeText(text: string): void {
  update(() => {
    draft.text = text;
    const slash = /^\/(\S*)( ?)/.exec(text);
    draft.list = slash && !text.includes('\n') && slash[2] === '' ? commandList(slash[1] ?? '') : undefined;
    const named = slash?.[2] ? listSlashCommands(state.commands).find((command) => command.title === slash[1]) : undefined;
    if (named) startCommand(named, text.slice(named.title.length + 2));
  });
}

function commandList(typed: string): List {
  const all = listSlashCommands(state.commands);
  const items = matchCommands(all, typed).map((command) => ({
    label: `/${command.title}`,
    detail: command.description,
    aside: command.options
      .filter((option) => option.required)
      .map((option) => option.name)
      .join(', '),
    pick: () => update(() => startCommand(command, '')),
  }));
  const note =
    all.length === 0 ? 'No application has registered commands yet.' : items.length === 0 ? 'No command has this name.' : undefined;
  return { id: 'command-list', title: 'Commands', items, active: 0, note };
}

/** Opens a command's options. `rest` goes into the first of them. */
export function startCommand(command: SlashCommand, rest: string): void {
  const fields: Field[] = command.options.filter((option) => option.required).map((option) => ({ option, text: '' }));
  const first = command.options[0];
  if (fields.length === 0 && rest.trim() && first) fields.push({ option: first, text: '' });
  if (fields[0] && rest.trim() && fields[0].option.type === ApplicationCommandOptionType.String) fields[0].text = rest.trimStart();
  draft.text = '';
  draft.command = { command, fields };
  draft.list = undefined;
  afterDraw(() => focusField(fields[0]));
}

/** Goes back from a command to the message box. */
export function leaveCommand(text = ''): void {
  update(() => {
    draft.command = undefined;
    draft.list = undefined;
    draft.text = text;
  });
  afterDraw(() => document.getElementById('composer-text')?.focus());
}

/** Options of the open command that are not on show yet. */
export function missingOptions(): SlashCommand['options'] {
  const shown = new Set(draft.command?.fields.map((field) => field.option.name));
  return draft.command?.command.options.filter((option) => !shown.has(option.name)) ?? [];
}

/** Lists the options that can be added. `active` −1 leaves Enter to send the command. */
export function openOptionList(active = 0): void {
  update(() => {
    draft.list = {
      id: 'option-list',
      title: 'Options',
      active,
      items: missingOptions().map((option) => ({ label: option.name, detail: option.description, pick: () => addOption(option.name) })),
    };
  });
}

function addOption(name: string): void {
  const option = missingOptions().find((candidate) => candidate.name === name);
  if (!option || !draft.command) return;
  const field: Field = { option, text: '' };
  update(() => {
    draft.command?.fields.push(field);
    draft.list = undefined;
  });
  afterDraw(() => focusField(field));
}

export function removeField(field: Field): void {
  const { command } = draft;
  if (!command) return;
  const at = command.fields.indexOf(field);
  update(() => {
    command.fields.splice(at, 1);
    draft.list = undefined;
  });
  afterDraw(() =>
    command.fields.length ? focusField(command.fields[Math.max(0, at - 1)]) : document.getElementById('add-option')?.focus(),
  );
}

export function fieldId(field: Field): string {
  return `option-${field.option.name}`;
}

function focusField(field: Field | undefined): void {
  document.getElementById(field ? fieldId(field) : 'add-option')?.focus();
}

/** The member typed into an option, or came to it. */
export function typeInField(field: Field, text = field.text): void {
  update(() => {
    if (text !== field.text) {
      field.text = text;
      field.chosen = undefined;
      field.problem = undefined;
    }
    draft.list = choiceList(field);
  });
  if ('autocomplete' in field.option && field.option.autocomplete) askForChoices(field);
}

function choiceList(field: Field): List | undefined {
  const { option } = field;
  const picks =
    fixedChoices(option)?.map(({ name, value }) => ({ label: name, value, detail: undefined })) ??
    picksForOption(option.type, 'channel_types' in option ? option.channel_types : undefined);
  const base = { id: 'choice-list', title: option.name, active: 0 };
  if (picks) {
    const matching = matchPicks<{ label: string; value: string | number | boolean; detail?: string | undefined }>(
      picks,
      field.chosen === undefined ? field.text : '',
    );
    const items = matching.map(({ label, value, detail }) => ({
      label,
      detail,
      chosen: value === field.chosen,
      pick: () => choose(field, label, value),
    }));
    return { ...base, items, note: items.length ? undefined : 'Nothing matches.' };
  }
  if (!('autocomplete' in option) || !option.autocomplete) return undefined;
  // Until the application answers, what is left of its last suggestions.
  const last = draft.list?.id === base.id && draft.list.title === option.name ? draft.list.items : [];
  return { ...base, items: matchPicks(last, field.text), note: 'Looking…' };
}

/** Asks the application, once the member pauses; an answer to older words is thrown away. */
function askForChoices(field: Field): void {
  clearTimeout(autocompleteTimer);
  const round = ++autocompleteRound;
  autocompleteTimer = setTimeout(() => {
    const { command } = draft;
    if (!command) return;
    call('autocomplete', { channel_id: state.channelId, command_id: command.command.id, options: readableOptions(field) }).then(
      (choices) => showChoices(field, round, choices),
      () => showChoices(field, round, [], 'The application gave no suggestions. You can type on and send.'),
    );
  }, autocompleteDelayMs);
}

/** Every option with what it holds so far; the one being typed in goes as it stands. */
function readableOptions(focused: Field): FilledOption[] {
  return (draft.command?.fields ?? []).flatMap((field): FilledOption[] => {
    const { name, type } = field.option;
    if (field === focused) return [{ name, type, value: field.chosen === undefined ? field.text : String(field.chosen), focused: true }];
    const read = readField(field);
    return read && 'value' in read && type !== ApplicationCommandOptionType.Attachment ? [{ name, type, value: read.value }] : [];
  });
}

function showChoices(field: Field, round: number, choices: APIApplicationCommandOptionChoice[], note?: string): void {
  if (round !== autocompleteRound || document.activeElement?.id !== fieldId(field)) return;
  update(() => {
    const items = choices.map(({ name, value }) => ({
      label: name,
      chosen: value === field.chosen,
      pick: () => choose(field, name, value),
    }));
    draft.list = {
      id: 'choice-list',
      title: field.option.name,
      active: field.text ? 0 : -1,
      items,
      note: note ?? (items.length ? undefined : 'No suggestions. You can type on and send.'),
    };
  });
}

/** Takes a choice, then goes on to the next option that is still empty. */
function choose(field: Field, label: string, value: string | number | boolean): void {
  clearTimeout(autocompleteTimer);
  autocompleteRound++;
  update(() => {
    field.text = label;
    field.chosen = value;
    field.problem = undefined;
    draft.list = undefined;
  });
  const next = draft.command?.fields.find((other) => other !== field && other.option.required && isEmpty(other));
  afterDraw(() => {
    if (next) focusField(next);
    else closeList();
  });
}

export function closeList(): void {
  clearTimeout(autocompleteTimer);
  autocompleteRound++;
  if (draft.list)
    update(() => {
      draft.list = undefined;
    });
}

export function addFiles(files: Iterable<File>): void {
  const field = draft.command?.fields.find((candidate) => candidate.option.type === ApplicationCommandOptionType.Attachment);
  const [first] = files;
  update(() => {
    if (field && first) {
      field.file = first;
      field.problem = undefined;
    } else draft.files = [...draft.files, ...files].slice(0, mostFiles);
  });
}

/** Sends the message with its files. */
export async function sendMessage(): Promise<void> {
  const content = draft.text.trim();
  if (draft.sending || (content === '' && draft.files.length === 0)) return;
  update(() => {
    draft.sending = true;
  });
  try {
    const uploads = await Promise.all(draft.files.map(uploadFile));
    await call('send_message', {
      channel_id: state.channelId,
      ...(content && { content }),
      ...(uploads.length && { uploads: uploads.map(({ id }) => id) }),
    });
    update(() => {
      draft.text = '';
      draft.files = [];
      draft.list = undefined;
    });
    notify(undefined);
    scrollToEnd();
  } catch (error) {
    notifyError(error);
  } finally {
    update(() => {
      draft.sending = false;
    });
    afterDraw(() => document.getElementById('composer-text')?.focus());
  }
}

/** Sends the command, or shows what is still wrong with it. */
export async function sendCommand(): Promise<void> {
  const { command: open, sending } = draft;
  if (!open || sending) return;
  const read = open.fields.map((field) => ({ field, result: readField(field) }));
  const wrong = read.find(({ result }) => result && 'problem' in result);
  if (wrong?.result && 'problem' in wrong.result) {
    const { problem } = wrong.result;
    update(() => {
      wrong.field.problem = problem;
    });
    afterDraw(() => focusField(wrong.field));
    return;
  }
  update(() => {
    draft.sending = true;
    draft.list = undefined;
  });
  const answer = expectAnswer({ channel_id: state.channelId, label: `/${open.command.title}` });
  try {
    const options: FilledOption[] = [];
    for (const { field, result } of read) {
      if (!result || !('value' in result)) continue;
      const value = field.file ? (await uploadFile(field.file)).id : result.value;
      options.push({ name: field.option.name, type: field.option.type, value });
    }
    const { interaction_id } = await call('run_command', { channel_id: state.channelId, command_id: open.command.id, options });
    answer.sent(interaction_id);
    scrollToEnd();
    leaveCommand();
  } catch (error) {
    answer.failed((error as Error).message);
  } finally {
    update(() => {
      draft.sending = false;
    });
  }
}
