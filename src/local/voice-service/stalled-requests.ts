// Ends requests that stand still: an upload that stops coming, an answer that nobody reads.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './http-error.ts';
import type { Limits } from './limits.ts';

interface Watched {
  request: FastifyRequest;
  reply: FastifyReply;
  bytes: number;
  since: number;
}

/**
 * Looks at the open requests a few times per limit. Bytes on the socket are what counts, whoever reads them; a request whose
 * body is here and whose answer is being worked out stands still for good reason, and is left alone.
 */
export function endStalls(app: FastifyInstance, limits: Limits): void {
  const open = new Set<Watched>();
  app.addHook('onRequest', async (request, reply) => {
    const watched = { request, reply, bytes: -1, since: performance.now() };
    open.add(watched);
    reply.raw.once('close', () => open.delete(watched));
  });

  const look = () => {
    const now = performance.now();
    for (const watched of open) {
      const { raw } = watched.request;
      const uploading = !raw.complete;
      const unread = !uploading && watched.reply.raw.writableLength > 0;
      const bytes = raw.socket.bytesRead + raw.socket.bytesWritten;
      if (bytes !== watched.bytes || !(uploading || unread)) Object.assign(watched, { bytes, since: now });
      else if (uploading && now - watched.since >= limits.uploadSilence) endUpload(watched);
      else if (unread && now - watched.since >= limits.readSilence) raw.socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(limits.uploadSilence, limits.readSilence, 8000) / 4).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function endUpload({ request, reply }: Watched): void {
  if (reply.sent || reply.raw.headersSent) {
    request.raw.socket.destroy();
    return;
  }
  const { status, body } = refuse(408, 'The upload stopped coming. Send it again.');
  reply.hijack();
  reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', 'x-request-id': request.id });
  reply.raw.end(JSON.stringify(body), () => request.raw.socket.destroySoon());
}
