// The standard stickers, which everybody may send anywhere. Guilds have none of their own.
// https://docs.discord.com/developers/resources/sticker
import { type APISticker, type APIStickerItem, type APIStickerPack, StickerFormatType, StickerType } from 'discord-api-types/v10';

const PACK_ID = '1000000000000000000';

const STICKERS: APISticker[] = [
  ['Hello', 'wave', 'A face that waves'],
  ['Ha ha', 'laughing', 'A face that laughs'],
  ['Thank you', 'heart', 'A face with a heart'],
  ['Good night', 'sleeping', 'A face that sleeps'],
  ['Well done', 'star', 'A face with a star'],
  ['Oh no', 'cry', 'A face with a tear'],
].map(([name = '', tags = '', description = ''], index) => ({
  id: String(BigInt(PACK_ID) + BigInt(index + 1)),
  pack_id: PACK_ID,
  name,
  description,
  tags,
  type: StickerType.Standard,
  format_type: StickerFormatType.PNG,
  sort_value: index + 1,
}));

export const stickerPack: APIStickerPack = {
  id: PACK_ID,
  sku_id: PACK_ID,
  name: 'Faces',
  description: 'Faces for the local Discord',
  stickers: STICKERS,
};

export function findSticker(id: string): APISticker | undefined {
  return STICKERS.find((sticker) => sticker.id === id);
}

/** As messages name them. Null if one of the ids is unknown. */
export function listStickerItems(ids: readonly unknown[]): APIStickerItem[] | null {
  const stickers = ids.map((id) => findSticker(String(id)));
  return stickers.every((sticker) => sticker !== undefined)
    ? stickers.map(({ id, name, format_type }) => ({ id, name, format_type }))
    : null;
}
