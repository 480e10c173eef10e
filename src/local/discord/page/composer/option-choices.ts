// The choices for an option: the application's fixed ones, members, roles and channels, or autocomplete suggestions.
import { type APIApplicationCommandOptionChoice, ApplicationCommandOptionType } from 'discord-api-types/v10';
import { call } from '../connection.ts';
import { filterByLabel, itemsForOption } from '../controls/guild-items.ts';
import type { List } from '../controls/listbox.ts';
import type { FilledOption } from '../protocol.ts';
import { afterRender, placeCursor, state, update } from '../state.ts';
import { draft, fieldId, focusField } from './draft.ts';
import { mentionList } from './mentions.ts';
import { type Field, fixedChoices, isEmpty, readField, shownName } from './slash-commands.ts';

const AUTOCOMPLETE_DELAY_MS = 150;

let autocompleteTimer: ReturnType<typeof setTimeout> | undefined;
/** Suggestions for an earlier round are ignored. */
let autocompleteRound = 0;

/** Handles input in an option, or its focus. `cursor`: in the text, if it is being typed. */
export function updateField(field: Field, text = field.text, cursor?: number): void {
  update(() => {
    if (text !== field.text) {
      field.text = text;
      field.chosen = undefined;
      field.problem = undefined;
    }
    draft.list = choiceList(field) ?? (cursor === undefined ? undefined : mentionList(text, cursor, (to, at) => placeText(field, to, at)));
  });
  if ('autocomplete' in field.option && field.option.autocomplete) requestAutocomplete(field);
}

function placeText(field: Field, text: string, cursor: number): void {
  updateField(field, text, cursor);
  placeCursor(fieldId(field), cursor);
}

function choiceList(field: Field): List | undefined {
  const { option } = field;
  const choices: { label: string; value: string | number | boolean; detail?: string | undefined }[] | undefined =
    fixedChoices(option)?.map((choice) => ({ label: shownName(choice), value: choice.value })) ??
    itemsForOption(option.type, 'channel_types' in option ? option.channel_types : undefined);
  const base = { id: 'choice-list', title: shownName(option), active: 0 };
  if (choices) {
    const items = filterByLabel(choices, field.chosen === undefined ? field.text : '').map(({ label, value, detail }) => ({
      label,
      detail,
      chosen: value === field.chosen,
      select: () => choose(field, label, value),
    }));
    return { ...base, items, note: items.length ? undefined : 'Nothing matches.' };
  }
  if (!('autocomplete' in option) || !option.autocomplete) return undefined;
  // Until the application responds, the previous suggestions that still match.
  const last = draft.list?.id === base.id && draft.list.title === base.title ? draft.list.items : [];
  return { ...base, active: activeFor(field), items: filterByLabel(last, field.text), note: 'Looking…' };
}

/** Asks the application once the member pauses. */
function requestAutocomplete(field: Field): void {
  clearTimeout(autocompleteTimer);
  const round = ++autocompleteRound;
  autocompleteTimer = setTimeout(() => {
    const { command } = draft;
    if (!command) return;
    call('autocomplete', { channel_id: state.channelId, command_id: command.command.id, options: readableOptions(field) }).then(
      (choices) => showChoices(field, round, choices),
      () => showChoices(field, round, [], 'The application gave no suggestions. You can keep typing and send.'),
    );
  }, AUTOCOMPLETE_DELAY_MS);
}

/** Every valid option, with the focused one as it stands. */
function readableOptions(focused: Field): FilledOption[] {
  const { path = [] } = draft.command?.command ?? {};
  const filled = (draft.command?.fields ?? []).flatMap((field): FilledOption[] => {
    const { name, type } = field.option;
    if (field === focused) return [{ name, type, value: field.chosen === undefined ? field.text : String(field.chosen), focused: true }];
    const read = readField(field);
    return read && 'value' in read && type !== ApplicationCommandOptionType.Attachment ? [{ name, type, value: read.value }] : [];
  });
  return [...path, ...filled];
}

function showChoices(field: Field, round: number, choices: APIApplicationCommandOptionChoice[], note?: string): void {
  if (round !== autocompleteRound || document.activeElement?.id !== fieldId(field)) return;
  update(() => {
    const items = choices.map((choice) => ({
      label: shownName(choice),
      chosen: choice.value === field.chosen,
      select: () => choose(field, shownName(choice), choice.value),
    }));
    // What the arrow keys have reached stays highlighted.
    const { active = -1, items: before = [] } = draft.list ?? {};
    const reached = active === activeFor(field) ? -1 : items.findIndex(({ label }) => label === before[active]?.label);
    draft.list = {
      id: 'choice-list',
      title: shownName(field.option),
      active: reached < 0 ? activeFor(field) : reached,
      items,
      note: note ?? (items.length ? undefined : 'No suggestions. You can keep typing and send.'),
    };
  });
}

/** If nothing is typed, suggestions are only shown, and Enter takes none of them. */
function activeFor({ text }: Field): number {
  return text ? 0 : -1;
}

/** Takes a choice, then moves to the next required option that is empty. */
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
  afterRender(() => {
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
