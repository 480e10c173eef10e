// Ends requests that make no progress: an upload that stops arriving, a response that nobody reads.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpError } from './http-error.ts';
import type { Limits } from './limits.ts';

interface OpenRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Moved over its socket in both directions, when last looked at. */
  bytes: number;
  /** When that number last changed. */
  progressAt: number;
}

/**
 * Checks the open requests a few times per limit, by the bytes on their sockets. A request whose body has arrived and whose response is
 * being worked out has nothing to send, and is left alone.
 */
export function endStalledRequests(app: FastifyInstance, limits: Limits): void {
  const open = new Set<OpenRequest>();
  app.addHook('onRequest', async (request, reply) => {
    const entry = { request, reply, bytes: -1, progressAt: performance.now() };
    open.add(entry);
    reply.raw.once('close', () => open.delete(entry));
  });

  const check = () => {
    const now = performance.now();
    for (const entry of open) {
      const { raw } = entry.request;
      const isUploading = !raw.complete;
      const isUnread = !isUploading && entry.reply.raw.writableLength > 0;
      const bytes = raw.socket.bytesRead + raw.socket.bytesWritten;
      const stalledMs = now - entry.progressAt;
      if (bytes !== entry.bytes || !(isUploading || isUnread)) {
        entry.bytes = bytes;
        entry.progressAt = now;
      } else if (isUploading && stalledMs >= limits.uploadStallMs) endUpload(entry);
      else if (isUnread && stalledMs >= limits.readStallMs) raw.socket.destroy();
    }
  };
  const timer = setInterval(check, Math.min(limits.uploadStallMs, limits.readStallMs, 8000) / 4).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function endUpload({ request, reply }: OpenRequest): void {
  if (reply.sent || reply.raw.headersSent) {
    request.raw.socket.destroy();
    return;
  }
  const { status, body } = httpError(408, 'The upload stopped coming. Send it again.');
  reply.hijack();
  reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', 'x-request-id': request.id });
  reply.raw.end(JSON.stringify(body), () => request.raw.socket.destroySoon());
}
