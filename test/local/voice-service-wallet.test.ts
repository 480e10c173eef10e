// The local voice service's credit: exact amounts, concurrent callers, and several users.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatCredit, parseCredit, priceOfSpeech, priceOfTranscription } from '../../src/local/voice-service/money.ts';
import { type KeyGrant, openWallet } from '../../src/local/voice-service/wallet.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startTestProcess, withCompileCache } from '../helpers/program.ts';
import { harmfulRecording, silentFlac } from '../helpers/recordings.ts';
import { createToneEngines, creditOf, sendForm, sendJson, startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

describe('amounts', () => {
  test('are parsed and formatted without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (micro) => {
        expect(parseCredit(formatCredit(micro))).toBe(micro);
        expect(formatCredit(micro)).toMatch(/^\d+(\.\d{0,5}[1-9])?$/);
      }),
    );
  });

  test.each(['', '-1', '1e3', '1.1234567', ' 1', '1,5', 'NaN', '1000000000000.000001', '99999999999999'])('reject "%s"', (text) => {
    expect(() => parseCredit(text)).toThrow(RangeError);
  });

  test('charge a text by its UTF-8 bytes', () => {
    expect(priceOfSpeech('abc')).toBe(45n);
    expect(priceOfSpeech('äöü')).toBe(90n);
    expect(priceOfSpeech('👋')).toBe(60n);
  });

  test('charge a recording by its seconds, and parts of one in proportion', () => {
    expect(priceOfTranscription(3600)).toBe(parseCredit('0.36'));
    expect(priceOfTranscription(1.5)).toBe(150n);
    expect(priceOfTranscription(0)).toBe(0n);
    expect(priceOfTranscription(Number.NaN)).toBe(0n);
  });
});

