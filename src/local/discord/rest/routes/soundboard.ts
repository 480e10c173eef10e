// REST: the sounds that every soundboard has. https://docs.discord.com/developers/resources/soundboard
import type { FastifyInstance } from 'fastify';

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

export function soundboardRoutes(api: FastifyInstance): void {
  api.get('/soundboard-default-sounds', () => DEFAULT_SOUNDS);
}
