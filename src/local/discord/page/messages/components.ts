// Buttons and select menus of a message, and the interactions they send.

import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  type APIMessage,
  type APIMessageComponentEmoji,
  type APISelectMenuComponent,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { call } from '../connection.ts';
import type { ChosenEvent } from '../controls/select-menu.ts';
import { customEmojiUrl } from '../emoji.ts';
import { trackInteraction } from '../events.ts';
import { displayName, state } from '../state.ts';

const BUTTON_TYPES: Record<number, string> = {
  [ButtonStyle.Primary]: 'primary',
  [ButtonStyle.Secondary]: 'secondary',
  [ButtonStyle.Success]: 'success',
  [ButtonStyle.Danger]: 'destructive',
};

export function componentsView(message: APIMessage): TemplateResult | typeof nothing {
  const rows = (message.components ?? []).filter((row) => row.type === ComponentType.ActionRow);
  if (rows.length === 0) return nothing;
  return html`<discord-attachments slot="components">${rows.map((row) => actionRowView(message, row))} ${failureView(message)}</discord-attachments>`;
}

export function actionRowView(message: APIMessage, row: APIActionRowComponent<APIComponentInMessageActionRow>): TemplateResult {
  return html`<discord-action-row>
    ${row.components.map((component) => (component.type === ComponentType.Button ? buttonView(message, component) : menuView(message, component)))}
  </discord-action-row>`;
}

export function buttonView(message: APIMessage, button: APIButtonComponent): TemplateResult {
  const label = 'label' in button ? (button.label ?? '') : '';
  const emoji = 'emoji' in button && button.emoji ? button.emoji : undefined;
  if (button.style === ButtonStyle.Link) {
    return html`<discord-button .url=${button.url} ?disabled=${button.disabled}>${emojiView(emoji)}${label}</discord-button>`;
  }
  if (!('custom_id' in button)) return html``;
  const busy = isPending(message.id, button.custom_id);
  const inactive = (button.disabled ?? false) || busy;
  return html`<discord-button .type=${BUTTON_TYPES[button.style] ?? 'secondary'} ?disabled=${inactive} class=${busy ? 'busy' : ''} data-custom-id=${button.custom_id}
    aria-disabled=${inactive} aria-busy=${busy}
    @click=${() => inactive || void useComponent(message, button.type, button.custom_id, label || 'button')}>${emojiView(emoji)}${label}</discord-button>`;
}

function emojiView(emoji: APIMessageComponentEmoji | undefined): TemplateResult | typeof nothing {
  if (!emoji?.name) return nothing;
  return emoji.id
    ? html`<img class="emoji in-button" src=${customEmojiUrl(emoji.id, emoji.name)} alt=":${emoji.name}:">`
    : html`<span class="in-button">${emoji.name}</span>`;
}

function menuView(message: APIMessage, menu: APISelectMenuComponent): TemplateResult {
  return html`<select-menu id="menu-of-${message.id}-${menu.id}" .menu=${menu} ?busy=${isPending(message.id, menu.custom_id)} data-custom-id=${menu.custom_id}
    @chosen=${(event: ChosenEvent) => void useComponent(message, menu.type, menu.custom_id, menu.placeholder ?? 'menu', event.detail)}></select-menu>`;
}

export function failureView(message: APIMessage): TemplateResult | typeof nothing {
  const failed = state.pendingInteractions.findLast(
    (interaction) => interaction.message_id === message.id && interaction.custom_id && interaction.failure,
  );
  return failed ? html`<p class="problem" data-announce>${displayName(message.author)}: ${failed.failure}</p>` : nothing;
}

function isPending(messageId: string, customId: string): boolean {
  return state.pendingInteractions.some(
    (interaction) => interaction.message_id === messageId && interaction.custom_id === customId && !interaction.failure,
  );
}

async function useComponent(message: APIMessage, type: ComponentType, customId: string, label: string, values?: string[]): Promise<void> {
  if (isPending(message.id, customId)) return;
  const interaction = trackInteraction({ channel_id: message.channel_id, label, message_id: message.id, custom_id: customId });
  try {
    const { interaction_id } = await call('click', {
      channel_id: message.channel_id,
      message_id: message.id,
      custom_id: customId,
      component_type: type,
      ...(values && { values }),
    });
    interaction.sent(interaction_id);
  } catch (error) {
    interaction.failed((error as Error).message);
  }
}
