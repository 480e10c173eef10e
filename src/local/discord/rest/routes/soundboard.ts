// REST: soundboard sounds. Guilds have none of their own. https://docs.discord.com/developers/resources/soundboard
import type { FastifyInstance } from 'fastify';
import { requireGuild } from '../lookup.ts';
import type { RestDependencies } from '../types.ts';

const DEFAULT_SOUNDS = [
  ['quack', '🦆'],
  ['airhorn', '🔊'],
  ['cricket', '🦗'],
  ['golf clap', '👏'],
  ['sad horn', '🎺'],
  ['ba dum tss', '🥁'],
].map(([name, emoji], index) => ({
  name,
  sound_id: String(index + 1),
  volume: 1,
  emoji_id: null,
  emoji_name: emoji,
  available: true,
}));

export function soundboardRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  api.get('/soundboard-default-sounds', () => DEFAULT_SOUNDS);
  api.get('/guilds/:guild/soundboard-sounds', (request) => {
    requireGuild(world, request);
    return { items: [] };
  });
}
