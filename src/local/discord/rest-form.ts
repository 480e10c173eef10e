// Bodies of requests: JSON, or multipart with `payload_json` and `files[n]`.
import type { FastifyRequest } from 'fastify';
import type { MessageForm } from './message-form.ts';
import type { Files } from './messages.ts';
import { createFormCheck, problems } from './problems.ts';
import type { Uploads } from './uploads.ts';

/** JSON that came inside of multipart. */
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
    body = {};
    const received: { index: string; filename: string; type: string; bytes: Buffer }[] = [];
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.fieldname === 'payload_json') body = typeof part.value === 'object' ? part.value : JSON.parse(String(part.value));
      } else {
        const index = /^files\[(\d+)\]$/.exec(part.fieldname)?.[1] ?? String(received.length);
        received.push({ index, filename: part.filename, type: part.mimetype, bytes: await part.toBuffer() });
      }
    }
    payloads.set(request, body);
    checkFiles(body, received);
    for (const { index, filename, type, bytes } of received) {
      files.attachments.set(index, uploads.add(channelId, filename, type, bytes));
    }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw problems.malformed();
  return { body: body as Body, files };
}

/** Each attachment that is numbered names a file that came along. */
function checkFiles(body: unknown, received: { index: string }[]): void {
  const { attachments = [] } = ((body as { data?: object }).data ?? body) as { attachments?: { id: unknown }[] };
  const check = createFormCheck();
  for (const [place, { id }] of attachments.entries()) {
    const isKept = String(id).length > 10;
    if (!isKept && !received.some(({ index }) => index === String(id)))
      check.fault(`attachments.${place}`, 'ATTACHMENT_NOT_FOUND', `Attachment data not found for id: ${id}`);
  }
  check.done();
}
