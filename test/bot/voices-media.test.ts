// Covers and samples of voices, as services have them: by address, as files, too large, private, or something else.
import { deflateSync } from 'node:zlib';
import { type APIMessage, ComponentType } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourcesInUse } from '../../src/audio/index.ts';
import { en } from '../../src/locales/index.ts';
import { createSafeFetch } from '../../src/voice-catalogue/safe-fetch.ts';
import { readSample, sampleUtterance } from '../../src/voice-catalogue/samples.ts';
import { partsOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, hang, type MisbehavingService, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { mp3Of, tone } from '../helpers/sound.ts';

/** A voice as the service returns it. */
const voice = (id: string, more: object = {}) => ({
  ...{ _id: id, type: 'tts', title: `Voice ${id}`, description: '', cover_image: '', state: 'trained', tags: [], visibility: 'public' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', languages: [], samples: [] },
  ...{ like_count: 0, mark_count: 0, shared_count: 0, task_count: 0, author: { _id: 'a', nickname: 'A', avatar: '' } },
  ...more,
});

/** A picture of one pixel. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.of(0, 128))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

describe('a catalogue of another service', () => {
  let models: ReturnType<typeof voice>[] = [];
  let service: MisbehavingService;
  let parley: Parley;

  beforeAll(async () => {
    service = await startMisbehavingService((request, response) => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://x');
      if (path === '/model') {
        const fitting = models.filter(({ title }) => title.includes(query.get('title') ?? ''));
        const [size, page] = ['page_size', 'page_number'].map((name) => Number(query.get(name) ?? 1)) as [number, number];
        const items = fitting.slice(size * (page - 1), size * page);
        return answerJson(200, { total: fitting.length, items })(request, response);
      }
      if (path === '/covers/a.png') return answer(200, png(), { 'content-type': 'image/png' })(request, response);
      if (path === '/covers/a.svg') return answer(200, '<svg/>', { 'content-type': 'image/svg+xml' })(request, response);
      if (path === '/covers/slow.png') return hang(request, response);
      return answerJson(404, { status: 404, message: 'no' })(request, response);
    });
    parley = await startParley({ service: { url: service.url, key: 'secret-key' } });
  });
  afterAll(async () => {
    await parley?.close();
    await service?.close();
  });

  const pageOf = async (count: number) =>
    (await parley.member.run('voices')).message((message) => textOf(message).includes(`${count} voices`));
  const coversOf = (message: APIMessage) =>
    partsOf(message.components).flatMap((part) => (part.type === ComponentType.Thumbnail ? [part.media.url] : []));
  const ATTACHED = expect.stringMatching(/\/attachments\/.*\/cover-1\.png\?hm=\w+$/);

  it('attaches covers that only the bot can load, and does not wait for a slow one', async () => {
    models = [
      voice('relative', { cover_image: 'covers/a.png' }),
      voice('loopback', { cover_image: '/covers/a.svg' }),
      voice('elsewhere', { cover_image: 'http://127.0.0.1:1/a.png' }),
      voice('public', { cover_image: 'https://cdn.example/a.png' }),
      voice('slow', { cover_image: '/covers/slow.png' }),
    ];
    const page = await pageOf(5);
    expect(coversOf(page)).toEqual([ATTACHED, 'https://cdn.example/a.png']);
    expect(textOf(page).match(/\*\*Voice \w+\*\*/g)).toHaveLength(5);
    for (const { headers } of service.requests.filter(({ url }) => url.startsWith('/covers/')))
      expect(headers.authorization).toBeUndefined();
  });

  it('keeps an attached cover, finds a voice that has moved, and says if one was deleted', async () => {
    const { member } = parley;
    models = [
      voice('relative', { cover_image: 'covers/a.png' }),
      ...['g', 'h', 'i'].map((id) => voice(id)),
      voice('public', { cover_image: 'https://cdn.example/a.png' }),
    ];
    const page = await pageOf(5);
    const shows = (text: string) => member.sees((message) => message.id === page.id && textOf(message).includes(text));
    await member.select(page, en('voices.open'), 'relative');
    const attached = await shows('## Voice relative');
    await member.click(attached, en('voices.choices.favourite.off'));
    const kept = await member.sees(
      ({ id, components }) => id === page.id && JSON.stringify(components).includes(en('voices.choices.favourite.on')),
    );
    expect(coversOf(attached)).toEqual([ATTACHED]);
    expect(coversOf(kept)).toEqual(coversOf(attached));

    const other = await pageOf(5);
    await member.select(other, en('voices.open'), 'public');
    const open = await member.sees((message) => message.id === other.id && textOf(message).includes('## Voice public'));
    expect(coversOf(open)).toEqual(['https://cdn.example/a.png']);
    models = [...['b', 'c', 'd', 'e', 'f'].map((id) => voice(id)), ...models];
    await member.click(open, en('voices.choices.favourite.off'));
    await member.sees(({ id, components }) => id === other.id && JSON.stringify(components).includes(en('voices.choices.favourite.on')));
    models = models.filter(({ _id }) => _id !== 'public').slice(5);
    expect(await (await member.click(open, en('voices.choices.mine.off'))).sentence()).toContain(
      '**Voice public** isn’t available anymore',
    );
    await member.click(open, 'Back');
    const back = await member.sees((message) => message.id === other.id && textOf(message).includes('4 voices'));
    expect(textOf(back)).not.toContain('Voice public');
  });
});

