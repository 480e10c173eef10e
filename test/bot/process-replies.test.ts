// Replies of a process that is killed with SIGKILL: the next process corrects them at its start, or when a button is pressed.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isEphemeral, labelsOf, type Member, textOf, textsOf } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley } from '../helpers/parley.ts';
import type { Program } from '../helpers/program.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { silentWav } from '../helpers/speech.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.'.repeat(2);
const MINUTE_MS = 60_000;
const sound = silentWav(2);

let service: TestVoiceService;

beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service?.close());

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

async function kill(program: Program): Promise<void> {
  program.child.kill('SIGKILL');
  await program.ended;
}

/** Open replies as they are noted in the store. */
function notesIn(dataDir: string): { value: { token?: string }; expiresInMs: number }[] {
  const db = new DatabaseSync(join(dataDir, 'parley.db'));
  const rows = db.prepare("SELECT value, expires_at FROM entries WHERE key LIKE 'reply:%'").all();
  db.close();
  return rows.map(({ value, expires_at }) => ({ value: JSON.parse(String(value)), expiresInMs: Number(expires_at) - Date.now() }));
}

/** Everything that a process has written. */
async function filesIn(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'latin1'));
  return (await Promise.all(files)).join('\n');
}

/** A voice service that never answers these; unless given, recordings and texts. */
async function startHangingService(...unanswered: string[]) {
  const paths = unanswered.length > 0 ? unanswered : ['/v1/asr', '/v1/tts'];
  const voice = await startMisbehavingService((request, response) => {
    const isAnswered = !paths.some((path) => request.url?.startsWith(path));
    if (isAnswered) answerJson(200, { total: 0, items: [], credit: '50' })(request, response);
  });
  onTestFinished(() => voice.close());
  return { VOICE_API_URL: voice.url, VOICE_API_KEY: 'key' };
}

describe('public replies to /say', () => {
  it('say at the next start that they were not spoken to the end, and keep what still makes sense', async () => {
    const { start, member, discord, dataDir } = await openProgramFixture(service);
    await member.listen();
    const first = await start();
    await says(await member.run('say', { text: 'Done before.' }), 'Spoken in');
    const playing = await member.run('say', { text: LONG });
    await says(playing, 'Speaking now');
    const waiting = await member.run('say', { text: 'Waiting.', voice: 'clara' });
    await says(waiting, 'Up next');
    await kill(first);
    expect(notesIn(dataDir).map(({ value }) => value)).toEqual([
      { channelId: discord.channelId('general'), messageId: expect.any(String), locale: 'en' },
      { channelId: discord.channelId('general'), messageId: expect.any(String), locale: 'en' },
    ]);

    const second = await start();
    for (const [interaction, text, choices] of [
      [playing, `${LONG.slice(0, 139)}…`, ['Replay', 'Save as file', 'Say more', 'Show the whole text']],
      [waiting, 'Waiting.', ['Replay', 'Save as file', 'Say more']],
    ] as const) {
      const corrected = await says(interaction, 'I restarted before this was finished');
      expect(textOf(corrected)).not.toMatch(/Speaking now|Up next/);
      expect(textsOf(corrected).slice(0, 2)).toEqual(['**Robin**', text]);
      expect(labelsOf(corrected)).toEqual(choices);
      expect(interaction.messages()).toHaveLength(1);
    }
    expect(textOf((await says(waiting, 'I restarted')) as APIMessage)).toContain('Clara · I restarted');
    const again = await member.select(await says(waiting, 'I restarted'), 'What next?', 'Replay');
    await says(again, 'Spoken in');
    second.child.kill('SIGINT');
    await second.ended;
    expect(notesIn(dataDir)).toEqual([]);
  });

  it('are corrected by the next press of a button if the bot cannot see the channel', async () => {
    const { start, member, discord, dataDir } = await openProgramFixture(service);
    discord.setPermissions(discord.channelId('general'), discord.application.id, { deny: P.ViewChannel });
    await member.listen();
    const first = await start();
    const interaction = await member.run('say', { text: LONG });
    const live = await says(interaction, 'Speaking now');
    await kill(first);
    expect(notesIn(dataDir)).toEqual([]);
    await start();
    await member.click(live, 'Stop');
    const corrected = await says(interaction, 'I restarted before this was finished');
    expect(labelsOf(corrected)).toEqual(['Replay', 'Save as file', 'Say more', 'Show the whole text']);
  });

  it('that were still to come say so', async () => {
    const { start, member, dataDir } = await openProgramFixture(service);
    const first = await start(await startHangingService());
    const interaction = await member.run('say', { text: 'A file, please.', as_file: true });
    await expect.poll(() => notesIn(dataDir)).toHaveLength(1);
    await kill(first);
    await start();
    await interaction.message((message) => textOf(message).startsWith('I restarted before this was done'));
  });

  it('are noted once when they begin and once when they are final, however often they change', async () => {
    const parley = await startParley({ service });
    const { member, store } = parley;
    const [set, remove] = [vi.spyOn(store, 'set'), vi.spyOn(store, 'delete')];
    const writes = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.filter(([key]) => String(key).startsWith('reply:'));
    await member.listen();
    const first = await member.run('say', { text: 'One two three.' });
    await says(first, 'Speaking now');
    const second = await member.run('say', { text: 'Me too.' });
    await says(second, 'Up next');
    await says(second, 'Spoken in');
    await expect.poll(() => writes(remove).length).toBe(2);
    expect(writes(set)).toHaveLength(2);
    expect(await store.list('reply:')).toEqual([]);
    vi.restoreAllMocks();
    await parley.close();
  });
});

