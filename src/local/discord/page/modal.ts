// The modal that an application opens: text inputs, select menus and file uploads, each with its label, to submit or cancel.

import {
  type APIFileUploadComponent,
  type APISelectMenuComponent,
  type APITextInputComponent,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { call } from './connection.ts';
import { dialogFrame, showDialog } from './controls/dialog.ts';
import './controls/file-field.ts';
import type { FileField } from './controls/file-field.ts';
import type { SelectMenu } from './controls/select-menu.ts';
import { trackInteraction } from './events.ts';
import { markdownView } from './messages/markdown-view.ts';
import type { Methods } from './protocol.ts';
import { focusBox, type OpenModal, state, update } from './state.ts';
import { uploadFile } from './uploads.ts';

interface Field {
  /** Id of the field's element. */
  id: string;
  label: string;
  description: string | undefined;
  input: APITextInputComponent | APISelectMenuComponent | APIFileUploadComponent;
}

let shown: OpenModal | undefined;
let problem = '';
let sending = false;

export function modalView(): TemplateResult | typeof nothing {
  const { modal } = state;
  if (!modal) {
    shown = undefined;
    return nothing;
  }
  if (modal !== shown) {
    shown = modal;
    problem = '';
    sending = false;
    showDialog();
  }
  const body = modal.components.map((_, row) => rowView(modal, row));
  return dialogFrame({
    title: modal.title,
    body,
    problem,
    sending,
    close,
    submitLabel: 'Submit',
    submit: (event) => void submit(event, modal),
  });
}

function rowView(modal: OpenModal, row: number) {
  const component = modal.components[row];
  if (component?.type === ComponentType.TextDisplay) return html`<div class="text-display">${markdownView(component.content)}</div>`;
  return fieldsOf(modal, row).map(fieldView);
}

/** The fields of one row: a label has one, an action row may have several. */
function fieldsOf(modal: OpenModal, row: number): Field[] {
  const component = modal.components[row];
  const id = `field-${modal.interaction_id}-${row}`;
  if (component?.type === ComponentType.ActionRow)
    return component.components.map((input, at) => ({
      id: `${id}-${at}`,
      label: input.label ?? input.custom_id,
      description: undefined,
      input,
    }));
  if (component?.type !== ComponentType.Label) return [];
  const { label, description, component: input } = component;
  // The local Discord refuses labels with anything else.
  return [{ id, label, description, input: input as Field['input'] }];
}

function isText(input: Field['input']): input is APITextInputComponent {
  return input.type === ComponentType.TextInput;
}

function isUpload(input: Field['input']): input is APIFileUploadComponent {
  return input.type === ComponentType.FileUpload;
}

function isRequired(input: Field['input']): boolean {
  return input.required ?? true;
}

function fieldView(field: Field): TemplateResult {
  const { id, label, description, input } = field;
  const star = isRequired(input) ? html` <span class="required" aria-hidden="true">*</span>` : nothing;
  const more = description ? html`<span class="muted" id="${id}-more">${description}</span>` : nothing;
  if (!isText(input))
    return html`<div class="field"><span class="field-label">${label}${star}</span>${more}${choiceView(field, input)}</div>`;
  return html`<div class="field"><label for=${id}>${label}${star}</label>${more}${textView(id, input)}
    <span class="field-count muted" id="${id}-count" role="status"></span></div>`;
}

function choiceView({ id, label, description }: Field, input: APISelectMenuComponent | APIFileUploadComponent): TemplateResult {
  const described = description && `${id}-more`;
  if (!isUpload(input)) return html`<select-menu id=${id} .menu=${input} .label=${label} .described=${described}></select-menu>`;
  return html`<file-field id=${id} .label=${label} .most=${input.max_values ?? 1} .required=${isRequired(input)} .described=${described}></file-field>`;
}

function textView(id: string, input: APITextInputComponent): TemplateResult {
  const most = input.max_length ?? 4000;
  const described = `${id}-more ${id}-count`;
  return input.style === TextInputStyle.Paragraph
    ? html`<textarea id=${id} @input=${countLeft} rows="4" maxlength=${most} placeholder=${input.placeholder ?? ''} ?required=${isRequired(input)} aria-describedby=${described} .defaultValue=${input.value ?? ''}></textarea>`
    : html`<input id=${id} @input=${countLeft} type="text" maxlength=${most} placeholder=${input.placeholder ?? ''} ?required=${isRequired(input)} aria-describedby=${described} .defaultValue=${input.value ?? ''} autocomplete="off">`;
}

/** As Discord does, only once it matters: most forms ask for less than a field takes. */
function countLeft({ currentTarget }: Event): void {
  const { id, value, maxLength } = currentTarget as HTMLInputElement | HTMLTextAreaElement;
  const left = maxLength - value.length;
  const count = document.getElementById(`${id}-count`);
  if (count) count.textContent = left <= maxLength / 5 ? `${left} ${left === 1 ? 'character' : 'characters'} left` : '';
}

/** What has been filled in: a text, or values, which for an upload are files. */
function read({ id, input }: Field): string | readonly (string | File)[] {
  const element = document.getElementById(id);
  if (isText(input)) return (element as HTMLInputElement | HTMLTextAreaElement).value;
  return isUpload(input) ? (element as FileField).files : (element as SelectMenu).values;
}

/** As `submit_modal` expects it; files are uploaded first. */
async function fill(field: Field): Promise<Methods['submit_modal']['params']['fields'][number]> {
  const filled = read(field);
  const { custom_id } = field.input;
  if (typeof filled === 'string') return { custom_id, value: filled };
  const values = filled.map(async (value) => (typeof value === 'string' ? value : (await uploadFile(value)).id));
  return { custom_id, values: await Promise.all(values) };
}

async function submit(event: SubmitEvent, modal: OpenModal): Promise<void> {
  event.preventDefault();
  if (sending) return;
  const fields = modal.components.flatMap((_, row) => fieldsOf(modal, row));
  const wrong = fields.find((field) => problemOf(field));
  if (wrong) {
    update(() => {
      problem = `${wrong.label}: ${problemOf(wrong)}`;
    });
    const element = document.getElementById(wrong.id);
    (element?.querySelector<HTMLElement>('.menu-button') ?? element)?.focus();
    return;
  }
  update(() => {
    problem = '';
    sending = true;
  });
  const interaction = trackInteraction({ channel_id: modal.channel_id, label: modal.title });
  try {
    const { interaction_id } = await call('submit_modal', {
      channel_id: modal.channel_id,
      interaction_id: modal.interaction_id,
      custom_id: modal.custom_id,
      fields: await Promise.all(fields.map(fill)),
    });
    interaction.sent(interaction_id);
    close();
  } catch (error) {
    const { message } = error as Error;
    interaction.forget();
    update(() => {
      problem = message;
      sending = false;
    });
  }
}

function problemOf(field: Field): string {
  const filled = read(field);
  const { input } = field;
  if (isText(input)) {
    if (isRequired(input) && String(filled).trim() === '') return 'this field is required.';
    return filled.length > 0 && filled.length < (input.min_length ?? 0) ? `at least ${input.min_length} characters are required.` : '';
  }
  const what = isUpload(input) ? 'file' : 'choice';
  if (filled.length === 0) return isRequired(input) ? `a ${what} is required.` : '';
  const least = input.min_values ?? 1;
  return filled.length < least ? `at least ${least} ${what}s are needed.` : '';
}

function close(): void {
  update(() => {
    state.modal = undefined;
  });
  focusBox();
}
