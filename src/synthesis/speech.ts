// Text in, something to play or a file out: from the cache, or from the service, if the member may use the voice.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../api/errors.ts';
import type { Api, AudioResponse, LiveSpeakRequest, SpeakCallOptions, SpeakRequest, SpeechFormat } from '../api/types.ts';
import { createVoiceLoudness, recallVoiceLoudness, type VoiceLoudness } from '../audio/index.ts';
import type { Store } from '../store/index.ts';
import type { CacheSlot, SpeechCache } from './cache.ts';
import type { SpokenPiece } from './calls.ts';
import { readSpeechFile } from './file.ts';
import { createLiveChoice } from './live-texts.ts';
import { createMessageSounds } from './message-sounds.ts';
import { createPins } from './pins.ts';
import { maxSeconds, maxSoundBytes } from './read-ahead.ts';
import { isUnknownVoice } from './refusals.ts';
import type { SoundOwners } from './sound-owners.ts';
import { cutIntoPieces, cutIntoSentences, withMood, withoutInstructions } from './speakable.ts';
import type { CacheInvalidation, SoundScope, SpeakOptions, SpeechEngine, SpeechRequest } from './types.ts';
import { createUtterance, type VoicedText } from './utterance.ts';

const MAX_FILE_BYTES = 25 * 1024 * 1024;
/** Thirty of the longest texts at half speed. A sound that does not fit counts as not cached beforehand, and may turn out to be free. */
const MAX_PINNED_BYTES = 64 * 1024 * 1024;
/** Half an hour of speech. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Seconds until the first sound, after which the voice that keeps up everywhere speaks in place of the default one. */
const STAND_IN_SECONDS = 5;
/** Increment when packets are made differently from the same bytes: older cached sounds are then no longer played. */
const PACKETS_VERSION = 2;

