// Components V2: a message that is a layout of texts, media, files and controls instead of content and embeds.
// https://docs.discord.com/developers/components/reference

import {
  type APIComponentInContainer,
  type APIContainerComponent,
  type APIMessage,
  type APIMessageTopLevelComponent,
  type APISectionComponent,
  type APISeparatorComponent,
  ComponentType,
  SeparatorSpacingSize,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { fileView } from './attachments.ts';
import { actionRowView, buttonView } from './components.ts';
import { markdownView } from './markdown-view.ts';
import { galleryView, mediaView } from './media.ts';
import './spoiler-cover.ts';

export function layoutView(message: APIMessage): TemplateResult {
  return html`<div class="layout">${(message.components ?? []).map((component) => componentView(message, component))}</div>`;
}

function componentView(
  message: APIMessage,
  component: APIMessageTopLevelComponent | APIComponentInContainer,
): TemplateResult | typeof nothing {
  switch (component.type) {
    case ComponentType.Container:
      return containerView(message, component);
    case ComponentType.TextDisplay:
      return html`<div class="text-display">${markdownView(component.content)}</div>`;
    case ComponentType.Section:
      return sectionView(message, component);
    case ComponentType.MediaGallery:
      return galleryView(component.items);
    case ComponentType.File: {
      const { name = '', size = 0, file } = component;
      const view = fileView({ name, size, url: file.url, type: file.content_type ?? '' });
      return html`<div class="layout-file">${covered(component.spoiler, view)}</div>`;
    }
    case ComponentType.Separator:
      return separatorView(component);
    case ComponentType.ActionRow:
      return actionRowView(message, component);
    default:
      return nothing;
  }
}

function containerView(message: APIMessage, { accent_color: colour, components, spoiler }: APIContainerComponent): TemplateResult {
  const accent = colour == null ? undefined : `#${colour.toString(16).padStart(6, '0')}`;
  const inside = html`<div class="container ${accent ? 'accented' : ''}" style=${accent ? `--container-accent: ${accent}` : nothing}>
    ${components.map((component) => componentView(message, component))}
  </div>`;
  return covered(spoiler, inside);
}

function sectionView(message: APIMessage, { components, accessory }: APISectionComponent): TemplateResult {
  return html`<div class="section">
    <div class="section-texts">${components.map((component) => componentView(message, component))}</div>
    <div class="section-accessory">
      ${
        accessory.type === ComponentType.Button
          ? html`<discord-action-row>${buttonView(message, accessory)}</discord-action-row>`
          : mediaView(accessory, 'thumbnail')
      }
    </div>
  </div>`;
}

/** The spacing is the layout's; a divider is seen and read. */
function separatorView({ divider = true, spacing }: APISeparatorComponent): TemplateResult {
  const size = spacing === SeparatorSpacingSize.Large ? 'large' : '';
  return divider ? html`<hr class="separator ${size}">` : html`<div class="separator ${size}"></div>`;
}

function covered(isSpoiler: boolean | undefined, view: TemplateResult): TemplateResult {
  return isSpoiler ? html`<spoiler-cover>${view}</spoiler-cover>` : view;
}
