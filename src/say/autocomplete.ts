// The choices shown while a member types the name of a voice.
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';
import { limits } from '../discord/cards.ts';
import type { ChosenVoice } from '../store/settings.ts';
import { truncate } from '../text/untrusted-text.ts';
import type { OwnVoice } from '../voice-catalogue/owners.ts';
import { usableVoices, voiceUserOf } from '../voice-catalogue/titles.ts';
import { voiceName } from '../voice-catalogue/voice-name.ts';
import type { SayContext } from './context.ts';
import { CLOSEST } from './voice-choice.ts';

/** Most of the member's recent and favourite voices, so that there is room for others. */
const MAX_CHOSEN = 12;
/** Most of the voices that members made. */
const MAX_OF_MEMBERS = 6;

/**
 * The member's recent and favourite voices first, then those that they made or that are shared with the server, then known titles, each
 * with its language and tags; the value is the id. If nothing matches, the titles that are spelt most alike.
 */
export async function completeVoice(
  interaction: AutocompleteInteraction,
  context: Pick<SayContext, 'settings' | 'voiceTitles' | 'voiceOwners' | 'isOperator' | 't'>,
): Promise<ApplicationCommandOptionChoiceData[]> {
  const { settings, voiceTitles, isOperator, t } = context;
  const typed = interaction.options.getFocused();
  const user = voiceUserOf(interaction);
  const usable = usableVoices(user, context);
  const [{ recent, favourites }, own] = await Promise.all([settings.member(user.userId), usable.findOwn('')]);
  const chosen = new Map<string, { voice: ChosenVoice; note: string }>();
  for (const voice of recent) chosen.set(voice.id, { voice, note: t('say.recentVoice') });
  for (const voice of favourites) chosen.set(voice.id, { voice: chosen.get(voice.id)?.voice ?? voice, note: t('say.favouriteVoice') });
  for (const { id, title } of own) {
    const before = chosen.get(id);
    // Its title may have changed since.
    if (before) chosen.set(id, { ...before, voice: { id, title } });
  }
  const wanted = [...chosen.values()].filter(({ voice }) => voiceTitles.matches(voice, typed));
  const access = await Promise.all(wanted.map(({ voice }) => usable.accessOf(voice.id)));
  const ofMembers = own.filter((voice) => !chosen.has(voice.id) && voiceTitles.matches(voice, typed));
  const noteOf = ({ ownerId }: OwnVoice) => (ownerId === user.userId ? t('ownVoices.mine.yours') : t('ownVoices.mine.shared'));
  const matching = [
    ...wanted.filter((_, index) => access[index] !== 'refused').slice(0, MAX_CHOSEN),
    ...ofMembers.slice(0, MAX_OF_MEMBERS).map((voice) => ({ voice, note: noteOf(voice) })),
  ];
  const catalogueVoices = voiceTitles.find(typed, limits.choices, 'operators');
  // Asked only if it makes a difference, because it may take a request to Discord.
  const seesAll = !catalogueVoices.some(({ isPrivate }) => isPrivate) || (await isOperator(interaction.user.id));
  const offered = seesAll ? catalogueVoices : voiceTitles.find(typed, limits.choices);
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

/** Shortens the title rather than the notes, which tell voices with the same title apart. */
function withNotes(title: string, notes: string[]): string {
  const end = notes
    .filter(Boolean)
    .map((note) => ` · ${note}`)
    .join('');
  return truncate(title, limits.choiceName - end.length) + end;
}
