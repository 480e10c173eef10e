// A form on top of the page: its frame, and the page's own dialogs, such as the one for a nickname.
import { html, nothing, type TemplateResult } from 'lit';
import { closeIcon } from '../icons.ts';
import { afterRender, focusBox, update } from '../state.ts';

interface Frame {
  title: string;
  body: unknown;
  /** Why it could not be sent; may be empty. */
  problem: string;
  submitLabel: string;
  sending: boolean;
  close(): void;
  submit(event: SubmitEvent): void;
}

export function dialogFrame({ title, body, problem, submitLabel, sending, close, submit }: Frame): TemplateResult {
  return html`<dialog class="modal" aria-labelledby="modal-title" @cancel=${close} @close=${close}>
    <form @submit=${submit} novalidate>
      <header><h2 id="modal-title">${title}</h2><button type="button" class="quiet-button" aria-label="Close" @click=${close}>${closeIcon()}</button></header>
      <div class="modal-body">
        ${body}
        ${problem ? html`<p class="problem" data-announce>${problem}</p>` : nothing}
      </div>
      <footer><button type="button" class="text-button" @click=${close}>Cancel</button><button class="filled-button" ?disabled=${sending}>${sending ? 'Sending…' : submitLabel}</button></footer>
    </form>
  </dialog>`;
}

/** Call it once the frame is to be rendered for the first time. */
export function showDialog(): void {
  afterRender(() => {
    const dialog = document.querySelector<HTMLDialogElement>('dialog.modal');
    if (!dialog?.open) dialog?.showModal();
    dialog?.querySelector<HTMLElement>('.field input, .field textarea, .field .menu-button')?.focus();
  });
}

interface Dialog {
  title: string;
  body: TemplateResult;
  submitLabel: string;
  /** @throws Error with a sentence for the member; the dialog stays open then */
  send(form: FormData): Promise<unknown>;
}

let opened: Dialog | undefined;
let problem = '';
let sending = false;

export function openDialog(dialog: Dialog): void {
  update(() => {
    opened = dialog;
    problem = '';
    sending = false;
  });
  showDialog();
}

export function ownDialogView(): TemplateResult | typeof nothing {
  if (!opened) return nothing;
  const { title, body, submitLabel, send } = opened;
  return dialogFrame({ title, body, problem, submitLabel, sending, close, submit: (event) => void submit(event, send) });
}

async function submit(event: SubmitEvent, send: Dialog['send']): Promise<void> {
  event.preventDefault();
  if (sending) return;
  const form = new FormData(event.currentTarget as HTMLFormElement);
  update(() => {
    problem = '';
    sending = true;
  });
  try {
    await send(form);
    close();
  } catch (error) {
    update(() => {
      problem = (error as Error).message;
      sending = false;
    });
  }
}

function close(): void {
  update(() => {
    opened = undefined;
  });
  focusBox();
}
