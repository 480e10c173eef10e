// The local voice service's catalogue: the bundled one, its samples and pictures, and lists from ten thousand models.

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelListQuery, modelQuery } from '../../src/api/schemas.ts';
import { type CatalogueFile, createCatalogue, readBundledCatalogue, withEspeakVoices } from '../../src/local/voice-service/catalogue.ts';
import { ENGINE_VOICES, ESPEAK_VOICES } from '../../src/local/voice-service/engines/index.ts';
import { makeCatalogue } from '../helpers/catalogue.ts';
import { makeFolder } from '../helpers/folder.ts';
import { createToneEngines, send, startTestVoiceService } from '../helpers/voice-service.ts';

const ask = (query: object = {}): ModelListQuery => modelQuery.parse(query);

describe('the bundled catalogue', () => {
  const file = readBundledCatalogue();
  const speaking = file.models.filter((model) => model.voice);

  test('has 20 to 50 different voices, some of every base', () => {
    expect(speaking.length).toBeGreaterThanOrEqual(20);
    expect(speaking.length).toBeLessThanOrEqual(50);
    // espeak-ng's are added where it is installed.
    const bases = new Set(Object.keys(ENGINE_VOICES)).difference(new Set(Object.keys(ESPEAK_VOICES)));
    expect(new Set(speaking.map(({ voice }) => voice && 'base' in voice && voice.base))).toEqual(bases);
    expect(new Set(speaking.map((model) => JSON.stringify(model.voice))).size).toBe(speaking.length);
  });

  test('has those voices of espeak-ng that are installed after all others, and the default stays what it is', () => {
    const voices = new Set(['de', 'cmn-latn-pinyin', 'af']);
    const { list, defaultFor } = createCatalogue({ file: withEspeakVoices(file, { version: '1.51', voices }), defaults: null });
    const added = list(ask({ tag: 'robot', page_size: 100 }), '').items.flatMap(({ entity }) =>
      entity._id.startsWith('espeak-') ? entity._id : [],
    );
    expect(added).toEqual(['espeak-de', 'espeak-de-f', 'espeak-zh', 'espeak-zh-f']);
    expect(list(ask({ language: 'de' }), '').items[0]?.entity._id).toBe('espeak-de');
    expect(defaultFor('Hello.', 1).entity._id).toBe(file.default_model);
    expect(withEspeakVoices(file, null)).toBe(file);
  });

  test('is checked, and an error says what is wrong and where', () => {
    const [first] = file.models;
    if (!first) return expect.fail('there is no model');
    const wrong = (change: Partial<CatalogueFile>) => () => createCatalogue({ file: { ...file, ...change }, defaults: null });
    expect(wrong({ models: [first, first] })).toThrow(/"heart" is there twice/);
    expect(wrong({ models: [{ ...first, author: 'nobody' }] })).toThrow(/unknown author "nobody"/);
    expect(wrong({ models: [{ ...first, created_at: 'long ago' }] })).toThrow(/models\[0\]\.created_at/);
    expect(wrong({ models: [{ ...first, voice: { base: 'slt', pitchHz: 900 } }] })).toThrow(/beyond what this base can do/);
    expect(wrong({ default_model: 'echo' })).toThrow(/"echo" cannot be the default/);
  });
});

