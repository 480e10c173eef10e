// Lets one process of the bot ask another one for something, through the store.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, Value } from '../store/index.ts';

export interface Questions {
  /** Resolves with the answer, or with null if there is none in time; then it is not answered later either. @throws StoreError */
  ask(processId: string, question: Value): Promise<Value>;
  /** Answers what this process is asked, from now on until the function is called that it returns. */
  answer(respond: (question: Value) => Promise<Value>): () => void;
}

/** Followed by the id of the process that is asked. */
const QUESTION = 'question:';
const RESPONSE = 'response:';
/** Discord waits 3 s for a reply, and some take two answers. */
const PATIENCE_MS = 1_200;
/** Between two looks for a question, and for a response. */
const QUESTION_LOOK_MS = 200;
const RESPONSE_LOOK_MS = 50;

/** @param id of this process */
export function createQuestions(store: Store, id: string): Questions {
  /** @throws StoreError */
  async function answerAll(respond: (question: Value) => Promise<Value>): Promise<void> {
    const prefix = `${QUESTION}${id}:`;
    for (const [key, question] of await store.list(prefix)) {
      if (!(await store.replace(key, question, null))) continue;
      await store.set(RESPONSE + key.slice(prefix.length), await respond(question), { expiresInMs: PATIENCE_MS });
    }
  }

  return {
    async ask(processId, question) {
      const questionId = randomUUID();
      await store.set(`${QUESTION}${processId}:${questionId}`, question, { expiresInMs: PATIENCE_MS });
      for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(RESPONSE_LOOK_MS)) {
        const response = await store.get(RESPONSE + questionId);
        if (response === null) continue;
        void store.delete(RESPONSE + questionId).catch(() => {});
        return response;
      }
      return null;
    },
    answer(respond) {
      let hasEnded = false;
      async function look(): Promise<void> {
        // Without the store nobody can ask.
        for (; !hasEnded; await sleep(QUESTION_LOOK_MS, undefined, { ref: false })) await answerAll(respond).catch(() => {});
      }
      void look();
      return () => {
        hasEnded = true;
      };
    },
  };
}
