// REST: guilds. https://docs.discord.com/developers/resources/guild
import type { FastifyInstance } from 'fastify';
import { serializeGuild } from '../../world/serialize.ts';
import { requireGuild } from '../lookup.ts';
import type { RestDependencies } from '../types.ts';

export function guildRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  api.get('/guilds/:guild', (request) => serializeGuild(requireGuild(world, request)));
  api.get('/guilds/:guild/channels', (request) => [...requireGuild(world, request).channels.values()]);
  api.get('/guilds/:guild/roles', (request) => requireGuild(world, request).roles);
}
