// The choices shown while a member types a filter of /voices: from what the catalogue has shown.
import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';
import { limits } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { MAX_FILTER_LENGTH, namesOf, type VoicesContext } from './catalogue.ts';
import { tagName } from './tags.ts';
import { fold, type VoiceTitle } from './titles.ts';

/** Something voices have in common: `value` is sent to the service, `name` is shown, `others` also match. */
interface Facet {
  value: string;
  name: string;
  others: string[];
}

/** Suggests values of a filter, from the voices that everybody may see. */
export function completeFilter(
  interaction: AutocompleteInteraction,
  { voiceTitles, t }: Pick<VoicesContext, 'voiceTitles' | 't'>,
): ApplicationCommandOptionChoiceData[] {
  const { name, value: typed } = interaction.options.getFocused(true);
  const voices = voiceTitles.all();
  if (name === 'author') return toChoices(match(authorsOf(voices), typed), []);
  const parts = typed.split(',').map((part) => part.trim());
  const last = parts.pop() ?? '';
  const before = parts.filter(Boolean);
  const facets = name === 'tag' ? tagsOf(voices, t) : languagesOf(voices, t);
  const isNew = ({ value }: Facet) => !before.some((earlier) => fold(earlier) === fold(value));
  return toChoices(match(facets.filter(isNew), last), before);
}

/** The most common ones first. */
function tagsOf(voices: readonly VoiceTitle[], t: Translator): Facet[] {
  return byUse(voices.flatMap(({ tags }) => tags)).map((tag) => ({ value: tag, name: tagName(tag, t), others: [tag] }));
}

function authorsOf(voices: readonly VoiceTitle[]): Facet[] {
  const authors = voices.map(({ author }) => author).filter(({ id }) => id !== '');
  const names = new Map(authors.map(({ id, name }) => [id, name]));
  return byUse(authors.map(({ id }) => id)).map((id) => ({ value: id, name: names.get(id) || id, others: [id] }));
}

function languagesOf(voices: readonly VoiceTitle[], t: Translator): Facet[] {
  return byUse(voices.flatMap(({ languages }) => languages)).map((code) => ({
    value: code,
    name: t.format.language(code),
    others: [code, ...namesOf(code, t)],
  }));
}

function byUse(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, times], [b, more]) => more - times || (a < b ? -1 : 1)).map(([value]) => value);
}

/** The facets that begin with what was typed, then those that contain it. */
function match(facets: readonly Facet[], typed: string): Facet[] {
  const wanted = fold(typed);
  const begins = ({ name, others }: Facet) => [name, ...others].some((text) => fold(text).startsWith(wanted));
  const contains = (facet: Facet) => !begins(facet) && fold(facet.name).includes(wanted);
  return [...facets.filter(begins), ...facets.filter(contains)];
}

/** @param before what precedes the part being typed, to stay in the option */
function toChoices(facets: readonly Facet[], before: readonly string[]): ApplicationCommandOptionChoiceData[] {
  return facets
    .map(({ value, name }) => ({ name: [...before, name].join(', '), value: [...before, value].join(', ') }))
    .filter(({ value }) => value !== '' && value.length <= MAX_FILTER_LENGTH)
    .slice(0, limits.choices);
}
