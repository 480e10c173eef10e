// GET /model, and what its entries point at: covers, avatars, samples.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ModelEntity, type ModelList, modelQuery } from '../../../api/schemas.ts';
import { authenticate, callOf } from '../auth.ts';
import type { Catalogue, CatalogueModel } from '../catalogue.ts';
import { check, quoted, refuse } from '../http-error.ts';
import { drawPicture } from '../pictures.ts';
import { type Samples, sampleName } from '../samples.ts';
import type { Wallet } from '../wallet.ts';

/** The list, behind the door. */
export function modelRoute(app: FastifyInstance, catalogue: Catalogue): void {
  app.get('/model', async (request): Promise<ModelList> => {
    const { userId } = callOf(request);
    const { total, items } = catalogue.list(check(modelQuery, request.query, 'query'), userId);
    const base = `${request.protocol}://${request.host}`;
    return { total, items: items.map((model) => toEntity(model, base)) };
  });
}

/** What browsers load by address, without a key; what belongs to a private model needs its owner's. */
export function mediaRoutes(
  app: FastifyInstance,
  { catalogue, samples, wallet }: { catalogue: Catalogue; samples: Samples; wallet: Wallet },
): void {
  const find = (request: FastifyRequest, id: string) => {
    const userId = request.headers.authorization === undefined ? null : authenticate(request, wallet).userId;
    const model = catalogue.find(id, userId);
    if (!model) throw refuse(404, `There is no voice model ${quoted(id)}.`);
    return model;
  };
  app.get<{ Params: { id: string } }>('/covers/:id.png', async (request, reply) => {
    const { entity } = find(request, request.params.id);
    return reply.headers(pictureHeaders).send(drawPicture(entity._id));
  });
  app.get<{ Params: { id: string } }>('/avatars/:id.png', async (request, reply) => {
    const { id } = request.params;
    // Drawing takes 10 ms: not for whatever name anybody thinks of.
    if (!catalogue.hasAuthor(id)) throw refuse(404, `There is no author ${quoted(id)}.`);
    return reply.headers(pictureHeaders).send(drawPicture(id));
  });
  app.get<{ Params: { id: string; file: string } }>('/samples/:id/:file', async (request, reply) => {
    const audio = await samples.read(find(request, request.params.id), request.params.file);
    if (!audio) throw refuse(404, 'There is no such sample. GET /model gives the addresses of those there are.');
    return reply.headers({ 'content-type': 'audio/mpeg', 'cache-control': 'private, max-age=86400' }).send(audio);
  });
}

const pictureHeaders = {
  'content-type': 'image/png',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=86400',
};

/** A model as the wire has it, with every field; addresses are those of this service as the caller reached it. */
function toEntity(model: CatalogueModel, base: string): ModelEntity {
  const { entity, author } = model;
  return {
    ...entity,
    cover_image: `${base}/covers/${entity._id}.png`,
    samples: model.samples.map((sample) => {
      const name = sampleName(model, sample.text);
      return { ...sample, task_id: `sample-${name}`, audio: `${base}/samples/${entity._id}/${name}.mp3` };
    }),
    author: { ...author, avatar: `${base}/avatars/${author._id}.png` },
  };
}
