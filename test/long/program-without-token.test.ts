// The program without a token, with a local Discord of its own: restarted on the same DATA_DIR, even after a kill -9; with an engine of the
// operator; with its voice service killed; told twice to end; and where there is no local Discord.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ComponentType } from 'discord.js';
import { expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { openEngineServer } from '../helpers/engine-server.ts';
import { makeFolder } from '../helpers/folder.ts';
import { openLocalDiscord, openPage } from '../helpers/local-discord.ts';
import { partsOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { freePort, type Program, pageOf, startProgram, warnings } from '../helpers/program.ts';

type Page = Awaited<ReturnType<typeof openPage>>;

/** At half speed, it lasts until the process is killed, even on a slow machine, or until it is told to stop. */
const SAID = 'Quibblesnatch marmalade stands beyond the lighthouse, and it takes a while until all of this has been said, or most of it.';

/** Robin in the lounge has this said, and hears the first of it. */
async function haveSaid(page: Page, text: string, options: { voice?: string; speed?: number } = {}): Promise<void> {
  const { guilds, commands } = await page.call('hello', {});
  const idOf = (name: string) => guilds[0]?.channels.find((channel) => channel.name === name)?.id ?? '';
  await page.call('join_voice', { channel_id: idOf('Lounge') });
  const typed = (value: string | number) => ({ type: typeof value === 'string' ? 3 : 10, value });
  await page.interact('run_command', {
    channel_id: idOf('general'),
    command_id: commands.find(({ name }) => name === 'say')?.id ?? '',
    options: Object.entries({ text, ...options }).map(([name, value]) => ({ name, ...typed(value) })),
  });
  const before = page.packets();
  await page.until(() => page.packets() >= before + 10);
}

/** The files in DATA_DIR that contain this, by their path in it. */
async function findIn(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  return paths.filter((_, index) => contents[index]?.includes(text)).map((path) => path.slice(folder.length + 1));
}

it('loads the natural voices as soon as the page is there, before anybody opens it', async () => {
  const program = await startProgram({ LOCAL_DEFAULT_ENGINE: 'auto' });
  await program.line(/natural voices (?:take about|are left out)/);
});

it('has the same ids, commands and messages after a kill -9, with nobody in voice, and keeps them in local-discord alone', async () => {
  const DATA_DIR = await makeFolder();
  const env = { DATA_DIR, PLAYGROUND_PORT: String(await freePort()) };
  const first = await startProgram(env);
  const page = await openPage(await pageOf(first));
  const before = await page.call('hello', {});
  const idOf = (name: string) => before.guilds[0]?.channels.find((channel) => channel.name === name)?.id ?? '';
  const [say, stop] = ['say', 'stop'].map((wanted) => before.commands.find(({ name }) => name === wanted)?.id ?? '') as [string, string];
  await haveSaid(page, SAID, { voice: 'robert-narrator', speed: 0.5 });
  first.child.kill('SIGKILL');
  await first.ended;

  const second = await startProgram(env);
  const address = await pageOf(second);
  // The page that was open comes back by the same address.
  expect(address).toBe(await pageOf(first));
  const again = await openPage(address);
  const after = await again.call('hello', {});
  expect(after.guilds[0]?.voice_states).toEqual([]);
  expect([after.application.id, after.user.id, after.guilds[0]?.id]).toEqual([before.application.id, before.user.id, before.guilds[0]?.id]);
  // Unchanged versions: the second start had nothing to register.
  expect(after.commands.map(({ id, version }) => [id, version])).toEqual(before.commands.map(({ id, version }) => [id, version]));
  const history = () => again.call('messages', { channel_id: idOf('general') });
  await expect.poll(async () => (await history()).map(textOf).join()).toContain('I restarted');
  expect(await history()).toHaveLength(1);
  // Chosen voices belong to ids, which are the same; and the buttons of the message work.
  const typing = [{ name: 'voice', type: 3, value: '', focused: true }];
  const [offered] = await again.call('autocomplete', { channel_id: idOf('general'), command_id: say, options: typing });
  expect(offered).toMatchObject({ value: 'robert-narrator', name: expect.stringContaining(' · ') });
  const [message] = await history();
  const menu = partsOf(message?.components).find((part) => part.type === ComponentType.StringSelect) ?? expect.fail('there is no menu');
  const replay = menu.options.find(({ label }) => label === en('say.replay'))?.value ?? '';
  await again.call('join_voice', { channel_id: idOf('Lounge') });
  await again.interact('click', {
    ...{ channel_id: idOf('general'), message_id: message?.id ?? '' },
    ...{ custom_id: menu.custom_id, component_type: ComponentType.StringSelect, values: [replay] },
  });
  await again.until(() => again.packets() >= 10);
  await again.interact('run_command', { channel_id: idOf('general'), command_id: stop });
  await expect.poll(async () => (await history()).map(textOf).join()).toContain(en('say.stopped'));
  expect(warnings(second)).toEqual([]);
  second.child.kill('SIGINT');
  await second.ended;
  expect(await findIn(DATA_DIR, 'Quibblesnatch')).not.toEqual([]);
  for (const path of await findIn(DATA_DIR, 'Quibblesnatch')) expect(path).toMatch(/^local-discord\//);

  const discord = await openLocalDiscord();
  const real = await startProgram({ DATA_DIR, DISCORD_TOKEN: discord.application.token, DISCORD_API_URL: discord.apiUrl });
  // Nobody can invite its bot on Discord.
  expect(await real.line(/^Parley is ready/)).toBe('Parley is ready, in the servers at 127.0.0.1.');
  expect(await readdir(DATA_DIR)).not.toContain('local-discord');
});

it('speaks through an engine of the operator, without telling of stand-in voices', async () => {
  const engine = await openEngineServer({ key: 'sk-planted' });
  const program = await startProgram({ LOCAL_SPEECH_URL: `${engine.url}/v1`, LOCAL_SPEECH_KEY: 'sk-planted', VOICE_FORMAT: 'opus' });
  const page = await openPage(await pageOf(program));
  await haveSaid(page, 'Hello.');
  expect(engine.callsOf('/v1/audio/speech')[0]?.fields).toMatchObject({ voice: 'af_clara', response_format: 'opus' });
  const { note } = (await page.call('hello', {})).introduction;
  expect(note).toMatch(/^The speech recognition .* only English\. For other languages, set LOCAL_TRANSCRIPTION_URL/);
  expect(note).not.toMatch(/voices/);
  program.child.kill('SIGINT');
  expect((await program.ended).code).toBe(0);
  expect(warnings(program)).toEqual([]);
  expect(program.out.join()).toContain(`LOCAL_SPEECH_URL: the engine at 127.0.0.1:${engine.port} works`);
  expect(program.out.join()).not.toContain('sk-planted');
});

it('ends at once at a second signal, but takes two that come together for one', async () => {
  const program = await startProgram();
  const page = await openPage(await pageOf(program));
  await haveSaid(page, SAID, { speed: 0.5 });
  program.child.kill('SIGTERM');
  program.child.kill('SIGTERM');
  // It goes on speaking for longer than signals count as one.
  const heard = page.packets();
  await page.until(() => page.packets() >= heard + 40);
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 1, signal: null });
  await page.closed;
  expect(JSON.stringify(page.dispatches())).not.toContain('Spoken (');
});

it('says that it needs a DISCORD_TOKEN where the local Discord is not installed, as in the image, and opens nothing before', async () => {
  const image = await makeFolder();
  const root = join(import.meta.dirname, '../..');
  const workspace = join(root, 'src/local/discord');
  for (const name of ['src', 'commands', 'package.json'])
    await cp(join(root, name), join(image, name), { recursive: true, filter: (path) => path !== workspace });
  await symlink(join(root, 'node_modules'), join(image, 'node_modules'));
  const env = { PATH: process.env.PATH, DATA_DIR: join(image, 'data') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(image, 'src/main.ts')], { cwd: image, env, encoding: 'utf8' });
  expect([status, stdout, stderr.trimEnd()]).toEqual([
    1,
    '',
    'DISCORD_TOKEN is missing, and the local Discord is not installed here: set the token of your bot.',
  ]);
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

/** The processes of its voice service, which are its children. */
async function serviceProcessesOf({ child }: Program): Promise<{ pid: number; args: string }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const processes = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  return processes
    .filter(([, , parent, args]) => Number(parent) === child.pid && args?.includes('voice-service'))
    .map(([, pid, , args]) => ({ pid: Number(pid), args: args ?? '' }));
}

it('speaks on with another process of its voice service when that is killed, and has a line of it in the log', async () => {
  const program = await startProgram();
  const page = await openPage(await pageOf(program));
  const pidOf = async () => {
    const [service] = await serviceProcessesOf(program);
    if (!service) throw new Error('The program has no process for its voice service.');
    return service.pid;
  };
  const isSpoken = (text: string) =>
    page
      .dispatches()
      .some(({ t, d }) => t === 'MESSAGE_UPDATE' && [text, openingOf('say.spoken')].every((part) => textOf(d).includes(part)));
  const speaks = async (text: string) => {
    await haveSaid(page, text);
    await page.until(() => isSpoken(text));
  };
  await speaks('There is time enough.');
  const first = await pidOf();
  process.kill(first, 'SIGKILL');
  await program.line(/voice service: its process was lost, and is replaced/);
  // Nobody waits for the other one to be there.
  await speaks('And for something else.');
  const second = await pidOf();
  expect(second).not.toBe(first);
  // Ctrl-C and systemd reach every process; only the program decides when the service ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(second, signal);
  await speaks('In the evening, too.');
  expect(await pidOf()).toBe(second);
  expect(warnings(program).map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ reason: 'it ended with SIGKILL' })]);
  program.child.kill('SIGINT');
  expect(await program.ended).toEqual({ code: 0, signal: null });
});

it('takes its voice service along when it is killed, and has no secret in its arguments', async () => {
  const LOCAL_SPEECH_URL = `http://127.0.0.1:${await freePort()}`;
  const program = await startProgram({ LOCAL_SPEECH_URL, LOCAL_SPEECH_KEY: 'a-secret-key' });
  await pageOf(program);
  const services = await serviceProcessesOf(program);
  expect(services).toEqual([{ pid: expect.any(Number), args: expect.stringContaining('voice-service/process.ts') }]);
  expect(JSON.stringify(services)).not.toContain('a-secret-key');
  program.child.kill('SIGKILL');
  // Its output ends with the last process that has it.
  expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
});
