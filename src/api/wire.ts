// Converts between the module's types (types.ts) and the wire format (schemas.ts).
import type * as schemas from './schemas.ts';
import type { AudioFile, ModelPage, ModelQuery, NewModel, SpeakRequest, Transcript, VoiceModel, WalletRecord } from './types.ts';
import type { Field } from './upload.ts';

type QueryValue = string | number | boolean | string[] | null | undefined;

/** A query string with its question mark, or ''. Multiple values repeat the key; null, undefined and empty lists are left out. */
export function toQuery(values: Record<string, QueryValue>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined) query.append(name, String(one));
    }
  }
  return query.size === 0 ? '' : `?${query}`;
}

export const toModelQuery = (query: ModelQuery): string =>
  toQuery({
    page_size: query.pageSize,
    page_number: query.pageNumber,
    title: query.title,
    tag: query.tag,
    self: query.self,
    // "When self is true, then author_id has no effect": not sent, so that no service can treat it otherwise.
    author_id: query.self ? null : query.authorId,
    language: query.language,
    title_language: query.titleLanguage,
    sort_by: query.sortBy,
  });

/** Contains only what the caller set: everything else keeps the service's own default. */
export function toTtsBody(request: SpeakRequest): schemas.TtsBody {
  const body: schemas.TtsBody = {
    text: request.text,
    reference_id: request.referenceId,
    references: request.references?.length ? request.references.map(({ audio, text }) => ({ audio, text })) : undefined,
    format: request.format,
    sample_rate: request.sampleRate,
    mp3_bitrate: request.mp3Bitrate,
    opus_bitrate: request.opusBitrate,
    chunk_length: request.chunkLength,
    normalize: request.normalize,
    latency: request.latency,
    temperature: request.temperature,
    top_p: request.topP,
    prosody: request.prosody,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null)) as schemas.TtsBody;
}

export const toModelPage = (list: schemas.ModelList): ModelPage => ({ total: list.total, items: list.items.map(toVoiceModel) });

export const toVoiceModel = (model: schemas.ModelEntity): VoiceModel => ({
  id: model._id,
  type: model.type,
  title: model.title,
  description: model.description,
  coverImage: model.cover_image,
  trainMode: model.train_mode,
  state: model.state,
  stateMessage: model.state_message ?? null,
  tags: [...model.tags],
  samples: model.samples.map(({ title, text, task_id, audio }) => ({ title, text, taskId: task_id, audio })),
  createdAt: model.created_at,
  updatedAt: model.updated_at,
  languages: [...model.languages],
  visibility: model.visibility,
  lockVisibility: model.lock_visibility,
  likeCount: model.like_count,
  markCount: model.mark_count,
  sharedCount: model.shared_count,
  taskCount: model.task_count,
  unliked: model.unliked,
  liked: model.liked,
  marked: model.marked,
  author: { id: model.author._id, nickname: model.author.nickname, avatar: model.author.avatar },
});

export const toTranscript = (result: schemas.AsrResult): Transcript => ({
  text: result.text,
  duration: result.duration,
  segments: result.segments.map(({ text, start, end }) => ({ text, start, end })),
});

export const toWalletRecord = (record: schemas.WalletEntity): WalletRecord => ({
  id: record._id,
  userId: record.user_id,
  credit: record.credit,
  createdAt: record.created_at,
  updatedAt: record.updated_at,
  hasPhoneSha256: record.has_phone_sha256,
  hasFreeCredit: record.has_free_credit,
});

/** Fields of the form that creates a voice model, with the files of it. */
export function toNewModelForm(model: NewModel): { fields: Field[]; files: [name: string, file: AudioFile][] } {
  const texts = model.recordings.map(({ text }) => text ?? null);
  return {
    fields: [
      ['type', 'tts'],
      ['title', model.title],
      ['train_mode', 'fast'],
      // Services differ in their default, and what a person's voice is mustn't become public by accident.
      ['visibility', model.visibility ?? 'private'],
      ...toFields({ description: model.description, tags: model.tags, enhance_audio_quality: model.enhanceAudioQuality }),
      ...(texts.includes(null) ? [] : toFields({ texts: texts as string[] })),
    ],
    files: [
      ...model.recordings.map((recording): [string, AudioFile] => ['voices', recording]),
      ...(model.coverImage ? [['cover_image', model.coverImage] as [string, AudioFile]] : []),
    ],
  };
}

/** Multiple values repeat the field; undefined ones are left out. */
export const toFields = (values: Record<string, string | boolean | string[] | undefined>): Field[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [value].flat()).map((one): Field => [name, String(one)]));
