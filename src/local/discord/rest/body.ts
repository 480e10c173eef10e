// Request bodies: JSON, URL-encoded, or multipart with `files[n]`. The latter two hold the fields, or all of them as `payload_json`.
// https://docs.discord.com/developers/reference#uploading-files
import multipart, { type FastifyMultipartBaseOptions } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../errors.ts';
import { parseJson } from '../json.ts';
import { type AttachmentStore, MAX_ATTACHMENT_BYTES } from '../messages/attachments.ts';
import type { UploadedFiles } from '../messages/messages.ts';
import type { MessageBody } from '../messages/validation.ts';
import { createValidator } from '../validator.ts';

/** Limit for one field that isn't a file. */
const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FILES = 10;

/** Registers the parsers for all content types that Discord accepts. */
export async function registerBodyParsers(api: FastifyInstance): Promise<void> {
  const options: FastifyMultipartBaseOptions & { isPartAFile: (field: string, type?: string, filename?: string) => boolean } = {
    limits: { fileSize: MAX_ATTACHMENT_BYTES, files: MAX_FILES + 1, fieldSize: MAX_FIELD_BYTES },
    // As a file, `payload_json` is left unparsed: the plugin's parser would round ids.
    isPartAFile: (field, type, filename) => field === 'payload_json' || filename !== undefined || type === 'application/octet-stream',
  };
  await api.register(multipart, options);
  // An empty body is valid: some libraries always send the content type.
  api.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text === '' ? undefined : parseJson(text),
  );
  api.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) => {
    const { payload_json: payload, ...fields } = Object.fromEntries(new URLSearchParams(text));
    return payload === undefined ? fields : parseJson(payload);
  });
}

/**
 * Reads a body and stores its files as attachments of the channel. A multipart body's fields are then in `request.body`, where `onExchange`
 * looks for them. @throws DiscordError 50109, 50035
 */
export async function readBody<Body = MessageBody>(
  request: FastifyRequest,
  attachments: AttachmentStore,
  channelId: string,
): Promise<{ body: Body; files: UploadedFiles }> {
  const files: UploadedFiles = new Map();
  let body: unknown = request.body ?? {};
  if (request.isMultipart()) {
    const { fields, payload, received } = await readParts(request).catch((error) => {
      // Unread bytes would block the connection's next request.
      request.raw.unpipe();
      request.raw.resume();
      // Errors of the plugin have a status. Those of its parser don't: a missing boundary, an invalid header, an early end.
      throw typeof error.statusCode === 'number' ? error : discordErrors.malformed();
    });
    body = payload ?? fields;
    request.body = body;
    validateFiles(body, received);
    for (const { index, filename, type, bytes } of received) files.set(index, attachments.add(channelId, filename, type, bytes));
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw discordErrors.malformed();
  return { body: body as Body, files };
}

interface ReceivedFile {
  /** The `n` of `files[n]`. */
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

/** Each entry of `attachments` has to name a received file, or (by its longer id) an existing attachment. */
function validateFiles(body: unknown, received: ReceivedFile[]): void {
  const { attachments } = ((body as { data?: object }).data ?? body) as { attachments?: { id: unknown }[] | null };
  const validator = createValidator();
  if (received.length > MAX_FILES) validator.addError('files', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_FILES} or fewer in length.`);
  for (const [index, { id }] of validator.checkList('attachments', attachments).entries()) {
    const isExisting = String(id).length > 10;
    if (!isExisting && !received.some((file) => file.index === String(id)))
      validator.addError(`attachments.${index}`, 'ATTACHMENT_NOT_FOUND', `Attachment data not found for id: ${id}`);
  }
  validator.throwIfInvalid();
}
