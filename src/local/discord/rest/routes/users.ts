// REST: users, and the application's own user. https://docs.discord.com/developers/resources/user
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { openDm } from '../../world/channels.ts';
import { computePermissions } from '../../world/permissions.ts';
import { serializeDm } from '../../world/serialize.ts';
import { hasApplication } from '../../world/world.ts';
import type { Params, RestDependencies } from '../types.ts';

export function userRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  const { application } = world;
  api.get('/users/@me', () => ({ ...application.user, verified: true, mfa_enabled: true, locale: 'en-US', flags: 0, email: null }));
  api.get('/users/@me/guilds', () =>
    [...world.guilds.values()]
      .filter((guild) => hasApplication(world, guild))
      .map((guild) => ({
        id: guild.id,
        name: guild.name,
        icon: null,
        banner: null,
        owner: false,
        features: [],
        permissions: String(computePermissions(guild, application.id)),
      })),
  );
  api.post('/users/@me/channels', ({ body }) => {
    const { recipient_id: userId } = (body ?? {}) as { recipient_id?: unknown };
    if (typeof userId !== 'string' || !world.users.has(userId)) throw discordErrors.invalidRecipients();
    if (userId === application.id) throw discordErrors.cannotSend();
    return serializeDm(world, openDm(world, application.id, userId), application.id);
  });
  api.get('/users/:user', ({ params }) => {
    const user = world.users.get((params as Params).user ?? '');
    if (!user) throw discordErrors.unknownUser();
    return user;
  });
}
