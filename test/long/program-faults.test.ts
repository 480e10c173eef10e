// The program itself comes through what befalls it: kills, signals, a full disk, a damaged store, uncaught errors, a voice service that is down.
import { execFileSync } from 'node:child_process';
import { watch } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ComponentType, InteractionType } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { registerCommands } from '../../src/bot/command-registration.ts';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { logIn } from '../helpers/local-discord.ts';
import { type Member, statusOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, type Behaviour, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { freePort, startProgram, warnings } from '../helpers/program.ts';
import { openProgramFixture as openProgramFixtureWith } from '../helpers/program-fixture.ts';
import { prlimit, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

let service: TestVoiceService;

beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service?.close());

const openProgramFixture = (options?: LocalDiscordOptions) => openProgramFixtureWith(service, options);

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const spoken = async (interaction: MemberInteraction) =>
  statusOf(await interaction.message((message) => textOf(message).includes(openingOf('say.spoken'))));
const secondsOf = (footer: string) => Number(/Spoken \(([0-9.]+) s/.exec(footer)?.[1]);

describe('after a kill -9', () => {
  it('in mid-play and in mid-write everything is as it should be: settings, the cache, and the voice', async () => {
    // It plays until its process is killed, however slow the machine is; later it is made as a voice message, which takes no time to hear.
    const text = 'One two three four five six seven eight nine ten, '.repeat(15).trim();
    const { start, member, dataDir, discord } = await openProgramFixture();
    const speed = async () => {
      const store = openSqliteStore(join(dataDir, 'parley.db'));
      const kept = (await store.get(`member:${discord.member().userId}`)) as { speed: number } | null;
      await store.close();
      return kept?.speed;
    };
    const sent = async (text: string) => {
      const interaction = await member.run('say', { text, send_as: 'message' });
      const message = await interaction.message(({ attachments }) => attachments.length > 0);
      const status = statusOf(await interaction.message((one) => textOf(one) !== ''));
      return { seconds: message.attachments[0]?.duration_secs ?? 0, status };
    };
    const receiver = await member.listen();
    const first = await start();
    await spoken(await member.run('say', { text: 'Kept.', speed: 1.5 }));
    await expect.poll(speed).toBe(1.5);
    await member.run('say', { text });
    const heard = receiver.frames().length;
    await expect.poll(() => receiver.frames().length).toBeGreaterThan(heard + 10);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = await start();
    // The half of it that was heard is not taken for the whole; nor is what is being written when the next kill comes.
    const whole = await sent(text);
    expect(whole.seconds).toBeGreaterThan(20);
    expect(whole.status).toMatch(/ \d+ characters$/);
    await expect.poll(async () => (await readdir(join(dataDir, 'cache'))).filter((name) => name.endsWith('.packets')).length).toBe(2);
    const isWriting = new Promise<void>((resolve) => {
      const watcher = watch(join(dataDir, 'cache'), () => {
        second.child.kill('SIGKILL');
        watcher.close();
        resolve();
      });
    });
    await member.run('say', { text: 'Yes.' });
    await isWriting;
    await second.ended;

    const third = await start();
    const files = await readdir(join(dataDir, 'cache'));
    expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const status = whole.status.replace(/\d+ characters$/, 'cached, so it was free');
    expect(await sent(text)).toEqual({ seconds: whole.seconds, status });
    expect(secondsOf(await spoken(await member.run('say', { text: 'Yes.' })))).toBeGreaterThan(0.2);
    expect(await speed()).toBe(1.5);
    expect(warnings(third)).toEqual([]);
    third.child.kill('SIGTERM');
    expect(await third.ended).toEqual({ code: 0, signal: null });
  });
});

describe('a process that receives a signal while it starts', () => {
  it('finishes speaking, even while Discord delays the registration of commands', async () => {
    const { start, member, discord } = await openProgramFixture();
    const { rest } = await logIn(discord);
    await registerCommands({ rest, applicationId: discord.application.id, guildId: null, commands, signal: new AbortController().signal });
    discord.failRest(/GET \/api\/v10\/applications\/\d+\/commands/, { status: 429, retryAfterSeconds: 600 }, 100);
    const port = await freePort();
    const program = await start({ HTTP_PORT: String(port) });
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { discord: true, store: true, sound: true }]);
    await member.listen();
    const interaction = await member.run('say', { text: 'One two three four five.' });
    await interaction.message((message) => textOf(message).includes(en('say.speaking')));
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const said = await interaction.message((message) => /Spoken \(|Broken off|Stopped/.test(textOf(message)));
    expect(textOf(said)).toContain(openingOf('say.spoken'));
    expect(warnings(program)).toEqual([]);
  });

  it('ends cleanly while Discord lets the login wait', async () => {
    const { environment, discord } = await openProgramFixture();
    const requested = new Promise<void>((resolve) => discord.onRestRequest(({ path }) => path.includes('/gateway/bot') && resolve()));
    discord.failRest(/gateway\/bot/, { status: 429, retryAfterSeconds: 600 }, 100);
    const program = await startProgram(environment);
    await requested;
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.err).toEqual([]);
  });
});

