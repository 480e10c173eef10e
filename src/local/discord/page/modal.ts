// The form an application opens: text fields with their limits, sent on or called off.

import { type APITextInputComponent, ComponentType, TextInputStyle } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { call } from './connection.ts';
import { expectAnswer } from './events.ts';
import { closeIcon } from './icons.ts';
import { markdownView } from './markdown-view.ts';
import { afterDraw, type OpenModal, state, update } from './state.ts';

interface Field {
  label: string;
  description: string | undefined;
  input: APITextInputComponent;
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
    afterDraw(() => {
      const dialog = document.querySelector<HTMLDialogElement>('dialog.modal');
      if (!dialog?.open) dialog?.showModal();
      dialog?.querySelector<HTMLElement>('input, textarea')?.focus();
    });
  }
  return html`<dialog class="modal" aria-labelledby="modal-title" @cancel=${close} @close=${close}>
    <form @submit=${(event: SubmitEvent) => void submit(event, modal)} novalidate>
      <header><h2 id="modal-title">${modal.title}</h2><button type="button" class="quiet-button" aria-label="Close" @click=${close}>${closeIcon()}</button></header>
      <div class="modal-body">
        ${modal.components.map((component) => (component.type === ComponentType.TextDisplay ? html`<p>${markdownView(component.content)}</p>` : nothing))}
        ${fieldsOf(modal).map((field) => fieldView(modal, field))}
        ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      </div>
      <footer><button type="button" class="text-button" @click=${close}>Cancel</button><button class="filled-button" ?disabled=${sending}>${sending ? 'Sending…' : 'Submit'}</button></footer>
    </form>
  </dialog>`;
}

function fieldsOf(modal: OpenModal): Field[] {
  return modal.components.flatMap((component): Field[] => {
    if (component.type === ComponentType.ActionRow) {
      return component.components.map((input) => ({ label: input.label ?? input.custom_id, description: undefined, input }));
    }
    if (component.type === ComponentType.Label && component.component.type === ComponentType.TextInput) {
      return [{ label: component.label, description: component.description, input: component.component }];
    }
    return [];
  });
}

function fieldView(modal: OpenModal, { label, description, input }: Field): TemplateResult {
  const id = fieldId(modal, input);
  const required = input.required ?? true;
  const most = input.max_length ?? 4000;
  const common = html`${description ? html`<span class="muted">${description}</span>` : nothing}`;
  const count = html`<span class="field-count muted" id="${id}-count">${limits(input, most)}</span>`;
  const control =
    input.style === TextInputStyle.Paragraph
      ? html`<textarea id=${id} rows="4" maxlength=${most} placeholder=${input.placeholder ?? ''} ?required=${required} aria-describedby="${id}-count" .defaultValue=${input.value ?? ''}></textarea>`
      : html`<input id=${id} type="text" maxlength=${most} placeholder=${input.placeholder ?? ''} ?required=${required} aria-describedby="${id}-count" .defaultValue=${input.value ?? ''} autocomplete="off">`;
  return html`<div class="field"><label for=${id}>${label}${required ? html` <span class="required" aria-hidden="true">*</span>` : nothing}</label>${common}${control}${count}</div>`;
}

function limits(input: APITextInputComponent, most: number): string {
  return input.min_length ? `${input.min_length} to ${most} characters` : `up to ${most} characters`;
}

function fieldId(modal: OpenModal, input: APITextInputComponent): string {
  return `field-${modal.interaction_id}-${fieldIndex(modal, input)}`;
}

function fieldIndex(modal: OpenModal, input: APITextInputComponent): number {
  return fieldsOf(modal).findIndex((field) => field.input.custom_id === input.custom_id);
}

async function submit(event: SubmitEvent, modal: OpenModal): Promise<void> {
  event.preventDefault();
  if (sending) return;
  const values = fieldsOf(modal).map((field) => {
    const control = document.getElementById(fieldId(modal, field.input)) as HTMLInputElement | HTMLTextAreaElement;
    return { ...field, control, value: control.value };
  });
  const wrong = values.find(({ input, value }) => problemOf(input, value));
  if (wrong) {
    update(() => {
      problem = `${wrong.label}: ${problemOf(wrong.input, wrong.value)}`;
    });
    wrong.control.focus();
    return;
  }
  update(() => {
    problem = '';
    sending = true;
  });
  const answer = expectAnswer({ channel_id: modal.channel_id, label: modal.title });
  try {
    const { interaction_id } = await call('submit_modal', {
      channel_id: modal.channel_id,
      interaction_id: modal.interaction_id,
      custom_id: modal.custom_id,
      fields: values.map(({ input, value }) => ({ custom_id: input.custom_id, value })),
    });
    answer.sent(interaction_id);
    close();
  } catch (error) {
    const { message } = error as Error;
    answer.forget();
    update(() => {
      problem = message;
      sending = false;
    });
  }
}

function problemOf(input: APITextInputComponent, value: string): string {
  if ((input.required ?? true) && value.trim() === '') return 'this field is needed.';
  if (value !== '' && value.length < (input.min_length ?? 0)) return `at least ${input.min_length} characters are needed.`;
  return '';
}

function close(): void {
  update(() => {
    state.modal = undefined;
  });
  afterDraw(() => document.getElementById('composer-text')?.focus());
}