describe('the wallet', () => {
  const open = (folder: string, ...grants: KeyGrant[]) => openWallet(join(folder, 'wallet.sqlite'), grants);

  test('holds no more than the balance', async () => {
    const wallet = open(await makeFolder(), { key: 'a', credit: '0.00001' });
    const hold = wallet.hold('local', 7n);
    expect(wallet.hold('local', 4n)).toBeNull();
    expect(wallet.balance('local')).toBe(3n);
    if (hold) wallet.refund(hold);
    expect(wallet.balance('local')).toBe(10n);
    wallet.close();
  });

  test('settles a hold once, at the real cost, and never goes below zero', async () => {
    const wallet = open(await makeFolder(), { key: 'a', credit: '0.0001' });
    const [less, more] = [wallet.hold('local', 30n), wallet.hold('local', 30n)];
    if (!less || !more) return expect.fail('nothing was held');
    wallet.settle(less, 10n);
    wallet.refund(less);
    expect(wallet.balance('local')).toBe(60n);
    wallet.settle(more, 1000n);
    expect(wallet.balance('local')).toBe(0n);
    wallet.close();
  });

  test('grants the credit of a key once: what is spent stays spent, and a new amount adds the difference', async () => {
    const folder = await makeFolder();
    const first = open(folder, { key: 'a', credit: 10 });
    const hold = first.hold('local', parseCredit('4'));
    if (hold) first.settle(hold);
    first.close();
    const credits = ['10', '25', '12'].map((credit) => {
      const wallet = open(folder, { key: 'a', credit });
      const left = wallet.read('local')?.credit;
      wallet.close();
      return left;
    });
    expect(credits).toEqual(['6', '21', '8']);
  });

  test('keeps each key with its user, whatever the order, and forgets keys that are left out', async () => {
    const folder = await makeFolder();
    const first = open(folder, { key: 'a', credit: 1 }, { key: 'b', credit: 2 }, { key: 'c', userId: 'carol', credit: 3 });
    const users = ['a', 'b', 'c'].map((key) => first.findKey(key)?.userId);
    expect(users).toEqual(['local', expect.stringMatching(/^user-/), 'carol']);
    first.close();
    const second = open(folder, { key: 'b', credit: 2 }, { key: 'a', credit: 1 });
    expect(['a', 'b', 'c'].map((key) => second.findKey(key)?.userId)).toEqual([users[0], users[1], undefined]);
    second.close();
  });

  test('gives a new key a user of its own, also in front of the others', async () => {
    const folder = await makeFolder();
    open(folder, { key: 'a', credit: 1 }).close();
    const wallet = open(folder, { key: 'b', credit: 2 }, { key: 'a', credit: 1 });
    expect(['a', 'b'].map((key) => wallet.findKey(key)?.userId)).toEqual(['local', expect.stringMatching(/^user-/)]);
    wallet.close();
  });

  test('stores no key in its file', async () => {
    const folder = await makeFolder();
    open(folder, { key: 'a-key-that-stays-secret', credit: 1 }).close();
    const db = new DatabaseSync(join(folder, 'wallet.sqlite'));
    expect(JSON.stringify(db.prepare('SELECT * FROM keys').all())).not.toContain('a-key-that-stays-secret');
    db.close();
  });

  test('is opened by one process at a time, and an error names the folder', async () => {
    const folder = await makeFolder();
    const wallet = open(folder, { key: 'a', credit: 1 });
    expect(() => open(folder)).toThrow(/Another voice service is using .*: stop it/);
    wallet.close();
  });

  test('names a wrong amount or date, and can be opened afterwards', async () => {
    const folder = await makeFolder();
    expect(() => open(folder, { key: 'a', credit: '1.2.3' })).toThrow(/"1.2.3" is not an amount/);
    expect(() => open(folder, { key: 'a', credit: '1', expiresAt: 'soon' })).toThrow(/"soon" is not a date/);
    open(folder).close();
  });

  const spenderFile = fileURLToPath(new URL('../fixtures/programs/wallet-spender.ts', import.meta.url));
  test('loses no payment in a kill -9, and refunds what was held', async () => {
    const folder = await makeFolder();
    const price = 15n;
    let paid = 0n;
    for (let round = 0; round < 2; round += 1) {
      let lines = 0n;
      const spender = startTestProcess([...withCompileCache, spenderFile, folder, String(price)], {
        onLine(line, kill) {
          if (line === 'paid') lines += 1n;
          if (lines === 40n) kill();
        },
      });
      await spender.ended;
      const wallet = open(folder, { key: 'a', credit: 1 });
      const spent = parseCredit('1') - wallet.balance('local');
      expect(spent % price).toBe(0n);
      // At most one payment a round was killed before it was reported; the open hold is refunded.
      expect(spent / price - (paid + lines)).toBeGreaterThanOrEqual(0n);
      expect(spent / price - (paid + lines)).toBeLessThanOrEqual(1n);
      paid = spent / price;
      wallet.close();
    }
    const db = new DatabaseSync(join(folder, 'wallet.sqlite'));
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
  });
});

