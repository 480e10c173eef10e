// Pictures and videos of thumbnails and galleries.
import type { APIMediaGalleryItem } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { pictureIcon } from '../icons.ts';
import { isLocal, localUrl } from './local-url.ts';
import './spoiler-cover.ts';

/** A thumbnail has the same fields as a gallery's item. */
type MediaItem = Pick<APIMediaGalleryItem, 'media' | 'description' | 'spoiler'>;

/** Up to ten pictures in a mosaic; one alone keeps its shape. */
export function galleryView(items: APIMediaGalleryItem[]): TemplateResult {
  const isGroup = items.length > 1;
  return html`<div class="gallery of-${items.length}" role=${isGroup ? 'group' : nothing} aria-label=${isGroup ? `${items.length} pictures` : nothing}>
    ${items.map((item) => mediaView(item, 'gallery-item'))}
  </div>`;
}

/** The page loads nothing from elsewhere: a picture of another server is a link that carries its description. */
export function mediaView({ media, description, spoiler }: MediaItem, className: string): TemplateResult {
  const url = localUrl(media.url) ?? '';
  const view = isLocal(url) ? localMediaView(url, media, description) : foreignMediaView(url, description);
  return html`<div class=${className}>${spoiler ? html`<spoiler-cover>${view}</spoiler-cover>` : view}</div>`;
}

function localMediaView(url: string, { content_type: type, width, height }: MediaItem['media'], description: string | null | undefined) {
  if (type?.startsWith('video/')) return html`<video src=${url} controls preload="metadata" aria-label=${description ?? 'Video'}></video>`;
  return html`<a href=${url} target="_blank" rel="noreferrer noopener"><img src=${url} alt=${description ?? 'Picture'} title=${description ?? ''} width=${width ?? nothing} height=${height ?? nothing} loading="lazy"></a>`;
}

function foreignMediaView(url: string, description: string | null | undefined) {
  return html`<a class="foreign-media" href=${url} target="_blank" rel="noreferrer noopener" title=${description ?? url}>
    ${pictureIcon()}<span>${description ?? 'Picture'}</span>
  </a>`;
}
