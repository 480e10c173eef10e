// The /settings panel: one section of a server's settings at a time, and the menu that leads to the others.
import { ButtonStyle } from 'discord.js';
import { type Accent, button, type CardMessage, card, cards, menu, row, separator, text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { type Panel, sections } from './panel-parts.ts';
import { drawSection } from './panel-sections.ts';

export function settingsPanel(t: Words, panel: Panel): CardMessage {
  const { section, guildName, news, undoKey, messageAccess, question } = panel;
  const offered = sections.filter((one) => one !== 'reading' || messageAccess !== 'off');
  const words = t.settings;
  const title = text(`### ${words.title(asMarkdown(guildName, 200) || '?')}`);
  if (section === 'reset') {
    const buttons = row(
      button(words.resetYes, customId('settings', 'reset-now'), ButtonStyle.Danger),
      button(words.cancel, customId('settings', 'keep')),
    );
    return cards(card('waiting', title, text(words.resetQuestion), buttons));
  }
  if (section === 'import') {
    const buttons = row(
      button(words.importYes, customId('settings', 'import-now', question?.key ?? ''), ButtonStyle.Danger),
      button(words.cancel, customId('settings', 'keep')),
    );
    return cards(card('waiting', title, text([words.importQuestion, ...(question?.lines ?? [])].join('\n')), buttons));
  }
  const accent: Accent = news === undefined ? 'neutral' : 'done';
  return cards(
    card(
      accent,
      title,
      news === undefined ? null : text(news),
      undoKey === undefined ? null : row(button(t.dictionary.undo, customId('settings', 'undo', undoKey))),
      row(
        menu(
          customId('settings', 'section'),
          words.menu,
          offered.map((one) => ({
            label: words.sections[one].label,
            description: words.sections[one].what,
            value: one,
            default: one === section,
          })),
        ),
      ),
      separator(),
      text(`-# ${words.explain[section]}`),
      ...drawSection(t, section, panel),
      separator(),
      row(
        button(words.exportButton, customId('settings', 'export')),
        button(words.importButton, customId('settings', 'import')),
        button(words.resetButton, customId('settings', 'reset')),
      ),
    ),
  );
}
