// What is offered while a member types the name of a voice.
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';
import { limits, truncate } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import type { ChosenVoice } from '../settings/index.ts';
import type { SayContext } from './context.ts';
import { nameOf } from './voices.ts';

/** The member's own voices are no more than this many of those offered for nothing typed, so that there are others, too. */
const MAX_OWN = 12;
/** Room that is left for what makes a voice one of the member's own. */
const MARK = 20;

/** The member's recent and favourite voices first, then titles that are known; the value is the id. */
export async function completeVoice(
  interaction: AutocompleteInteraction,
  { settings, voiceTitles, isOperator }: Pick<SayContext, 'settings' | 'voiceTitles' | 'isOperator'>,
): Promise<ApplicationCommandOptionChoiceData[]> {
  const typed = interaction.options.getFocused();
  const { recent, favourites } = await settings.member(interaction.user.id);
  const own = new Map<string, { voice: ChosenVoice; why: string }>();
  for (const voice of recent) own.set(voice.id, { voice, why: en.say.recentVoice });
  for (const voice of favourites) own.set(voice.id, { voice: own.get(voice.id)?.voice ?? voice, why: en.say.favouriteVoice });
  const fitting = [...own.values()].filter(({ voice }) => voiceTitles.fits(voice, typed)).slice(0, MAX_OWN);
  const found = voiceTitles.find(typed, limits.choices, 'operators');
  // Who is an operator is asked only where it makes a difference, for Discord may have to be asked.
  const mayAll = !found.some(({ isPrivate }) => isPrivate) || (await isOperator(interaction.user.id));
  const offered = mayAll ? found : voiceTitles.find(typed, limits.choices);
  const others = offered.filter(({ id }) => !fitting.some(({ voice }) => voice.id === id));
  return [
    ...fitting.map(({ voice, why }) => ({ name: `${truncate(nameOf(voice), limits.choiceName - MARK)} · ${why}`, value: voice.id })),
    ...others.map(({ id, title }) => ({ name: title, value: id })),
  ]
    .filter(({ value }) => value !== '' && value.length <= limits.choiceValue)
    .slice(0, limits.choices);
}