describe('samples and pictures', () => {
  test('a sample is synthesised once, however many request it, and kept over a restart', async () => {
    let synthesised = 0;
    const engines = createToneEngines({ onEvent: ({ type }) => (synthesised += type === 'synthesised' ? 1 : 0) });
    onTestFinished(() => engines.close());
    const dataDir = await makeFolder();
    const first = await startTestVoiceService({ engines, dataDir });
    const { items } = (await send(first, '/model?title=clara&page_size=1')).json as { items: { samples: { audio: string }[] }[] };
    const { pathname } = new URL(items[0]?.samples[0]?.audio ?? '');
    const read = await Promise.all([1, 2, 3].map(() => send(first, pathname, { key: null })));
    expect(read.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const pieces = synthesised;
    expect(pieces).toBeGreaterThan(0);
    await first.close();

    const again = await startTestVoiceService({ engines, dataDir });
    expect((await send(again, pathname, { key: null })).status).toBe(200);
    await again.close();
    expect(synthesised).toBe(pieces);
  });

  test('samples of espeak-ng’s voices, and whatever else is kept of them, belong to its version', async () => {
    const start = async (version: string) => {
      const engines = createToneEngines({ espeak: { version, voices: new Set(['de']) } });
      onTestFinished(() => engines.close());
      await using service = await startTestVoiceService({ engines });
      const { items } = (await send(service, '/model?page_size=100')).json as { items: { _id: string; samples: { audio: string }[] }[] };
      const sampleOf = (id: string) => new URL(items.find(({ _id }) => _id === id)?.samples[0]?.audio ?? '').pathname;
      return { espeak: sampleOf('espeak-de'), flite: sampleOf('clara'), soundVersion: service.soundVersion };
    };
    const [former, same, other] = [await start('1.51'), await start('1.51'), await start('1.52')];
    expect(same).toEqual(former);
    expect(other.espeak).not.toBe(former.espeak);
    expect(other.soundVersion).not.toBe(former.soundVersion);
    expect(other.flite).toBe(former.flite);
  });

  test('a sample that an earlier version of the voices spoke is not used', async () => {
    const { voice, samples } = readBundledCatalogue().models.find(({ _id }) => _id === 'clara') ?? expect.fail('there is no clara');
    const dataDir = await makeFolder();
    const hash = createHash('sha256').update(JSON.stringify([voice, samples?.[0]?.text]));
    const earlier = `${hash.digest('hex').slice(0, 16)}.mp3`;
    await mkdir(join(dataDir, 'voice-service', 'samples'), { recursive: true });
    await writeFile(join(dataDir, 'voice-service', 'samples', earlier), 'earlier');
    await using service = await startTestVoiceService({ dataDir });
    expect((await send(service, `/samples/clara/${earlier}`, { key: null })).status).toBe(404);
  });

  test('those of a private model require the key of its owner', async () => {
    await using service = await startTestVoiceService({
      keys: [
        { key: 'owner', credit: 1 },
        { key: 'other', credit: 1 },
      ],
    });
    const { items } = (await send(service, '/model?self=true')).json as { items: { cover_image: string; samples: { audio: string }[] }[] };
    for (const address of items.flatMap((item) => [item.cover_image, ...item.samples.map((sample) => sample.audio)])) {
      const { pathname } = new URL(address);
      const statuses = await Promise.all(
        ['owner', 'other', null, 'wrong'].map(async (key) => (await send(service, pathname, { key })).status),
      );
      expect(statuses).toEqual([200, 404, 404, 401]);
    }
  });

  test.each([
    '/samples/clara/nothing.mp3',
    '/samples/clara/..%2f..%2fkey',
    '/samples/nobody/a.mp3',
    '/covers/nobody.png',
    '/covers/..%2fkey.png',
    '/avatars/nobody.png',
    '/avatars/..%2fkey.png',
  ])('%s is a 404', async (path) => {
    await using service = await startTestVoiceService();
    expect((await send(service, path, { key: null })).status).toBe(404);
  });

  test('every model has a small cover of its own, always the same, and every author an avatar, both PNG', async () => {
    await using service = await startTestVoiceService();
    const { items } = (await send(service, '/model?page_size=50')).json as { items: { cover_image: string; author: { avatar: string } }[] };
    const covers = new Set<string>();
    for (const { cover_image, author } of items) {
      const read = (address: string) => send(service, new URL(address).pathname);
      const { headers, bytes } = await read(cover_image);
      expect(headers['content-type']).toBe('image/png');
      expect(bytes.length).toBeLessThan(20_000);
      expect(pixelsOf(bytes)).toBe(160 * 160);
      expect((await read(cover_image)).bytes.equals(bytes)).toBe(true);
      expect(pixelsOf((await read(author.avatar)).bytes)).toBe(160 * 160);
      covers.add(bytes.toString('base64'));
    }
    expect(covers.size).toBe(items.length);
  });
});

describe('lists from ten thousand models', () => {
  const file = makeCatalogue(10_000);
  const catalogue = createCatalogue({ file, defaults: null });
  const visible = file.models.filter(
    (model) => model.visibility === 'public' || (model.visibility === 'private' && model.author === 'local'),
  );

  const filters = fc.record(
    {
      title: fc.constantFrom('voice 12', 'VOICE 7', 'calm', 'nothing like it', ''),
      tag: fc.subarray(['calm', 'deep', 'robot', 'news', 'Calm']),
      language: fc.subarray(['en', 'de', 'ja', 'EN-GB']),
      title_language: fc.subarray(['en', 'fr']),
      author_id: fc.constantFrom('local', 'author-3', 'nobody'),
      self: fc.constantFrom('true', 'false'),
      sort_by: fc.constantFrom('score', 'task_count', 'created_at'),
    },
    { requiredKeys: [] },
  );

  test('match a filter applied to each model', () => {
    const oneOf = (wanted: string[] | undefined, has: string[]) =>
      !wanted?.length || wanted.some((want) => has.some((value) => `${value}-`.toLowerCase().startsWith(`${want}-`.toLowerCase())));
    fc.assert(
      fc.property(filters, (query) => {
        const author = query.self === 'true' ? 'local' : query.author_id;
        const shown = query.self === 'true' ? file.models : visible;
        const expected = shown.filter(
          (model) =>
            (author === undefined || model.author === author) &&
            model.title.toLowerCase().includes((query.title ?? '').toLowerCase()) &&
            (!query.tag?.length || query.tag.some((tag) => model.tags.includes(tag.toLowerCase()))) &&
            oneOf(query.language, model.languages ?? ['en']) &&
            oneOf(query.title_language, [model.title_language ?? 'en']),
        );
        const { total, items } = catalogue.list(ask({ ...query, page_size: 100 }), 'local');
        expect(total).toBe(expected.length);
        expect(items.length).toBe(Math.min(100, expected.length));
        const ids = new Set(expected.map((model) => model._id));
        for (const item of items) expect(ids.has(item.entity._id)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test.each(['score', 'task_count', 'created_at'])('sorted by %s, have each model on exactly one page', (sort_by) => {
    const seen: string[] = [];
    for (let page_number = 1; ; page_number += 1) {
      const { total, items } = catalogue.list(ask({ page_size: 100, page_number, sort_by }), 'local');
      expect(total).toBe(visible.length);
      if (items.length === 0) break;
      seen.push(...items.map((item) => item.entity._id));
    }
    expect(seen.length).toBe(visible.length);
    expect(new Set(seen).size).toBe(visible.length);
  });

  test('come over HTTP with the right total', async () => {
    await using service = await startTestVoiceService({ catalogue: file });
    const { json } = await send(service, '/model?page_size=100&page_number=3&sort_by=created_at');
    const { total, items } = json as { total: number; items: { created_at: string }[] };
    expect([total, items.length]).toEqual([visible.length, 100]);
    const dates = items.map((item) => item.created_at);
    expect(dates).toEqual(dates.toSorted().reverse());
  });
});

/** How many pixels a PNG of red, green and blue holds, according to its header and its data. @throws if it is malformed */
function pixelsOf(png: Buffer): number {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  let at = 8;
  const data: Buffer[] = [];
  for (; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const named = png.subarray(at + 4, at + 8 + png.readUInt32BE(at));
    expect(png.readUInt32BE(at + 4 + named.length)).toBe(crc32(named));
    if (named.toString('latin1', 0, 4) === 'IDAT') data.push(named.subarray(4));
  }
  const rows = inflateSync(Buffer.concat(data));
  expect(rows.length).toBe(height * (1 + width * 3));
  return width * height;
}
