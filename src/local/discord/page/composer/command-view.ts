// A command being filled in: its name, a pill for each option, and a button to add optional ones.

import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { itemsForOption } from '../controls/guild-items.ts';
import { activeItemId, handleListKey } from '../controls/listbox.ts';
import { closeIcon, sendIcon } from '../icons.ts';
import { update } from '../state.ts';
import { checkFiles } from '../uploads.ts';
import { type CommandDraft, draft, fieldId, leaveCommand, openOptionList, removeField, unusedOptions } from './draft.ts';
import { closeList, updateField } from './option-choices.ts';
import { sendCommand } from './send.ts';
import { type Field, fixedChoices, shownDescription, shownName } from './slash-commands.ts';

const TYPE_NAMES: Partial<Record<ApplicationCommandOptionType, string>> = {
  [ApplicationCommandOptionType.Integer]: 'whole number',
  [ApplicationCommandOptionType.Number]: 'number',
  [ApplicationCommandOptionType.Boolean]: 'true or false',
  [ApplicationCommandOptionType.User]: 'member',
  [ApplicationCommandOptionType.Channel]: 'channel',
  [ApplicationCommandOptionType.Role]: 'role',
  [ApplicationCommandOptionType.Mentionable]: 'member or role',
  [ApplicationCommandOptionType.Attachment]: 'file',
};

let focused: Field | undefined;

export function commandView({ command, fields }: CommandDraft): TemplateResult {
  const current = focused && fields.includes(focused) ? focused : undefined;
  const more = unusedOptions().length;
  return html`<div class="command-help" id="command-help">
      ${
        current
          ? html`<b>${shownName(current.option)}</b> ${shownDescription(current.option)} <span class="muted">(${describeType(current)}, ${current.option.required ? 'needed' : 'optional'})</span>`
          : html`<b>/${command.title}</b> ${command.description}`
      }
      ${fields.map((field) => (field.problem ? html`<p class="problem" data-announce id="${fieldId(field)}-problem"><b>${shownName(field.option)}</b>: ${field.problem}</p>` : nothing))}
    </div>
    <div class="composer-box command" role="group" aria-label="Command ${command.title}">
      <span class="command-name">/${command.title}</span>
      <div class="pills">
        ${fields.map(pillView)}
        ${
          more
            ? html`<button type="button" id="add-option" class="pill add" aria-haspopup="listbox" aria-expanded=${draft.list?.id === 'option-list'} aria-controls=${draft.list?.id === 'option-list' ? 'option-list' : nothing}
                aria-activedescendant=${(draft.list?.id === 'option-list' && activeItemId(draft.list)) || nothing}
                @focus=${() => openAdd()} @click=${() => openAdd()} @keydown=${handleAddKey}>+${more} optional<span class="visually-hidden">: add an option</span></button>`
            : fields.length === 0
              ? html`<button type="button" id="add-option" class="pill add" @keydown=${handleAddKey} @click=${() => void sendCommand()}>Press Enter to send</button>`
              : nothing
        }
      </div>
      <button type="button" class="quiet-button" aria-label="Leave the command" title="Leave the command" @click=${() => leaveCommand()}>${closeIcon()}</button>
      <button type="button" class="quiet-button" aria-label="Send the command" title="Send the command" ?disabled=${draft.sending} @click=${() => void sendCommand()}>${sendIcon()}</button>
    </div>`;
}

function openAdd(): void {
  focused = undefined;
  if (draft.list?.id !== 'option-list') openOptionList();
}

function describeType({ option }: Field): string {
  return fixedChoices(option) && option.type !== ApplicationCommandOptionType.Boolean
    ? 'one of a list'
    : (TYPE_NAMES[option.type] ?? 'text');
}

function pillView(field: Field): TemplateResult {
  const { option } = field;
  return html`<span class="pill ${field.problem ? 'wrong' : ''}">
    <label for=${fieldId(field)}>${shownName(option)}</label>
    ${option.type === ApplicationCommandOptionType.Attachment ? fileFieldView(field) : textFieldView(field)}
    ${option.required ? nothing : html`<button type="button" class="pill-remove" tabindex="-1" aria-label="Remove ${shownName(option)}" @click=${() => removeField(field)}>${closeIcon()}</button>`}
  </span>`;
}

