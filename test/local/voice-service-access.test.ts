// Which hosts and web pages may use the local voice service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

let service: TestVoiceService;
beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service.close());

const FORBIDDEN = { status: 403, message: expect.any(String) };

test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
  'a request for the host "%s" is a 403',
  async (host) => {
    expect((await send(service, '/model', { headers: { host } })).json).toEqual(FORBIDDEN);
  },
);

test.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'file://', 'nonsense'])(
  'a request from a page of %s is a 403, with or without a key',
  async (origin) => {
    for (const key of [service.key, null]) {
      for (const path of ['/model', '/covers/clara.png']) {
        expect((await send(service, path, { key, headers: { origin } })).json).toEqual(FORBIDDEN);
      }
    }
  },
);

test('a picture or sound on a page of another site is a 403', async () => {
  for (const path of ['/covers/clara.png', '/avatars/local.png', '/samples/clara/a.mp3'])
    expect((await send(service, path, { key: null, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  for (const site of ['same-origin', 'same-site', 'none'])
    expect((await send(service, '/covers/clara.png', { key: null, headers: { 'sec-fetch-site': site } })).status).toBe(200);
});

test('programs and pages of this machine may use any of its names', async () => {
  const { port } = new URL(service.url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
    expect((await send(service, '/model', { headers: { host } })).status).toBe(200);
  }
  for (const origin of ['http://localhost:8787', 'http://127.0.0.1:8787']) {
    expect((await send(service, '/model', { headers: { origin } })).status).toBe(200);
  }
});

test('URLs in a response begin with the address by which the service was reached', async () => {
  const host = `localhost:${new URL(service.url).port}`;
  const { items } = (await send(service, '/model?page_size=1', { headers: { host } })).json as { items: { cover_image: string }[] };
  expect(items[0]?.cover_image).toMatch(`http://${host}/covers/`);
});
