// Messages that came while the member was looking elsewhere: a line before the first, a way back to the present, and the tab's title.
import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { arrowDownIcon } from '../icons.ts';
import { scrollToEnd } from '../scroll.ts';
import { afterRender, displayName, state, update } from '../state.ts';

/** Notes a message that has just come. */
export function noteArrival({ id, channel_id, author }: APIMessage): void {
  // Whoever writes has read what came before.
  if (author.id === state.me?.id) {
    state.newFrom.delete(channel_id);
    return;
  }
  if (document.hidden) state.unseenCount++;
  const isSeen = channel_id === state.channelId && state.isAtEnd && !document.hidden;
  if (!isSeen && !state.newFrom.has(channel_id)) state.newFrom.set(channel_id, id);
}

/** Back in this tab, the member sees what its title counted. */
export function watchVisibility(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    update(() => {
      state.unseenCount = 0;
    });
  });
}

export function pageTitle(): string {
  const { me, unseenCount } = state;
  const name = me ? `${displayName(me)} – Local Discord` : 'Local Discord';
  return unseenCount > 0 ? `(${unseenCount}) ${name}` : name;
}

/** Above the composer, while the member reads further up. */
export function jumpView(): TemplateResult | typeof nothing {
  if (state.isAtEnd) return nothing;
  const count = countNew();
  return html`<div class="jump-place"><button type="button" class="jump ${count > 0 ? 'has-new' : ''}" @click=${jump}>
    ${count > 0 ? html`<b data-announce>${count === 1 ? '1 new message' : `${count} new messages`}</b>` : nothing} Jump to present ${arrowDownIcon()}
  </button></div>`;
}

function countNew(): number {
  const messages = state.messages.get(state.channelId) ?? [];
  const from = messages.findIndex(({ id }) => id === state.newFrom.get(state.channelId));
  return from < 0 ? 0 : messages.length - from;
}

function jump(): void {
  scrollToEnd();
  afterRender(() => document.getElementById('composer-text')?.focus());
}
