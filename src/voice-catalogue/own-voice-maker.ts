// Makes voices: streams recordings from Discord to the voice service, and waits for the model that it trains. Each voice is noted in the
// store first (below), so neither a crash nor an outage leaves a model at the service that nobody owns. Another process may cancel or
// finish it, so each step consults the note.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Api, ApiError, isNotFound, type VoiceModel } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import type { Attachments } from '../discord/attachments.ts';
import { describeError, UserError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { type Store, update } from '../store/index.ts';
import type { MemberSettings, Settings } from '../store/settings.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { VoiceRecording } from './own-voice-request.ts';
import { consentNote, MAX_OWN_VOICES, OWN_VOICE_TAG, type OwnVoice, type VoiceOwners } from './owners.ts';

/** A voice to be made: somebody has agreed to it. */
interface NewOwnVoice {
  ownerId: string;
  guildId: string | null;
  title: string;
  recordings: readonly VoiceRecording[];
  language: string | null;
  isShared: boolean;
  consent: OwnVoice['consent'];
}

/** The progress of a voice. `share`: how much of the recordings has been sent, 0 to 1. */
export type Stage = { kind: 'sending'; share: number } | { kind: TrainingState };

/** A voice with a reserved slot among the member's. Call either `run` or `abandon`. */
interface OwnVoiceJob {
  /** Identifies the voice for `cancel`. */
  tag: string;
  /**
   * Resolves once the voice can speak; null if it was cancelled. @throws UserError, ApiError, StoreError; what the service has of the voice
   * is then deleted, unless the sentence says that it is still being made
   */
  run(onStage: (stage: Stage) => void): Promise<OwnVoice | null>;
  /** Gives the reserved slot up again. */
  abandon(): Promise<void>;
}

export interface VoiceMaker {
  /** @throws UserError if the member has no room for another voice; StoreError */
  begin(wanted: NewOwnVoice): Promise<OwnVoiceJob>;
  /** @returns whether there was such a voice of this member to cancel @throws StoreError */
  cancel(tag: string, ownerId: string): Promise<boolean>;
  /** Cancels all voices that are being made for this member, or in which they speak. @throws StoreError */
  forget(memberId: string): Promise<void>;
  /** Finishes what earlier processes left behind, now and every minute from then on. Failures are logged; never rejects. */
  review(): Promise<void>;
  close(): void;
}

interface Dependencies {
  api: Api;
  attachments: Attachments;
  settings: Settings;
  store: Store;
  voiceOwners: VoiceOwners;
  log: Log;
  /** Is this process responsible for requests from this guild? Null = outside of servers. */
  isResponsibleFor(guildId: string | null): boolean;
  /** Aborted when the bot shuts down. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

const REVIEW_INTERVAL_MS = 60_000;
/** Discord accepts edits of a reply for 15 minutes; the last few are reserved for the result. */
const WAIT_MS = 12 * 60_000;
/** Fast training takes seconds; after a day it won't succeed any more. */
const GIVE_UP_MS = 24 * 3600_000;
/** How long a model may still turn up whose creation was never answered. */
const LATE_MS = 10 * 60_000;
const MAX_RECENT = 10;

/**
 * Makes members' own voices. Nothing starts before `begin` or `review`. `review` repeats itself every minute until `close`; `signal` ends
 * what is being made, and the next process continues with it.
 */
export function createVoiceMaker({
  api,
  attachments,
  settings,
  store,
  voiceOwners,
  log,
  isResponsibleFor,
  signal,
  now = Date.now,
}: Dependencies): VoiceMaker {
  const notes = createUnfinishedOwnVoices(store);
  const running = new Map<string, { ownerId: string; controller: AbortController }>();
  const inTurn = createInTurn();
  let timer: NodeJS.Timeout | null = null;
  const background = { signal, priority: 'background' } as const;

  /** Notes the voice before counting, so not even two processes can take the last slot at the same moment. */
  async function reserveSlot(voice: UnfinishedOwnVoice): Promise<void> {
    await notes.add(voice);
    const [owned, unfinished] = await Promise.all([voiceOwners.ofMember(voice.ownerId), notes.all()]);
    const ownUnfinished = unfinished.filter(({ ownerId, isUnwanted }) => ownerId === voice.ownerId && !isUnwanted);
    const taken = new Set([...owned.map(({ id }) => id), ...ownUnfinished.map(({ modelId, tag }) => modelId ?? tag)]);
    if (taken.size <= MAX_OWN_VOICES) return;
    await notes.remove(voice.tag);
    throw new UserError((t) => t('ownVoices.create.tooMany', { most: MAX_OWN_VOICES }));
  }

  async function send(
    voice: UnfinishedOwnVoice,
    wanted: NewOwnVoice,
    job: AbortSignal,
    onStage: (stage: Stage) => void,
  ): Promise<VoiceModel> {
    const opened: (VoiceRecording & { audio: AsyncIterableIterator<Uint8Array> })[] = [];
    try {
      for (const recording of wanted.recordings) opened.push({ ...recording, audio: await attachments.openAudio(recording, job) });
    } catch (error) {
      for (const { audio } of opened) void audio.return?.().catch(() => {});
      throw error;
    }
    const recordings = opened.map(({ audio, size, name, contentType }) => ({
      audio,
      size,
      filename: name,
      ...(contentType === null ? {} : { contentType }),
    }));
    const tags = [voice.tag, ...(wanted.language === null ? [] : [wanted.language])];
    const onProgress = (sent: number, total: number | null) => onStage({ kind: 'sending', share: total ? sent / total : 0 });
    return api.createModel({ title: wanted.title, recordings, tags, visibility: 'private' }, { signal: job, onProgress });
  }

  /**
   * Whether the voice should still be made, or was finished by another process. If another process cancelled it, no model is left at the
   * service.
   */
  async function isWanted({ tag, modelId }: UnfinishedOwnVoice): Promise<boolean> {
    const noted = await notes.find(tag);
    if (noted !== null) return !noted.isUnwanted;
    return modelId !== null && (await voiceOwners.find(modelId)) !== null && (await findModel(modelId)) !== null;
  }

  /**
   * Records the owner as soon as the voice has an id, trained or not, because nobody else may use it. @returns whether it is still wanted
   */
  async function recordOwnership(voice: UnfinishedOwnVoice & { modelId: string }): Promise<boolean> {
    const { tag, ownerId, title, sharedWith, consent, modelId } = voice;
    const noted = await notes.find(tag);
    if (noted !== null && !noted.isUnwanted) {
      await voiceOwners.save({ id: modelId, ownerId, title, description: '', createdAt: now(), sharedWith, consent });
      await notes.change(tag, (before) => ({ ...before, modelId }));
    }
    return isWanted(voice);
  }

  /** Null if the voice isn't wanted any more. @throws UserError if its member has deleted it meanwhile */
  async function finish(voice: UnfinishedOwnVoice): Promise<OwnVoice | null> {
    const { tag, ownerId, modelId } = voice;
    const owned = modelId === null ? null : await voiceOwners.find(modelId);
    if (owned === null) throw new UserError((t) => t('ownVoices.create.deletedMeanwhile'));
    const { id, title } = owned;
    const others = (recent: MemberSettings['recent']) => recent.filter((chosen) => chosen.id !== id);
    // /say then offers it first.
    await settings.changeMember(ownerId, (member) => ({
      ...member,
      recent: [{ id, title }, ...others(member.recent)].slice(0, MAX_RECENT),
    }));
    if ((await notes.take(tag)) || (await isWanted(voice))) return owned;
    await settings.changeMember(ownerId, (member) => ({ ...member, recent: others(member.recent) }));
    return null;
  }

  /**
   * Deletes what exists of a voice, now or once the service allows it. Never rejects.
   * @param mayExist whether the service may have it under an unknown id
   */
  async function discard(voice: UnfinishedOwnVoice, mayExist: boolean): Promise<void> {
    try {
      if (voice.modelId === null && !mayExist) return await notes.remove(voice.tag);
      await notes.change(voice.tag, (before) => asUnwanted({ ...before, modelId: voice.modelId ?? before.modelId }));
      await removeModel(voice);
    } catch (error) {
      log.warn(describeError(error), 'could not delete an unwanted voice at the voice service; will try again');
    }
  }

  async function removeModel(voice: UnfinishedOwnVoice): Promise<void> {
    const id = voice.modelId ?? (await findByTag(voice.tag));
    // The model may still turn up: its creation was never answered.
    if (id === null && now() - voice.startedAt < LATE_MS) return;
    if (id !== null) {
      // The title is deleted here even if the service can't be reached.
      await voiceOwners.markDeleted(id);
      await api.deleteModel(id, background).catch(ignoreMissing);
      await voiceOwners.remove(id);
    }
    await notes.remove(voice.tag);
  }

  async function findModel(id: string): Promise<VoiceModel | null> {
    return api.getModel(id, background).catch((error: unknown) => {
      ignoreMissing(error);
      return null;
    });
  }

  async function findByTag(tag: string): Promise<string | null> {
    const { items } = await api.listModels({ self: true, tag, pageSize: 10 }, background);
    return items.find(({ tags }) => tags.includes(tag))?.id ?? null;
  }

  async function run(note: UnfinishedOwnVoice, wanted: NewOwnVoice, onStage: (stage: Stage) => void): Promise<OwnVoice | null> {
    const controller = new AbortController();
    running.set(note.tag, { ownerId: note.ownerId, controller });
    const job = AbortSignal.any([signal, controller.signal]);
    let voice = note;
    let mayExist = true;
    let goesOn = false;
    try {
      const created = await send(voice, wanted, job, onStage).catch((error: unknown) => {
        mayExist = error instanceof ApiError && error.mayHaveBeenBilled;
        throw error;
      });
      const createdVoice = { ...voice, modelId: created.id };
      voice = createdVoice;
      if (!(await recordOwnership(createdVoice))) controller.abort();
      job.throwIfAborted();
      const model = await waitForTraining(api, created, {
        signal: job,
        waitMs: voice.startedAt + WAIT_MS - now(),
        onState: (kind) => onStage({ kind }),
      });
      goesOn = model === null;
      if (model === null) throw new UserError((t) => t('ownVoices.create.takesLong'));
      if (model.state !== 'trained') throw whyTrainingFailed(model);
      job.throwIfAborted();
      const finished = await finish(voice);
      if (finished === null) await discard(voice, true);
      return finished;
    } catch (error) {
      const isCancelled = controller.signal.aborted || (!signal.aborted && !(await isWanted(voice).catch(() => true)));
      if (isCancelled) {
        await discard(voice, mayExist);
        return null;
      }
      // The next process continues.
      if (signal.aborted) throw new UserError((t) => t('ownVoices.create.interrupted'), { cause: error });
      if (!goesOn) await discard(voice, mayExist);
      throw error;
    } finally {
      running.delete(note.tag);
    }
  }

  async function reviewOne(voice: UnfinishedOwnVoice): Promise<void> {
    if (voice.isUnwanted) return removeModel(voice);
    const isOld = now() - voice.startedAt > GIVE_UP_MS;
    const id = voice.modelId ?? (await findByTag(voice.tag));
    if (id === null) {
      if (now() - voice.startedAt > LATE_MS) await notes.remove(voice.tag);
      return;
    }
    const noted = { ...voice, modelId: id };
    if (voice.modelId === null) await recordOwnership(noted);
    const model = await findModel(id);
    const isOwned = (await voiceOwners.find(id)) !== null;
    if (model?.state === 'trained' && isOwned) {
      if ((await finish(noted)) === null) await discard(noted, true);
    } else if (model === null || model.state === 'failed' || !isOwned || isOld) await discard(noted, true);
  }

  async function reviewAll(): Promise<void> {
    const unfinished = (await notes.all()).filter(({ tag, guildId }) => !running.has(tag) && isResponsibleFor(guildId));
    for (const voice of unfinished) {
      if (signal.aborted) return;
      await reviewOne(voice).catch((error: unknown) =>
        log.warn(describeError(error), 'could not check an unfinished voice; the next review will try again'),
      );
    }
  }

  const review = () => reviewAll().catch((error: unknown) => log.warn(describeError(error), 'could not read the unfinished voices'));

  /** @returns false if the voice has been finished meanwhile */
  async function end({ tag }: UnfinishedOwnVoice): Promise<boolean> {
    // The process that is making it notices this before it finishes.
    const ended = await notes.change(tag, asUnwanted);
    if (ended === null) return false;
    const job = running.get(tag);
    if (job) job.controller.abort();
    else await discard(ended, true);
    return true;
  }

  return {
    async begin(wanted) {
      const { ownerId, guildId, title, consent } = wanted;
      const sharedWith = wanted.isShared && guildId !== null ? [guildId] : [];
      const voice = { tag: createTag(), ownerId, guildId, title, sharedWith, consent, startedAt: now(), modelId: null, isUnwanted: false };
      // One after another, so of two that are begun together, at most one is refused.
      await inTurn(() => reserveSlot(voice));
      return { tag: voice.tag, run: (onStage) => run(voice, wanted, onStage), abandon: () => discard(voice, false) };
    },
    async cancel(tag, ownerId) {
      const voice = await notes.find(tag);
      if (voice?.ownerId !== ownerId || voice.isUnwanted) return false;
      return end(voice);
    },
    async forget(memberId) {
      const concerns = ({ ownerId, consent }: UnfinishedOwnVoice) => ownerId === memberId || consent.memberId === memberId;
      for (const voice of (await notes.all()).filter(concerns)) await end(voice);
    },
    review() {
      timer ??= setInterval(() => void review(), REVIEW_INTERVAL_MS).unref();
      return review();
    },
    close() {
      if (timer) clearInterval(timer);
    },
  };
}

/** Marks a voice as unwanted, without its title, which deleting doesn't need. */
function asUnwanted(voice: UnfinishedOwnVoice): UnfinishedOwnVoice {
  return { ...voice, title: '', isUnwanted: true };
}

/** @throws whatever isn't a missing model */
function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

// Waiting until the service has trained a voice.

/** Not trained yet: training is queued or in progress. */
type TrainingState = 'waiting' | 'training';

/** Milliseconds between two requests: fast training is over within seconds, any other takes minutes. */
const PAUSES = { first: 500, longest: 10_000, growth: 1.5 };
const MAX_REASON = 300;
/** Errors that a retry wouldn't change. */
const LASTING: ApiError['kind'][] = ['not-found', 'unsupported', 'auth', 'forbidden'];

interface WaitOptions {
  signal: AbortSignal;
  /** Milliseconds. */
  waitMs: number;
  onState(state: TrainingState): void;
}

/**
 * The model once it is trained or has failed; null if it is neither after `waitMs`. A service that can't be reached for a moment is asked
 * again. @throws UserError if the model was deleted meanwhile; ApiError
 */
async function waitForTraining(
  api: Pick<Api, 'getModel'>,
  created: VoiceModel,
  { signal, waitMs, onState }: WaitOptions,
): Promise<VoiceModel | null> {
  const startedAt = performance.now();
  let model = created;
  let pause = PAUSES.first;
  while (model.state !== 'trained' && model.state !== 'failed') {
    if (performance.now() - startedAt > waitMs) return null;
    onState(model.state === 'training' ? 'training' : 'waiting');
    await sleep(pause, undefined, { signal });
    pause = Math.min(pause * PAUSES.growth, PAUSES.longest);
    try {
      model = await api.getModel(created.id, { signal, priority: 'background' });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || LASTING.includes(error.kind)) throw explainLoss(error);
      pause = Math.max(pause, error.retryAfterMs ?? 0);
    }
  }
  return model;
}

function explainLoss(error: unknown): unknown {
  return isNotFound(error) ? new UserError((t) => t('ownVoices.create.deletedMeanwhile'), { cause: error }) : error;
}

/** The service's own words, if it says why, and what to do. */
export function whyTrainingFailed({ stateMessage }: Pick<VoiceModel, 'stateMessage'>): UserError {
  const reason = asMarkdown(stateMessage ?? '', MAX_REASON);
  return new UserError((t) =>
    reason === '' ? t('ownVoices.create.trainingFailed') : t('ownVoices.create.trainingFailedBecause', { reason }),
  );
}

// Notes of voices that are being made, written before the service is called: whatever happens to this process, the next one finishes the
// voice or deletes it.

const unfinishedOwnVoice = z.object({
  /** A tag of the model at the service, to find it again if the service's answer was lost. Says nothing about the member. */
  tag: z.string(),
  ownerId: z.string(),
  /** Where it was asked for; null = outside of servers. */
  guildId: z.string().nullable(),
  title: z.string(),
  sharedWith: z.array(z.string()),
  consent: consentNote,
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  /** Null until the service has answered. */
  modelId: z.string().nullable(),
  /** Nobody wants the voice any more, so it's deleted at the service as soon as possible. Never undone. */
  isUnwanted: z.boolean(),
});
type UnfinishedOwnVoice = z.infer<typeof unfinishedOwnVoice>;

/** A note that can't be read counts as none: a later version of Parley wrote it. All methods reject with StoreError on failure. */
export interface UnfinishedOwnVoices {
  find(tag: string): Promise<UnfinishedOwnVoice | null>;
  all(): Promise<UnfinishedOwnVoice[]>;
  add(voice: UnfinishedOwnVoice): Promise<void>;
  /** Changes a note unless it is gone; returns it as it is then. Other processes may change it at the same time: no change is lost. */
  change(tag: string, change: (voice: UnfinishedOwnVoice) => UnfinishedOwnVoice): Promise<UnfinishedOwnVoice | null>;
  /** Removes the note of a voice that is still wanted, and returns whether there was one. */
  take(tag: string): Promise<boolean>;
  remove(tag: string): Promise<void>;
}

const PREFIX = 'pending-voice:';

function createTag(): string {
  return `${OWN_VOICE_TAG}${randomBytes(8).toString('hex')}`;
}

export function createUnfinishedOwnVoices(store: Store): UnfinishedOwnVoices {
  async function change(tag: string, edit: (voice: UnfinishedOwnVoice) => UnfinishedOwnVoice | null): Promise<UnfinishedOwnVoice | null> {
    let note: UnfinishedOwnVoice | null = null;
    await update(store, PREFIX + tag, (value) => {
      note = read(value);
      return note === null ? value : edit(note);
    });
    return note;
  }
  return {
    find: async (tag) => read(await store.get(PREFIX + tag)),
    all: async () => (await store.list(PREFIX)).flatMap(([, value]) => read(value) ?? []),
    add: (voice) => store.set(PREFIX + voice.tag, voice),
    async change(tag, by) {
      const before = await change(tag, by);
      return before && by(before);
    },
    async take(tag) {
      const before = await change(tag, (voice) => (voice.isUnwanted ? voice : null));
      return before !== null && !before.isUnwanted;
    },
    remove: (tag) => store.delete(PREFIX + tag),
  };
}

function read(value: unknown): UnfinishedOwnVoice | null {
  return unfinishedOwnVoice.safeParse(value).data ?? null;
}
