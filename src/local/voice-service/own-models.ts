// The voice models that callers create: kept in one SQLite file, trained one after the other. Recordings stay in memory, and only until
// their model is trained.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { ModelChanges, modelStates, NewModel } from '../../api/schemas.ts';
import { createSemaphore } from '../../async/semaphore.ts';
import { makePrivate, makePrivateFile } from '../../store/private-files.ts';
import { BUSY_MS, createSqliteErasure, SECURE_DELETE } from '../../store/upkeep.ts';
import { type Catalogue, type CatalogueModel, toModel } from './catalogue.ts';
import { type Engines, SHAPEABLE_VOICES } from './engines/index.ts';
import { soundVersion } from './sound-version.ts';
import { type Recording, type ShapedVoice, trainVoice, whyTrainingFailed } from './voice-training.ts';

/** As kept in the file. */
interface OwnModel extends Pick<NewModel, 'title' | 'description' | 'tags' | 'visibility'> {
  id: string;
  userId: string;
  state: (typeof modelStates)[number];
  /** Why training failed. */
  reason: string | null;
  shaped: ShapedVoice | null;
  createdAt: string;
  updatedAt: string;
}

export interface OwnModels {
  /** Returns the model as created; its training has begun, or waits for its turn. */
  create(userId: string, fields: NewModel, recordings: Recording[]): CatalogueModel;
  /** How many models a user has. */
  count(userId: string): number;
  /** Null if there is no such model of this user. */
  update(id: string, userId: string, changes: ModelChanges): CatalogueModel | null;
  /**
   * Ends its training, if that is in progress; speech in its voice continues. False if there is no such model of this user. Its title
   * is gone from the file, too, once this resolves.
   */
  remove(id: string, userId: string): Promise<boolean>;
  close(): Promise<void>;
}

interface OwnModelsOptions {
  file: string;
  catalogue: Catalogue;
  engines: Engines;
  log: Logger | undefined;
  now: () => number;
}

const INTERRUPTED = 'The voice service was stopped while it was at this. Create the voice again.';

/** Opens the file and adds its models to the catalogue, where they are found from then on. */
export function openOwnModels({ file, catalogue, engines, log, now }: OwnModelsOptions): OwnModels {
  makePrivateFile(file);
  for (const suffix of ['-wal', '-journal']) makePrivate(file + suffix);
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SECURE_DELETE}`);
  const erasure = createSqliteErasure(db);
  db.exec('CREATE TABLE IF NOT EXISTS models (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT');
  const sql = {
    all: db.prepare('SELECT json FROM models'),
    put: db.prepare('INSERT INTO models VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json'),
    remove: db.prepare('DELETE FROM models WHERE id = ?'),
  };
  const models = new Map<string, OwnModel>();
  const trainings = new Map<string, { controller: AbortController; ended: Promise<void> }>();
  // Each takes seconds of both processor cores.
  const turns = createSemaphore(1);

  function put(model: OwnModel): CatalogueModel {
    models.set(model.id, model);
    sql.put.run(model.id, JSON.stringify(model));
    const entry = toCatalogueModel(model);
    catalogue.put(entry);
    return entry;
  }

  /** Changes a model unless it has been deleted in the meantime. */
  function change(id: string, changes: Partial<OwnModel>): void {
    const model = models.get(id);
    if (model) put({ ...model, ...changes, updatedAt: stamp() });
  }

  const stamp = () => new Date(now()).toISOString();

  async function train(id: string, recordings: Recording[], signal: AbortSignal): Promise<void> {
    const release = await turns.acquire(signal);
    try {
      change(id, { state: 'training' });
      change(id, { state: 'trained', shaped: await trainVoice(engines, recordings, signal) });
    } catch (error) {
      if (signal.aborted) return;
      log?.info({ model: id, err: error }, 'voice service: a voice could not be trained');
      change(id, { state: 'failed', reason: whyTrainingFailed(error) });
    } finally {
      release();
    }
  }

  for (const row of sql.all.all()) {
    const model = JSON.parse(String(row.json)) as OwnModel;
    const isUnfinished = model.state === 'created' || model.state === 'training';
    put(isUnfinished ? { ...model, state: 'failed', reason: INTERRUPTED } : model);
  }

  return {
    create(userId, { title, description, tags, visibility }, recordings) {
      const id = randomUUID().replaceAll('-', '');
      const at = stamp();
      const created = put({
        id,
        userId,
        title,
        description,
        tags,
        visibility,
        state: 'created',
        reason: null,
        shaped: null,
        createdAt: at,
        updatedAt: at,
      });
      const controller = new AbortController();
      const ended = train(id, recordings, controller.signal)
        .catch(() => {}) // Deleted while it waited for its turn.
        .finally(() => trainings.delete(id));
      trainings.set(id, { controller, ended });
      return created;
    },
    count: (userId) => [...models.values()].filter((model) => model.userId === userId).length,
    update(id, userId, { title, description, tags, visibility }) {
      const model = models.get(id);
      if (model?.userId !== userId) return null;
      return put({
        ...model,
        title: title ?? model.title,
        description: description ?? model.description,
        tags: tags ?? model.tags,
        visibility: visibility ?? model.visibility,
        updatedAt: stamp(),
      });
    },
    async remove(id, userId) {
      if (models.get(id)?.userId !== userId) return false;
      models.delete(id);
      catalogue.remove(id);
      sql.remove.run(id);
      trainings.get(id)?.controller.abort();
      await erasure
        .erase()
        .catch((error: unknown) => log?.warn({ err: error }, 'voice service: a deleted model is still in the log of its file'));
      return true;
    },
    async close() {
      const unfinished = [...trainings.values()];
      for (const { controller } of unfinished) controller.abort();
      await Promise.all(unfinished.map(({ ended }) => ended));
      await erasure.rewriting.finish();
      db.close();
    },
  };
}

function toCatalogueModel(model: OwnModel): CatalogueModel {
  const { id, userId, shaped, reason } = model;
  const entry = toModel(
    {
      _id: id,
      type: 'tts',
      title: model.title,
      title_language: 'en',
      description: [model.description, describe(model)].filter(Boolean).join('\n\n'),
      train_mode: 'fast',
      state: model.state,
      tags: model.tags,
      samples: [],
      created_at: model.createdAt,
      updated_at: model.updatedAt,
      languages: ['en'],
      visibility: model.visibility,
      lock_visibility: false,
      like_count: 0,
      mark_count: 0,
      shared_count: 0,
      task_count: 0,
      author: userId,
      sound_version: soundVersion(null),
      voice: shaped?.voice,
    },
    { _id: userId, nickname: userId === 'local' ? 'You' : userId },
  );
  return {
    ...entry,
    isBundled: false,
    volumeDb: shaped?.volumeDb ?? 0,
    entity: reason === null ? entry.entity : { ...entry.entity, state_message: reason },
  };
}

/** What members may expect of it. */
function describe({ shaped }: OwnModel): string {
  if (!shaped) return '';
  const about = SHAPEABLE_VOICES[shaped.voice.base]?.about ?? shaped.voice.base;
  return `Not a clone: a built-in voice (${about}) with the pitch, the tempo and the loudness of the recordings.`;
}
