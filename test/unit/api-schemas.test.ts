// The schemas of the wire format, as used by the client and the local service.
import { describe, expect, test } from 'vitest';
import {
  asrFields,
  asrRequest,
  asrResult,
  creditQuery,
  generalError,
  modelList,
  modelQuery,
  ttsRequest,
  validationErrors,
  voiceModel,
  walletEntity,
} from '../../src/api/schemas.ts';

/** The paths of the issues that a schema reports. */
const issuePaths = (result: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) =>
  (result.error?.issues ?? []).map((issue) => issue.path.join('.'));

describe('the query of the list', () => {
  const defaults = {
    page_size: 10,
    page_number: 1,
    title: null,
    tag: null,
    self: false,
    author_id: null,
    language: null,
    title_language: null,
    sort_by: 'score',
  };

  test("has the spec's defaults", () => expect(modelQuery.parse({})).toEqual(defaults));

  test('treats an empty value and the word null as no value', () => {
    const keys = Object.keys(defaults);
    expect(modelQuery.parse(Object.fromEntries(keys.map((key) => [key, ''])))).toEqual(defaults);
    expect(modelQuery.parse(Object.fromEntries(keys.map((key) => [key, 'null'])))).toEqual(defaults);
  });

  test('accepts filters once, repeated, and with commas', () => {
    expect(modelQuery.parse({ tag: 'a' }).tag).toEqual(['a']);
    expect(modelQuery.parse({ tag: ['a', 'b'] }).tag).toEqual(['a', 'b']);
    expect(modelQuery.parse({ tag: 'a, b,,c ' }).tag).toEqual(['a', 'b', 'c']);
    expect(modelQuery.parse({ tag: ',' }).tag).toBe(null);
  });

  test('reads numbers and booleans from text', () => {
    expect(modelQuery.parse({ page_size: '100', page_number: '3', self: 'true' })).toMatchObject({
      page_size: 100,
      page_number: 3,
      self: true,
    });
    expect(modelQuery.parse({ self: '0' }).self).toBe(false);
  });

  test.each([
    ['page_size', '0'],
    ['page_size', '101'],
    ['page_size', '1.5'],
    ['page_size', 'ten'],
    ['page_size', ['1', '2']],
    ['page_number', '0'],
    ['self', 'perhaps'],
    ['sort_by', 'title'],
    ['title', ['a', 'b']],
  ])('refuses %s=%j, and names it', (name, value) => {
    expect(issuePaths(modelQuery.safeParse({ [name]: value }))).toEqual([name]);
  });
});

