// Any answer and any failure becomes an ApiError that says what happened, and neither the key nor what was said.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, apiErrorKinds } from '../../src/api/index.ts';
import { createRedact, problemFromAnswer, problemFromConnection } from '../../src/api/problems.ts';

const key = 'sk-0123456789';
const said = 'Meet me behind\nthe old mill at nine';
const redact = createRedact(key, said);

describe('what a member said', () => {
  test.each([
    ['whole', said],
    ['on one line', 'Meet me behind the old mill at nine'],
    ['cut short', `Meet me behind the o...`],
    ['its middle', 'cannot say "behind the old mill", sorry'],
  ])('is taken out of a text that echoes it %s', (_, echo) => {
    expect(redact(`refused: ${echo}`)).toMatch(/^(refused: |cannot say).*\[text\]/);
    expect(redact(`refused: ${echo}`)).not.toMatch(/behind|mill/);
  });

  test('leaves sentences alone that have nothing of it', () => {
    expect(redact('The text must not be longer than 10 characters.')).toBe('The text must not be longer than 10 characters.');
    expect(createRedact(key, 'Hi')('Hi is too short')).toBe('Hi is too short');
  });
});

test('a page that only begins titles is read as soon as any other', () => {
  // Time of this process, whatever else the machine does.
  const before = process.cpuUsage();
  const error = problemFromAnswer(502, {}, '<title'.repeat(11_000), redact);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(150);
  expect(error.message).toContain('a web page, perhaps of a proxy');
});

test('any status, headers and body make an error of a known kind, without the key', () => {
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"detail":${json}}`),
    fc.constant(`<title>${key}`),
  );
  const spiced = bodies.chain((body) => fc.nat(body.length).map((at) => body.slice(0, at) + key + body.slice(at)));
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), fc.oneof(bodies, spiced), fc.string(), (status, body, value) => {
      const error = problemFromAnswer(status, { 'retry-after': value, 'x-request-id': value + key }, body, redact);
      expect(error).toBeInstanceOf(ApiError);
      expect(apiErrorKinds).toContain(error.kind);
      expect(error.status).toBe(status);
      expect(`${error.message} ${error.requestId} ${JSON.stringify(error.details)}`).not.toContain(key);
      expect(error.message.length).toBeLessThan(600);
    }),
  );
});

test('whatever is thrown makes an error that can be read', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const error = problemFromConnection(thrown, redact, null);
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).not.toBe('');
    }),
  );
});
