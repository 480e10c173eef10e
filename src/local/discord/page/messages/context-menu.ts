// A message's context menu: message commands of the application, copy and delete.

import { type APIMessage, ApplicationCommandType, MessageFlags } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { shownName } from '../composer/slash-commands.ts';
import { call } from '../connection.ts';
import { dismissMessage, trackInteraction } from '../events.ts';
import { noteSent } from '../first-steps/progress.ts';
import { afterRender, showError, state, update } from '../state.ts';
import { textOf } from './message-text.ts';

interface OpenMenu {
  message: APIMessage;
  x: number;
  y: number;
  opener: HTMLElement;
}

interface Action {
  label: string;
  group: string;
  dangerous?: boolean;
  run(): void;
}

let menu: OpenMenu | undefined;

export function openContextMenu(event: MouseEvent | KeyboardEvent, message: APIMessage): void {
  // Links, images and fields keep the browser's own menu.
  if (
    event.type === 'contextmenu' &&
    event.composedPath().some((at) => at instanceof HTMLElement && at.matches('a, input, textarea, audio'))
  )
    return;
  event.preventDefault();
  const opener = event.currentTarget as HTMLElement;
  const byPointer = event instanceof MouseEvent && (event.clientX !== 0 || event.clientY !== 0);
  const box = opener.getBoundingClientRect();
  update(() => {
    menu = { message, opener, x: byPointer ? event.clientX : box.left + 72, y: byPointer ? event.clientY : box.top + 24 };
  });
  afterRender(() => {
    const element = document.querySelector<HTMLElement>('.context-menu');
    if (!element) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(menu?.x ?? 0, innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(menu?.y ?? 0, innerHeight - height - 8))}px`;
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  });
}

export function contextMenuView(): TemplateResult | typeof nothing {
  if (!menu) return nothing;
  const actions = actionsFor(menu.message);
  return html`<div class="menu-backdrop" @click=${close} @contextmenu=${(event: Event) => {
    event.preventDefault();
    close();
  }}></div>
    <div class="context-menu" role="menu" aria-label="Message" @keydown=${handleKey}>
      ${actions.map(
        (
          action,
          at,
        ) => html`${action.group !== actions[at - 1]?.group ? html`<div class="menu-group" role="presentation">${action.group}</div>` : nothing}
          <button type="button" role="menuitem" tabindex="-1" class=${action.dangerous ? 'dangerous' : ''} @click=${() => {
            close();
            action.run();
          }}>${action.label}</button>`,
      )}
    </div>`;
}

function actionsFor(message: APIMessage): Action[] {
  const ephemeral = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  const commands = state.commands.filter((command) => command.type === ApplicationCommandType.Message);
  return [
    ...commands.map((command) => ({
      label: shownName(command),
      group: 'Apps',
      run: () => void runMessageCommand(command.id, shownName(command), message),
    })),
    ...(textOf(message)
      ? [{ label: 'Copy text', group: 'Message', run: () => void navigator.clipboard.writeText(textOf(message)).catch(showError) }]
      : []),
    { label: 'Copy message ID', group: 'Message', run: () => void navigator.clipboard.writeText(message.id).catch(showError) },
    ...(ephemeral ? [{ label: 'Dismiss message', group: 'Message', run: () => dismissMessage(message) }] : []),
    ...(message.author.id === state.me?.id
      ? [
          {
            label: 'Delete message',
            group: 'Message',
            dangerous: true,
            run: () => void call('delete_message', { channel_id: message.channel_id, message_id: message.id }).catch(showError),
          },
        ]
      : []),
  ];
}

export async function runMessageCommand(commandId: string, name: string, message: APIMessage): Promise<void> {
  const interaction = trackInteraction({ channel_id: message.channel_id, label: name });
  try {
    const { interaction_id } = await call('run_command', { channel_id: message.channel_id, command_id: commandId, target_id: message.id });
    noteSent(interaction_id, name);
    interaction.sent(interaction_id);
  } catch (error) {
    interaction.failed((error as Error).message);
  }
}

function close(): void {
  const opener = menu?.opener;
  update(() => {
    menu = undefined;
  });
  afterRender(() => opener?.focus());
}

function handleKey(event: KeyboardEvent): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const goTo: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const next = goTo[event.key];
  if (next !== undefined) {
    event.preventDefault();
    items[next]?.focus();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    event.stopPropagation();
    close();
  }
}
