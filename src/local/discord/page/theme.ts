// Dark or light: the system's preference, until the member chooses. Also restyles the shared elements.
import { css } from 'lit';
import {
  DiscordAuthorInfo,
  DiscordButton,
  DiscordEmbed,
  DiscordEmbedField,
  DiscordEmbedFooter,
  DiscordFileAttachment,
  DiscordLink,
  DiscordMention,
  DiscordMessage,
  DiscordSpoiler,
  DiscordTime,
} from './messages/discord-elements.ts';
import { update } from './state.ts';

/** Each member has their own. */
const STORAGE_KEY = `local-discord-theme ${new URLSearchParams(location.search).get('user') ?? ''}`.trimEnd();
const preference = matchMedia('(prefers-color-scheme: light)');
/** As last announced: Chromium does not announce a change that was read before. */
let prefersLight = preference.matches;

export function isLight(): boolean {
  const chosen = localStorage.getItem(STORAGE_KEY);
  return chosen ? chosen === 'light' : prefersLight;
}

export function toggleTheme(): void {
  localStorage.setItem(STORAGE_KEY, isLight() ? 'dark' : 'light');
  applyTheme();
}

/** Applies the theme, and follows the system's preference from now on. */
export function startTheme(): void {
  applyTheme();
  preference.addEventListener('change', ({ matches }) => {
    prefersLight = matches;
    applyTheme();
  });
}

function applyTheme(): void {
  update(() => {
    document.documentElement.dataset.theme = isLight() ? 'light' : 'dark';
  });
}

// The shared elements have fixed colours, some with too little contrast, and no parts to style from outside. Their arrays
// of style sheets can be extended, though, until the first element of each kind is rendered.
DiscordMessage.elementStyles.push(css`
  .discord-message-timestamp, .discord-message-edited { color: var(--muted) !important; }
  .discord-message-timestamp-hover::before { font-size: 11px; }
  @media (max-width: 760px) { .discord-message-timestamp-hover::before { content: none !important; } }
  .discord-message-content { min-width: 0; padding-top: 0; }
  .discord-message-inner-center { align-items: flex-start; }
  .discord-message-body-only-indent { flex: 0 0 56px; box-sizing: border-box; text-align: center; margin: 3px 0 0; line-height: 16px; }
  .discord-author-avatar { margin-top: 2px; align-items: flex-start; }
  .discord-author-avatar img { cursor: default; }
  .discord-message-markup { display: block; }
  .discord-message-markup:has(+ .discord-message-edited) { display: inline; }
`);
DiscordAuthorInfo.elementStyles.push(
  css`:host .discord-author-username, :host([light-theme]) .discord-author-username { color: var(--strong); font-weight: 600; }`,
);
DiscordButton.elementStyles.push(css`
  :host > *:first-child { margin: 4px 8px 4px 0; border-radius: 8px; font-family: inherit; height: auto; min-height: 32px; padding-block: 4px; overflow-wrap: anywhere; }
  .secondary svg { margin-left: 8px; }
  .secondary { background: var(--button); color: var(--strong); }
  .secondary.hoverable:hover { background: var(--button-hover); }
  .success { background: #24804a; }
  .success.hoverable:hover { background: #1f6e40; }
  .destructive { background: #d22d39; }
  :host > *:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
  @media (forced-colors: active) { :host > *:first-child { border: 1px solid ButtonBorder; } }
`);
DiscordEmbed.elementStyles.push(css`
  :host { color: var(--text); }
  :host .discord-embed-wrapper, :host([light-theme]) .discord-embed-wrapper { background: var(--embed); border: 1px solid var(--line); border-left: 0; max-width: min(520px, 100%); }
  :host .discord-embed-grid { grid-template-columns: minmax(0, auto) auto; word-break: break-word; }
  :host .discord-embed-image { max-width: 100%; }
`);
DiscordEmbedField.elementStyles.push(css`:host { color: var(--text); }`);
DiscordEmbedFooter.elementStyles.push(css`:host, :host([light-theme]) { color: var(--muted); grid-column: 1 / 3; }`);
DiscordFileAttachment.elementStyles.push(css`
  .discord-file-attachment-mosaic-style, .discord-file-attachment-light-theme.discord-file-attachment-mosaic-style {
    background: var(--embed); border: 1px solid var(--line); border-radius: 10px;
  }
  .discord-file-attachment-metadata { color: var(--muted); }
`);
DiscordLink.elementStyles.push(css`
  a, .discord-link-light-theme a { color: var(--link); }
  a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
`);
DiscordMention.elementStyles.push(css`
  :host, :host([light-theme]) { color: var(--mention); background: var(--mention-back); cursor: default; }
`);
DiscordSpoiler.elementStyles.push(css`
  :host, :host([light-theme]) { background: var(--spoiler); padding: 0 2px; }
  :host(:hover:not([activated])) { background: var(--spoiler-hover); }
  :host([activated]), :host([light-theme][activated]) { background: var(--code); cursor: text; }
  :host(:not([activated])) ::slotted(*) { visibility: hidden; }
`);
DiscordTime.elementStyles.push(css`:host { background: var(--code); }`);