export function createSpeech(options: {
  api: Api;
  /** Requested from the service. */
  format: SpeechFormat;
  /** Value of the `model` header; absent = the API client's own. With a cache it should be set: it is part of the cache key. */
  model?: string;
  /** Whether texts of several sentences use the websocket, where their first sound is no later over it; default false. */
  streaming?: boolean;
  /** Whether this service's model takes moods, if it is one of those that understand them; default false. */
  moods?: boolean;
  /**
   * Whether this service is one of those that are told how soon a sound is needed, and not to level it; default false. If it refuses that, it is
   * no longer told.
   */
  delivery?: boolean;
  cache?: SpeechCache | null;
  /** Notes whose words are in the cache. */
  owners?: SoundOwners;
  /** Absent: how loud voices are is forgotten when the process ends. */
  levels?: VoiceLevels;
  /** Whether all voices are brought to one loudness; default true. */
  loudness?: boolean;
  /** Has other processes delete sounds, too. Resolves with what waits for them, and returns whether all have done so. Both reject with StoreError. */
  shareDeletion?: (invalidation: CacheInvalidation) => Promise<() => Promise<boolean>>;
  /** Asked each time a voice speaks. Absent: everybody may use all of them. */
  accessOf?: VoiceAccessLookup;
  /** Names a voice for requests that name none. Absent: the service's own default is always the same voice. */
  defaultVoices?: NamedDefaults | undefined;
  /** Ids of voices that now take longer to make than to hear. Their texts go to the service whole, since it has to know how much there is. */
  slowVoices?: (() => readonly string[]) | undefined;
}): SpeechEngine {
  const {
    api,
    format,
    model,
    streaming = false,
    moods = false,
    delivery = false,
    cache,
    owners,
    levels,
    loudness = true,
    accessOf,
  } = options;
  const { defaultVoices, slowVoices = () => [] } = options;
  const { shareDeletion = async () => async () => true } = options;
  const liveChoice = streaming ? createLiveChoice() : null;
  const voiceMemory = loudness ? createVoiceMemory(levels) : null;
  const pins = createPins(MAX_PINNED_BYTES);
  const messageSounds = createMessageSounds(MAX_MESSAGE_BYTES);
  /** How often the sounds of each member or voice were deleted: a sound that was begun before the last deletion isn't cached after it. */
  const deletions = new Map<string, number>();

  /** Returns a function that tells whether nothing with these ids has been deleted since. */
  function untilDeleted(...ids: string[]): () => boolean {
    const before = ids.map((id) => deletions.get(id));
    return () => ids.every((id, index) => deletions.get(id) === before[index]);
  }

  /** The request with the text as it is spoken: the whole of it at once, or a piece could end within what has to be taken out. */
  const asSpoken = (request: SpeechRequest): SpeechRequest => ({ ...request, text: withoutInstructions(request.text, model) });
  const marked = (text: string, { mood }: SpeechRequest) => withMood(text, moods ? mood : null, model);

  function toApiRequest(request: SpeechRequest, text: string): SpeakRequest {
    return {
      text: marked(text, request),
      format,
      ...(model === undefined ? {} : { model }),
      ...(request.referenceId ? { referenceId: request.referenceId } : {}),
      ...(request.speed === undefined || request.speed === 1 ? {} : { prosody: { speed: request.speed } }),
    };
  }

  function toPiece(speech: AudioResponse, text: string, speed: number | undefined): SpokenPiece {
    // Bytes of no known format are taken for PCM only if PCM was requested: anything else would be heard as noise.
    const isUnlabelled = speech.contentType.startsWith('application/octet-stream');
    return {
      speech,
      formatHint: isUnlabelled && format !== 'pcm' ? '' : speech.contentType,
      maxBytes: maxSoundBytes(maxSeconds(text, speed), speech.contentType),
    };
  }

  let takesDelivery = delivery;

  /** @param isLevelled whether all voices are brought to one loudness afterwards: files are passed on as they are */
  function delivered<R extends LiveSpeakRequest>(request: R, isDownload: boolean, isLevelled: boolean): R {
    return {
      ...request,
      latency: isDownload ? 'normal' : 'balanced',
      ...(isLevelled && { prosody: { ...request.prosody, normalizeLoudness: false } }),
    };
  }

  async function speak(request: SpeechRequest, text: string, call: SpeakCallOptions, isLevelled = loudness): Promise<SpokenPiece> {
    const plain = toApiRequest(request, text);
    const { isDownload = false } = call;
    if (!takesDelivery) return toPiece(await api.speak(plain, call), text, request.speed);
    const speech = await api.speak(delivered(plain, isDownload, isLevelled), call).catch(async (error: unknown) => {
      if (!mayRefuseDelivery(error)) throw error;
      const accepted = await api.speak(plain, call);
      takesDelivery = false;
      return accepted;
    });
    return toPiece(speech, text, request.speed);
  }

  async function speakLive(request: SpeechRequest, texts: AsyncIterable<string>, signal: AbortSignal): Promise<SpokenPiece> {
    async function* markedTexts() {
      for await (const text of texts) yield marked(text, request);
    }
    const { text: _, ...live } = toApiRequest(request, '');
    const liveRequest = takesDelivery ? delivered(live, false, loudness) : live;
    const speech = await api.speakLive(liveRequest, markedTexts(), { signal, flush: true, isOptional: true });
    return toPiece(speech, request.text, request.speed);
  }

  /** The scope of the sound, and everything that it depends on. */
  function factsOf(request: SpeechRequest): unknown {
    return [PACKETS_VERSION, request.scope, loudness, request.volume ?? 1, toApiRequest(request, request.text)];
  }

  /** Null if the sound is not to be cached. */
  function cacheKeyOf(request: SpeechRequest): string | null {
    return cache && request.scope !== undefined && request.messageId === undefined ? cache.keyOf(factsOf(request)) : null;
  }

  /** The key is a hash, because the sound is kept for longer than the words may be. */
  function messageSlotOf(request: SpeechRequest, messageId: string, memberId: string): CacheSlot {
    const facts = JSON.stringify(factsOf(request));
    const key = createHash('sha256').update(facts).digest('base64');
    const { scope, referenceId: voiceId = null } = request;
    const guildId = typeof scope === 'object' && 'guildId' in scope ? scope.guildId : null;
    return messageSounds.slot(key, { messageId, guildId, memberId, voiceId }, untilDeleted(memberId, voiceId ?? ''));
  }

  /** @param isOwn whether the voice was made by a member */
  function cacheSlotOf(request: SpeechRequest, memberId: string | undefined, isOwn: () => boolean): CacheSlot | null {
    if (request.messageId === null) return null;
    if (request.messageId !== undefined) return messageSlotOf(request, request.messageId, memberId ?? '');
    const key = cacheKeyOf(request);
    if (!cache || key === null) return null;
    const isWanted = untilDeleted(memberId ?? '', request.referenceId ?? '');
    const noteOwner = () => {
      if (memberId !== undefined && isWanted()) owners?.note(memberId, key);
    };
    const noteVoice = async () => (await owners?.noteVoice(request.referenceId ?? '', key)) ?? false;
    return {
      async get() {
        const packets = await cache.get(key);
        if (packets) noteOwner();
        if (packets && isOwn()) void noteVoice();
        return packets;
      },
      record() {
        const recording = cache.record(key);
        const save = () => {
          if (!isWanted()) return;
          recording.save();
          noteOwner();
        };
        /** Noted before it is saved, so deleting the voice finds all its sounds; not saved if the voice has been deleted meanwhile. */
        async function saveIfKept(): Promise<void> {
          const isKept = async () => (await readAccess(accessOf, request, memberId).catch(() => 'refused')) === 'own';
          if ((await isKept()) && (await noteVoice()) && (await isKept())) save();
        }
        return { add: recording.add, save: () => (isOwn() ? void saveIfKept() : save()) };
      },
    };
  }

  /** The request with a voice named, if it names none and the service lists any. */
  async function withNamedVoice(request: SpeechRequest, { now = false } = {}): Promise<SpeechRequest> {
    if (request.referenceId || !defaultVoices) return request;
    const { id } = (now && defaultVoices.known?.(request)) || (await defaultVoices.for(request));
    return { ...request, referenceId: id };
  }

  /** Whether the voice that keeps up everywhere may speak after this error. */
  function mayPassOn(id: string | null, error: unknown): boolean {
    const other = defaultVoices?.standIn?.() ?? null;
    return other !== null && id !== null && id !== other && !isAboutAccount(error);
  }

  /** In the voice that is named for requests without one, and, if the service doesn't have it, in the service's own default. */
  function inDefaultVoices(request: SpeechRequest, options: SpeakOptions): VoicedText[] {
    if (!defaultVoices) return [inVoice(request, options)];
    let id: string | null = null;
    const standIn = () => defaultVoices.standIn?.() ?? null;
    /** For whoever asks which voice this is, it remains the default one. */
    async function inNamedVoice(namedId: string, standInId: string | null, maxStartSeconds?: number): Promise<VoicedText> {
      const named = inVoice({ ...request, referenceId: namedId }, options, maxStartSeconds);
      await named.check?.();
      return { ...named, referenceId: null, standIn: standInId };
    }
    // Each request of a text in several requests might be spoken in another voice.
    const inOneRequest = { ...inVoice(request, options), whole: request.text };
    const inNamed: VoicedText = {
      ...inOneRequest,
      async check() {
        const voice = await defaultVoices.for(request);
        id = voice.id;
        if (id === null) return null;
        const other = standIn();
        const isReplaceable = other !== null && other !== id;
        return inNamedVoice(id, voice.isStandIn ? id : null, isReplaceable ? STAND_IN_SECONDS : undefined);
      },
      // Another voice is better than none.
      passesOn: (error) => mayPassOn(id, error),
    };
    const inOther: VoicedText = {
      ...inOneRequest,
      async check() {
        const other = standIn();
        if (other !== null) return inNamedVoice(other, other);
        if (id !== null) void defaultVoices.replace(request, id);
        return null;
      },
    };
    return [inNamed, inOther];
  }

  function inVoice(request: SpeechRequest, { memberId, isDownload = false }: SpeakOptions, maxStartSeconds?: number): VoicedText {
    const referenceId = request.referenceId ?? null;
    let isOwn = false;
    return {
      referenceId,
      ...(slowVoices().includes(referenceId ?? '') && { whole: request.text }),
      async check() {
        isOwn = (await checkAccess(accessOf, request, memberId)) === 'own';
        return null;
      },
      speak: (piece, signal) => speak(request, piece, { signal, isDownload, maxStartSeconds }),
      bytesOf: (text) => Buffer.byteLength(marked(text, request)),
      speakLive: (texts, signal) => speakLive(request, texts, signal),
      cacheSlot: cacheSlotOf(request, memberId, () => isOwn),
      loudness: voiceMemory && { recall: () => voiceMemory.recall(referenceId), save: () => voiceMemory.save(referenceId) },
    };
  }

  /** Deletes sounds of this process. Returns how many there were in memory. */
  async function discard({ keys, memberId, voiceId }: CacheInvalidation): Promise<number> {
    for (const id of [memberId, voiceId]) if (id !== undefined) deletions.set(id, (deletions.get(id) ?? 0) + 1);
    const inMemory = memberId === undefined ? 0 : messageSounds.forgetMember(memberId);
    if (voiceId !== undefined) messageSounds.forgetVoice(voiceId);
    if (keys === 'all') {
      pins.dropAll();
      messageSounds.clear();
      await cache?.clear();
    } else {
      pins.drop(memberId ?? null, keys);
      for (const key of keys) await cache?.delete(key);
    }
    return inMemory;
  }

  return {
    async pin(requested, memberId) {
      const request = await withNamedVoice(asSpoken(requested), { now: true });
      const key = cacheKeyOf(request);
      const access = key === null ? 'refused' : await readAccess(accessOf, request, memberId).catch(() => 'refused');
      if (key === null || access === 'refused') return null;
      return pins.pin(key, memberId, async () => (await cacheSlotOf(request, memberId, () => access === 'own')?.get()) ?? null);
    },
    utterance(requested, options = {}) {
      const request = asSpoken(requested);
      const { signal, fallbackIds = [], pin, permit } = options;
      const { speed, volume } = request;
      const pieces = cutIntoPieces(request.text);
      const sentences = liveChoice ? cutIntoSentences(request.text) : [];
      const [voice, ...fallbacks] = [request.referenceId ?? null, ...fallbackIds].flatMap((referenceId) =>
        referenceId === null ? inDefaultVoices({ ...request, referenceId }, options) : [inVoice({ ...request, referenceId }, options)],
      ) as [VoicedText, ...VoicedText[]];
      return createUtterance({
        // A blank text is the service's to refuse.
        pieces: pieces.length > 0 ? pieces : [request.text],
        live: liveChoice && sentences.length > 1 ? { sentences, choice: liveChoice } : null,
        voices: [voice, ...fallbacks],
        signal,
        pin,
        permit,
        speed,
        volume,
      });
    },
    bytesOf(requested) {
      const request = asSpoken(requested);
      return Buffer.byteLength(marked(request.text, request));
    },
    async file(requested, { signal, maxBytes = MAX_FILE_BYTES, memberId, onSpoken, onStandIn } = {}) {
      const spoken = asSpoken(requested);
      await checkAccess(accessOf, spoken, memberId);
      const voice = spoken.referenceId || !defaultVoices ? null : await defaultVoices.for(spoken);
      const withVoice = voice ? { ...spoken, referenceId: voice.id } : spoken;
      if (voice?.id && voice.isStandIn) onStandIn?.(voice.id);
      const call = { ...(signal && { signal }), isDownload: true };
      const {
        speech,
        formatHint,
        maxBytes: endlessBytes,
      } = await speak(withVoice, spoken.text, call, false).catch((error: unknown) => {
        if (voice && mayPassOn(voice.id, error)) {
          const referenceId = defaultVoices?.standIn?.() as string;
          onStandIn?.(referenceId);
          return speak({ ...spoken, referenceId }, spoken.text, call, false);
        }
        if (withVoice === spoken || !isUnknownVoice(error)) throw error;
        if (withVoice.referenceId) void defaultVoices?.replace(spoken, withVoice.referenceId);
        return speak(spoken, spoken.text, call, false);
      });
      onSpoken?.();
      return readSpeechFile(speech.audio, { formatHint, maxBytes, endlessBytes });
    },
    async forget(memberId) {
      // The note about a sound from a moment ago may still be on its way to the store.
      await nextTurn();
      const keys = (await owners?.keysOf(memberId)) ?? [];
      const inMemory = await discard({ keys, memberId });
      const isEverywhere = await shareDeletion({ keys, memberId });
      // Forgotten only now: if deleting failed, it can be tried again.
      await owners?.forget(memberId);
      return { count: keys.length + inMemory, everywhere: await isEverywhere() };
    },
    async forgetVoice(voiceId) {
      const keys = (await owners?.keysOfVoice(voiceId)) ?? [];
      await discard({ keys, voiceId });
      const isEverywhere = await shareDeletion({ keys, voiceId });
      await owners?.forgetVoice(voiceId);
      await isEverywhere();
    },
    forgetMessages(messages) {
      if (messages === 'all') messageSounds.clear();
      else if ('guildId' in messages) messageSounds.forgetGuild(messages.guildId);
      else messageSounds.forgetMessage(messages.messageId);
    },
    async clearCache() {
      const bytes = (cache?.bytes ?? 0) + messageSounds.bytes;
      await discard({ keys: 'all' });
      const isEverywhere = await shareDeletion({ keys: 'all' });
      await owners?.forget();
      await isEverywhere();
      return bytes;
    },
    discard: async (invalidation) => void (await discard(invalidation)),
  };
}

