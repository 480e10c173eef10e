// The choices shown while a member types the name of a voice.
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';
import { limits } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import type { ChosenVoice } from '../settings/index.ts';
import { truncate } from '../text/truncate.ts';
import type { SayContext } from './context.ts';
import { voiceName } from './voices.ts';

/** Of the member's own voices, so that there is room for others. */
const MAX_OWN = 12;
/** Room for why a voice is one of the member's own. */
const NOTE_LENGTH = 20;

/** The member's recent and favourite voices first, then known titles; the value is the id. */
export async function completeVoice(
  interaction: AutocompleteInteraction,
  { settings, voiceTitles, isOperator }: Pick<SayContext, 'settings' | 'voiceTitles' | 'isOperator'>,
): Promise<ApplicationCommandOptionChoiceData[]> {
  const typed = interaction.options.getFocused();
  const { recent, favourites } = await settings.member(interaction.user.id);
  const own = new Map<string, { voice: ChosenVoice; note: string }>();
  for (const voice of recent) own.set(voice.id, { voice, note: en.say.recentVoice });
  for (const voice of favourites) own.set(voice.id, { voice: own.get(voice.id)?.voice ?? voice, note: en.say.favouriteVoice });
  const matching = [...own.values()].filter(({ voice }) => voiceTitles.matches(voice, typed)).slice(0, MAX_OWN);
  const found = voiceTitles.find(typed, limits.choices, 'operators');
  // Only if it makes a difference, as it may take a request to Discord.
  const seesAll = !found.some(({ isPrivate }) => isPrivate) || (await isOperator(interaction.user.id));
  const offered = seesAll ? found : voiceTitles.find(typed, limits.choices);
  const others = offered.filter(({ id }) => !matching.some(({ voice }) => voice.id === id));
  return [
    ...matching.map(({ voice, note }) => ({
      name: `${truncate(voiceName(voice), limits.choiceName - NOTE_LENGTH)} · ${note}`,
      value: voice.id,
    })),
    ...others.map(({ id, title }) => ({ name: title, value: id })),
  ]
    .filter(({ value }) => value !== '' && value.length <= limits.choiceValue)
    .slice(0, limits.choices);
}
