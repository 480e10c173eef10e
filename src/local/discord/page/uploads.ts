// Uploads: each file's progress is shown until it has arrived, and it can be cancelled.
import { html, nothing, type TemplateResult } from 'lit';
import { memberUrl } from './connection.ts';
import { formatSize } from './format.ts';
import { closeIcon } from './icons.ts';
import type { Upload } from './protocol.ts';
import { update } from './state.ts';

interface RunningUpload {
  file: File;
  /** Bytes. */
  sent: number;
  cancel(): void;
}

/**
 * The largest file that can be chosen. Discord takes more of some members, and so does the local one, but bots that read recordings seldom do:
 * whoever reads "up to 20 MB" beside an option shouldn't meet another limit there.
 */
const MAX_BYTES = 20 * 1024 * 1024;

let running: RunningUpload[] = [];

/** Which of the chosen files can be sent, and a sentence on the others; empty if there are none. */
export function checkFiles(chosen: Iterable<File>): { files: File[]; problem: string } {
  const isLarge = ({ size }: File): boolean => size > MAX_BYTES;
  const large = [...chosen].filter(isLarge).map(({ name, size }) => `${name} (${formatSize(size)})`);
  const are = large.length === 1 ? 'is' : 'are';
  return {
    files: [...chosen].filter((file) => !isLarge(file)),
    problem: large.length > 0 ? `${large.join(', ')} ${are} too large: the limit is ${formatSize(MAX_BYTES)}.` : '',
  };
}

/** Uploads a file, so that a message or a command can refer to it. @throws Error with a sentence to show to the member */
export async function uploadFile(file: File): Promise<Upload> {
  const url = new URL(memberUrl('/member/uploads', location.origin));
  url.searchParams.set('filename', file.name);
  // fetch doesn't tell how much was sent.
  const request = new XMLHttpRequest();
  const upload: RunningUpload = { file, sent: 0, cancel: () => request.abort() };
  request.responseType = 'json';
  request.open('POST', url);
  request.setRequestHeader('content-type', file.type || 'application/octet-stream');
  request.upload.addEventListener('progress', ({ loaded }) =>
    update(() => {
      upload.sent = loaded;
    }),
  );
  update(() => {
    running = [...running, upload];
  });
  const outcome = new Promise<'load' | 'error' | 'abort'>((resolve) => {
    for (const type of ['load', 'error', 'abort'] as const) request.addEventListener(type, () => resolve(type));
  });
  request.send(file);
  const ended = await outcome;
  update(() => {
    running = running.filter((other) => other !== upload);
  });
  if (ended === 'abort') throw new Error(`${file.name} was not sent: you cancelled it.`);
  if (ended === 'error') throw new Error(`${file.name} could not be sent: the local Discord cannot be reached. Try again in a moment.`);
  const { status, response } = request;
  if (status !== 200) throw new Error(`${file.name} could not be sent: the local Discord answered ${status}.`);
  return response as Upload;
}

export function uploadsView(): TemplateResult | typeof nothing {
  if (running.length === 0) return nothing;
  return html`<ul class="uploads" aria-label="Being sent">${running.map(uploadView)}</ul>`;
}

function uploadView({ file, sent, cancel }: RunningUpload): TemplateResult {
  return html`<li>
    <span class="file-name">${file.name}</span><span class="muted">${formatSize(sent)} of ${formatSize(file.size)}</span>
    <progress max=${file.size} .value=${sent} aria-label="Sending ${file.name}"></progress>
    <button type="button" class="quiet-button" aria-label="Cancel ${file.name}" @click=${cancel}>${closeIcon()}</button>
  </li>`;
}
