// REST: guilds. https://docs.discord.com/developers/resources/guild

import { Locale, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { createValidator, type JsonObject } from '../../validator.ts';
import { editGuild, isLocale } from '../../world/languages.ts';
import { computePermissions } from '../../world/permissions.ts';
import { serializeGuild } from '../../world/serialize.ts';
import { requireGuild } from '../lookup.ts';
import type { RestDependencies } from '../types.ts';

export function guildRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  api.get('/guilds/:guild', (request) => serializeGuild(requireGuild(world, request)));
  api.patch('/guilds/:guild', (request) => {
    const guild = requireGuild(world, request);
    if (!(computePermissions(guild, world.application.id) & P.ManageGuild)) throw discordErrors.missingPermissions();
    editGuild(world, guild, readChanges((request.body ?? {}) as JsonObject));
    return serializeGuild(guild);
  });
  api.get('/guilds/:guild/channels', (request) => [...requireGuild(world, request).channels.values()]);
  api.get('/guilds/:guild/roles', (request) => requireGuild(world, request).roles);
}

/** The local Discord shows no other setting of a guild, and refuses to change them rather than ignoring it. @throws DiscordError 50035 */
function readChanges({ name, preferred_locale: locale, ...others }: JsonObject): Parameters<typeof editGuild>[2] {
  const validator = createValidator();
  if (name !== undefined) validator.checkLength('name', name, 2, 100);
  if (locale != null && !isLocale(locale)) validator.addError('preferred_locale', 'BASE_TYPE_CHOICES', 'Not a locale that Discord knows.');
  for (const field of Object.keys(others))
    validator.addError(field, 'LOCAL_UNSUPPORTED', `The local Discord can't change a guild's ${field}.`);
  validator.throwIfInvalid();
  return { ...(name !== undefined && { name }), ...(locale !== undefined && { preferred_locale: locale ?? Locale.EnglishUS }) };
}
