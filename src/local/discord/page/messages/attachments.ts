// A message's attachments: a player for audio, a preview for images, and a download for the rest.

import type { APIAttachment } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { formatBytes, formatSize } from '../format.ts';
import { localUrl } from './local-url.ts';

const MAX_IMAGE_SIZE = { width: 400, height: 300 };

export function attachmentView(file: APIAttachment): TemplateResult {
  const { filename: name, size, url, content_type: type = '', duration_secs, waveform } = file;
  if (type.startsWith('image/') && !type.includes('svg')) return pictureView(file, localUrl(url) ?? '');
  return fileView({ name, size, url, type, seconds: duration_secs, waveform });
}

interface ShownFile {
  name: string;
  /** In bytes. */
  size: number;
  url: string;
  /** Its media type. */
  type: string;
  /** Duration of a voice message. */
  seconds?: number | undefined;
  waveform?: string | undefined;
}

/** A player for sound, and a download for all other files. */
export function fileView({ name, size, url, type, seconds, waveform }: ShownFile): TemplateResult {
  const address = localUrl(url) ?? '';
  if (waveform || type.startsWith('audio/'))
    return html`<sound-player .src=${address} .name=${name} .size=${formatSize(size)} .seconds=${seconds} .waveform=${waveform}></sound-player>`;
  const { amount, unit } = formatBytes(size);
  return html`<discord-file-attachment .name=${name} .bytes=${amount} .bytesUnit=${unit} .href=${address} target="_blank" rel="noreferrer noopener"></discord-file-attachment>`;
}

function pictureView(file: APIAttachment, url: string): TemplateResult {
  const width = file.width ?? MAX_IMAGE_SIZE.width;
  const height = file.height ?? MAX_IMAGE_SIZE.height;
  const scale = Math.min(1, MAX_IMAGE_SIZE.width / width, MAX_IMAGE_SIZE.height / height);
  return html`<a class="picture" href=${url} target="_blank" rel="noreferrer noopener">
    <img src=${url} alt=${file.description ?? file.filename} width=${Math.round(width * scale)} height=${Math.round(height * scale)} loading="lazy">
  </a>`;
}
