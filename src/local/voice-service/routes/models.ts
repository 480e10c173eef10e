// GET /model, the models of callers' own under /model and /model/{id}, and the media its entries link to: covers, avatars, samples.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ModelEntity, modelQuery } from '../../../api/schemas.ts';
import { authenticate, callOf } from '../auth.ts';
import type { Catalogue, CatalogueModel } from '../catalogue.ts';
import { httpError, parseWith, quote } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import type { Manners } from '../manners.ts';
import type { OwnModels } from '../own-models.ts';
import { drawPicture } from '../pictures.ts';
import { type Samples, sampleName } from '../samples.ts';
import type { Wallet } from '../wallet.ts';
import { readModelChanges, readNewModel } from './model-body.ts';

interface ModelOptions {
  readCatalogue(): Promise<Catalogue>;
  ownModels: OwnModels | null;
  limits: Limits;
  manners: Manners;
}

export function modelRoutes(app: FastifyInstance, { readCatalogue, ownModels: models, limits, manners }: ModelOptions): void {
  const unknown = (id: string) => httpError(404, `There is no voice model ${quote(id)} of yours.`);
  /** @throws HttpError 501 if another engine speaks, whose voices can't be shaped */
  const requireOwnModels = (): OwnModels => {
    if (models) return models;
    throw httpError(
      501,
      'Another engine speaks here, and voices can only be made from the built-in ones. Leave LOCAL_SPEECH_URL empty to make some.',
    );
  };
  /** @throws HttpError for a model that came with the service, and therefore has no owner */
  const rejectBundled = async (id: string, userId: string) => {
    if ((await readCatalogue()).find(id, userId)?.isBundled)
      throw httpError(403, 'This voice model came with the service, and stays as it is.');
  };

  app.get('/model', async (request): Promise<object> => {
    const { userId } = callOf(request);
    const query = parseWith(modelQuery, request.query, 'query');
    const { total, items } = (await readCatalogue()).list(query, userId);
    return manners.toPage({ total, items: items.map((model) => toEntity(model, request, manners)) }, query);
  });
  app.post('/model', async (request, reply): Promise<object> => {
    const { userId } = callOf(request);
    const ownModels = requireOwnModels();
    if (ownModels.count(userId) >= limits.modelsPerUser)
      throw httpError(403, `There are ${limits.modelsPerUser} voice models of yours already. Delete one of them first.`);
    const { fields, recordings } = await readNewModel(request, limits);
    reply.code(201);
    return toEntity(ownModels.create(userId, fields, recordings), request, manners);
  });
  app.get<{ Params: { id: string } }>('/model/:id', async (request): Promise<object> => {
    const model = (await readCatalogue()).find(request.params.id, callOf(request).userId);
    if (!model) throw httpError(404, `There is no voice model ${quote(request.params.id)}. GET /model lists those there are.`);
    return toEntity(model, request, manners);
  });
  app.patch<{ Params: { id: string } }>('/model/:id', async (request): Promise<object> => {
    const { userId } = callOf(request);
    const changes = await readModelChanges(request);
    const ownModels = requireOwnModels();
    await rejectBundled(request.params.id, userId);
    const model = ownModels.update(request.params.id, userId, changes);
    if (!model) throw unknown(request.params.id);
    return toEntity(model, request, manners);
  });
  app.delete<{ Params: { id: string } }>('/model/:id', async (request, reply) => {
    const { userId } = callOf(request);
    const ownModels = requireOwnModels();
    await rejectBundled(request.params.id, userId);
    if (!(await ownModels.remove(request.params.id, userId))) throw unknown(request.params.id);
    return reply.code(204).send();
  });
}

interface MediaOptions {
  readCatalogue(): Promise<Catalogue>;
  samples: Samples;
  wallet: Wallet;
}

/** Browsers load media by URL, so it needs no key, except the owner's for that of a private model. */
export function mediaRoutes(app: FastifyInstance, { readCatalogue, samples, wallet }: MediaOptions): void {
  const find = async (request: FastifyRequest, id: string) => {
    const userId = request.headers.authorization === undefined ? null : authenticate(request, wallet).userId;
    const model = (await readCatalogue()).find(id, userId);
    if (!model) throw httpError(404, `There is no voice model ${quote(id)}.`);
    return model;
  };
  app.get<{ Params: { id: string } }>('/covers/:id.png', async (request, reply) => {
    const { entity } = await find(request, request.params.id);
    return reply.headers(PICTURE_HEADERS).send(drawPicture(entity._id));
  });
  app.get<{ Params: { id: string } }>('/avatars/:id.png', async (request, reply) => {
    const { id } = request.params;
    // Drawing takes 10 ms: too long for arbitrary names.
    if (!(await readCatalogue()).hasAuthor(id)) throw httpError(404, `There is no author ${quote(id)}.`);
    return reply.headers(PICTURE_HEADERS).send(drawPicture(id));
  });
  app.get<{ Params: { id: string; file: string } }>('/samples/:id/:file', async (request, reply) => {
    const audio = await samples.read(await find(request, request.params.id), request.params.file);
    if (!audio) throw httpError(404, 'There is no such sample. GET /model gives the addresses of those there are.');
    return reply.headers({ 'content-type': 'audio/mpeg', 'cache-control': 'private, max-age=86400' }).send(audio);
  });
}

const PICTURE_HEADERS = {
  'content-type': 'image/png',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=86400',
};

/** A model as sent. Its URLs start with the address by which the caller reached this service. */
function toEntity(model: CatalogueModel, { protocol, host }: FastifyRequest, manners: Manners): object {
  const base = `${protocol}://${host}`;
  const { entity, author } = model;
  const all: ModelEntity = {
    ...entity,
    cover_image: `${base}/covers/${entity._id}.png`,
    samples: model.samples.map((sample) => {
      const name = sampleName(model, sample.text);
      return { ...sample, task_id: `sample-${name}`, audio: `${base}/samples/${entity._id}/${name}.mp3` };
    }),
    author: { ...author, avatar: `${base}/avatars/${author._id}.png` },
  };
  return manners.toModel(all, model);
}