describe('the service', () => {
  const text = 'Hello there.';
  const price = priceOfSpeech(text);
  let synthesised = 0;
  const engines = createToneEngines({ onEvent: ({ type }) => (synthesised += Number(type === 'synthesised')) });
  let service: TestVoiceService;

  beforeAll(async () => {
    service = await startTestVoiceService({
      engines,
      limits: { callsPerKey: 100 },
      keys: [
        { key: 'ten-texts', userId: 'ten', credit: formatCredit(10n * price) },
        { key: 'rich', userId: 'rich', credit: '5' },
        { key: 'rich-too', userId: 'rich', credit: '5' },
        { key: 'nearly', userId: 'nearly', credit: formatCredit(price - 1n) },
        { key: 'a-second', userId: 'a-second', credit: formatCredit(priceOfTranscription(1)) },
        { key: 'steady', userId: 'steady', credit: '1' },
      ],
    });
  });
  afterAll(async () => {
    await service.close();
    await engines.close();
  });

  const balance = async (key: string) => parseCredit(await creditOf(service, key));
  const speak = (key: string, body: object = {}) => sendJson(service, '/v1/tts', { text, ...body }, { key });

  test('never takes more than the balance, however many call at once', async () => {
    const statuses = (await Promise.all(Array.from({ length: 25 }, () => speak('ten-texts')))).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200).length).toBe(10);
    expect(statuses.filter((status) => status === 402).length).toBe(15);
    expect(await balance('ten-texts')).toBe(0n);
  });

  test('charges all keys of a user to one wallet', async () => {
    const others = await balance('steady');
    await Promise.all([speak('rich'), speak('rich-too'), speak('rich')]);
    expect(await balance('rich')).toBe(parseCredit('10') - 3n * price);
    expect(await balance('rich-too')).toBe(await balance('rich'));
    expect(await balance('steady')).toBe(others);
  });

  test('rejects what cannot be paid with a 402 before any work, and takes nothing', async () => {
    const before = synthesised;
    const answer = await speak('nearly');
    expect(synthesised, 'pieces that the engine has spoken').toBe(before);
    expect(answer.json).toEqual({ status: 402, message: expect.stringContaining(formatCredit(price)) });
    expect(await balance('nearly')).toBe(price - 1n);
    await speak('steady');
    expect(synthesised).toBe(before + 1);
  });

  test.each([
    ['an unknown voice', { reference_id: 'nobody' }],
    ['a voice that does not speak', { reference_id: 'echo' }],
    ['a wrong field', { format: 'midi' }],
    ['a text with nothing to speak', { text: '…' }],
  ])('takes nothing for %s', async (_what, body) => {
    const before = await balance('steady');
    expect((await speak('steady', body)).status).toBeGreaterThanOrEqual(400);
    expect(await balance('steady')).toBe(before);
  });

  test('charges the seconds of a recording, and rejects one that is too long to be paid', async () => {
    const recording = (await speak('steady', { text: 'This is a somewhat longer sentence.', format: 'wav', sample_rate: 16_000 })).bytes;
    const before = await balance('steady');
    const answer = await sendForm(service, '/v1/asr', { audio: recording }, { key: 'steady' });
    const { duration } = answer.json as { duration: number };
    expect(duration).toBeGreaterThan(1.2);
    expect(before - (await balance('steady'))).toBe(priceOfTranscription(duration));

    const noLength = Buffer.from(recording);
    noLength.writeUInt32LE(0, 40);
    for (const audio of [recording, noLength]) {
      const refused = await sendForm(service, '/v1/asr', { audio }, { key: 'a-second' });
      expect(refused.json).toEqual({ status: 402, message: expect.any(String) });
      expect(await balance('a-second')).toBe(priceOfTranscription(1));
    }
  });

  test('charges the decoded length of a recording whose header lies', async () => {
    const before = await balance('steady');
    const answer = await sendForm(service, '/v1/asr', { audio: harmfulRecording('announced.flac') }, { key: 'steady' });
    const { duration } = answer.json as { duration: number };
    expect(duration).toBeCloseTo(65_535 / 8000, 2);
    expect(before - (await balance('steady'))).toBe(priceOfTranscription(duration));

    const short = Buffer.from(silentFlac(30));
    // The count of samples in STREAMINFO: one.
    short.writeUInt32BE(1, 8 + 14);
    const refused = await sendForm(service, '/v1/asr', { audio: short }, { key: 'a-second' });
    expect(refused.json).toEqual({
      status: 402,
      message: expect.stringMatching(/costs 0\.00[23]\d* ?,/),
    });
    expect(await balance('a-second')).toBe(priceOfTranscription(1));
  });

  test('takes nothing for a file that is not audio', async () => {
    const before = await balance('steady');
    expect((await sendForm(service, '/v1/asr', { audio: Buffer.alloc(3000, 'x') }, { key: 'steady' })).status).toBe(400);
    expect(await balance('steady')).toBe(before);
  });
});
