// <file-field>: the files of an upload in a modal, picked or dropped.
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatSize } from '../format.ts';
import { closeIcon, uploadIcon } from '../icons.ts';
import { checkFiles } from '../uploads.ts';

export class FileField extends LitElement {
  static override properties = {
    most: { type: Number },
    label: {},
    described: {},
    required: { type: Boolean },
    files: { state: true },
    problem: { state: true },
    dragged: { state: true },
  };
  /** How many files there can be. */
  declare most: number;
  /** The accessible name. */
  declare label: string;
  /** The id of the element that describes it. */
  declare described: string | undefined;
  declare required: boolean;
  /** Those chosen so far. */
  declare files: File[];
  /** Why a file could not be chosen; may be empty. */
  declare private problem: string;
  declare private dragged: boolean;

  constructor() {
    super();
    this.files = [];
    this.problem = '';
    this.dragged = false;
  }

  /** No shadow root, so that the page's styles apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override focus(): void {
    this.querySelector('input')?.focus();
  }

  /** Beyond the limit, the newest files replace the oldest. */
  private add(added: Iterable<File> | null | undefined): void {
    const { files, problem } = checkFiles(added ?? []);
    this.files = [...this.files, ...files].slice(-this.most);
    this.problem = problem;
  }

  private pick(event: Event): void {
    const input = event.target as HTMLInputElement;
    this.add(input.files);
    // So that the same file can be picked again after it was removed.
    input.value = '';
  }

  private drag(event: DragEvent): void {
    event.preventDefault();
    this.dragged = event.type === 'dragover';
  }

  /** The page would take a file dropped elsewhere for the message being written. */
  private drop(event: DragEvent): void {
    event.preventDefault();
    event.stopPropagation();
    this.dragged = false;
    this.add(event.dataTransfer?.files);
  }

  private removeFile(file: File): void {
    this.files = this.files.filter((other) => other !== file);
    this.focus();
  }

  protected override render() {
    const some = this.most > 1 ? `up to ${this.most} files` : 'a file';
    return html`<label class="drop-zone ${this.dragged ? 'dragged' : ''}" @dragover=${this.drag} @dragleave=${this.drag} @drop=${this.drop}>
        ${uploadIcon()}<span>Drop ${some} here, or <span class="link">browse</span></span>
        <input type="file" class="visually-hidden" aria-label="${this.label}, choose ${some}" aria-required=${this.required}
          aria-describedby=${this.described ?? nothing} ?multiple=${this.most > 1} @change=${this.pick}>
      </label>
      <ul class="files" aria-label="Chosen files" aria-live="polite" ?hidden=${this.files.length === 0}>${this.files.map((file) => fileItem(file, () => this.removeFile(file)))}</ul>
      ${this.problem ? html`<p class="problem" data-announce>${this.problem}</p>` : nothing}`;
  }
}

/** A file in a list of those chosen. */
export function fileItem({ name, size }: File, remove: () => void): TemplateResult {
  return html`<li><span class="file-name">${name}</span><span class="muted">${formatSize(size)}</span>
    <button type="button" class="quiet-button" aria-label="Remove ${name}" @click=${remove}>${closeIcon()}</button></li>`;
}

customElements.define('file-field', FileField);
