// How text that arrives in pieces is cut into what is spoken in one go.
import { expect, test } from 'vitest';
import { createSentenceQueue } from '../../src/local/voice-service/sentence-queue.ts';

const open = (maxLength = 300) => createSentenceQueue({ maxLength, idleMs: 60_000, onIdle() {} });

async function cut(pieces: string[], maxLength?: number): Promise<string[]> {
  const queue = open(maxLength);
  for (const piece of pieces) queue.add(piece);
  queue.end();
  return Array.fromAsync(queue.texts());
}

test('sentences are handed on whole, however they arrive', async () => {
  const text = 'Hello there! How are you? Fine';
  const expected = ['Hello there! ', 'How are you? ', 'Fine'];
  expect(await cut([text])).toEqual(expected);
  expect(await cut([...text])).toEqual(expected);
});

test('a number with a point is no end, nor is a closing quote left behind', async () => {
  expect(await cut(['It costs 3.', '5 euros. ', '"Really?" ', 'Yes'])).toEqual(['It costs 3.5 euros. ', '"Really?" ', 'Yes']);
});

test('signs alone wait for words, and are dropped at the end', async () => {
  expect(await cut(['🙂 … ! ', 'Hello. ', '🙂'])).toEqual(['🙂 … ! Hello. ']);
});

test('a text without an end is cut at the last space, or within a word but never within a character', async () => {
  expect(await cut(['one two three'], 8)).toEqual(['one two ', 'three']);
  expect(await cut(['ab😀b'], 3)).toEqual(['ab', '😀b']);
});

test('a sentence that nothing follows is handed on after a moment', async () => {
  const queue = open();
  queue.add('Hello there.');
  const texts = queue.texts();
  expect((await texts.next()).value).toBe('Hello there.');
});
