// REST: the application, and where its gateway is. https://docs.discord.com/developers/resources/application
import type { FastifyInstance } from 'fastify';
import { applicationFlags } from '../../world/serialize.ts';
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
