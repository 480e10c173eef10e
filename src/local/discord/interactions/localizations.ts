// Names and descriptions of commands in the language of the request.
// https://docs.discord.com/developers/interactions/application-commands#localization
import { Locale } from 'discord-api-types/v10';
import type { JsonObject } from '../validator.ts';

/** https://docs.discord.com/developers/interactions/application-commands#locale-fallbacks */
const FALLBACKS: Partial<Record<Locale, Locale>> = {
  [Locale.EnglishUS]: Locale.EnglishGB,
  [Locale.EnglishGB]: Locale.EnglishUS,
  [Locale.SpanishLATAM]: Locale.SpanishES,
};

/**
 * A command, option or choice with `name_localized` and `description_localized` in place of all its localizations; what isn't localized
 * has neither. Includes its options and choices.
 */
export function localize<T extends object>(definition: T, locale: Locale): T {
  const { name_localizations, description_localizations, ...localized } = definition as JsonObject;
  const name = pick(name_localizations, locale);
  const description = pick(description_localizations, locale);
  if (name !== undefined) localized.name_localized = name;
  if (description !== undefined) localized.description_localized = description;
  for (const list of ['options', 'choices'])
    if (localized[list]) localized[list] = localized[list].map((child: JsonObject) => localize(child, locale));
  return localized as T;
}

function pick(localizations: Partial<Record<Locale, string | null>> | null | undefined, locale: Locale): string | undefined {
  const fallback = FALLBACKS[locale];
  return localizations?.[locale] ?? (fallback && localizations?.[fallback]) ?? undefined;
}
