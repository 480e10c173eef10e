// The switch of the member's Discord language, which applications receive with every interaction.
import { Locale } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { call } from './connection.ts';
import { displayName, showError, showNotice, state } from './state.ts';

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
  return html`<select class="language" aria-label="Language" title="Your language, for the application and for times" @change=${choose}>
    ${LANGUAGES.map(([locale, name]) => html`<option value=${locale} lang=${locale} .selected=${live(locale === state.locale)}>${name}</option>`)}
  </select>`;
}

async function choose(event: Event): Promise<void> {
  const { value } = event.target as HTMLSelectElement;
  const [locale, name] = LANGUAGES.find(([known]) => known === value) ?? [];
  if (!locale) return;
  try {
    await call('set_locale', { locale });
    const application = state.application ? displayName(state.application) : 'The application';
    showNotice(
      `Your language is now ${name}: ${application} answers you in it if it can, and all times follow it. The page itself stays in English.`,
    );
  } catch (error) {
    showError(error);
  }
}
