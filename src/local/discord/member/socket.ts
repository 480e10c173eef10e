// The page's way in: a WebSocket and uploads, both a thin bridge onto a member's client.
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { MAX_UPLOAD, type Uploads } from '../messages/attachments.ts';
import { type Call, encodeHeardPacket, type Reply } from '../page/protocol.ts';
import type { MemberClient } from './index.ts';

/** Sound waiting in a browser that does not keep up; past this it is thrown away rather than heard late. */
const MAX_BUFFERED = 64 * 1024;

export function bridge(socket: WebSocket, member: MemberClient): void {
  const send = (message: object) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message));
  const stops = [
    member.onDispatch(send),
    member.onHeard((heard) => {
      if (socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_BUFFERED) socket.send(encodeHeardPacket(heard));
    }),
  ];
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const stop of stops) stop();
    member.close();
  });
  socket.on('message', async (data) => {
    let call: Call;
    try {
      call = JSON.parse(data.toString());
      if (typeof call.id !== 'number' || typeof call.params !== 'object' || call.params === null) throw new TypeError('not a call');
    } catch {
      socket.close(1003, 'Calls in JSON, please.');
      return;
    }
    let reply: Reply;
    try {
      reply = { id: call.id, result: await member.call(call.method, call.params as never) };
    } catch (error) {
      reply = { id: call.id, error: error instanceof Error ? error.message : 'That did not work.' };
    }
    send(reply);
  });
}

interface UploadRoute {
  uploads: Uploads;
  /** @throws Error if there is no such member */
  userIdOf: (name?: string) => string;
  isKey: (key: string | null | undefined) => boolean;
}

/** POST /member/uploads?filename=…&user=…&key=… with the bytes as body. */
export async function registerUploads(app: FastifyInstance, { uploads, userIdOf, isKey }: UploadRoute): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_UPLOAD }, (_request, body, done) => done(null, body));
    scope.post('/member/uploads', { bodyLimit: MAX_UPLOAD }, (request, reply) => {
      const { filename = 'file', user, key } = request.query as { filename?: string; user?: string; key?: string };
      if (!isKey(key))
        return reply.code(401).type('text/plain').send('Only the page that the terminal printed the address of may send files.');
      let userId: string;
      try {
        userId = userIdOf(user || undefined);
      } catch (error) {
        return reply
          .code(404)
          .type('text/plain')
          .send((error as Error).message);
      }
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const type = request.headers['content-type'] ?? 'application/octet-stream';
      return reply.send(uploads.receive(userId, filename, type, bytes));
    });
  });
}
