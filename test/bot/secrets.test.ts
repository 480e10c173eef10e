// Secrets never leak: tokens, keys, and members' texts and names. The tests plant them, put a separate Parley process through all kinds of
// faults, and search everything that it outputs.

import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { examine } from '../../src/doctor.ts';
import { type LocalDiscord, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { commandsRegistered } from '../helpers/local-discord.ts';
import { createMember, type Member, textOf } from '../helpers/member.ts';
import {
  answer,
  answerJson,
  type Behaviour,
  hang,
  type MisbehavingService,
  reset,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { environmentWithoutSettings, freePort, type Program, startArguments, startProcess } from '../helpers/program.ts';
import { wavOf } from '../helpers/speech.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

const KEY = 'sk-planted-4f1c9a7e2b';
const SAID = 'Quibblesnatch marmalade beyond the zanzibarian lighthouse';
const NAME = 'Wilhelmina Featherstonehaugh';
const NICK = 'Pumpernickel the Third';
const FILE = 'umbrella-confession.mp3';
const HEARD = 'turquoise armadillos never apologise on thursdays';
const SEARCHED = 'perambulator-voice';

/** A second of sound. */
const second = wavOf(
  Int16Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 10) * 5000),
  16_000,
);
const road = readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url));
let folder: string;
let discord: LocalDiscord;
let service: MisbehavingService;
/** How speech, transcripts and lists are answered from now on. */
let behaviour: Behaviour;
/** Robin, the owner; Sam, in the voice channel; others, who avoid the rate limit. */
let people: Member[];
let robin: Member;
let sam: Member;
let program: Program;
let httpUrl: string;
/** Interaction tokens, which allow anybody to answer as the bot. */
const interactionTokens = new Set<string>();
/** Everything that members were shown. */
const told: string[] = [];

const well: Behaviour = (request, response) => {
  const { url = '' } = request;
  if (url === '/v1/tts') answer(200, second, { 'content-type': 'audio/wav' })(request, response);
  else if (url === '/v1/asr')
    answerJson(200, { text: HEARD, duration: 2, segments: [{ text: HEARD, start: 0, end: 2 }] })(request, response);
  else if (url.startsWith('/wallet/')) answerJson(200, { credit: '50' })(request, response);
  else answerJson(200, { total: 1, items: [modelOnWire('v')] })(request, response);
};

/** A service that repeats everything it was sent, the key included. */
const echo =
  (status: number): Behaviour =>
  (request, response) => {
    // Its own one: others come at the same time.
    const own = service.requests.findLast(({ method, url }) => method === request.method && url === request.url);
    const { headers: sent, body, url } = own ?? { headers: {}, body: Buffer.alloc(0), url: '' };
    const form = body.toString('latin1');
    const message = `${sent.authorization} ${decodeURIComponent(url.replaceAll('+', ' '))} ${/filename="[^"]*"/.exec(form)?.[0] ?? form.slice(0, 200)}`;
    const content =
      status === 422 ? [{ loc: ['body', 'text'], type: 'value_error', msg: message, input: form, ctx: message }] : { status, message };
    // A service that is too busy for longer than anybody waits.
    const headers = { 'x-request-id': KEY, ...(status === 429 && { 'retry-after': '3600' }) };
    answerJson(status, content, headers)(request, response);
  };

