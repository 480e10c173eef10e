// What all sections of the /settings panel share: what they show, and the pieces they are made of.
import {
  type APIComponentInContainer,
  type ChannelType,
  ComponentType,
  channelMention,
  type Guild,
  roleMention,
  SelectMenuDefaultValueType,
} from 'discord.js';
import { type Api, ApiError } from '../api/index.ts';
import type { OperatorBudgets } from '../charging/index.ts';
import type { Attachments } from '../discord/attachments.ts';
import { menu, row, text } from '../discord/cards.ts';
import type { InteractionContext } from '../discord/command.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import type { MessageAccess } from '../discord/message-access.ts';
import type { IsOperator } from '../discord/operators.ts';
import type { TranscriptPermission } from '../discord/permissions.ts';
import type { Translator } from '../locales/index.ts';
import { describeLanguage } from '../locales/language-names.ts';
import type { Store } from '../store/index.ts';
import type { ChosenVoice, GuildSettings, Settings, SettingsGroup } from '../store/settings.ts';
import { asMarkdown, asPlain, truncate } from '../text/untrusted-text.ts';
import type { VoiceOwners } from '../voice-catalogue/owners.ts';
import { type UsableVoices, usableVoices, type VoiceTitles } from '../voice-catalogue/titles.ts';
import type { Sessions } from '../voice-session/types.ts';

export const sections = ['voices', 'speaking', 'access', 'reading', 'transcripts', 'captions', 'budgets'] as const;
export type Section = (typeof sections)[number];

/** The server, or the voice channel with this id: whose voice is being chosen, or where a channel is always read. */
type Target = 'server' | (string & {});

/** Everything the panel shows. */
export interface Panel {
  settings: GuildSettings;
  /** `reset` and `import` ask for confirmation in place of a section. */
  section: Section | 'reset' | 'import';
  /** What an import would change, and the key that it is stored under. */
  question?: { lines: string[]; key: string };
  /** The key to undo what has just happened. */
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
  /** If `off`, there is no section for reading. */
  messageAccess: MessageAccess;
  /** Languages that can be hinted at, BCP 47. */
  languages: readonly string[];
  /** What the bot lacks to answer voice messages in this channel. */
  lacksFor(channelId: string): TranscriptPermission[];
  /** Do this role and this channel still exist? */
  hasRole(id: string): boolean;
  hasChannel(id: string): boolean;
}

/** Whether a role or a channel is in this server. */
export function existingIn(guild: Guild | null): Pick<Panel, 'hasRole' | 'hasChannel'> {
  return {
    hasRole: (id) => guild?.roles.cache.has(id) ?? false,
    hasChannel: (id) => guild?.channels.cache.has(id) ?? false,
  };
}

/** The most options, or choices, of a select menu. */
export const MAX_OPTIONS = 25;
/** Limit for one line of the panel, so that all of them stay within `limits.cardText`. */
const MAX_LINE = 700;

export type Part = APIComponentInContainer | null;

export function lines(...texts: string[]): APIComponentInContainer {
  return text(texts.map((line) => truncate(line, MAX_LINE)).join('\n'));
}

/** Characters of the title of a voice. */
export const MAX_TITLE = 100;

export function titleOf({ id, title }: ChosenVoice): string {
  return asMarkdown(title ?? '', MAX_TITLE) || asMarkdown(id, MAX_TITLE) || '?';
}

export function listed(t: Translator, names: string[], most: number, none: string): string {
  const rest = names.length - most;
  return [...names.slice(0, most), ...(rest > 0 ? [t('settings.more', { count: rest })] : [])].join(' ') || none;
}

/** The buttons and menus of the panel. @see applyAction for what an action's name and value are */
export const settingsId = customId('settings', {
  action: part.text,
  name: part.optional(part.text),
  value: part.optional(part.text),
});

type PanelId = Parameters<typeof settingsId.write>[0];

/** A menu of roles. @param chosen those of them that are there */
export function roleRow(placeholder: string, id: PanelId, chosen: string[]): Part {
  const default_values = chosenValues(chosen, SelectMenuDefaultValueType.Role);
  return row({ type: ComponentType.RoleSelect, ...severalOf(placeholder, id), default_values });
}

/** A menu of channels. @param chosen those of them that are there */
export function channelRow(placeholder: string, id: PanelId, types: ChannelType[], chosen: string[], most = MAX_OPTIONS): Part {
  const default_values = chosenValues(chosen, SelectMenuDefaultValueType.Channel);
  return row({ type: ComponentType.ChannelSelect, ...severalOf(placeholder, id), max_values: most, channel_types: types, default_values });
}

export function memberRow(placeholder: string, id: PanelId, chosen: string[]): Part {
  const default_values = chosenValues(chosen, SelectMenuDefaultValueType.User);
  return row({ type: ComponentType.UserSelect, ...severalOf(placeholder, id), default_values });
}