/** A refusal that isn't about anything else. */
function mayRefuseDelivery(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind !== 'validation' || isUnknownVoice(error)) return false;
  const { details } = error;
  return details.length === 0 || details.some(({ loc }) => loc.some((name) => ['latency', 'prosody', 'normalize_loudness'].includes(name)));
}

// Who may speak in which voice. A voice that a member may not use counts as one that the service doesn't have, so its existence isn't
// revealed.

/**
 * Whether the member may speak in this voice there: any of the `catalogue`, or an `own` one, which a member made.
 * @param user `userId` '' = nobody in particular; `guildId` null = outside of servers
 */
export type VoiceAccessLookup = (
  voiceId: string,
  user: { userId: string; guildId: string | null },
) => Promise<'catalogue' | 'own' | 'refused'>;

/** The voice for a text; an `id` of null is the service's own default. */
interface NamedVoice {
  id: string | null;
  /** Whether it speaks because the default one would be late. */
  isStandIn: boolean;
}

/** Voices that are named in place of a service's default one. */
export interface NamedDefaults {
  /** The voice for this text, in this server. Never rejects. */
  for(request: SpeechRequest): Promise<NamedVoice>;
  /** The voice for this text as far as it is known now. Absent: `for` takes no longer. */
  known?(request: SpeechRequest): NamedVoice;
  /** The service doesn't have this voice any more. Never rejects. */
  replace(request: Pick<SpeechRequest, 'scope' | 'language'>, id: string): Promise<void>;
  /** The id of the voice that speaks if the one for the text can't; absent or null = the service's own default, if it doesn't have that one. */
  standIn?(): string | null;
}

