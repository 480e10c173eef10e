// An embed with all its parts.

import type { APIEmbed, APIEmbedAuthor, APIEmbedField } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { formatTimestamp } from '../format.ts';
import { localUrl } from './local-url.ts';
import { inlineMarkdownView, markdownView } from './markdown-view.ts';

export function embedView(embed: APIEmbed): TemplateResult {
  const colour = embed.color === undefined ? undefined : `#${embed.color.toString(16).padStart(6, '0')}`;
  return html`<discord-embed
    slot="embeds"
    .color=${colour}
    .provider=${embed.provider?.name}
    .thumbnail=${localUrl(embed.thumbnail?.url)}
    .image=${localUrl(embed.image?.url)}
    .video=${localUrl(embed.video?.url)}
  >
    ${descriptionView(embed)}
    ${embed.fields?.length ? fieldsView(embed.fields) : nothing}
    ${embed.footer || embed.timestamp ? footerView(embed) : nothing}
  </discord-embed>`;
}

/** Rendered together, since the library's author and title know no Markdown, add spaces, and break short names. */
function descriptionView(embed: APIEmbed): TemplateResult | typeof nothing {
  if (!embed.author && !embed.title && !embed.description) return nothing;
  return html`<discord-embed-description slot="description">
    ${embed.author ? authorView(embed.author) : nothing}
    ${embed.title ? html`<div class="embed-title">${titleView(embed.title, embed.url)}</div>` : nothing}
    ${embed.description ? html`<div class="embed-text">${markdownView(embed.description)}</div>` : nothing}
  </discord-embed-description>`;
}

function authorView({ name, url, icon_url }: APIEmbedAuthor): TemplateResult {
  const icon = localUrl(icon_url);
  return html`<div class="embed-author">
    ${icon ? html`<img src=${icon} alt="">` : nothing}
    ${url ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${name}</a>` : html`<span>${name}</span>`}
  </div>`;
}

function titleView(title: string, url: string | undefined) {
  if (!url) return inlineMarkdownView(title);
  return html`<a href=${url} target="_blank" rel="noreferrer noopener">${inlineMarkdownView(title)}</a>`;
}

function fieldsView(fields: APIEmbedField[]): TemplateResult {
  const columns = inlineColumns(fields);
  return html`<discord-embed-fields slot="fields">
    ${fields.map(
      (field, at) => html`<discord-embed-field data-column=${columns[at] ?? nothing}>
        <div class="field-name">${inlineMarkdownView(field.name)}</div>
        <div>${markdownView(field.value)}</div>
      </discord-embed-field>`,
    )}
  </discord-embed-fields>`;
}

/** Inline fields form rows of three if there is room (messages.css); any other field starts a new row. */
function inlineColumns(fields: APIEmbedField[]): (number | undefined)[] {
  let column = 0;
  return fields.map((field) => {
    column = field.inline ? (column % 3) + 1 : 0;
    return field.inline ? column : undefined;
  });
}

function footerView(embed: APIEmbed): TemplateResult {
  const parts = [embed.footer?.text, embed.timestamp ? formatTimestamp(embed.timestamp) : undefined].filter(Boolean);
  return html`<discord-embed-footer slot="footer" .footerImage=${localUrl(embed.footer?.icon_url)} footer-image-alt="">${parts.join(' • ')}</discord-embed-footer>`;
}
