// Autocomplete from memory: at once, best fitting first, filled by searches beside it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toModelPage } from '../../src/api/client.ts';
import { type Api, createApi } from '../../src/api/index.ts';
import { modelList } from '../../src/api/schemas.ts';
import { readBundledCatalogue } from '../../src/local/voice-service/catalogue.ts';
import { en, translatorFor } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { tagName, toTag } from '../../src/voice-catalogue/tags.ts';
import { createVoiceTitles, type VoiceTitles } from '../../src/voice-catalogue/titles.ts';
import { answerJson, type Behaviour, type MisbehavingService, startMisbehavingService } from '../helpers/misbehaving-service.ts';

const model = (id: string, title: string, more: object = {}) => ({
  ...{ _id: id, type: 'tts', title, description: '', cover_image: '', state: 'trained', tags: [], visibility: 'public' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  ...{ like_count: 0, mark_count: 0, shared_count: 0, task_count: 0, author: { _id: 'a', nickname: 'A', avatar: '' } },
  ...more,
});
const catalogue = [
  model('1', 'Calm Narrator'),
  model('2', 'Old Narrator'),
  model('3', 'Émile'),
  model('4', 'Singer', { type: 'svc' }),
  model('5', 'Half made', { state: 'training' }),
];

/** The whole catalogue, the own voices, or what has the title; `rare` is on no first page. */
const list: Behaviour = (request, response) => {
  const title = new URL(request.url ?? '', 'http://x').searchParams.get('title');
  const isOwn = new URL(request.url ?? '', 'http://x').searchParams.get('self') === 'true';
  const own = [
    model('8', 'My own voice', { visibility: 'private' }),
    model('unl', 'My rarely told one', { visibility: 'unlist' }),
    model('pub', 'My contribution'),
    model('7', 'My own song', { type: 'svc' }),
  ];
  const items = isOwn ? own : title === 'rare' ? [model('9', 'A rare voice')] : title ? [] : catalogue;
  answerJson(200, { total: items.length, items })(request, response);
};

let service: MisbehavingService;
let api: Api;
let titles: VoiceTitles;

async function start(...behaviours: [Behaviour, ...Behaviour[]]): Promise<void> {
  service = await startMisbehavingService(...behaviours);
  api = createApi({ baseUrl: service.url, apiKey: 'key', retries: { attempts: 1 } });
  titles = createVoiceTitles({
    api,
    voiceOwners: { made: async (ids) => new Set(ids).intersection(new Set(['made'])) },
    log: createLog('silent'),
  });
}

beforeEach(() => start(list));

afterEach(async () => {
  titles.close();
  await api.close();
  await service.close();
});

const ids = (typed: string, count = 25) => titles.find(typed, count).map(({ id }) => id);

describe('the titles of voices', () => {
  it('are in the order of the catalogue, without voices that cannot speak', async () => {
    await titles.refresh();
    expect(ids('')).toEqual(['1', '2', '3']);
    expect(ids('', 2)).toEqual(['1', '2']);
  });

  it('are those of the catalogue alone, without voices that members made', async () => {
    const models = [model('10', 'Of everybody'), model('made', 'Of a member')];
    await titles.remember(toModelPage(modelList.parse({ total: 2, items: models })).items);
    expect(titles.all().map(({ id }) => id)).toEqual(['10']);
    expect(titles.resolve('made')).toEqual({ id: 'made', title: null });
  });

  it('continue with the next page after one with unreadable entries', async () => {
    const page = (number: number) =>
      Array.from({ length: 100 }, (_, place) =>
        place === 7 ? { _id: 'broken' } : model(`${number}-${place}`, `Voice ${number} ${place}`),
      );
    await service.close();
    await start((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const isOwn = query.get('self') === 'true';
      const number = Number(query.get('page_number'));
      const items = isOwn || number > 2 ? [] : page(number);
      answerJson(200, { total: isOwn ? 0 : 200, items })(request, response);
    });
    await titles.refresh();
    expect(ids('', 1000)).toHaveLength(198);
    expect(service.requests).toHaveLength(3);
  });

  it('match by beginning, word and part, ignoring case and accents', async () => {
    await titles.refresh();
    expect(ids('NARR')).toEqual(['1', '2']);
    expect(ids('old')).toEqual(['2']);
    expect(ids('emile')).toEqual(['3']);
    expect(ids('xyz')).toEqual([]);
  });

  it('are searched for in the background, and are there for the next keystroke', async () => {
    await titles.refresh();
    expect(ids('rare')).toEqual([]);
    const before = service.requests.length;
    await service.request(before + 1);
    await expect.poll(() => ids('rare')).toEqual(['9']);
    expect(service.requests).toHaveLength(before + 1);
  });

  it('match by close spelling, after exact matches', async () => {
    await titles.refresh();
    expect(ids('narator')).toEqual(['1', '2']);
    expect(ids('clam narrator')[0]).toBe('1');
    expect(ids('old narrator')[0]).toBe('2');
    expect(ids('nxrxtxr')).toEqual([]);
    expect(ids('olf')).toEqual([]);
  });

  it('include the operators’ own voices, which are not among the first of the catalogue', async () => {
    await titles.refresh();
    expect(titles.find('my', 25, 'operators').map(({ id }) => id)).toEqual(['pub', '8', 'unl']);
    expect(titles.find('', 25, 'operators').map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(titles.resolve('my own voice', 'operators')).toEqual({ id: '8', title: 'My own voice' });
  });

  it('of private and unlisted voices are offered to operators only; others need the whole id', async () => {
    await titles.refresh();
    for (const typed of ['my', 'my own voice', 'my owm voice', 'my rare']) {
      expect(ids(typed)).not.toContain('8');
      expect(ids(typed)).not.toContain('unl');
    }
    expect(ids('my')).toEqual(['pub']);
    expect(titles.resolve('My own voice')).toEqual({ id: 'My own voice', title: null });
    expect(ids('8')).toEqual(['8']);
    expect(titles.resolve('8')).toEqual({ id: '8', title: 'My own voice' });
    const seen = model('1', 'Calm Narrator', { visibility: 'private' });
    await titles.remember(toModelPage(modelList.parse({ total: 1, items: [seen] })).items);
    expect(ids('')).toEqual(['2', '3']);
  });

  it('are found among a thousand, the best of them only', async () => {
    const words = ['calm', 'deep', 'old', 'young', 'narrator', 'news', 'story'];
    const pick = (place: number) => words[place % words.length];
    const many = Array.from({ length: 1_000 }, (_, place) =>
      model(`many-${place}`, `${pick(place)} ${pick(Math.floor(place / 7))} ${place}`),
    );
    for (let at = 0; at < many.length; at += 100)
      await titles.remember(toModelPage(modelList.parse({ total: many.length, items: many.slice(at, at + 100) })).items);
    for (const typed of ['calm', 'calm narrator']) expect(ids(typed, 25)).toHaveLength(25);
    for (const typed of ['zzzzzzzz', 'the quick brown fox jumps over it']) expect(ids(typed)).toEqual([]);
  });

  it('resolve to their voice when typed in full; anything unknown counts as an id', async () => {
    await titles.refresh();
    expect(titles.resolve('calm narrator')).toEqual({ id: '1', title: 'Calm Narrator' });
    expect(titles.resolve('2')).toEqual({ id: '2', title: 'Old Narrator' });
    expect(titles.resolve('deadbeef')).toEqual({ id: 'deadbeef', title: null });
  });

  it('have the language and two tags of their voice beside them', async () => {
    const known = model('d', 'Dora', { languages: ['de', 'en'], tags: ['calm', ' ', 'dark', 'slow'] });
    const odd = model('o', 'Odd', { languages: ['no language'], tags: ['a'.repeat(500), '\u202e**b**'] });
    await titles.remember(toModelPage(modelList.parse({ total: 3, items: [known, odd, model('n', 'Nothing')] })).items);
    expect(titles.describe('d', en)).toBe('German · Calm, Dark');
    expect(titles.describe('o', en)).toMatch(/^No language · Aa{19,}…$/);
    expect(titles.describe('o', en).length).toBeLessThanOrEqual(50);
    expect(titles.describe('n', en)).toBe('');
    expect(titles.describe('never seen', en)).toBe('');
    expect(titles.describe('d', translatorFor('de'))).toBe('Deutsch · Ruhig, Dark');
  });

  it('are compared with a title that matches none, closest first, without private ones', async () => {
    await titles.refresh();
    const closest = (typed: string) => titles.closest(typed, 3).map(({ id }) => id);
    expect(closest('nerretor')).toEqual(['1', '2', expect.any(String)]);
    expect(titles.find('my owm voyce', 1, 'operators').map(({ id }) => id)).toEqual(['8']);
    expect(closest('my owm voyce')).not.toContain('8');
  });

  it('are missing, and nothing else fails, if the service does not answer', async () => {
    titles.close();
    await api.close();
    await service.close();
    await start(answerJson(500, { status: 500, message: 'no' }));
    await titles.refresh();
    expect(ids('')).toEqual([]);
  });
});

it('every tag of the local voices has another name in Japanese, which finds it', () => {
  const t = translatorFor('ja');
  const tags = [...new Set(readBundledCatalogue().models.flatMap((voice) => voice.tags))];
  expect(tags.length).toBeGreaterThan(30);
  expect(tags.filter((tag) => tagName(tag, t) === tag)).toEqual([]);
  expect(tags.map((tag) => toTag(tagName(tag, t), t))).toEqual(tags);
});
