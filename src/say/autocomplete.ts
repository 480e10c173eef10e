// The choices shown while a member types the name of a voice.
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';
import { limits } from '../bot/discord-limits.ts';
import type { ChosenVoice } from '../settings/index.ts';
import { truncate } from '../text/truncate.ts';
import type { SayContext } from './context.ts';
import { CLOSEST, voiceName } from './voices.ts';

/** Of the member's own voices, so that there is room for others. */
const MAX_OWN = 12;

/**
 * The member's recent and favourite voices first, then known titles, each with its language and tags; the value is the id. If nothing
 * matches, the closest titles.
 */
export async function completeVoice(
  interaction: AutocompleteInteraction,
  { settings, voiceTitles, isOperator, words: t }: Pick<SayContext, 'settings' | 'voiceTitles' | 'isOperator' | 'words'>,
): Promise<ApplicationCommandOptionChoiceData[]> {
  const typed = interaction.options.getFocused();
  const { recent, favourites } = await settings.member(interaction.user.id);
  const own = new Map<string, { voice: ChosenVoice; note: string }>();
  for (const voice of recent) own.set(voice.id, { voice, note: t.say.recentVoice });
  for (const voice of favourites) own.set(voice.id, { voice: own.get(voice.id)?.voice ?? voice, note: t.say.favouriteVoice });
  const matching = [...own.values()].filter(({ voice }) => voiceTitles.matches(voice, typed)).slice(0, MAX_OWN);
  const found = voiceTitles.find(typed, limits.choices, 'operators');
  // Only if it makes a difference, as it may take a request to Discord.
  const seesAll = !found.some(({ isPrivate }) => isPrivate) || (await isOperator(interaction.user.id));
  const offered = seesAll ? found : voiceTitles.find(typed, limits.choices);
  const others = offered.filter(({ id }) => !matching.some(({ voice }) => voice.id === id));
  const nothingMatches = matching.length + others.length === 0;
  const describe = (id: string) => voiceTitles.describe(id, t);
  return [
    ...matching.map(({ voice, note }) => ({ name: withNotes(voiceName(voice, t), [note, describe(voice.id)]), value: voice.id })),
    ...(nothingMatches ? voiceTitles.closest(typed, CLOSEST) : others).map(({ id, title }) => ({
      name: withNotes(title, [describe(id)]),
      value: id,
    })),
  ]
    .filter(({ value }) => value !== '' && value.length <= limits.choiceValue)
    .slice(0, limits.choices);
}

/** The title gives way, as notes tell voices of one title apart. */
function withNotes(title: string, notes: string[]): string {
  const end = notes
    .filter(Boolean)
    .map((note) => ` · ${note}`)
    .join('');
  return truncate(title, limits.choiceName - end.length) + end;
}