/** What the service refuses because of the account, it refuses for every voice. */
const isAboutAccount = (error: unknown) => !(error instanceof ApiError) || ['auth', 'forbidden', 'credit', 'aborted'].includes(error.kind);

interface VoicedRequest {
  referenceId?: string | null;
  scope?: SoundScope;
}

/** The member's access to the request's voice, in the place that its scope names. */
async function readAccess(
  accessOf: VoiceAccessLookup | undefined,
  { referenceId, scope }: VoicedRequest,
  memberId = '',
): ReturnType<VoiceAccessLookup> {
  if (!referenceId || !accessOf) return 'catalogue';
  const guildId = typeof scope === 'object' && 'guildId' in scope ? scope.guildId : null;
  return accessOf(referenceId, { userId: memberId, guildId });
}

/** @throws ApiError like that of a service without such a voice */
async function checkAccess(...request: Parameters<typeof readAccess>): Promise<'catalogue' | 'own'> {
  const access = await readAccess(...request);
  if (access === 'refused') throw new ApiError('not-found', 'There is no such voice.', { status: 404 });
  return access;
}

// How loud each voice is, as measured, in memory and in the store: its next sound starts at the right level, even after a restart.

/** What is stored about a voice; nothing about who used it. */
interface VoiceLevel {
  lufs: number;
  /** How much of it was measured, in tenths of a second. */
  blocks: number;
}