function textFieldView(field: Field): TemplateResult {
  const { option } = field;
  const listed = Boolean(fixedChoices(option) ?? itemsForOption(option.type) ?? ('autocomplete' in option && option.autocomplete));
  const open = draft.list?.id === 'choice-list' && draft.list.title === shownName(option);
  const naming = draft.list?.id === 'mention-list' && focused === field ? draft.list : undefined;
  const isNumber = option.type === ApplicationCommandOptionType.Integer || option.type === ApplicationCommandOptionType.Number;
  const describedBy = field.problem ? `${fieldId(field)}-problem` : 'command-help';
  const takeInput = (event: Event) => {
    const { value, selectionStart } = event.target as HTMLInputElement | HTMLTextAreaElement;
    updateField(field, value.replace(/[\r\n]+/g, ' '), selectionStart ?? undefined);
  };
  const takeKey = (event: KeyboardEvent) => handleFieldKey(event, field);
  if (!listed)
    return html`<textarea rows="1" id=${fieldId(field)} inputmode=${isNumber ? 'decimal' : 'text'} spellcheck=${isNumber ? 'false' : 'true'} autocomplete="off"
      aria-autocomplete="list" aria-controls=${naming?.id ?? nothing} aria-activedescendant=${activeItemId(naming) ?? nothing}
      aria-required=${option.required ?? false} aria-invalid=${Boolean(field.problem)} aria-describedby=${describedBy}
      .value=${field.text} @focus=${() => arrive(field)} @input=${takeInput} @keydown=${takeKey}></textarea>`;
  return html`<input type="text" id=${fieldId(field)} role="combobox" inputmode=${isNumber ? 'decimal' : 'text'} spellcheck="false" autocomplete="off"
    aria-autocomplete="list" aria-expanded=${open} aria-controls=${open ? 'choice-list' : nothing} aria-activedescendant=${(open && activeItemId(draft.list)) || nothing}
    aria-required=${option.required ?? false} aria-invalid=${Boolean(field.problem)} aria-describedby=${describedBy}
    .value=${field.text} @focus=${() => arrive(field)} @click=${() => draft.list || arrive(field)} @input=${takeInput} @keydown=${takeKey}>`;
}

/** What the file picker offers. */
function acceptedBy({ option }: Field): string {
  const types = ('file_types' in option && option.file_types) || [];
  return types.map((type) => (type.startsWith('.') ? type : `${type}/*`)).join(',');
}

function fileFieldView(field: Field): TemplateResult {
  return html`<span class="file-field"><span class="file-name">${field.file?.name ?? 'choose or drop a file'}</span>
    <input type="file" id=${fieldId(field)} accept=${acceptedBy(field)} aria-required=${field.option.required ?? false} aria-describedby="command-help"
      @focus=${() => arrive(field)} @keydown=${(event: KeyboardEvent) => handleFileKey(event, field)}
      @change=${(event: Event) => chooseFile(field, event.target as HTMLInputElement)}></span>`;
}

function chooseFile(field: Field, input: HTMLInputElement): void {
  const { files, problem } = checkFiles(input.files ?? []);
  if (problem) input.value = '';
  update(() => {
    [field.file] = files;
    field.problem = problem || undefined;
  });
}

function arrive(field: Field): void {
  focused = field;
  closeList();
  updateField(field);
}

function handleFieldKey(event: KeyboardEvent, field: Field): void {
  if (event.isComposing) return;
  const listOpen = draft.list?.id === 'choice-list' || draft.list?.id === 'mention-list';
  // Enter takes the highlighted item, and sends once one is chosen; Tab leaves an empty option empty.
  const isChosen = field.chosen !== undefined;
  const chosenStays = ((event.key === 'Enter' && isChosen) || (event.key === 'Tab' && (isChosen || field.text === ''))) && !usesArrows;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') usesArrows = listOpen;
  if (listOpen && !chosenStays && handleListKey(draft.list, event)) {
    if (event.key === 'Tab' || event.key === 'Enter') usesArrows = false;
    event.preventDefault();
    return;
  }
  if (event.key === 'Enter') {
    event.preventDefault();
    void sendCommand();
  } else if (event.key === 'Backspace' && field.text === '') {
    event.preventDefault();
    if (!field.option.required) removeField(field);
    else if (draft.command?.fields[0] === field) returnToText(draft.command);
  } else if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') usesArrows = false;
}

/** Whether arrow keys were used since the last letter: then Enter and Tab take the highlighted item. */
let usesArrows = false;

function handleFileKey(event: KeyboardEvent, field: Field): void {
  // Space and Enter open the browser's file chooser; once there is a file, Enter sends.
  if (event.key === 'Enter' && field.file) {
    event.preventDefault();
    void sendCommand();
  } else if ((event.key === 'Backspace' || event.key === 'Delete') && !field.option.required) removeField(field);
}

function handleAddKey(event: KeyboardEvent): void {
  if (handleListKey(draft.list, event)) event.preventDefault();
  else if (event.key === 'Enter') {
    event.preventDefault();
    void sendCommand();
  } else if (event.key === 'Backspace' && draft.command) {
    event.preventDefault();
    const last = draft.command.fields.at(-1);
    if (last) document.getElementById(fieldId(last))?.focus();
    else returnToText(draft.command);
  }
}

/** The command becomes text again, as if it were still being typed. */
function returnToText({ command, rest }: CommandDraft): void {
  leaveCommand(`/${[command.title, rest].filter(Boolean).join(' ')}`);
}