describe('an answer to /transcribe that is not finished', () => {
  const ask = (member: Member, options = {}) => member.run('transcribe', { audio: member.upload('memo.wav', sound), ...options });

  it('says at the next start that it will not be, in public', async () => {
    const { start, member, dataDir } = await openProgramFixture(service);
    const first = await start(await startHangingService());
    const interaction = await ask(member);
    await says(interaction, 'Transcribing, started');
    await kill(first);
    expect(notesIn(dataDir).map(({ value }) => value.token)).toEqual([undefined]);
    await start();
    const corrected = await says(interaction, 'I was restarted before this was done');
    expect(textOf(corrected)).toContain('**memo.wav**');
  });

  it.each<[string, 'guild' | 'member' | 'both', (member: Member) => Promise<MemberInteraction>]>([
    ['that only the member sees', 'both', (member) => ask(member, { private: true })],
    ['in direct messages', 'both', async (member) => ask(await member.inDm())],
    ['in a server without the bot', 'member', (member) => ask(member)],
  ])(
    '%s is corrected with its sealed token, which lives 15 minutes at most, is kept nowhere else and gone afterwards',
    async (_, installedBy, begin) => {
      const { start, member, discord, dataDir } = await openProgramFixture(service, { installedBy });
      const tokens = new Set<string>();
      discord.onRestRequest(({ path }) => {
        const [, token] = /^\/interactions\/\d+\/([^/]+)\/callback/.exec(path) ?? [];
        if (token) tokens.add(token);
      });
      const first = await start({ ...(await startHangingService()), LOG_LEVEL: 'trace' });
      const interaction = await begin(member);
      await says(interaction, 'Transcribing, started');
      await kill(first);
      const [token = ''] = tokens;
      expect(tokens.size).toBe(1);
      const [note] = notesIn(dataDir);
      expect(note?.value.token).toEqual(expect.any(String));
      expect(note?.expiresInMs).toBeGreaterThan(10 * MINUTE_MS);
      expect(note?.expiresInMs).toBeLessThanOrEqual(15 * MINUTE_MS);
      expect(await filesIn(dataDir)).not.toContain(token);

      const second = await start({ LOG_LEVEL: 'trace' });
      await says(interaction, 'I was restarted before this was done');
      expect(interaction.messages()).toHaveLength(1);
      second.child.kill('SIGINT');
      await second.ended;
      expect(notesIn(dataDir)).toEqual([]);
      for (const { out, err } of [first, second]) expect([...out, ...err].join('\n')).not.toContain(token);
    },
  );

  it('leaves no token behind when it is finished', async () => {
    const { start, member, dataDir } = await openProgramFixture(service);
    const program = await start();
    const interaction = await ask(member, { private: true });
    const message = await interaction.message((one) => textOf(one).includes('I didn’t hear any speech'));
    expect(isEphemeral(message)).toBe(true);
    program.child.kill('SIGINT');
    await program.ended;
    expect(notesIn(dataDir)).toEqual([]);
  });
});

it('another command that was killed while it thought says so at the next start', async () => {
  const { start, member, dataDir } = await openProgramFixture(service);
  const first = await start(await startHangingService('/model'));
  const interaction = await member.run('voices');
  await expect.poll(() => notesIn(dataDir)).toHaveLength(1);
  await kill(first);
  await start();
  await interaction.message((message) => textOf(message).startsWith('I restarted before this was done'));
  await expect.poll(() => notesIn(dataDir)).toEqual([]);
});