function severalOf(placeholder: string, id: PanelId) {
  return { custom_id: settingsId.write(id), placeholder, min_values: 0, max_values: MAX_OPTIONS };
}

function chosenValues<T extends SelectMenuDefaultValueType>(ids: string[], type: T) {
  return ids.slice(0, MAX_OPTIONS).map((id) => ({ id, type }));
}

/** What is set under this name, also roles and channels that have been deleted. @param none what is said if there are none */
export function listLine(t: Translator, name: string, items: string[], none: string): string {
  return t('settings.line', { name, value: listed(t, items, MAX_OPTIONS, none) });
}

export function roleNames(t: Translator, ids: string[], { hasRole }: Pick<Panel, 'hasRole'>): string[] {
  return ids.map((id) => (hasRole(id) ? roleMention(id) : t('settings.deletedRole')));
}

/** @param deleted what those are called that have been deleted */
export function channelNames(ids: string[], { hasChannel }: Pick<Panel, 'hasChannel'>, deleted: (id: string) => string): string[] {
  return ids.map((id) => (hasChannel(id) ? channelMention(id) : deleted(id)));
}

/** Changes one group of settings. */
export function changeGroup<Group extends SettingsGroup>(
  group: Group,
  by: (before: GuildSettings[Group]) => Partial<GuildSettings[Group]>,
): (before: GuildSettings) => Pick<GuildSettings, Group> {
  return (before) => ({ [group]: { ...before[group], ...by(before[group]) } }) as Pick<GuildSettings, Group>;
}

/** Option for no hint about the language. */
const DETECT = 'auto';

/** A menu for the hint about the language spoken. @param chosen BCP 47; null = none @param offered such codes */
export function languageRow(
  t: Translator,
  section: 'captions' | 'voiceMessages',
  id: string,
  chosen: string | null,
  offered: readonly string[],
): Part {
  const codes = [...new Set([...(chosen === null ? [] : [chosen]), ...offered])].slice(0, MAX_OPTIONS - 1);
  return row(
    menu(id, t(`${section}.panel.languageName`), [
      { label: t(`${section}.panel.language`, { name: t('transcription.detectLanguage') }), value: DETECT, default: chosen === null },
      ...codes.map((code) => ({
        label: t(`${section}.panel.language`, { name: asPlain(describeLanguage(code, t.locale).name, 60) || code }),
        value: code,
        default: code === chosen,
      })),
    ]),
  );
}

/** The hint that was chosen in that menu; null = none. */
export function readLanguage(chosen: string | undefined, before: string | null): string | null {
  if (chosen === undefined) return before;
  return chosen === DETECT ? null : chosen;
}

// How the /settings panel changes the settings, and how it searches for voices.

/** @param target `server`, or the id of a voice channel; null removes the choice */
export function withVoice(before: GuildSettings, target: string, voice: ChosenVoice | null): Partial<GuildSettings> {
  if (target === 'server') return { voice };
  const { [target]: _, ...others } = before.channelVoices;
  return { channelVoices: voice ? { ...others, [target]: voice } : others };
}

/**
 * Drops the voices, the reading and the transcripts of deleted channels: menus don't list these, so nobody could remove them. What limits where
 * the bot may be used stays, or it might no longer limit anything; the panel shows it as deleted until somebody chooses again.
 */
export function withoutDeleted(settings: GuildSettings, hasChannel: (id: string) => boolean): GuildSettings {
  const kept = Object.entries(settings.channelVoices).filter(([id]) => hasChannel(id));
  const { reading, transcripts } = settings;
  const always = reading.always.filter((pair) => hasChannel(pair.textChannelId) && hasChannel(pair.voiceChannelId));
  return {
    ...settings,
    channelVoices: Object.fromEntries(kept),
    reading: { ...reading, always },
    transcripts: { ...transcripts, channels: transcripts.channels.filter(hasChannel) },
  };
}

/**
 * The roles or channels of a limit that still exist; if none does, all of them, because an empty limit would allow it to everybody, or
 * everywhere.
 */
function stillLimiting(ids: string[], isThere: (id: string) => boolean): string[] {
  const existing = ids.filter(isThere);
  return existing.length > 0 ? existing : ids;
}

/**
 * Leaves out roles and channels that the server doesn't have, as in another server's settings, unless a limit would go with them. Returns how
 * many it left out.
 */
