// What all sections of the /settings panel share: what they show, and the pieces they are made of.
import type { APIComponentInContainer, SelectMenuDefaultValueType } from 'discord.js';
import { text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import type { MessageAccess } from '../bot/message-access.ts';
import type { OperatorBudgets } from '../credit/index.ts';
import type { Words } from '../locales/index.ts';
import { truncate } from '../text/truncate.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { ChosenVoice, GuildSettings } from './index.ts';

export const sections = ['voices', 'speaking', 'access', 'reading', 'budgets'] as const;
export type Section = (typeof sections)[number];

/** The server, or the voice channel with this id: whose voice is being chosen, or where a channel is always read. */
type Target = 'server' | (string & {});

/** Everything the panel shows. */
export interface Panel {
  settings: GuildSettings;
  /** `reset` and `import` ask for confirmation in place of a section. */
  section: Section | 'reset' | 'import';
  /** What an import would do, and the key that it is kept with. */
  question?: { lines: string[]; key: string };
  /** What it takes to undo what has just happened. */
  undoKey?: string;
  target?: Target | undefined;
  /** Voices to choose from. */
  voices: ChosenVoice[];
  /** The search that found them, if there was one. */
  typed?: string;
  /** What has just happened. */
  news?: string;
  /** Name of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  /** The operator's daily budgets. */
  budgets: OperatorBudgets;
  /** Do admins choose who makes voices? */
  choosesVoiceMakers: boolean;
  guildName: string;
  /** If it is off, there is no section for reading. */
  messageAccess: MessageAccess;
  /** Do this role and this channel still exist? */
  hasRole(id: string): boolean;
  hasChannel(id: string): boolean;
}

/** The most options, or choices, of a select menu. */
export const MAX_OPTIONS = 25;
/** Limit for one line of the panel, so that all of them stay within `limits.cardText`. */
const MAX_LINE = 700;

export type Part = APIComponentInContainer | null;

export function lines(...all: string[]): APIComponentInContainer {
  return text(all.map((one) => truncate(one, MAX_LINE)).join('\n'));
}

/** Characters of the title of a voice. */
export const MAX_TITLE = 100;

export function titleOf({ id, title }: ChosenVoice): string {
  return asMarkdown(title ?? '', MAX_TITLE) || asMarkdown(id, MAX_TITLE) || '?';
}

export function listed({ settings: t }: Words, names: string[], most: number, none: string): string {
  const rest = names.length - most;
  return [...names.slice(0, most), ...(rest > 0 ? [t.more(rest)] : [])].join(' ') || none;
}

/** The fields of a menu in which several can be chosen. @param action of the custom_id */
export function many(placeholder: string, ...action: [string, ...string[]]) {
  return { custom_id: customId('settings', ...action), placeholder, min_values: 0, max_values: MAX_OPTIONS };
}

/** What a menu of channels, roles or members shows as chosen. */
export function chosenValues<T extends SelectMenuDefaultValueType>(ids: string[], type: T) {
  return ids.slice(0, MAX_OPTIONS).map((id) => ({ id, type }));
}
