// Attachments: kept in memory, or in a folder, and served like Discord's CDN serves them: to anybody who knows the URL, which ends in a
// signature, since ids are only times, which other users of this machine could guess.
import { createHmac } from 'node:crypto';
import type { APIAttachment } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { imageSize } from 'image-size';
import { isKeyEqual } from '../auth.ts';
import { MAX_UPLOAD_BYTES, type Upload } from '../page/protocol.ts';
import type { FileStorage, SavedFile } from '../storage/files.ts';
import { createSnowflake, snowflakeTime } from '../world/snowflake.ts';

/** The largest file that the application may send, in bytes, as in a guild without boosts. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;

export interface AttachmentStore {
  /** A file that a member has chosen, not sent yet. @throws Error if it is too large */
  addUpload(userId: string, filename: string, contentType: string, bytes: Uint8Array): Upload;
  /** Finds a file that this member uploaded; nobody else can send it. */
  findUpload(userId: string, id: string): APIAttachment | undefined;
  /** A file that the application sends to a channel. */
  add(channelId: string, filename: string, contentType: string, bytes: Buffer): APIAttachment;
  /** The `hm` of a file's URL. */
  sign(channelId: string, id: string): string;
  /** Deletes the files that are older than this, in milliseconds since 1970. */
  deleteBefore(time: number): void;
}

interface StoredFile {
  facts: Pick<APIAttachment, 'id' | 'filename' | 'size' | 'content_type' | 'width' | 'height'>;
  /** The member who uploaded it; null for the application. */
  ownerId: string | null;
  channelId: string;
  /** Null if they are in the folder. */
  bytes: Buffer | null;
}

interface AttachmentOptions {
  app: FastifyInstance;
  origin: () => string;
  /** What only this server and the page's members know. */
  key: string;
  /** Limit for all files together; the oldest are deleted first. */
  maxBytes: number;
  /** Where the bytes are kept over restarts; null = in memory alone. */
  storage: FileStorage | null;
  saved: SavedFile[];
}

/** Registers the route of the files. */
export function createAttachmentStore({ app, origin, key, maxBytes, storage, saved }: AttachmentOptions): AttachmentStore {
  const files = new Map<string, StoredFile>();
  const sign = (channelId: string, id: string) => createHmac('sha256', key).update(`attachment:${channelId}:${id}`).digest('hex');
  let totalBytes = 0;
  for (const { id, value } of saved) {
    const file = { ...(value as Omit<StoredFile, 'bytes'>), bytes: null };
    files.set(id, file);
    totalBytes += file.facts.size;
  }

  app.get('/attachments/:channel/:id/:filename', async (request, reply) => {
    const { id, channel } = request.params as { id: string; channel: string };
    const { hm } = request.query as { hm?: string | string[] };
    const file = isKeyEqual(String(hm), sign(channel, id)) ? files.get(id) : undefined;
    // It may have been deleted from the folder by now.
    const bytes = file?.channelId === channel ? (file.bytes ?? (await storage?.read(id).catch(() => null))) : null;
    if (!file || !bytes) return reply.code(404).type('text/plain').send('This content is no longer available.');
    reply.header('accept-ranges', 'bytes').header('content-disposition', 'attachment').header('x-content-type-options', 'nosniff');
    reply.type(file.facts.content_type ?? 'application/octet-stream');
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
    const type = contentType === 'application/ogg' ? 'audio/ogg' : contentType; // discord.js sends the former
    const facts = { id, filename: name, size: bytes.length, content_type: type, ...measurePicture(type, bytes) };
    const file: StoredFile = { facts, ownerId, channelId, bytes };
    files.set(id, file);
    totalBytes += bytes.length;
    for (const oldId of files.keys()) {
      if (totalBytes <= maxBytes || oldId === id) break;
      remove(oldId);
    }
    // If it cannot be saved, the bytes stay in memory.
    void storage?.save({ id, value: { facts, ownerId, channelId } }, bytes).then(
      () => {
        file.bytes = null;
        if (!files.has(id)) remove(id);
      },
      () => {},
    );
    return describe(file);
  }

  function describe({ facts, channelId }: StoredFile): APIAttachment {
    const url = `${origin()}/attachments/${channelId}/${facts.id}/${encodeURIComponent(facts.filename)}?hm=${sign(channelId, facts.id)}`;
    return { ...facts, url, proxy_url: url } as APIAttachment;
  }

  function remove(id: string): void {
    totalBytes -= files.get(id)?.facts.size ?? 0;
    files.delete(id);
    // Listed or not, what is left in the folder is deleted at the next start.
    storage?.delete(id).catch(() => {});
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
      return file?.ownerId === userId ? describe(file) : undefined;
    },
    add: (channelId, filename, contentType, bytes) => store(null, channelId, filename, contentType, bytes),
    sign,
    deleteBefore(time) {
      for (const id of files.keys()) {
        if (snowflakeTime(id) >= time) break;
        remove(id);
      }
    },
  };
}

/** In pixels; nothing if it is no picture, or a damaged one. */
function measurePicture(contentType: string, bytes: Buffer): { width?: number; height?: number } {
  if (!contentType.startsWith('image/')) return {};
  try {
    const { width, height } = imageSize(bytes);
    return { width, height };
  } catch {
    return {};
  }
}

/** Like Discord, replaces all but letters, digits, dots, underscores and hyphens by underscores. */
function sanitizeFilename(filename: string): string {
  return filename.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(-100) || 'file';
}
