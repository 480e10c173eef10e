// The languages that members read Discord in, and that servers prefer.
import { GatewayIntentBits, Locale } from 'discord-api-types/v10';
import { serializeGuild } from './serialize.ts';
import type { Guild, World } from './world.ts';

const DEFAULT_LOCALE = Locale.EnglishUS;

const LOCALES = new Set<unknown>(Object.values(Locale));

/** https://docs.discord.com/developers/reference#locales */
export function isLocale(value: unknown): value is Locale {
  return LOCALES.has(value);
}

/** Discord's language for one of a browser (BCP 47), such as `es-419` or `pt`; null if Discord isn't available in it. */
export function findLocale(language: string): Locale | null {
  const [base = ''] = language.toLowerCase().split('-');
  const all = Object.values(Locale);
  const exact = all.find((locale) => locale.toLowerCase() === language.toLowerCase());
  if (exact) return exact;
  if (base === 'en') return DEFAULT_LOCALE;
  if (base === 'es') return /^es(?:-es)?$/i.test(language) ? Locale.SpanishES : Locale.SpanishLATAM;
  if (base === 'zh') return /hant|tw|hk|mo/i.test(language) ? Locale.ChineseTW : Locale.ChineseCN;
  return all.find((locale) => locale.toLowerCase().split('-')[0] === base) ?? null;
}

/** The language that a user has chosen in Discord; American English by default. */
export function localeOf(world: World, userId: string): Locale {
  return world.locales.get(userId) ?? DEFAULT_LOCALE;
}

/** Tells the user's clients, whose commands now have names in that language. @throws Error if Discord doesn't have this language */
export function setLocale(world: World, userId: string, locale: unknown): void {
  if (!isLocale(locale)) throw new Error(`Discord isn't available in ${locale}.`);
  world.locales.set(userId, locale);
  world.emit({ t: 'USER_SETTINGS_UPDATE', d: { locale }, to: { member: userId } });
  world.emit({ t: 'COMMANDS_UPDATE', d: null, to: { member: userId } });
}

/** Changes what the settings of a guild say. */
export function editGuild(world: World, guild: Guild, changes: Partial<Pick<Guild, 'name' | 'preferred_locale'>>): void {
  Object.assign(guild, changes);
  world.emit({ t: 'GUILD_UPDATE', d: serializeGuild(guild), intent: GatewayIntentBits.Guilds, guildId: guild.id });
}
