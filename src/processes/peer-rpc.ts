// Calls from one process of the bot to another, through the store.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '../async/waiting.ts';
import { createFailureLog, type Log } from '../log.ts';
import type { Store, Value } from '../store/index.ts';

export interface PeerRpc {
  /**
   * Resolves with the response, or with null if there is none in time: the request then won't be served later either. @throws StoreError
   */
  call(processId: string, request: Value): Promise<Value>;
  /** Serves requests to this process until the returned function is called. */
  serve(respond: (request: Value) => Promise<Value>): () => void;
}

/** Followed by the id of the process that is called. */
const REQUEST = 'question:';
const RESPONSE = 'response:';
/** Discord waits 3 s for a reply, and some replies take two calls. */
const TIMEOUT_MS = 1_200;
/** Milliseconds between two polls for requests, and for a response. */
const REQUEST_POLL_INTERVAL_MS = 200;
const RESPONSE_POLL_INTERVAL_MS = 50;

/** @param id of this process */
export function createPeerRpc(store: Store, { id, log }: { id: string; log: Log }): PeerRpc {
  const failures = createFailureLog(log, 'requests of other processes cannot be served; trying again until they can');

  /** @throws StoreError */
  async function serveAll(respond: (request: Value) => Promise<Value>): Promise<void> {
    const prefix = `${REQUEST}${id}:`;
    for (const [key, request] of await store.list(prefix)) {
      if (!(await store.compareAndSet(key, request, null))) continue;
      await store.set(RESPONSE + key.slice(prefix.length), await respond(request), { expiresInMs: TIMEOUT_MS });
    }
  }

  return {
    async call(processId, request) {
      const requestId = randomUUID();
      await store.set(`${REQUEST}${processId}:${requestId}`, request, { expiresInMs: TIMEOUT_MS });
      const answered = await poll(
        async () => {
          const response = await store.get(RESPONSE + requestId);
          // Even `false` is an answer.
          return response !== null && { response };
        },
        { everyMs: RESPONSE_POLL_INTERVAL_MS, maxMs: TIMEOUT_MS },
      );
      // If this fails, it expires.
      if (answered) void store.delete(RESPONSE + requestId).catch(() => {});
      return answered?.response ?? null;
    },
    serve(respond) {
      let hasEnded = false;
      async function serveUntilEnded(): Promise<void> {
        for (; !hasEnded; await sleep(REQUEST_POLL_INTERVAL_MS, undefined, { ref: false }))
          await serveAll(respond).then(failures.succeeded, failures.failed);
      }
      void serveUntilEnded();
      return () => {
        hasEnded = true;
      };
    },
  };
}
