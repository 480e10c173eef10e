// How the page reaches a member's client: a WebSocket that carries page/protocol.ts, and a route for uploads.
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import type { AttachmentStore } from '../messages/attachments.ts';
import { type Call, encodeHeardPacket, MAX_UPLOAD_BYTES, type Reply } from '../page/protocol.ts';
import { isOpusPacket } from '../voice/rtp.ts';
import type { MemberClient } from './member-client.ts';
import { fallSilent } from './speech.ts';

/** Beyond this, sound for a browser that doesn't keep up is dropped rather than heard late. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/** Serves the socket until it closes, then closes the client. */
export function serveMemberSocket(socket: WebSocket, member: MemberClient): void {
  const send = (message: object) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message));
  const unsubscribe = [
    member.onDispatch(send),
    member.onHeard((heard) => {
      if (socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_BUFFERED_BYTES) socket.send(encodeHeardPacket(heard));
    }),
  ];
  socket.on('error', () => {}); // 'close' follows
  socket.on('close', () => {
    for (const stop of unsubscribe) stop();
    member.close();
  });
  socket.on('message', async (data: Buffer, isBinary) => {
    if (isBinary) {
      if (data.length === 0) fallSilent(member.microphone);
      else if (isOpusPacket(data)) member.microphone.send(data);
      else socket.close(1003, 'Opus packets, please.');
      return;
    }
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

interface UploadOptions {
  attachments: AttachmentStore;
  /** @throws Error if there is no such member */
  findUserId: (name?: string) => string;
  isKey: (key: string | null | undefined) => boolean;
}

/** POST /member/uploads?filename=…&user=…&key=… with the bytes as body. */
export async function registerUploadRoute(app: FastifyInstance, { attachments, findUserId, isKey }: UploadOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES }, (_request, body, done) => done(null, body));
    scope.post('/member/uploads', { bodyLimit: MAX_UPLOAD_BYTES }, (request, reply) => {
      const { filename = 'file', user, key } = request.query as { filename?: string; user?: string; key?: string };
      if (!isKey(key))
        return reply.code(401).type('text/plain').send('Only the page that the terminal printed the address of may send files.');
      let userId: string;
      try {
        userId = findUserId(user || undefined);
      } catch (error) {
        return reply
          .code(404)
          .type('text/plain')
          .send((error as Error).message);
      }
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const type = request.headers['content-type'] ?? 'application/octet-stream';
      return reply.send(attachments.addUpload(userId, filename, type, bytes));
    });
  });
}