describe('the body of text-to-speech', () => {
  const defaults = {
    text: 'Hi',
    reference_id: null,
    references: [],
    format: 'mp3',
    sample_rate: null,
    mp3_bitrate: 128,
    opus_bitrate: null,
    chunk_length: 300,
    normalize: true,
    latency: 'normal',
    temperature: 0.7,
    top_p: 0.7,
    prosody: { speed: 1, volume: 0 },
  };

  test('requires only the text; absent and null are the same', () => {
    expect(ttsRequest.parse({ text: 'Hi' })).toEqual(defaults);
    const nulls = Object.fromEntries(Object.keys(defaults).map((key) => [key, null]));
    expect(ttsRequest.parse({ ...nulls, text: 'Hi' })).toEqual(defaults);
    expect(issuePaths(ttsRequest.safeParse({}))).toEqual(['text']);
  });

  test('allows unknown fields', () => expect(ttsRequest.parse({ text: 'Hi', emotion: 'glad' })).toMatchObject({ emotion: 'glad' }));

  test.each([
    [32, 32_000],
    [64_000, 64_000],
    [-1000, null],
  ])('takes %i as bit rate of opus for %s bit/s', (given, taken) => {
    expect(ttsRequest.parse({ text: 'Hi', opus_bitrate: given }).opus_bitrate).toBe(taken);
  });

  test('accepts inlined bytes raw and as base64', () => {
    const references = [
      { audio: Uint8Array.of(1, 2, 3), text: 'a' },
      { audio: 'AQID', text: 'b' },
    ];
    const parsed = ttsRequest.parse({ text: 'Hi', references }).references.map(({ audio }) => [...audio]);
    expect(parsed).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test.each([
    ['text', ''],
    ['text', 7],
    ['format', 'flac'],
    ['sample_rate', 7999],
    ['mp3_bitrate', 100],
    ['opus_bitrate', 2],
    ['chunk_length', 301],
    ['latency', 'none'],
    ['temperature', 1.5],
    ['top_p', -0.1],
    ['references.0.audio', [{ audio: 'no base64!', text: '' }]],
    ['prosody.speed', { speed: 0.4 }],
    ['prosody.volume', { volume: 21 }],
  ])('refuses a %s of %j, and names it', (path, value) => {
    expect(issuePaths(ttsRequest.safeParse({ text: 'Hi', [path.split('.')[0] as string]: value }))).toEqual([path]);
  });
});

describe('speech to text', () => {
  test('reads its fields from text and msgpack', () => {
    expect(asrFields.parse({})).toEqual({ language: null, ignore_timestamps: false });
    expect(asrFields.parse({ language: 'en', ignore_timestamps: 'true' })).toEqual({ language: 'en', ignore_timestamps: true });
    expect(asrRequest.parse({ audio: Buffer.of(1), language: null, ignore_timestamps: false })).toMatchObject({ language: null });
    expect(issuePaths(asrRequest.safeParse({ audio: 'text' }))).toEqual(['audio']);
    expect(issuePaths(asrFields.safeParse({ ignore_timestamps: 'perhaps' }))).toEqual(['ignore_timestamps']);
  });

  test('may have no segments', () => {
    expect(asrResult.parse({ text: '', duration: 0, segments: null }).segments).toEqual([]);
  });

  test('loses nothing that can be read to what cannot', () => {
    const result = asrResult.parse({
      text: 'a b',
      duration: 'long',
      segments: [null, { text: 'a', start: 0 }, { text: 1, start: 0, end: 1 }, 'b', { text: 'b', start: '1.5', end: 2 }],
      language_code: 1,
      language: 'English',
      speaker_turns: {},
    });
    expect(result.segments).toMatchObject([
      { text: 'a', start: 0, end: Number.NaN },
      { text: 'b', start: 1.5, end: 2 },
    ]);
    expect(result).toMatchObject({ text: 'a b', duration: Number.NaN, language: 'English' });
    expect(result.language_code ?? null).toBeNull();
  });

  test.each([{}, { text: 1 }, { text: null, segments: [{ text: 2 }], duration: 3 }, { error: 'busy' }])('%j is no transcript', (body) => {
    expect(issuePaths(asrResult.safeParse(body))).toEqual(['text']);
  });
});

describe('a list of many invalid entries', () => {
  const wrong = (length: number) => Array.from({ length }, () => 1);

  test('in a transcript is passed over, as far as any recording has words', () => {
    const segments = [...wrong(99_999), { text: 'last' }, { text: 'beyond' }];
    expect(asrResult.parse({ text: '', duration: 1, segments }).segments).toMatchObject([{ text: 'last' }]);
  });

  test('in a page is refused by its length', () => {
    expect(issuePaths(modelList.safeParse({ total: 1, items: wrong(1_001) }))).toEqual(['items']);
  });
});

describe('a voice model', () => {
  const absent = {
    type: 'tts',
    description: '',
    coverImage: '',
    trainMode: 'full',
    state: 'trained',
    stateMessage: null,
    tags: [],
    samples: [],
    createdAt: '',
    updatedAt: '',
    languages: [],
    visibility: 'public',
    lockVisibility: false,
    likeCount: 0,
    markCount: 0,
    sharedCount: 0,
    taskCount: 0,
    unliked: false,
    liked: false,
    marked: false,
    author: { id: '', nickname: '', avatar: '' },
  };

  test('needs no more than an id and a title', () => {
    expect(voiceModel.parse({ _id: 'v', title: 'Vera' })).toEqual({ id: 'v', title: 'Vera', ...absent });
    expect(issuePaths(voiceModel.safeParse({}))).toEqual(['_id', 'title']);
    expect(issuePaths(voiceModel.safeParse({ _id: '', title: null }))).toEqual(['_id', 'title']);
  });

  test.each([null, 7, 'nonsense', [7], { a: 1 }])('takes what describes it for absent if it is %j', (nonsense) => {
    const counts = nonsense === 7 ? [] : ['like_count', 'task_count'];
    const texts = nonsense === 'nonsense' ? [] : ['description', 'cover_image', 'created_at', 'train_mode', 'state_message'];
    const fields = ['tags', 'samples', 'languages', 'author', 'liked', ...counts, ...texts];
    expect(voiceModel.parse({ _id: 'v', title: 'Vera', ...Object.fromEntries(fields.map((name) => [name, nonsense])) })).toEqual({
      id: 'v',
      title: 'Vera',
      ...absent,
    });
  });

  test('keeps none of a list with a wrong entry, or with too many', () => {
    const tags = (given: unknown) => voiceModel.parse({ _id: 'v', title: 'Vera', tags: given }).tags;
    expect(tags(['calm'])).toEqual(['calm']);
    expect(tags(['calm', 7])).toEqual([]);
    expect(tags(Array.from({ length: 1_001 }, () => 'calm'))).toEqual([]);
  });

  test.each(['type', 'state', 'visibility'])('is invalid if its %s is of another type, since that decides who may use it', (name) => {
    expect(issuePaths(voiceModel.safeParse({ _id: 'v', title: 'Vera', [name]: 7 }))).toEqual([name]);
    expect(voiceModel.parse({ _id: 'v', title: 'Vera', [name]: 'new' })).toMatchObject({ [name]: 'new' });
  });
});

describe('the wallet', () => {
  test('requires a decimal as text', () => {
    for (const credit of ['0', '-1.50', '99999999999999999999.1']) expect(walletEntity.parse({ credit }).credit).toBe(credit);
    for (const credit of [1, '', '1e3', '1,5', 'NaN', ' 1']) expect(issuePaths(walletEntity.safeParse({ credit }))).toEqual(['credit']);
  });

  test('reads check_free_credit', () => {
    expect(creditQuery.parse({})).toEqual({ check_free_credit: false });
    expect(creditQuery.parse({ check_free_credit: 'true' })).toEqual({ check_free_credit: true });
  });
});

test('the error bodies match the spec', () => {
  const full = [{ loc: ['body', 'text'], type: 'missing', msg: 'required', ctx: 'x', in: 'body' }];
  expect(validationErrors.parse(full)).toEqual(full);
  expect(issuePaths(validationErrors.safeParse([{ loc: ['body', 0], type: 'a', msg: 'b', ctx: {}, in: 'elsewhere' }]))).toEqual([
    '0.loc.1',
    '0.ctx',
    '0.in',
  ]);
  expect(issuePaths(generalError.safeParse({ status: '402', message: 'no' }))).toEqual(['status']);
});
