// The messages of /dictionary, all of which only the member sees.

import { type APIModalInteractionResponseCallbackData, ComponentType, type ModalSubmitInteraction } from 'discord.js';
import {
  type Accent,
  button,
  type CardMessage,
  card,
  cards,
  file,
  limits,
  menu,
  pageWithin,
  row,
  separator,
  text,
} from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import type { Translator } from '../locales/index.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import type { SkippedLines, Unread } from './csv.ts';
import type { Scope } from './dictionaries.ts';
import type { Entry, ImportMode } from './entry.ts';

/** With lines of at most 210 characters, a page stays under the limit of a message. */
const PAGE_SIZE = 15;
const SHOWN_WORD = 60;
const SHOWN_SPOKEN = 130;
/** Characters that may be searched for, with room for the rest of a custom_id. */
export const MAX_SEARCH = 50;
/** Lines of a report; all of them are in its file. */
const SHOWN_SKIPPED = 10;

const place = { scope: part.text, page: part.number, typed: part.rest };
/** Turns to a page of a dictionary. The name only tells the buttons apart. */
export const listId = customId('dictionary', { name: part.text, ...place });
/** A menu of words. */
export const removeId = customId('dictionary:remove', place);
export const hearId = customId('dictionary:hear', { word: part.rest });
export const undoId = customId('dictionary:undo', { scope: part.text, key: part.text });
/** A form. */
export const importId = customId('dictionary:import', { scope: part.text });

export interface ListView {
  scope: Scope;
  /** The entries that were searched for, in order. */
  entries: readonly Entry[];
  /** How many there are in all, and how many there may be. */
  count: number;
  most: number;
  /** What was searched for; empty = nothing. */
  typed: string;
  page: number;
  mayChange: boolean;
  /** Whether there is a server with a dictionary. */
  inGuild: boolean;
}

/** One page of a dictionary; the last one if there are fewer now. */
export function listMessage(
  t: Translator,
  { scope, entries, count, most, typed, page: wanted, mayChange, inGuild }: ListView,
): CardMessage {
  const pages = Math.max(1, Math.ceil(entries.length / PAGE_SIZE));
  const page = pageWithin(pages, wanted);
  const shown = entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const none = typed === '' ? t(`dictionary.empty.${scope}`) : t('dictionary.noneFound', { typed });
  const facts = [
    typed === '' ? t('dictionary.count', { count, most }) : t('dictionary.found', { count: entries.length, typed }),
    pages > 1 ? t('queue.pageOf', { page, pages }) : null,
  ];
  const id = (name: string, listScope: Scope, to: number) => listId.write({ name, scope: listScope, page: to, typed });
  const other = scope === 'server' ? 'me' : 'server';
  return cards(
    card(
      'neutral',
      text(`### ${t(`dictionary.titles.${scope}`)}\n-# ${facts.filter((fact) => fact !== null).join(' · ')}`),
      separator(),
      text(shown.length === 0 ? none : shown.map((entry) => lineOf(t, entry)).join('\n')),
      mayChange ? row(removeMenu(t, removeId.write({ scope, page, typed }), shown)) : null,
      row(
        page > 1 ? button(t('general.previousPage'), id('previous', scope, page - 1)) : null,
        page < pages ? button(t('general.nextPage'), id('next', scope, page + 1)) : null,
        inGuild ? button(other === 'server' ? t('dictionary.showServer') : t('dictionary.showMine'), id('other', other, 1)) : null,
      ),
    ),
  );
}

function removeMenu(t: Translator, id: string, shown: readonly Entry[]) {
  const options = new Map(
    shown.map(({ word, spoken }) => [
      word,
      { label: asPlain(word, limits.optionLabel), value: word, description: asPlain(spoken, limits.optionLabel) },
    ]),
  );
  return options.size > 0 ? menu(id, t('dictionary.removeMenu'), [...options.values()]) : null;
}

/** The line of an entry: at most 210 characters, and the name of a language. */
function lineOf(t: Translator, { word, spoken, language }: Entry): string {
  return language === null
    ? t('dictionary.entry', { written: asMarkdown(word, SHOWN_WORD) || '?', spoken: asMarkdown(spoken, SHOWN_SPOKEN) || '?' })
    : t('dictionary.entryInLanguage', {
        written: asMarkdown(word, SHOWN_WORD) || '?',
        spoken: asMarkdown(spoken, SHOWN_SPOKEN) || '?',
        language: t.format.language(language),
      });
}