/** Levels in the store. `referenceId` null = the service's default voice. */
export interface VoiceLevels {
  /** null if it is unknown or the store fails, which is reported to `warn`. Never rejects. */
  load(referenceId: string | null): Promise<VoiceLevel | null>;
  /** Runs in the background; failures are reported to `warn`. */
  save(referenceId: string | null, level: VoiceLevel): void;
}

/** The voices that spoke last; with VoiceLevels, all voices, even after a restart. */
interface VoiceMemory {
  /** Never rejects. @param referenceId `id` of a voice model; null = the service's default voice */
  recall(referenceId: string | null): Promise<VoiceLoudness>;
  /** Call when a sound of the voice has ended: saves what was learned about it, if that makes a difference. */
  save(referenceId: string | null): Promise<void>;
}

/** How long a voice is remembered after something new was last learned about it. */
const RETENTION_MS = 90 * 24 * 3600_000;
/** 3 KB each. */
const MAX_VOICES = 500;
/** A smaller change is saved only once the voice has been heard for twice as long. */
const NOTABLE_LU = 0.5;

/** @param service the service that the voices belong to: two services may have different voices under one id */
export function createVoiceLevels(store: Store, service: string, warn: (error: unknown) => void = () => {}): VoiceLevels {
  // A voice may be a member's own: its id must not be readable from the store after they have deleted their data.
  const keyOf = (referenceId: string | null) =>
    `level:${createHash('sha256')
      .update(JSON.stringify([service, referenceId]))
      .digest('base64url')}`;
  return {
    async load(referenceId) {
      const stored = await store.get(keyOf(referenceId)).catch(warn);
      if (!stored || typeof stored !== 'object' || Array.isArray(stored)) return null;
      const { lufs, blocks } = stored;
      return Number.isFinite(lufs) && Number.isFinite(blocks) ? { lufs: Number(lufs), blocks: Number(blocks) } : null;
    },
    save(referenceId, { lufs, blocks }) {
      setImmediate(() => store.set(keyOf(referenceId), { lufs, blocks }, { expiresInMs: RETENTION_MS }).catch(warn));
    },
  };
}

