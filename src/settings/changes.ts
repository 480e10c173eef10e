// How the /settings panel changes the settings, and how it searches for voices.
import type { Guild } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { type UsableVoices, usableVoices } from '../voices/usable.ts';
import type { SettingsContext } from './context.ts';
import type { ChosenVoice, GuildSettings } from './index.ts';
import { MAX_OPTIONS } from './panel-parts.ts';

/** @param target `server`, or the id of a voice channel; null removes the choice */
export function withVoice(before: GuildSettings, target: string, voice: ChosenVoice | null): Partial<GuildSettings> {
  if (target === 'server') return { voice };
  const { [target]: _, ...others } = before.channelVoices;
  return { channelVoices: voice ? { ...others, [target]: voice } : others };
}

/** Drops the voices of deleted channels, and that they are read: no menu names these, so nobody could remove them. */
export function withoutDeleted(settings: GuildSettings, hasChannel: (id: string) => boolean): GuildSettings {
  const kept = Object.entries(settings.channelVoices).filter(([id]) => hasChannel(id));
  const always = settings.reading.always.filter((pair) => hasChannel(pair.textChannelId) && hasChannel(pair.voiceChannelId));
  return { ...settings, channelVoices: Object.fromEntries(kept), reading: { ...settings.reading, always } };
}

/** Leaves out roles and channels that the server does not have, as in settings of another server. Returns how many those were. */
export function withoutUnknown(settings: GuildSettings, guild: Guild | null): { kept: GuildSettings; left: number } {
  const hasChannel = (id: string) => guild?.channels.cache.has(id) ?? false;
  const knownRoles = (ids: string[]) => ids.filter((id) => guild?.roles.cache.has(id));
  const { channelVoices, reading } = withoutDeleted(settings, hasChannel);
  const kept = {
    ...settings,
    roles: knownRoles(settings.roles),
    voiceMakerRoles: knownRoles(settings.voiceMakerRoles),
    readerRoles: knownRoles(settings.readerRoles),
    dictionaryRoles: knownRoles(settings.dictionaryRoles),
    channels: settings.channels.filter(hasChannel),
    voiceChannels: settings.voiceChannels.filter(hasChannel),
    channelVoices,
    reading: { ...reading, roles: knownRoles(reading.roles) },
  };
  const count = (one: GuildSettings) => {
    const lists = [
      one.roles,
      one.voiceMakerRoles,
      one.readerRoles,
      one.dictionaryRoles,
      one.channels,
      one.reading.roles,
      one.reading.always,
    ];
    return lists.reduce((sum, { length }) => sum + length, Object.keys(one.channelVoices).length);
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
  if (ids.length > MAX_OPTIONS && ids.length > before.length) throw new UserError((t) => t.settings.tooMany(MAX_OPTIONS));
  return ids;
}

/** The voices that everybody may use in this server. */
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
  if (/^\S{6,90}$/.test(typed) || (isIdAlone && /^\S{1,90}$/.test(typed))) return [{ id: typed, title: null }];
  throw new UserError((t) => t.settings.noVoice(typed));
}