describe('without room on the disk', () => {
  const title = 'says so if something must be stored, keeps doing what needs no storage, and recovers once there is room';
  it.skipIf(!prlimit.isMet)(titled(title, prlimit), async () => {
    const limit = (pid: number | undefined, bytes: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
    const { start, member } = await openProgramFixture();
    await member.listen();
    const program = await start();
    await spoken(await member.run('say', { text: 'There is room.' }));
    limit(program.child.pid, '1');
    // Budgets could not be held: nothing is spent.
    const refused = await member.run('say', { text: 'There is none.' });
    expect(await refused.sentence()).toContain(en('errors.storeFailed'));
    await (await member.run('voices')).message((message) => textOf(message).includes('page 1 of'));
    await (await member.run('status')).message((message) => textOf(message) !== '');
    limit(program.child.pid, 'unlimited');
    await spoken(await member.run('say', { text: 'There is room again.' }));
    program.child.kill('SIGINT');
    expect((await program.ended).code).toBe(0);
  });
});

describe('a store that is damaged', () => {
  it('is said in one line at the start', async () => {
    const DATA_DIR = await makeFolder();
    await writeFile(join(DATA_DIR, 'parley.db'), 'this was a store once, and now it is none'.repeat(500));
    const program = await startProgram({ DATA_DIR });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.err).toEqual([expect.stringMatching(/^DATA_DIR: .* cannot be used \(file is not a database\)/)]);
  });
});

describe('an uncaught error', () => {
  it('in one guild is answered there, and stops neither the process nor speech in another guild', async () => {
    const { start, discord, memberOf } = await openProgramFixture({ guilds: 2 });
    const [here, there] = discord.guildIds.map(memberOf) as [ReturnType<typeof memberOf>, ReturnType<typeof memberOf>];
    const program = await start();
    const receiver = await there.listen();
    const interaction = await there.run('say', { text: 'One two three four five six seven.' });
    await interaction.message((message) => textOf(message).includes(en('say.speaking')));
    const panel = await (await here.run('voices')).message((message) => textOf(message).includes('page 1 of'));
    const told = new Set<string>();
    here.client.onDispatch(({ t, d }) => {
      if (t === 'MESSAGE_CREATE' && textOf(d).includes(en('general.unreadableInteraction'))) told.add(d.id);
    });
    // None of these is what Discord would send: discord.js fails on them before there is an interaction to answer.
    const channelId = discord.channelId('general');
    const { id: messageId } = panel;
    discord.forgeInteraction(here.client, {
      channelId,
      messageId,
      type: InteractionType.MessageComponent,
      data: { component_type: ComponentType.UserSelect, custom_id: 'x', values: ['1'], resolved: { users: { 1: null } } },
    });
    discord.forgeInteraction(here.client, {
      channelId,
      type: InteractionType.ApplicationCommand,
      data: { id: '1', name: 'say', type: 1, options: 7 },
    });
    discord.forgeInteraction(here.client, { channelId, type: InteractionType.ModalSubmit, data: { custom_id: 'x', components: 7 } });
    const completed = Promise.withResolvers<void>();
    here.client.onDispatch(({ t, d }) => {
      if (t === 'INTERACTION_SUCCESS' && d.interaction_id === completion) completed.resolve();
    });
    const data = { id: '1', name: 'say', type: 1, options: 7 };
    const completion = discord.forgeInteraction(here.client, { channelId, type: InteractionType.ApplicationCommandAutocomplete, data });
    await completed.promise;
    await expect.poll(() => told.size, { message: 'how many of the three were told that they were not read' }).toBe(3);
    await spoken(interaction);
    expect(receiver.stats()).toMatchObject({ lost: 0, plaintext: 0 });
    await (await here.run('voices')).message((message) => textOf(message).includes('page 1 of'));
    expect(warnings(program).length).toBeGreaterThan(0);
    program.child.kill('SIGINT');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });
});

// Until the service is probed again, ten seconds pass.
it('a voice service that goes down shows in the log and the metrics, and so does its recovery', async () => {
  let behave: Behaviour = answer(503, '');
  const voice = await startMisbehavingService((request, response) => behave(request, response));
  const { start, member } = await openProgramFixtureWith({ url: voice.url, key: 'key' });
  const port = await freePort();
  const program = await start({ HTTP_PORT: String(port), LOG_LEVEL: 'info' });
  const isDown = async () => /^parley_service_down (\d)/m.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1];
  // One after the other: those that come together may be answered by what the first of them finds out.
  for (let ask = 0; ask < 5; ask++) await (await member.run('voices')).sentence();
  await program.line(/the voice service is down: calls fail immediately/);
  expect(await isDown()).toBe('1');
  // Texts in the cache are still spoken.
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ discord: true, store: true, sound: true });
  behave = answerJson(200, { total: 0, items: [] });
  await program.line(/the voice service is back/);
  expect(await isDown()).toBe('0');
  program.child.kill('SIGINT');
  await program.ended;
  await voice.close();
});

it('says once that traces cannot be sent, and speaks all the same', async () => {
  const { start, member } = await openProgramFixture();
  const program = await start({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`, OTEL_BSP_SCHEDULE_DELAY: '50' },
    ...{ OTEL_EXPORTER_OTLP_TIMEOUT: '200', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=planted-key' },
  });
  await member.listen();
  for (const text of ['One.', 'Two.']) {
    const interaction = await member.run('say', { text });
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
  }
  await program.line(/traces cannot be sent/);
  program.child.kill('SIGTERM');
  expect((await program.ended).code).toBe(0);
  expect(warnings(program)).toHaveLength(1);
  expect([...program.out, ...program.err].join('\n')).not.toContain('planted-key');
});

it('says that a DISCORD_TOKEN is refused', async () => {
  const { environment } = await openProgramFixture();
  const program = await startProgram({ ...environment, DISCORD_TOKEN: 'not.the.token' });
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.err).toEqual([expect.stringMatching(/^DISCORD_TOKEN is refused by Discord: /)]);
  expect([...program.out, ...program.err].join('\n')).not.toContain('not.the.token');
});
