// A message's stickers.
import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';

export function stickersView({ sticker_items: stickers = [] }: Pick<APIMessage, 'sticker_items'>): TemplateResult | typeof nothing {
  if (stickers.length === 0) return nothing;
  return html`<div slot="attachments" class="stickers">
    ${stickers.map(({ id, name }) => html`<img class="sticker" src="/stickers/${id}.png" alt="Sticker: ${name}" title=${name} width="160" height="160">`)}
  </div>`;
}
