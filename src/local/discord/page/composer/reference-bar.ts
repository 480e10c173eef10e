// Above the message box: which message is being answered or edited.
import { html, nothing, type TemplateResult } from 'lit';
import { closeIcon } from '../icons.ts';
import { displayName, update } from '../state.ts';
import { draft, leaveReference } from './draft.ts';

export function referenceBarView(): TemplateResult | typeof nothing {
  const { about } = draft;
  if (!about) return nothing;
  const leave = html`<button type="button" class="quiet-button" aria-label=${about.how === 'edit' ? 'Cancel the edit' : 'Cancel the reply'} @click=${leaveReference}>${closeIcon()}</button>`;
  if (about.how === 'edit') return html`<div class="reference-bar"><span>Editing your message</span>${leave}</div>`;
  const name = displayName(about.message.author);
  return html`<div class="reference-bar"><span>Replying to <b>${name}</b></span>
    <button type="button" class="quiet-button" role="switch" aria-checked=${about.mentions} aria-label="Mention ${name}" title=${about.mentions ? `${name} gets a mention` : `${name} gets no mention`}
      @click=${() =>
        update(() => {
          about.mentions = !about.mentions;
        })}>@ ${about.mentions ? 'on' : 'off'}</button>${leave}</div>`;
}
