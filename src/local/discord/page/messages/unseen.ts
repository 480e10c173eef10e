// Messages that came while the member was looking elsewhere: a line before the first, a way back to the present, and the tab's title.
import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { arrowDownIcon } from '../icons.ts';
import { scrollToEnd } from '../scroll.ts';
import { displayName, focusBox, state, update } from '../state.ts';

/** Notes a message that has just come. */
export function noteArrival({ id, channel_id, author }: APIMessage): void {
  // A member who writes has read what came before.
  if (author.id === state.me?.id) {
    state.newFrom.delete(channel_id);
    return;
  }
  if (document.hidden) state.unseenCount++;
  const isOpen = channel_id === state.channelId;
  if (isOpen && state.isAtEnd && !document.hidden) return;
  if (isOpen) state.unseen.add(id);
  if (!state.newFrom.has(channel_id)) state.newFrom.set(channel_id, id);
}

/** Notes what the member sees: whatever comes into view, and back in this tab, what its title counted. */
export function watchView(): void {
  // Scrolling doesn't bubble.
  document.addEventListener('scroll', noteView, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    update(() => {
      state.unseenCount = 0;
    });
    noteView();
  });
}

function noteView(): void {
  if (state.unseen.size === 0 || document.hidden) return;
  const bottom = document.getElementById('messages')?.getBoundingClientRect().bottom ?? 0;
  const seen = [...state.unseen].filter((id) => (document.getElementById(`message-${id}`)?.getBoundingClientRect().top ?? 0) < bottom);
  if (seen.length > 0)
    update(() => {
      for (const id of seen) state.unseen.delete(id);
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
  const { size: count } = state.unseen;
  return html`<div class="jump-place"><button type="button" class="jump ${count > 0 ? 'has-new' : ''}" @click=${jump}>
    ${count > 0 ? html`<b data-announce>${count === 1 ? '1 new message' : `${count} new messages`}</b>` : nothing} Jump to present ${arrowDownIcon()}
  </button></div>`;
}

function jump(): void {
  scrollToEnd();
  focusBox();
}
