// The bodies that create and change a voice model: multipart, msgpack or JSON.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ModelChanges, modelChanges, type NewModel, newModel } from '../../../api/schemas.ts';
import type { Upload } from '../engines/index.ts';
import { fieldError, parseWith } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import {
  asObject,
  FIELD_BYTES,
  mediaType,
  parseJson,
  parseMsgpack,
  readBody,
  readForm,
  tooLarge,
  unsupportedMediaType,
} from '../request-body.ts';
import type { Recording } from '../voice-training.ts';

/** Bytes allowed besides the recordings: a cover, part headers, the other fields. */
const ENVELOPE_BYTES = 4 * 1024 * 1024;
/** Fields that may be repeated. */
const LISTS = ['texts', 'tags'];

interface Form {
  fields: Record<string, unknown>;
  recordings: Upload[];
}

/** @throws HttpError 400, 413, 415 or 422 */
export async function readNewModel(request: FastifyRequest, limits: Limits): Promise<{ fields: NewModel; recordings: Recording[] }> {
  const { fields: received, recordings } = await readNewForm(request, limits);
  const fields = parseWith(newModel, received, 'body');
  if (recordings.length === 0) throw fieldError('body', ['voices'], 'missing', 'Send at least one recording, as a file.');
  if (recordings.length > limits.modelRecordings) throw tooMany(limits);
  for (const [index, audio] of recordings.entries()) {
    if (audio.length === 0) throw fieldError('body', ['voices', String(index)], 'too_small', 'The audio file is empty.');
  }
  const texts = isJoined(fields.texts, recordings.length) ? [] : fields.texts;
  if (texts.length > 0 && texts.length !== recordings.length) {
    const msg = `There are ${recordings.length} recordings and ${texts.length} texts. Send a text for each recording, or none.`;
    throw fieldError('body', ['texts'], 'wrong_length', msg);
  }
  return { fields, recordings: recordings.map((audio, index) => ({ audio, text: texts[index] || null })) };
}

/** @throws HttpError 400, 413, 415 or 422 */
export async function readModelChanges(request: FastifyRequest): Promise<ModelChanges> {
  const type = mediaType(request);
  if (type === 'application/json') return parseWith(modelChanges, asObject(parseJson(await readBody(request, FIELD_BYTES))), 'body');
  if (type === 'application/msgpack')
    return parseWith(modelChanges, asObject(parseMsgpack(await readBody(request, ENVELOPE_BYTES))), 'body');
  if (type === 'application/x-www-form-urlencoded') return parseWith(modelChanges, await readUrlEncoded(request), 'body');
  if (type !== 'multipart/form-data')
    throw unsupportedMediaType(type, 'application/json, application/msgpack, application/x-www-form-urlencoded or multipart/form-data');
  const { fields } = await readMultipart(request, { recordings: 0, fileBytes: ENVELOPE_BYTES, bodyBytes: ENVELOPE_BYTES });
  return parseWith(modelChanges, fields, 'body');
}

/** Some clients send a list as one field, joined by commas. Where one of several texts ends is then unknown, so they count as absent. */
const isJoined = ([text, ...others]: string[], count: number) =>
  count > 1 && others.length === 0 && (text ?? '').split(',').length >= count;

async function readUrlEncoded(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [key, value] of new URLSearchParams((await readBody(request, FIELD_BYTES)).toString())) addField(fields, key, value);
  return fields;
}

function addField(fields: Record<string, unknown>, key: string, value: unknown): void {
  const name = key.replace(/\[\]$/, '');
  // A comma in a text is one; a tag has none.
  const values = name === 'tags' && typeof value === 'string' ? value.split(',').filter((tag) => tag.trim() !== '') : value;
  fields[name] = LISTS.includes(name) ? [fields[name] ?? [], values].flat() : value;
}

async function readNewForm(request: FastifyRequest, limits: Limits): Promise<Form> {
  const type = mediaType(request);
  const bodyBytes = limits.modelBytes + ENVELOPE_BYTES;
  if (type === 'multipart/form-data')
    return readMultipart(request, { recordings: limits.modelRecordings, fileBytes: limits.audioBytes, bodyBytes });
  if (type !== 'application/msgpack') throw unsupportedMediaType(type, 'multipart/form-data or application/msgpack');
  const { voices, ...fields } = asObject(parseMsgpack(await readBody(request, bodyBytes)));
  const recordings = parseWith(msgpackVoices, { voices: voices instanceof Uint8Array ? [voices] : (voices ?? []) }, 'body').voices;
  if (recordings.some(({ length }) => length > limits.audioBytes)) throw tooLarge(limits.audioBytes);
  return { fields, recordings };
}

const msgpackVoices = z.looseObject({ voices: z.array(z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be binary')) });

async function readMultipart(
  request: FastifyRequest,
  { recordings: most, ...bytes }: { recordings: number; fileBytes: number; bodyBytes: number },
): Promise<Form> {
  const fields: Record<string, unknown> = Object.create(null);
  const recordings: Upload[] = [];
  const tooManyFiles = fieldError('body', ['voices'], 'too_big', `There are too many files: at most ${most} recordings.`);
  // One may be a cover.
  for (const part of await readForm(request, { ...bytes, files: most + 1, tooManyFiles })) {
    const name = part.name.replace(/\[\]$/, '');
    if ('field' in part) {
      if (name === 'voices') throw fieldError('body', ['voices'], 'invalid_type', 'Must be a file: give the part a filename.');
      addField(fields, name, part.field);
    } else if (name === 'voices') {
      recordings.push(part.file);
    }
    // All other files are left out: covers are drawn by this service.
  }
  return { fields, recordings };
}

const tooMany = ({ modelRecordings }: Limits) =>
  fieldError('body', ['voices'], 'too_big', `There are too many recordings: at most ${modelRecordings}.`, `maximum ${modelRecordings}`);
