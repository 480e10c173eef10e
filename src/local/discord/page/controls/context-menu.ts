// A context menu at the pointer, or beside what it was opened from: actions in groups, by mouse or keyboard.
import { html, nothing, type TemplateResult } from 'lit';
import { afterRender, update } from '../state.ts';

export interface Action {
  label: string;
  group: string;
  dangerous?: boolean;
  /** Shown beside others of its kind, in rows. */
  look?: 'emoji' | 'sticker';
  /** The address of a picture in place of the label. */
  picture?: string;
  run(): void;
}

interface Place {
  x: number;
  y: number;
  opener: HTMLElement;
}

interface Menu {
  /** What the menu is about. */
  label: string;
  actions: Action[];
  /** Above the actions; drawn again whenever the page is. */
  slider: (() => TemplateResult) | undefined;
}

let menu: Menu | undefined;
let place: Place | undefined;

/** Does nothing on links, images and fields, which keep the browser's own menu. */
export function openMenu(event: MouseEvent | KeyboardEvent, label: string, actions: Action[], slider?: Menu['slider']): void {
  const isOnField = event.composedPath().some((at) => at instanceof HTMLElement && at.matches('a, input, textarea, audio'));
  if (event.type === 'contextmenu' && isOnField) return;
  event.preventDefault();
  const opener = event.currentTarget as HTMLElement;
  const byPointer = event instanceof MouseEvent && (event.clientX !== 0 || event.clientY !== 0);
  const box = opener.getBoundingClientRect();
  place = { opener, x: byPointer ? event.clientX : box.left + 72, y: byPointer ? event.clientY : box.top + 24 };
  show({ label, actions, slider });
}

/** Opens another menu in place of the one whose action this is. */
export function openNextMenu(label: string, actions: Action[]): void {
  show({ label, actions, slider: undefined });
}

function show(opened: Menu): void {
  update(() => {
    menu = opened;
  });
  afterRender(() => {
    const element = document.querySelector<HTMLElement>('.context-menu');
    if (!element) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(place?.x ?? 0, innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(place?.y ?? 0, innerHeight - height - 8))}px`;
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  });
}

export function contextMenuView(): TemplateResult | typeof nothing {
  if (!menu) return nothing;
  const { label, actions, slider } = menu;
  const groups = [...new Set(actions.map(({ group }) => group))];
  return html`<div class="menu-backdrop" @click=${close} @contextmenu=${(event: Event) => {
    event.preventDefault();
    close();
  }}></div>
    <div class="context-menu" @keydown=${handleKey}>
      ${slider?.() ?? nothing}
      <div role="menu" aria-label=${label}>${groups.map((group) => {
        const items = actions.filter((action) => action.group === group);
        return html`<div class="menu-group" role="presentation">${group}</div>
          <div role="group" aria-label=${group} class=${items[0]?.look ? `menu-${items[0].look}` : ''}>${items.map(actionView)}</div>`;
      })}</div>
    </div>`;
}

function actionView({ label, dangerous, picture, run }: Action): TemplateResult {
  return html`<button type="button" role="menuitem" tabindex="-1" class=${dangerous ? 'dangerous' : ''} @click=${() => {
    close();
    run();
  }}>${picture ? html`<img src=${picture} alt=${label} title=${label}>` : label}</button>`;
}

function close(): void {
  update(() => {
    menu = undefined;
  });
  afterRender(() => menu || place?.opener.focus());
}

function handleKey(event: KeyboardEvent): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input, [role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = (at + 1) % items.length;
  const previous = (at - 1 + items.length) % items.length;
  const goTo: Record<string, number> = {
    ArrowDown: next,
    ArrowRight: next,
    ArrowUp: previous,
    ArrowLeft: previous,
    Home: 0,
    End: items.length - 1,
  };
  // A slider takes all keys but those up and down.
  const isOnSlider = event.target instanceof HTMLInputElement;
  const to = isOnSlider && !['ArrowUp', 'ArrowDown'].includes(event.key) ? undefined : goTo[event.key];
  if (to !== undefined) {
    event.preventDefault();
    items[to]?.focus();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    event.stopPropagation();
    close();
  }
}