describe('a sample', () => {
  const signal = new AbortController().signal;
  const model = (...audio: string[]) =>
    ({
      id: 'v',
      title: 'Vera',
      samples: audio.map((address) => ({ title: '', text: '', taskId: '', audio: address })),
    }) as unknown as Parameters<typeof readSample>[1];

  it('is read from the service and named by its format', async () => {
    const service = await startMisbehavingService(
      answer(200, await mp3Of([tone(440, 1, 24_000)], 24_000), { 'content-type': 'text/plain' }),
    );
    const safeFetch = createSafeFetch({ serviceUrl: service.url });
    const sample = await readSample(safeFetch, model('/a'), 0, signal);
    expect(sample.fileName).toBe('sample-1.mp3');
    const frames = await Array.fromAsync(sampleUtterance(sample, 1).open(signal));
    expect(frames.length).toBeGreaterThan(45);
    await safeFetch.close();
    await service.close();
  });

  it('says why it cannot be heard', async () => {
    const service = await startMisbehavingService(
      answer(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'audio/mpeg' }),
      answer(200, Buffer.alloc(5 * 1024 * 1024), { 'content-type': 'audio/mpeg' }),
      answer(403, 'expired'),
    );
    const safeFetch = createSafeFetch({ serviceUrl: service.url });
    await expect(readSample(safeFetch, model('/a'), 0, signal)).rejects.toThrow('isn’t audio I can play');
    await expect(readSample(safeFetch, model('/a'), 0, signal)).rejects.toThrow('too large');
    await expect(readSample(safeFetch, model('/a'), 0, signal)).rejects.toThrow('couldn’t load the sample');
    await expect(readSample(safeFetch, model('http://169.254.169.254/latest'), 0, signal)).rejects.toThrow('couldn’t load the sample');
    await expect(readSample(safeFetch, model(''), 0, signal)).rejects.toThrow('no sample of');
    await expect(readSample(safeFetch, model('/a'), 3, signal)).rejects.toThrow('no sample of');
    await safeFetch.close();
    await service.close();
  });

  it('is played for a minute at most, and leaves nothing behind', async () => {
    const bytes = await mp3Of([new Float32Array(16_000 * 70)], 16_000);
    const frames = await Array.fromAsync(sampleUtterance({ bytes, contentType: 'audio/mpeg', fileName: 'a.mp3' }, 1).open(signal));
    expect(frames.length).toBe(3000);
    expect(Object.values(resourcesInUse()).every((count) => count === 0)).toBe(true);
  });
});
