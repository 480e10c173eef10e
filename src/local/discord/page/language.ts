// The switch of the member's Discord language, which applications receive with every interaction.
import { Locale } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { call } from './connection.ts';
import { showError, state } from './state.ts';

/** Each by its own name, as in Discord's settings. */
const LANGUAGES: [Locale, string][] = [
  [Locale.EnglishUS, 'English, US'],
  [Locale.EnglishGB, 'English, UK'],
  [Locale.German, 'Deutsch'],
  [Locale.French, 'Français'],
  [Locale.SpanishES, 'Español'],
  [Locale.SpanishLATAM, 'Español, LATAM'],
  [Locale.PortugueseBR, 'Português do Brasil'],
  [Locale.Italian, 'Italiano'],
  [Locale.Polish, 'Polski'],
  [Locale.Japanese, '日本語'],
  [Locale.Korean, '한국어'],
  [Locale.ChineseCN, '中文'],
  [Locale.ChineseTW, '繁體中文'],
];

export function languageView(): TemplateResult {
  return html`<select class="language" aria-label="Language" title="Your language, as applications see it" @change=${choose}>
    ${LANGUAGES.map(([locale, name]) => html`<option value=${locale} lang=${locale} ?selected=${locale === state.locale}>${name}</option>`)}
  </select>`;
}

function choose(event: Event): void {
  call('set_locale', { locale: (event.target as HTMLSelectElement).value as Locale }).catch(showError);
}