const environment = () => ({
  ...{ DISCORD_TOKEN: discord.application.token, DISCORD_API_URL: discord.apiUrl, DISCORD_CDN_URLS: discord.cdnUrl },
  ...{ VOICE_API_URL: service.url, VOICE_API_KEY: KEY, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'trace' },
  NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'));
  behaviour = well;
  service = await startMisbehavingService((request, response) => behaviour(request, response));
  // Discord's 3 s are too short for a busy machine.
  discord = await startLocalDiscord({ members: 20, responseMs: WAIT_MS });
  discord.onRestRequest(({ path }) => {
    const [, token] = /^\/(?:interactions|webhooks)\/\d+\/([\w-]{20,})/.exec(path) ?? [];
    if (token) interactionTokens.add(token);
  });
  const members = [...discord.world.firstGuild.members.values()].filter(({ user }) => !user.bot);
  people = members.map((who) => {
    Object.assign(who.user, { global_name: NAME });
    Object.assign(who, { nick: NICK });
    const client = discord.member(who.user.id);
    client.onDispatch((dispatch) => told.push(JSON.stringify(dispatch)));
    return createMember(client, discord.channelId('general'), discord.channelId('Lounge'));
  });
  [robin, sam] = people as [Member, Member];
  await writeFile(join(folder, 'certificate.pem'), discord.certificate);
  trustCertificate(discord.certificate);
  const port = await freePort();
  httpUrl = `http://127.0.0.1:${port}`;
  program = startProcess(startArguments, {
    cwd: folder,
    env: { ...environmentWithoutSettings(), ...environment(), HTTP_PORT: String(port) },
  });
  await program.line(/^Parley is ready/);
  await commandsRegistered(discord);
});
afterAll(async () => {
  program?.child.kill('SIGKILL');
  await program?.ended;
  await discord?.close();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Waits for the end of the command, as the log has it. */
async function over(interaction: Promise<{ id: string }>): Promise<string> {
  const { id } = await interaction;
  const line = await program.line(new RegExp(`"${id}".*a command has ended|a command has ended.*"${id}"`));
  return JSON.parse(line).outcome;
}

const file = (who: Member) => over(who.run('say', { text: SAID, send_as: 'file' }));
const transcribe = (who: Member) => over(who.run('transcribe', { audio: who.upload(FILE, road) }));

async function useEverything(): Promise<void> {
  await sam.listen();
  expect(await over(sam.run('say', { text: SAID }))).toBe('done');
  expect(await over(sam.run('say', { text: SAID, send_as: 'file' }))).toBe('done');
  expect(await transcribe(sam)).toBe('done');
  for (const name of ['voices', 'status', 'credit', 'help', 'privacy', 'queue', 'skip', 'leave']) await over(sam.run(name));
  await over(sam.run('voices', { title: SEARCHED }));
  await sam.autocomplete('say', 'voice', SEARCHED);
  const panel = await (await robin.run('settings')).message((message) => textOf(message).includes(openingOf('settings.title')));
  await over(robin.submitModal(await robin.click(panel, 'settings:search:server'), { title: SEARCHED }));
  await over(robin.click(panel, 'settings:export'));
  await over(robin.run('credit'));
}

async function failInEveryWay(): Promise<void> {
  const [, , ...others] = people;
  const next = () => others.shift() ?? robin;
  behaviour = hang;
  await (await sam.run('say', { text: `${SAID}?` })).answered();
  await over(sam.run('stop'));
  behaviour = well;
  for (const how of [{ status: 500 }, { status: 400 }, { status: 403 }, { status: 429, retryAfterSeconds: 0.1 }, 'reset' as const]) {
    discord.failRest(/^PATCH .*@original/, how, 1);
    await file(next());
  }
  discord.failRest(/callback/, { status: 500 }, 3);
  await file(next());
  discord.gateway.dropConnections();
  await expect.poll(() => discord.gateway.online).toBe(true);
  await file(next());
  // The last one makes the client remember for an hour that there are no such operations.
  for (const trouble of [echo(401), echo(422), echo(429), answer(200, `<html>${KEY}`), reset, echo(500), echo(402), echo(404)]) {
    behaviour = trouble;
    const who = next();
    await Promise.all([file(who), transcribe(who), over(who.run('voices', { title: SEARCHED }))]);
  }
}

async function pages(): Promise<string[]> {
  const paths = ['/healthz', '/readyz', '/metrics', '/nothing'].map((path) => httpUrl + path);
  const home = await (await fetch(discord.url)).text();
  const linked = [...home.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link = '']) => new URL(link, discord.url).href);
  const all = await Promise.all([...paths, ...linked].map(async (url) => (await fetch(url)).text()));
  return [home, ...all, JSON.stringify(await sam.client.call('hello', {}))];
}

async function doctor(env: Record<string, string>): Promise<string[]> {
  const findings = await Array.fromAsync(examine(readConfig({ ...environment(), DATA_DIR: join(folder, 'examined'), ...env })));
  expect(findings.length).toBeGreaterThan(3);
  return findings.map((finding) => JSON.stringify(finding));
}

async function files(): Promise<Buffer> {
  const names = await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true });
  // It keeps what was said in place of Discord's servers, and there is none with a token: see long/program-without-token.test.ts.
  expect(names.map(({ name }) => name)).not.toContain('local-discord');
  return Buffer.concat(await Promise.all(names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name)))));
}

/** Nothing of what was planted stands where it shouldn't. */
async function expectNoLeak(served: string[]): Promise<void> {
  const log = [...program.out, ...program.err].join('\n');
  const secrets = { token: discord.application.token, KEY };
  const words = { SAID, NAME, NICK, FILE, HEARD, SEARCHED };
  const tokens = Object.fromEntries([...interactionTokens].map((token) => [`of an interaction: ${token}`, token]));
  expect(found(log, { ...secrets, ...words, ...tokens })).toEqual([]);
  expect(found(await files(), { ...secrets, ...words, ...tokens })).toEqual([]);
  expect(found(told.join('\n'), { ...secrets, ...tokens })).toEqual([]);
  expect(found(served.join('\n'), secrets)).toEqual([]);
  expect(found(served.slice(1, 5).join('\n'), words)).toEqual([]);
}

/** Which of the secrets stand in it, in any of the ways in which they travel. */
function found(text: string | Buffer, secrets: Record<string, string>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)].some((way) => text.includes(way))
      ? [name]
      : [],
  );
}

it('leaks no secret while everything is used', async () => {
  await useEverything();
  // The secrets were really there to leak.
  const sent = service.requests.map(({ headers, body }) => `${headers.authorization} ${body}`).join();
  expect(found(sent, { KEY, SAID, FILE })).toEqual(['KEY', 'SAID', 'FILE']);
  expect(found(told.join(), { SAID, NAME, FILE, HEARD })).toHaveLength(4);
  await expectNoLeak(await pages());
});

it('leaks no secret, whatever goes wrong', async () => {
  await failInEveryWay();
  const served = await pages();
  program.child.kill('SIGINT');
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(interactionTokens.size).toBeGreaterThan(20);
  expect([...program.out, ...program.err].join('\n').split('a command could not be completed').length).toBeGreaterThan(10);
  await expectNoLeak(served);
});

it('leaks no secret to who asks the doctor', async () => {
  const unreachable = { VOICE_API_URL: 'http://127.0.0.1:1', DISCORD_TOKEN: `${discord.application.token}x` };
  for (const env of [{}, unreachable])
    expect(
      found((await doctor(env)).join('\n'), { token: discord.application.token, KEY, SAID, NAME, NICK, FILE, HEARD, SEARCHED }),
    ).toEqual([]);
});