export function withoutUnknown(settings: GuildSettings, guild: Guild | null): { kept: GuildSettings; left: number } {
  const { hasRole, hasChannel } = existingIn(guild);
  const knownRoles = (ids: string[]) => ids.filter(hasRole);
  // The bot is limited to the listed voice channels only if there are any, and to the listed text channels only if there are any.
  const isVoice = (id: string) => settings.voiceChannels.includes(id) || (guild?.channels.cache.get(id)?.isVoiceBased() ?? false);
  const [voice, text] = [settings.channels.filter(isVoice), settings.channels.filter((id) => !isVoice(id))];
  const limiting = [...stillLimiting(voice, hasChannel), ...stillLimiting(text, hasChannel)];
  const channels = settings.channels.filter((id) => limiting.includes(id));
  const { channelVoices, reading, transcripts, captions } = withoutDeleted(settings, hasChannel);
  const kept = {
    ...settings,
    roles: stillLimiting(settings.roles, hasRole),
    voiceMakerRoles: knownRoles(settings.voiceMakerRoles),
    readerRoles: knownRoles(settings.readerRoles),
    dictionaryRoles: knownRoles(settings.dictionaryRoles),
    channels,
    voiceChannels: settings.voiceChannels.filter((id) => channels.includes(id)),
    channelVoices,
    reading: { ...reading, roles: stillLimiting(reading.roles, hasRole) },
    transcripts,
    captions: {
      ...captions,
      starters: stillLimiting(captions.starters, hasRole),
      channels: stillLimiting(captions.channels, hasChannel),
      excluded: knownRoles(captions.excluded),
    },
  };
  const count = (values: GuildSettings) => {
    const lists = [
      values.roles,
      values.voiceMakerRoles,
      values.readerRoles,
      values.dictionaryRoles,
      values.channels,
      values.reading.roles,
      values.reading.always,
      values.transcripts.channels,
      values.captions.starters,
      values.captions.channels,
      values.captions.excluded,
    ];
    return lists.reduce((sum, { length }) => sum + length, Object.keys(values.channelVoices).length);
  };
  return { kept, left: count(settings) - count(kept) };
}

/**
 * Applies only what the admin changed in a menu.
 * @param shown what the menu showed as chosen, which may be older than `before`
 * @throws UserError if there would be more than the menu can show
 */
export function withChosen(before: string[], chosen: string[], shown: string[]): string[] {
  const kept = before.filter((id) => chosen.includes(id) || !shown.includes(id));
  const ids = [...new Set([...kept, ...chosen])];
  if (ids.length > MAX_OPTIONS && ids.length > before.length) throw new UserError((t) => t('settings.tooMany', { most: MAX_OPTIONS }));
  return ids;
}

/** The voices that everybody in this server may use. */
export function serverVoices(guildId: string, context: Pick<SettingsContext, 'voiceTitles' | 'voiceOwners'>): UsableVoices {
  return usableVoices({ userId: '', guildId }, context);
}

/**
 * Searches by title, in memory and at the service, among the voices that this user may see and everybody may use in the server; an unknown
 * id is taken as it is. @throws UserError, StoreError
 */
export async function searchVoices(
  context: Pick<SettingsContext, 'api' | 'voiceTitles' | 'voiceOwners' | 'isOperator' | 'signal'>,
  typed: string,
  { userId, guildId }: { userId: string; guildId: string },
): Promise<ChosenVoice[]> {
  const { api, voiceTitles, isOperator, signal } = context;
  // If the service fails, the titles in memory are searched all the same.
  let isIdAlone = false;
  const page = await api.listModels({ title: typed, pageSize: MAX_OPTIONS }, { signal }).catch((error: unknown) => {
    isIdAlone = error instanceof ApiError && error.kind === 'unsupported';
    return null;
  });
  if (page) await voiceTitles.remember(page.items);
  const own = await serverVoices(guildId, context).findOwn(typed);
  const audience = (await isOperator(userId)) ? 'operators' : 'everybody';
  const voices: ChosenVoice[] = [...own, ...voiceTitles.find(typed, MAX_OPTIONS - 1, audience)];
  if (voices.length > 0) return voices.slice(0, MAX_OPTIONS - 1);
  const fetched = await serverVoices(guildId, context).fetch(typed);
  if (fetched.title !== null) return [fetched];
  if (/^\S{6,90}$/.test(fetched.id) || (isIdAlone && /^\S{1,90}$/.test(fetched.id))) return [fetched];
  throw new UserError((t) => t('settings.noVoice', { typed }));
}

/** What the settings panel needs beside the interaction. */
export interface SettingsContext extends InteractionContext {
  api: Api;
  attachments: Attachments;
  settings: Settings;
  sessions: Sessions;
  store: Store;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  /** The operator's daily budgets, which admins may tighten. */
  budgets: OperatorBudgets;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  isOperator: IsOperator;
  /** Who may make voices: admins choose roles only if the operator leaves it to them. */
  voiceMakers: 'operators' | 'admins' | 'everyone';
  /** Whether messages can be read now. */
  messageAccess: () => MessageAccess;
  transcriptionLanguages: { offered(): readonly string[] };
}
