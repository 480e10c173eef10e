// Any response and any failure becomes an ApiError that says what happened, without the key or what members said.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorFromConnection, errorFromResponse } from '../../src/api/error-mapping.ts';
import { ApiError, apiErrorKinds } from '../../src/api/index.ts';
import { createRedactor } from '../../src/text/redactor.ts';

const key = 'sk-0123456789';
const said = 'Meet me behind\nthe old mill at nine';
const redact = createRedactor(key, said);

describe('what a member said', () => {
  test.each([
    ['whole', said],
    ['on one line', 'Meet me behind the old mill at nine'],
    ['cut short', `Meet me behind the o...`],
    ['its middle', 'cannot say "behind the old mill", sorry'],
  ])('is removed from a text that echoes it %s', (_, echo) => {
    expect(redact(`refused: ${echo}`)).toMatch(/^(refused: |cannot say).*\[text\]/);
    expect(redact(`refused: ${echo}`)).not.toMatch(/behind|mill/);
  });

  test('is removed where it stands for a voice, however short', () => {
    for (const voice of ['my ex', 'Æ(', '\ud800']) {
      const withoutVoice = createRedactor(key, said, voice);
      const echo = `No voice "${voice}" at /model/${encodeURIComponent(voice.toWellFormed())}: my example stays`;
      expect(withoutVoice(echo)).toBe('No voice "[voice]" at /model/[voice]: my example stays');
    }
  });

  test('leaves other sentences alone', () => {
    expect(redact('The text must not be longer than 10 characters.')).toBe('The text must not be longer than 10 characters.');
    expect(createRedactor(key, 'Hi')('Hi is too short')).toBe('Hi is too short');
  });
});

test('a page full of unclosed titles is known as a page', () => {
  const error = errorFromResponse(502, {}, '<title'.repeat(11_000), redact);
  expect(error.message).toContain('a web page, perhaps of a proxy');
});

test('any status, headers and body become an error of a known kind, without the key', () => {
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"detail":${json}}`),
    fc.constant(`<title>${key}`),
  );
  const spiced = bodies.chain((body) => fc.nat(body.length).map((at) => body.slice(0, at) + key + body.slice(at)));
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), fc.oneof(bodies, spiced), fc.string(), (status, body, value) => {
      const error = errorFromResponse(status, { 'retry-after': value, 'x-request-id': value + key }, body, redact);
      expect(error).toBeInstanceOf(ApiError);
      expect(apiErrorKinds).toContain(error.kind);
      expect(error.status).toBe(status);
      expect(`${error.message} ${error.requestId} ${JSON.stringify(error.details)}`).not.toContain(key);
      expect(error.message.length).toBeLessThan(600);
    }),
  );
});

test('anything thrown becomes an error with a message', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const error = errorFromConnection(thrown, redact, null);
      expect(error).toBeInstanceOf(ApiError);
      expect(error.message).not.toBe('');
    }),
  );
});
