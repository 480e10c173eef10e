// The box at the bottom of the page: a message with files, a recording, or a command with its options.
import { html, nothing, type TemplateResult } from 'lit';
import { fileItem } from '../controls/file-field.ts';
import { activeItemId, handleListKey, listView } from '../controls/listbox.ts';
import { closeIcon, microphoneIcon, plusIcon, sendIcon, smileIcon } from '../icons.ts';
import { channelTitle, displayName, findChannel, findMember, focusBox, isDm, isTimedOut, state, update } from '../state.ts';
import { uploadsView } from '../uploads.ts';
import { commandView } from './command-view.ts';
import { addFiles, addOptionForWords, commandList, draft, leaveCommand, leaveReference, typeText } from './draft.ts';
import { openExpressions } from './expressions.ts';
import { closeList } from './option-choices.ts';
import { recorderView, startRecording } from './recorder.ts';
import { sendMessage } from './send.ts';

const MAX_MESSAGE_LENGTH = 2000;

export function composerView(): TemplateResult {
  return html`<section class="composer" aria-label="Write" @keydown=${handleEscape} @focusout=${closeWhenLeft}>
    ${listView(draft.list)} ${uploadsView()} ${draft.command ? nothing : [filesView(), referenceBarView()]}
    ${recorderView() ?? timeoutView() ?? (draft.command ? commandView(draft.command) : textView())}
  </section>`;
}

function textView(): TemplateResult {
  const title = channelTitle(findChannel(state.channelId));
  const left = MAX_MESSAGE_LENGTH - draft.text.length;
  return html`<div class="composer-box">
    <label class="quiet-button" title="Add files"><input type="file" multiple class="visually-hidden" aria-label="Add files" @change=${addSelectedFiles}>${plusIcon()}</label>
    <textarea id="composer-text" rows=${Math.min(12, draft.text.split('\n').length)} aria-label="Message ${title}" aria-autocomplete="list" aria-haspopup="listbox"
      aria-controls=${draft.list?.id ?? nothing} aria-activedescendant=${activeItemId(draft.list) ?? nothing}
      placeholder="Message ${title}" .value=${draft.text} ?disabled=${!state.channelId}
      @input=${(event: Event) => {
        const { value, selectionStart } = event.target as HTMLTextAreaElement;
        typeText(value, selectionStart);
      }} @keydown=${handleTextKey} @paste=${paste}></textarea>
    ${left < 200 ? html`<span class="muted ${left < 0 ? 'problem' : ''}">${left}</span>` : nothing}
    <button type="button" class="quiet-button" aria-label="Emoji, stickers and polls" title="Emoji, stickers and polls" aria-haspopup="menu" @click=${openExpressions}>${smileIcon()}</button>
    <button type="button" class="quiet-button slash" aria-label="Commands" title="Commands" @click=${openCommands}>/</button>
    <button type="button" class="quiet-button" aria-label="Record from the microphone" title="Record from the microphone" @click=${() => void startRecording()}>${microphoneIcon()}</button>
    <button type="button" class="quiet-button" aria-label="Send" title="Send" ?disabled=${left < 0 || (!draft.text.trim() && draft.files.length === 0)} @click=${() => void sendMessage()}>${sendIcon()}</button>
  </div>`;
}

/** In place of the box, for a member who may not write for a while. */
function timeoutView(): TemplateResult | undefined {
  const member = isDm(findChannel(state.channelId)) ? undefined : findMember(state.me?.id ?? '');
  if (!member?.communication_disabled_until || !isTimedOut(member)) return undefined;
  return html`<div class="composer-box muted" data-announce>A moderator has timed you out. You can write again <relative-time .seconds=${Date.parse(member.communication_disabled_until) / 1000}></relative-time>.</div>`;
}

function filesView(): TemplateResult | typeof nothing {
  if (draft.files.length === 0) return nothing;
  return html`<ul class="files" aria-label="Files to send">
    ${draft.files.map((file) => fileItem(file, () => removeFile(file)))}
  </ul>`;
}

/** Above the message box: which message is being answered or edited. */
function referenceBarView(): TemplateResult | typeof nothing {
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

function handleTextKey(event: KeyboardEvent): void {
  if (handleListKey(draft.list, event)) event.preventDefault();
  else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void sendMessage();
  } else if (event.key === 'ArrowUp' && draft.text === '') {
    event.preventDefault();
    [...document.querySelectorAll<HTMLElement>('discord-message')].at(-1)?.focus();
  }
}

/** Escape first closes the list, then leaves the command. */
function handleEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return;
  if (draft.list) closeList();
  else if (draft.command) leaveCommand();
  else if (draft.about) leaveReference();
  else return;
  event.preventDefault();
}

/** A list belongs to the field that opened it, so it closes when the focus goes elsewhere. */
function closeWhenLeft(event: FocusEvent): void {
  const to = event.relatedTarget as Element | null;
  if (to && !to.closest('.composer textarea, .composer input, .composer .list, #add-option')) closeList();
}

/** Letters typed where they have no meaning, such as on a button just pressed, go into the message box or the open command. */
export function redirectTyping(): void {
  addEventListener('keydown', (event) => {
    const isText = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const at = event.composedPath()[0] as Element;
    const takesLetters = at.closest('input:not([type=range]), textarea, select, select-menu, dialog, .context-menu');
    if (!isText || takesLetters || event.defaultPrevented) return;
    if (draft.command) addOptionForWords();
    else document.getElementById('composer-text')?.focus();
  });
}

/** Words that are in the box already go into the command that is chosen. */
function openCommands(): void {
  const { text } = draft;
  if (text === '') typeText('/');
  else
    update(() => {
      draft.list = commandList('', text);
    });
  focusBox();
}

function addSelectedFiles(event: Event): void {
  const input = event.target as HTMLInputElement;
  addFiles(input.files ?? []);
  input.value = '';
  focusBox();
}

function removeFile(file: File): void {
  update(() => {
    draft.files = draft.files.filter((other) => other !== file);
  });
  focusBox();
}

function paste(event: ClipboardEvent): void {
  const files = event.clipboardData?.files;
  if (!files?.length) return;
  event.preventDefault();
  addFiles(files);
}

/** Adds files dropped anywhere on the page to the draft, unless a modal is open, which has fields of its own for files. */
export function enableFileDrop(): void {
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    if (event.dataTransfer?.files.length && !state.modal) addFiles(event.dataTransfer.files);
  });
}
