// REST: stickers and custom emoji. Guilds have emoji, but no stickers of their own.
// https://docs.discord.com/developers/resources/sticker https://docs.discord.com/developers/resources/emoji
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { findSticker, stickerPack } from '../../world/stickers.ts';
import { requireGuild } from '../lookup.ts';
import type { Params, RestDependencies } from '../types.ts';

export function expressionRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  api.get('/stickers/:sticker', ({ params }) => {
    const sticker = findSticker((params as Params).sticker ?? '');
    if (!sticker) throw discordErrors.unknownSticker();
    return sticker;
  });
  api.get('/sticker-packs', () => ({ sticker_packs: [stickerPack] }));
  api.get('/guilds/:guild/stickers', (request) => {
    requireGuild(world, request);
    return [];
  });
  api.get('/guilds/:guild/emojis', (request) => requireGuild(world, request).emojis);
  api.get('/guilds/:guild/emojis/:emoji', (request) => {
    const emoji = requireGuild(world, request).emojis.find(({ id }) => id === (request.params as Params).emoji);
    if (!emoji) throw discordErrors.unknownGuildEmoji();
    return emoji;
  });
}
