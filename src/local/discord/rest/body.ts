// Bodies of requests: JSON, a form, or multipart with `files[n]`; a form holds the fields themselves, or all of them as `payload_json`.
import multipart, { type FastifyMultipartBaseOptions } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFormCheck, problems } from '../errors.ts';
import { ATTACHMENT_LIMIT } from '../interactions/index.ts';
import { parseJson } from '../json.ts';
import type { Uploads } from '../messages/attachments.ts';
import type { Files } from '../messages/index.ts';
import type { MessageForm } from '../messages/validation.ts';

/** What one field of a form may take, in bytes. */
const FIELD_LIMIT = 1024 * 1024;
const MOST_FILES = 10;

/** Lets a scope take all bodies that Discord takes. */
export async function registerBodies(api: FastifyInstance): Promise<void> {
  const options: FastifyMultipartBaseOptions & { isPartAFile: (field: string, type?: string, filename?: string) => boolean } = {
    limits: { fileSize: ATTACHMENT_LIMIT, files: MOST_FILES + 1, fieldSize: FIELD_LIMIT },
    // Read as bytes, because the plugin's own parser would round its ids.
    isPartAFile: (field, type, filename) => field === 'payload_json' || filename !== undefined || type === 'application/octet-stream',
  };
  await api.register(multipart, options);
  // A body that isn't there is no mistake: some libraries always name its type.
  api.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text === '' ? undefined : parseJson(text),
  );
  api.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) => {
    const { payload_json: payload, ...fields } = Object.fromEntries(new URLSearchParams(text));
    return payload === undefined ? fields : parseJson(payload);
  });
}

/** The form that came inside of multipart. */
const payloads = new WeakMap<FastifyRequest, unknown>();

/** The JSON of a request, once it was read. */
export function receivedBody(request: FastifyRequest): unknown {
  return payloads.get(request) ?? (request.isMultipart() ? undefined : (request.body ?? undefined));
}

/** Reads a form whose files belong to a channel. @throws DiscordProblem 50109, 50035 */
export async function readForm<Body = MessageForm>(
  request: FastifyRequest,
  uploads: Uploads,
  channelId: string,
): Promise<{ body: Body; files: Files }> {
  const files: Files = { attachments: new Map() };
  let body: unknown = request.body ?? {};
  if (request.isMultipart()) {
    const { fields, payload, received } = await readParts(request).catch((error) => {
      // What is left unread would hold up the next request on this connection for ever.
      request.raw.unpipe();
      request.raw.resume();
      // The plugin's own errors have a status, its parser's have none: no boundary, a wrong header, an end that never comes.
      throw typeof error.statusCode === 'number' ? error : problems.malformed();
    });
    body = payload ?? fields;
    payloads.set(request, body);
    checkFiles(body, received);
    for (const { index, filename, type, bytes } of received) {
      files.attachments.set(index, uploads.add(channelId, filename, type, bytes));
    }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw problems.malformed();
  return { body: body as Body, files };
}

interface ReceivedFile {
  index: string;
  filename: string;
  type: string;
  bytes: Buffer;
}

async function readParts(
  request: FastifyRequest,
): Promise<{ fields: Record<string, unknown>; payload: unknown; received: ReceivedFile[] }> {
  const fields: Record<string, unknown> = {};
  let payload: unknown;
  const received: ReceivedFile[] = [];
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else if (part.fieldname === 'payload_json') payload = parseJson((await part.toBuffer()).toString());
    else {
      const index = /^files\[(\d+)\]$/.exec(part.fieldname)?.[1] ?? String(received.length);
      received.push({ index, filename: part.filename, type: part.mimetype, bytes: await part.toBuffer() });
    }
  }
  return { fields, payload, received };
}

/** Each attachment that is numbered names a file that came along. */
function checkFiles(body: unknown, received: { index: string }[]): void {
  const { attachments } = ((body as { data?: object }).data ?? body) as { attachments?: { id: unknown }[] | null };
  const check = createFormCheck();
  if (received.length > MOST_FILES) check.fault('files', 'BASE_TYPE_MAX_LENGTH', `Must be ${MOST_FILES} or fewer in length.`);
  for (const [place, { id }] of check.list('attachments', attachments).entries()) {
    const isKept = String(id).length > 10;
    if (!isKept && !received.some(({ index }) => index === String(id)))
      check.fault(`attachments.${place}`, 'ATTACHMENT_NOT_FOUND', `Attachment data not found for id: ${id}`);
  }
  check.done();
}
