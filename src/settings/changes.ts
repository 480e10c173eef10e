// What the panel of /settings changes in the settings, and the voices it finds.
import { ApiError } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import type { SettingsContext } from './context.ts';
import type { ChosenVoice, GuildSettings } from './index.ts';
import { MOST_CHOSEN } from './panel.ts';

/** @param target `server`, or the id of a voice channel; a null voice takes back what was chosen */
export function withVoice(before: GuildSettings, target: string, voice: ChosenVoice | null): Partial<GuildSettings> {
  if (target === 'server') return { voice };
  const { [target]: _, ...others } = before.channelVoices;
  return { channelVoices: voice ? { ...others, [target]: voice } : others };
}

/** Without the voices of channels that there are no more: no menu names these, so that nobody could take them back. */
export function withoutDeleted(settings: GuildSettings, hasChannel: (id: string) => boolean): GuildSettings {
  const kept = Object.entries(settings.channelVoices).filter(([id]) => hasChannel(id));
  return { ...settings, channelVoices: Object.fromEntries(kept) };
}

/**
 * What an admin changed in a menu of several, and nothing else: `shown` is what it showed as chosen, which may be older than `before`.
 * @throws UserError where there would be more than the menu can show
 */
export function withChosen(before: string[], chosen: string[], shown: string[]): string[] {
  const kept = before.filter((id) => chosen.includes(id) || !shown.includes(id));
  const ids = [...new Set([...kept, ...chosen])];
  if (ids.length > MOST_CHOSEN && ids.length > before.length) throw new UserError(en.settings.tooMany(MOST_CHOSEN));
  return ids;
}

/** By title, here and at the service, as far as this user may see; what looks like an id may be one that no list has. @throws UserError */
export async function searchVoices(
  { api, voiceTitles, isOperator, signal }: Pick<SettingsContext, 'api' | 'voiceTitles' | 'isOperator' | 'signal'>,
  typed: string,
  userId: string,
): Promise<ChosenVoice[]> {
  // Without the service there is still what is known here.
  let isIdAlone = false;
  const page = await api.listModels({ title: typed, pageSize: MOST_CHOSEN }, { signal }).catch((error: unknown) => {
    isIdAlone = error instanceof ApiError && error.kind === 'unsupported';
    return null;
  });
  if (page) voiceTitles.remember(page.items);
  const voices: ChosenVoice[] = voiceTitles.find(typed, MOST_CHOSEN - 1, (await isOperator(userId)) ? 'operators' : 'everybody');
  if (voices.length > 0) return voices;
  if (/^\S{6,90}$/.test(typed) || (isIdAlone && /^\S{1,90}$/.test(typed))) return [{ id: typed, title: null }];
  throw new UserError(en.settings.noVoice(typed));
}
