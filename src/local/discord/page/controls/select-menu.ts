// <select-menu>: a select menu of strings, users, roles or channels, for one or several values.

import { type APISelectMenuComponent, ComponentType } from 'discord-api-types/v10';
import { html, LitElement, nothing } from 'lit';
import { chevronIcon } from '../icons.ts';
import { filterByLabel, type GuildItem, itemsForMenu } from './guild-items.ts';
import { activeItemId, handleListKey, type List, listView } from './listbox.ts';

/** `detail` has the chosen values. */
export type ChosenEvent = CustomEvent<string[]>;

const SEARCH_FROM_ITEMS = 8;

export class SelectMenu extends LitElement {
  static override properties = {
    menu: { attribute: false },
    label: { attribute: false },
    described: {},
    busy: { type: Boolean },
    open: { state: true },
  };
  declare menu: APISelectMenuComponent;
  /** The accessible name, if it is not the placeholder. */
  declare label: string | undefined;
  /** The id of the element that describes it. */
  declare described: string | undefined;
  declare busy: boolean;
  declare open: boolean;

  private list: List | undefined;
  private chosen: string[] = [];
  private typed = '';

  constructor() {
    super();
    this.open = false;
    this.busy = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    // An edited message resets its menus.
    if (changed.has('menu') && !this.open) this.chosen = this.defaults();
  }

  private defaults(): string[] {
    if (this.menu.type === ComponentType.StringSelect)
      return this.menu.options.filter((option) => option.default).map((option) => option.value);
    return (this.menu.default_values ?? []).map((value) => value.id);
  }

  private items(): GuildItem[] {
    if (this.menu.type !== ComponentType.StringSelect) {
      return itemsForMenu(this.menu.type, this.menu.type === ComponentType.ChannelSelect ? this.menu.channel_types : undefined);
    }
    return this.menu.options.map((option) => ({
      value: option.value,
      label: `${option.emoji?.name && !option.emoji.id ? `${option.emoji.name} ` : ''}${option.label}`,
      ...(option.description && { detail: option.description }),
    }));
  }

  /** The values chosen now. */
  get values(): readonly string[] {
    return this.chosen;
  }

  private get least(): number {
    return this.menu.min_values ?? 1;
  }

  private get most(): number {
    return this.menu.max_values ?? 1;
  }

  private get name(): string {
    return this.label ?? this.menu.placeholder ?? 'Make a selection';
  }

  private setOpen(open: boolean): void {
    if (open === this.open || this.menu.disabled || this.busy) return;
    this.open = open;
    this.typed = '';
    if (open) this.refreshList(0);
    else if (this.most > 1) this.finish();
    void this.updateComplete.then(() => {
      const search = open ? this.querySelector<HTMLElement>('.menu-search') : null;
      (search ?? this.querySelector<HTMLElement>('.menu-button'))?.focus();
      this.querySelector('.menu-list')?.scrollIntoView({ block: 'nearest' });
    });
  }

  private refreshList(active: number): void {
    this.list = {
      id: `menu-${this.menu.custom_id.replace(/[^\w-]/g, '_')}-${this.id}`,
      title: this.name,
      active,
      items: filterByLabel(this.items(), this.typed).map((item) => ({
        label: item.label,
        detail: item.detail,
        chosen: this.chosen.includes(item.value),
        select: () => this.choose(item.value),
      })),
    };
    if (this.list.items.length === 0) this.list.note = 'Nothing matches.';
    this.requestUpdate();
  }

  private choose(value: string): void {
    if (this.most <= 1) {
      this.chosen = this.least === 0 && this.chosen.includes(value) ? [] : [value];
      this.open = false;
      this.emit();
      void this.updateComplete.then(() => this.querySelector<HTMLElement>('.menu-button')?.focus());
      return;
    }
    if (this.chosen.includes(value)) this.chosen = this.chosen.filter((other) => other !== value);
    else if (this.chosen.length < this.most) this.chosen = [...this.chosen, value];
    this.refreshList(this.list?.active ?? 0);
  }

  /** Several values are sent together when the list closes, if they have changed. */
  private finish(): void {
    const enough = this.chosen.length >= this.least;
    if (!enough) this.chosen = this.defaults();
    else if (this.chosen.join('\n') !== this.defaults().join('\n')) this.emit();
  }

  private emit(): void {
    this.dispatchEvent(new CustomEvent('chosen', { detail: this.chosen }) satisfies ChosenEvent);
  }

  private handleKey(event: KeyboardEvent): void {
    if (!this.open) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.setOpen(true);
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.setOpen(false);
    } else if (event.key === ' ' && !(event.target as HTMLElement).classList.contains('menu-search')) {
      event.preventDefault();
      this.list?.items[this.list.active]?.select();
    } else if (event.key === 'Tab') this.setOpen(false);
    else if (handleListKey(this.list, event)) {
      event.preventDefault();
      this.requestUpdate();
    }
  }

  private readonly leave = (event: FocusEvent): void => {
    if (!this.contains(event.relatedTarget as Node | null)) this.setOpen(false);
  };

  private summary(): string {
    const labels = this.items().filter((item) => this.chosen.includes(item.value));
    if (labels.length === 0) return this.menu.placeholder ?? 'Make a selection';
    return labels.map((item) => item.label).join(', ');
  }

  protected override render() {
    const searchable = this.menu.type !== ComponentType.StringSelect || this.items().length >= SEARCH_FROM_ITEMS;
    const listId = this.open ? this.list?.id : undefined;
    return html`<div class="menu" @focusout=${this.leave} @keydown=${this.handleKey}>
      <button type="button" class="menu-button ${this.chosen.length ? 'filled' : ''}" role="combobox" aria-haspopup="listbox" aria-expanded=${this.open}
        aria-controls=${listId ?? nothing} aria-activedescendant=${(!searchable && this.open && activeItemId(this.list)) || nothing}
        aria-label="${this.name}${this.chosen.length ? `: ${this.summary()}` : ''}"
        aria-describedby=${this.described ?? nothing} ?disabled=${this.menu.disabled || this.busy} @click=${() => this.setOpen(!this.open)}>
        <span class="menu-value">${this.summary()}</span>${chevronIcon()}
      </button>
      ${this.open ? this.listPartView(searchable) : nothing}
    </div>`;
  }

  private range(): string {
    if (this.least === this.most) return `Choose ${this.most}`;
    return this.least > 0 ? `Choose ${this.least} to ${this.most}` : `Up to ${this.most}`;
  }

  private listPartView(searchable: boolean) {
    return html`<div class="menu-list">
      ${
        searchable
          ? html`<input class="menu-search" type="text" role="combobox" aria-label="Search" placeholder="Search" autocomplete="off" aria-expanded="true"
              aria-controls=${this.list?.id ?? nothing} aria-activedescendant=${activeItemId(this.list) ?? nothing}
              @input=${(event: Event) => {
                this.typed = (event.target as HTMLInputElement).value;
                this.refreshList(0);
              }}>`
          : nothing
      }
      ${listView(this.list)}
      ${this.most > 1 ? html`<div class="list-note">${this.range()}; Escape or a click elsewhere takes the choice.</div>` : nothing}
    </div>`;
  }
}

customElements.define('select-menu', SelectMenu);
