// Attachments: kept in memory while the local Discord runs, served as Discord's CDN serves them.
import type { APIAttachment } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { Upload } from '../page/protocol.ts';
import { snowflake } from '../world/snowflake.ts';

interface StoredFile {
  attachment: APIAttachment;
  /** Who uploaded it; null for the application. */
  ownerId: string | null;
  channelId: string;
  bytes: Buffer;
}

/** What a member's client may send in one file, in bytes. */
export const MAX_UPLOAD = 25 * 1024 * 1024;

export interface Uploads {
  /** A file that a member has not sent yet. @throws Error where it is too large. */
  receive(userId: string, filename: string, contentType: string, bytes: Uint8Array): Upload;
  /** What this member uploaded; nobody else can send it. */
  find(userId: string, id: string): APIAttachment | undefined;
  add(channelId: string, filename: string, contentType: string, bytes: Buffer): APIAttachment;
}

/** Discord's rule: what is not a letter, a digit or one of these becomes an underscore. */
function cleanName(filename: string): string {
  return filename.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(-100) || 'file';
}

/** `keptBytes`: what all attachments together may take; the oldest go first. */
export function createUploads(app: FastifyInstance, origin: () => string, keptBytes: number): Uploads {
  const files = new Map<string, StoredFile>();
  let total = 0;

  app.get('/attachments/:channel/:id/:filename', (request, reply) => {
    const { id, channel } = request.params as { id: string; channel: string };
    const file = files.get(id);
    if (!file || file.channelId !== channel) return reply.code(404).type('text/plain').send('This content is no longer available.');
    const { bytes, attachment } = file;
    reply.header('accept-ranges', 'bytes').header('content-disposition', 'attachment').header('x-content-type-options', 'nosniff');
    reply.type(attachment.content_type ?? 'application/octet-stream');
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (!from && !to) return reply.send(bytes);
    // `-5`: the last five.
    const start = from ? Number(from) : Math.max(0, bytes.length - Number(to));
    const end = Math.min(from && to ? Number(to) : bytes.length - 1, bytes.length - 1);
    if (start > end) return reply.code(416).header('content-range', `bytes */${bytes.length}`).send();
    return reply
      .code(206)
      .header('content-range', `bytes ${start}-${end}/${bytes.length}`)
      .send(bytes.subarray(start, end + 1));
  });

  return {
    receive(userId, filename, contentType, bytes) {
      if (bytes.length > MAX_UPLOAD) throw new Error(`The file is larger than ${MAX_UPLOAD / 1024 / 1024} MB.`);
      const { id, url, size } = keep(userId, 'uploads', filename, contentType, Buffer.from(bytes));
      return { id, filename: cleanName(filename), size, content_type: contentType, url };
    },
    find(userId, id) {
      const file = files.get(id);
      return file?.ownerId === userId ? file.attachment : undefined;
    },
    add: (channelId, filename, contentType, bytes) => keep(null, channelId, filename, contentType, bytes),
  };

  function keep(ownerId: string | null, channelId: string, filename: string, contentType: string, bytes: Buffer): APIAttachment {
    const id = snowflake();
    const name = cleanName(filename);
    const url = `${origin()}/attachments/${channelId}/${id}/${encodeURIComponent(name)}`;
    const attachment = { id, filename: name, size: bytes.length, url, proxy_url: url, content_type: contentType } as APIAttachment;
    files.set(id, { attachment, ownerId, channelId, bytes });
    total += bytes.length;
    for (const [oldId, old] of files) {
      if (total <= keptBytes || oldId === id) break;
      files.delete(oldId);
      total -= old.bytes.length;
    }
    return attachment;
  }
}
