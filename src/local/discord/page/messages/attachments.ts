// A message's attachments: a player for audio, a preview for images, and a download for the rest.

import type { APIAttachment } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { formatBytes } from '../format.ts';
import { localUrl } from './local-url.ts';

const MAX_IMAGE_SIZE = { width: 400, height: 300 };

export function attachmentView(file: APIAttachment): TemplateResult {
  const type = file.content_type ?? '';
  const url = localUrl(file.url) ?? '';
  const { amount, unit } = formatBytes(file.size);
  if (file.waveform || type.startsWith('audio/')) {
    return html`<sound-player .src=${url} .name=${file.filename} .size=${`${amount} ${unit}`} .seconds=${file.duration_secs ?? undefined} .waveform=${file.waveform ?? undefined}></sound-player>`;
  }
  if (type.startsWith('image/') && !type.includes('svg')) return pictureView(file, url);
  return html`<discord-file-attachment .name=${file.filename} .bytes=${amount} .bytesUnit=${unit} .href=${url} target="_blank" rel="noreferrer noopener"></discord-file-attachment>`;
}

function pictureView(file: APIAttachment, url: string): TemplateResult {
  const width = file.width ?? MAX_IMAGE_SIZE.width;
  const height = file.height ?? MAX_IMAGE_SIZE.height;
  const scale = Math.min(1, MAX_IMAGE_SIZE.width / width, MAX_IMAGE_SIZE.height / height);
  return html`<a class="picture" href=${url} target="_blank" rel="noreferrer noopener">
    <img src=${url} alt=${file.description ?? file.filename} width=${Math.round(width * scale)} height=${Math.round(height * scale)} loading="lazy">
  </a>`;
}
