// Attachments: kept in memory, and served like Discord's CDN serves them.
import type { APIAttachment } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { Upload } from '../page/protocol.ts';
import { createSnowflake } from '../world/snowflake.ts';

/** The largest file that a member may upload, in bytes. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** The largest file that the application may send, in bytes, as in a guild without boosts. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;

export interface AttachmentStore {
  /** A file that a member has chosen, not sent yet. @throws Error if it is too large */
  addUpload(userId: string, filename: string, contentType: string, bytes: Uint8Array): Upload;
  /** Finds a file that this member uploaded; nobody else can send it. */
  findUpload(userId: string, id: string): APIAttachment | undefined;
  /** A file that the application sends to a channel. */
  add(channelId: string, filename: string, contentType: string, bytes: Buffer): APIAttachment;
}

interface StoredFile {
  attachment: APIAttachment;
  /** The member who uploaded it; null for the application. */
  ownerId: string | null;
  channelId: string;
  bytes: Buffer;
}

/** Registers the route of the files. `maxBytes`: of all files together; the oldest are deleted first. */
export function createAttachmentStore(app: FastifyInstance, origin: () => string, maxBytes: number): AttachmentStore {
  const files = new Map<string, StoredFile>();
  let totalBytes = 0;

  app.get('/attachments/:channel/:id/:filename', (request, reply) => {
    const { id, channel } = request.params as { id: string; channel: string };
    const file = files.get(id);
    if (!file || file.channelId !== channel) return reply.code(404).type('text/plain').send('This content is no longer available.');
    const { bytes, attachment } = file;
    reply.header('accept-ranges', 'bytes').header('content-disposition', 'attachment').header('x-content-type-options', 'nosniff');
    reply.type(attachment.content_type ?? 'application/octet-stream');
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (!from && !to) return reply.send(bytes);
    // `bytes=-5` is the last five.
    const start = from ? Number(from) : Math.max(0, bytes.length - Number(to));
    const end = Math.min(from && to ? Number(to) : bytes.length - 1, bytes.length - 1);
    if (start > end) return reply.code(416).header('content-range', `bytes */${bytes.length}`).send();
    return reply
      .code(206)
      .header('content-range', `bytes ${start}-${end}/${bytes.length}`)
      .send(bytes.subarray(start, end + 1));
  });

  function store(ownerId: string | null, channelId: string, filename: string, contentType: string, bytes: Buffer): APIAttachment {
    const id = createSnowflake();
    const name = sanitizeFilename(filename);
    const url = `${origin()}/attachments/${channelId}/${id}/${encodeURIComponent(name)}`;
    const attachment = { id, filename: name, size: bytes.length, url, proxy_url: url, content_type: contentType } as APIAttachment;
    files.set(id, { attachment, ownerId, channelId, bytes });
    totalBytes += bytes.length;
    for (const [oldId, old] of files) {
      if (totalBytes <= maxBytes || oldId === id) break;
      files.delete(oldId);
      totalBytes -= old.bytes.length;
    }
    return attachment;
  }

  return {
    addUpload(userId, filename, contentType, bytes) {
      if (bytes.length > MAX_UPLOAD_BYTES) throw new Error(`The file is larger than ${MAX_UPLOAD_BYTES / 1024 / 1024} MB.`);
      const attachment = store(userId, 'uploads', filename, contentType, Buffer.from(bytes));
      return {
        id: attachment.id,
        filename: attachment.filename,
        size: attachment.size,
        content_type: contentType,
        url: attachment.url,
      };
    },
    findUpload(userId, id) {
      const file = files.get(id);
      return file?.ownerId === userId ? file.attachment : undefined;
    },
    add: (channelId, filename, contentType, bytes) => store(null, channelId, filename, contentType, bytes),
  };
}

/** Like Discord, replaces all but letters, digits, dots, underscores and hyphens by underscores. */
function sanitizeFilename(filename: string): string {
  return filename.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(-100) || 'file';
}
