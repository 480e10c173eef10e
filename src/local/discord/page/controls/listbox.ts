// A list that opens above a field: arrow keys move, Enter selects, and the focus stays in the field.
import { html, nothing, type TemplateResult } from 'lit';
import { update } from '../state.ts';

interface ListItem {
  label: string;
  /** A second line. */
  detail?: string | undefined;
  /** A word at the far end. */
  aside?: string | undefined;
  chosen?: boolean;
  select(): void;
}

export interface List {
  id: string;
  title: string;
  items: ListItem[];
  /** The item that Enter selects; −1 for none. */
  active: number;
  /** Shown below the items, or instead of them. */
  note?: string | undefined;
}

export function listView(list: List | undefined): TemplateResult | typeof nothing {
  if (!list) return nothing;
  return html`<div class="list">
    <div class="list-title">${list.title.replaceAll('_', ' ')}</div>
    <div role="listbox" id=${list.id} aria-label=${list.title} tabindex="0" class="list-items">
      ${list.items.map((item, at) => itemView(list, item, at))}
    </div>
    ${list.note ? html`<div class="list-note" data-announce>${list.note}</div>` : nothing}
  </div>`;
}

function itemView(list: List, item: ListItem, at: number): TemplateResult {
  const active = at === list.active;
  return html`<div role="option" id=${itemId(list, at)} class="list-item ${active ? 'active' : ''}" aria-selected=${item.chosen ?? active}
    @mousedown=${(event: Event) => event.preventDefault()}
    @mousemove=${() => active || setActive(list, at)}
    @click=${() => item.select()}>
    <span class="list-text"><span class="list-label">${item.label}</span>${item.detail ? html`<span class="list-detail">${item.detail}</span>` : nothing}</span>
    ${item.aside ? html`<span class="list-aside">${item.aside}</span>` : nothing}
    ${item.chosen ? html`<span class="list-aside" aria-hidden="true">✓</span>` : nothing}
  </div>`;
}

/** For `aria-activedescendant`. */
export function activeItemId(list: List | undefined): string | undefined {
  return list && list.active >= 0 && list.active < list.items.length ? itemId(list, list.active) : undefined;
}

function itemId(list: List, at: number): string {
  return `${list.id}-${at}`;
}

/** Moves within the list, or selects from it. Returns whether it used the key. */
export function handleListKey(list: List | undefined, event: KeyboardEvent): boolean {
  if (!list || list.items.length === 0 || event.isComposing) return false;
  const last = list.items.length - 1;
  switch (event.key) {
    case 'ArrowDown':
      return move(list, list.active >= last ? 0 : list.active + 1);
    case 'ArrowUp':
      return move(list, list.active <= 0 ? last : list.active - 1);
    case 'Enter':
    case 'Tab': {
      const item = list.items[list.active];
      if (!item || event.shiftKey) return false;
      item.select();
      return true;
    }
    default:
      return false;
  }
}

function move(list: List, to: number): true {
  setActive(list, to);
  queueMicrotask(() => document.getElementById(itemId(list, to))?.scrollIntoView({ block: 'nearest' }));
  return true;
}

function setActive(list: List, to: number): void {
  update(() => {
    list.active = to;
  });
}
