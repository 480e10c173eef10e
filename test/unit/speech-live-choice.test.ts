// When texts of several sentences use the websocket.
import { expect, test } from 'vitest';
import { createLiveChoice, type LiveChoice, type Transport } from '../../src/synthesis/live-texts.ts';

/** Speaks texts, each by the way that is chosen, with these times to the first byte; returns the ways. */
function speak(choice: LiveChoice, texts: number, ms: Record<Transport, number>): Transport[] {
  return Array.from({ length: texts }, () => {
    const way = choice.shouldUseWebSocket() ? 'live' : 'http';
    choice.noteFirstByte(way, ms[way]);
    return way;
  });
}
const count = (ways: Transport[], wanted: Transport) => ways.filter((way) => way === wanted).length;

test('the ways take turns until both are known, the websocket first', () => {
  const ways = speak(createLiveChoice(), 6, { live: 100, http: 100 });
  expect(ways).toEqual(['live', 'http', 'live', 'http', 'live', 'http']);
});

test.each<[Transport, number, number]>([
  ['live', 90, 100],
  ['live', 100, 100],
  ['live', 119, 100],
  ['http', 121, 100],
  ['http', 900, 100],
])('then it is %s if the first byte comes after %i ms over the websocket and after %i over HTTP', (expected, live, http) => {
  const choice = createLiveChoice();
  speak(choice, 6, { live, http });
  const ways = speak(choice, 100, { live, http });
  // Now and then the other way is tried.
  expect(count(ways, expected)).toBe(95);
});

test('one slow text changes nothing, a service that has become slow does', () => {
  const choice = createLiveChoice();
  speak(choice, 6, { live: 50, http: 100 });
  choice.noteFirstByte('live', 5_000);
  expect(count(speak(choice, 10, { live: 50, http: 100 }), 'live')).toBe(10);
  const ways = speak(choice, 200, { live: 500, http: 100 });
  expect(count(ways.slice(3), 'http')).toBeGreaterThan(180);
  // And back again.
  expect(count(speak(choice, 200, { live: 50, http: 100 }).slice(100), 'live')).toBeGreaterThan(90);
});

test('after a failure twenty texts use HTTP, before the websocket is tried again', () => {
  const choice = createLiveChoice();
  speak(choice, 10, { live: 50, http: 100 });
  choice.noteFailure();
  expect(speak(choice, 21, { live: 50, http: 100 })).toEqual([...Array(20).fill('http'), 'live']);
  choice.noteFailure();
  expect(count(speak(choice, 20, { live: 50, http: 100 }), 'live')).toBe(0);
});