/** @param levels absent = voices are forgotten when the process ends */
function createVoiceMemory(levels?: VoiceLevels): VoiceMemory {
  const voices = new LRUCache<string, Promise<{ loudness: VoiceLoudness; saved: VoiceLevel | null }>>({ max: MAX_VOICES });
  const keyOf = (referenceId: string | null) => referenceId ?? '';

  async function load(referenceId: string | null) {
    const saved = (await levels?.load(referenceId)) ?? null;
    return { loudness: saved ? recallVoiceLoudness(saved.lufs, saved.blocks) : createVoiceLoudness(), saved };
  }

  return {
    async recall(referenceId) {
      const voice = voices.get(keyOf(referenceId)) ?? load(referenceId);
      voices.set(keyOf(referenceId), voice);
      return (await voice).loudness;
    },
    async save(referenceId) {
      const voice = await voices.peek(keyOf(referenceId));
      const lufs = voice?.loudness.integrated() ?? null;
      if (!voice || lufs === null) return;
      const { loudness, saved } = voice;
      if (saved && Math.abs(lufs - saved.lufs) < NOTABLE_LU && loudness.blocks < 2 * saved.blocks) return;
      voice.saved = { lufs, blocks: loudness.blocks };
      levels?.save(referenceId, voice.saved);
    },
  };
}
