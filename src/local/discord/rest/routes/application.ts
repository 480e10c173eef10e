// REST: the application, and where its gateway is. https://docs.discord.com/developers/resources/application
import { ApplicationFlags, GatewayIntentBits } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { RestDependencies } from '../types.ts';

export function applicationRoutes(api: FastifyInstance, { world, gatewayUrl, describeGateway }: RestDependencies): void {
  const { application } = world;
  const describeApplication = () => ({
    id: application.id,
    name: application.name,
    description: application.description,
    icon: null,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '',
    flags: applicationFlags(application.privilegedIntents),
    owner: application.owner,
    team: application.team,
    integration_types_config: { 0: {}, 1: {} },
  });
  api.get('/applications/@me', describeApplication);
  api.get('/oauth2/applications/@me', describeApplication);
  api.get('/gateway', () => ({ url: gatewayUrl() }));
  api.get('/gateway/bot', () => ({ url: gatewayUrl(), ...describeGateway() }));
}

/** The enabled privileged intents, as the flags of an application in fewer than 100 guilds. */
function applicationFlags(intents: number): number {
  return (
    (intents & GatewayIntentBits.GuildPresences ? ApplicationFlags.GatewayPresenceLimited : 0) |
    (intents & GatewayIntentBits.GuildMembers ? ApplicationFlags.GatewayGuildMembersLimited : 0) |
    (intents & GatewayIntentBits.MessageContent ? ApplicationFlags.GatewayMessageContentLimited : 0)
  );
}