/** What was changed. @param undoKey null if it can't be undone */
export function changedMessage(
  t: Translator,
  scope: Scope,
  { before, after }: { before: readonly Entry[]; after: readonly Entry[] },
  undoKey: string | null,
): CardMessage {
  const [added] = after;
  const change = !added ? 'removed' : before.length > 0 ? 'changed' : 'added';
  const sentence = t(`dictionary.${change}.${scope}`);
  const lines = (added ? [added] : before.slice(0, PAGE_SIZE)).map((entry) => lineOf(t, entry));
  const replaced =
    added && before[0] ? `-# ${t('dictionary.before', { spoken: asMarkdown(before[0].spoken, SHOWN_SPOKEN) || '?' })}` : null;
  return cards(
    card(
      'done',
      text([sentence, ...lines, replaced].filter((line) => line !== null).join('\n')),
      undoRow(t, scope, undoKey, added ? hearButton(t, added) : null),
    ),
  );
}

/** Null if the word is too long for a button. */
function hearButton(t: Translator, { word }: Entry) {
  const id = hearId.writeIfItFits({ word });
  return id === null ? null : button(t('dictionary.hear'), id);
}

function undoRow(t: Translator, scope: Scope, key: string | null, other: ReturnType<typeof hearButton> = null) {
  return row(other, key === null ? null : button(t('dictionary.undo'), undoId.write({ scope, key })));
}

export interface ImportView {
  /** What was imported, as a sentence. */
  sentence: string;
  accent: Accent;
  skipped: readonly SkippedLines[];
  unread: Unread | null;
  undoKey: string | null;
  /** Name of the attached file with all lines that were not taken; null if they are all shown. */
  report: string | null;
}

export function importMessage(
  t: Translator,
  scope: Scope,
  { sentence, accent, skipped, unread, undoKey, report }: ImportView,
): CardMessage {
  const lines = reportLines(t, skipped);
  const shown = lines.slice(0, SHOWN_SKIPPED);
  const more = lines.length - shown.length;
  const list = [...shown, ...(more > 0 ? [t('dictionary.moreSkipped', { count: more })] : [])];
  return cards(
    card(
      accent,
      text(sentence),
      lines.length > 0
        ? text([t('dictionary.skipped', { count: countLines(skipped) }), ...list.map((line) => `-# ${line}`)].join('\n'))
        : null,
      unread === null ? null : text(unreadLine(t, unread)),
      report === null ? null : file(report),
      undoRow(t, scope, undoKey),
    ),
  );
}

/** Are there more skipped lines than the message has room for? */
export function needsReport(skipped: readonly SkippedLines[]): boolean {
  return skipped.length > SHOWN_SKIPPED;
}

/** A line for each of these, to be read by people. */
export function reportLines(t: Translator, skipped: readonly SkippedLines[]): string[] {
  return skipped.map(({ from, to, problem }) =>
    from === to
      ? t('dictionary.line', { line: from, reason: t(`dictionary.problems.${problem}`) })
      : t('dictionary.lines', { from, to, reason: t(`dictionary.problems.${problem}`) }),
  );
}

/** Says that the rest of a file was not looked at, and why. */
export function unreadLine(t: Translator, { from, reason }: Unread): string {
  return t(`dictionary.unread.${reason}`, { line: from });
}

function countLines(skipped: readonly SkippedLines[]): number {
  return skipped.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

export function exportMessage(t: Translator, scope: Scope, fileName: string): CardMessage {
  return cards(card('done', text(t(`dictionary.exported.${scope}`)), file(fileName)));
}

// The form of /dictionary import: a file, and what happens to the existing entries.

const MODES = ['merge', 'replace'] as const satisfies ImportMode[];

export function importForm(t: Translator, scope: Scope): APIModalInteractionResponseCallbackData {
  return {
    custom_id: importId.write({ scope }),
    title: t(`dictionary.importTitle.${scope}`),
    components: [
      {
        type: ComponentType.Label,
        label: t('dictionary.importLabel'),
        description: t('dictionary.importHint'),
        component: { type: ComponentType.FileUpload, custom_id: 'file', min_values: 1, max_values: 1, required: true },
      },
      {
        type: ComponentType.Label,
        label: t('dictionary.importModeLabel'),
        component: {
          type: ComponentType.StringSelect,
          custom_id: 'mode',
          options: MODES.map((value) => ({ label: t(`dictionary.importModes.${value}`), value, default: value === 'merge' })),
          required: true,
        },
      },
    ],
  };
}

export function readMode({ fields }: ModalSubmitInteraction): ImportMode {
  return fields.getStringSelectValues('mode')[0] === 'replace' ? 'replace' : 'merge';
}
