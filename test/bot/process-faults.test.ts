// The end of a process, and a clock that is set back.
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIMessage } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { createBudgetLedger } from '../../src/charging/spending.ts';
import { createCooldown } from '../../src/discord/access.ts';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { openSpeechCache } from '../../src/synthesis/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { type Member, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

describe('while it drains', () => {
  const parley = useParley();
  /** A minute of speech. */
  const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen. '.repeat(10).trim();

  afterEach(() => parley.restartBot());

  async function beginToSpeak() {
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text: LONG });
    return { interaction, live: await interaction.message((message) => textOf(message).includes(en('say.speaking'))) };
  }

  it('waits no longer than the drain for speech, and says what was lost', async () => {
    const { interaction } = await beginToSpeak();
    await parley.bot().close({ drain: 100 });
    await interaction.message((message) => /Cut off after|Stopped/.test(textOf(message)));
  });

  it.each<[string, (member: Member, live: APIMessage) => Promise<unknown>]>([
    ['the button Stop', (member, live) => member.click(live, en('say.stopButton'))],
    ['the button Skip', (member, live) => member.click(live, en('say.skipButton'))],
    ['/stop', (member) => member.run('stop')],
    ['/skip', (member) => member.run('skip')],
    ['/leave', (member) => member.run('leave')],
  ])('%s still works, and those who wait are told of the restart', async (_, end) => {
    const { member, other } = parley;
    await other.listen();
    const { interaction, live } = await beginToSpeak();
    const waiting = await other.run('say', { text: 'I waited for so long.' });
    await waiting.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    const closed = parley.bot().close({ drain: 600_000 });
    expect(await waiting.sentence()).toMatch(/restart/);
    await waiting.deleted();
    await end(member, live);
    await closed;
    await interaction.message((message) => /Stopped|Skipped/.test(textOf(message)));
  });
});

describe('a clock that is set back', () => {
  const HOUR_MS = 3600_000;
  const DAY_MS = 24 * HOUR_MS;

  it('neither renews a daily budget early nor delays the next one', async () => {
    let now = 20_000.5 * DAY_MS;
    const store = openSqliteStore(':memory:', () => now);
    const hundred = { member: 100, memberHere: 100, guild: 100, guildMax: 100 };
    const caps = { speech: hundred, transcription: hundred };
    const budgets = createBudgetLedger(
      store,
      async () => caps,
      () => now,
    );
    const take = () => budgets.reserve({ kind: 'speech', amount: 100, guildId: '1', memberId: '2' });
    await take();
    now -= 6 * HOUR_MS;
    await expect(take()).rejects.toMatchObject({ name: 'BudgetError', resetsAt: 20_001 * DAY_MS });
    now += DAY_MS;
    await take();
    await store.close();
  });

  it('never makes a member wait longer than the cooldown', () => {
    let now = 100 * DAY_MS;
    const take = createCooldown({ burst: 2, perMs: 10_000 }, () => now);
    expect([take('sam'), take('sam')]).toEqual([null, null]);
    now -= DAY_MS;
    expect([take('sam'), take('sam')]).toEqual([null, null]);
    expect(take('sam')).toBe(now + 5_000);
  });

  it('neither loses cached sound nor keeps it for more than 30 days', async () => {
    let now = Date.now() + 365 * DAY_MS;
    const directory = await makeFolder();
    const options = { directory, maxBytes: 1e6, service: 'test', now: () => now };
    let cache = await openSpeechCache(options);
    const recording = cache.record(cache.keyOf('hello'));
    recording.add(new Uint8Array(50));
    recording.save();
    await cache.close();
    const path = join(directory, `${cache.keyOf('hello')}.packets`);
    await utimes(path, new Date(now), new Date(now));
    now -= 365 * DAY_MS;
    cache = await openSpeechCache(options);
    expect(cache.bytes).toBeGreaterThan(0);
    now += 31 * DAY_MS;
    expect(await cache.get(cache.keyOf('hello'))).toBeNull();
    await cache.close();
  });
});
