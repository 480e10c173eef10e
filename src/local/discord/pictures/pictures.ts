// Serves the pictures of stickers and custom emoji as PNG, at the paths of Discord's CDN.
// https://docs.discord.com/developers/reference#image-formatting-cdn-endpoints
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findSticker } from '../world/stickers.ts';
import type { World } from '../world/world.ts';
import { drawingOf } from './drawings.ts';

/** In pixels, as Discord's are. */
const STICKER_SIZE = 320;
const EMOJI_SIZE = 128;

type Renderer = (svg: string, size: number) => Uint8Array;

/** Loaded for the first picture, and shared by all local Discords of the process. */
let renderer: Promise<Renderer> | undefined;

export function registerPictures(app: FastifyInstance, world: World): void {
  const rendered = new Map<string, Uint8Array>();

  async function serve(request: FastifyRequest, reply: FastifyReply, size: number, findName: (id: string) => string | undefined) {
    const [, id = ''] = /^(\d+)\.png$/.exec((request.params as { file: string }).file) ?? [];
    const name = findName(id);
    if (name === undefined) return reply.code(404).type('text/plain').send('There is no such picture.');
    renderer ??= loadRenderer();
    const picture = rendered.get(name) ?? (await renderer)(drawingOf(name), size);
    rendered.set(name, picture);
    return reply.type('image/png').header('cache-control', 'max-age=86400').send(picture);
  }

  app.get('/stickers/:file', (request, reply) => serve(request, reply, STICKER_SIZE, (id) => findSticker(id)?.name));
  app.get('/emojis/:file', (request, reply) =>
    serve(request, reply, EMOJI_SIZE, (id) => {
      const emojis = [...world.guilds.values()].flatMap((guild) => guild.emojis);
      return emojis.find((emoji) => emoji.id === id)?.name ?? undefined;
    }),
  );
}

async function loadRenderer(): Promise<Renderer> {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
  return (svg, size) => {
    const picture = new Resvg(svg, { fitTo: { mode: 'width', value: size } });
    const image = picture.render();
    const bytes = image.asPng();
    image.free();
    picture.free();
    return bytes;
  };
}
