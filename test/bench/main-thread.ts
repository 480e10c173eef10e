// npm run bench:main-thread [-- --only WORDS] [--json FILE]: how long a member can keep the bot's main thread, on which every server's sound
// depends: each command with the largest input that Discord allows, in all the shapes that cost more than their length, on a store of 300,000
// entries. The bot runs in a process of its own, as `npm start` runs it.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type APIMessage,
  ApplicationCommandType,
  ComponentType,
  GatewayIntentBits,
  ApplicationCommandOptionType as OptionType,
  PermissionFlagsBits,
} from 'discord.js';
import { offeredCommands } from '../../commands/index.ts';
import { wavHeader } from '../../src/audio/wav.ts';
import { createDictionaries } from '../../src/dictionary/dictionaries.ts';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { segmentsOf } from '../bot/transcribing-parley.ts';
import { callsOf } from '../fuzz/any-command.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { isLoading, type Member, type MemberInteraction, memberOf, partsOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, answerToFree, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startArguments } from '../helpers/program.ts';
import type { LongestBlock } from './main-thread-watch.ts';
import { ask, endProcess } from './processes.ts';
import { quantile, round, writeReport } from './report.ts';
import { startBot } from './say.ts';
import { shortMp3 } from './sounds.ts';

const RUNS = 22;
/** Milliseconds, of processor time. */
const LIMIT = 50;
const ENTRIES = 300_000;
/** How many of them are about voices that members made. */
const OWN_VOICES = 30_000;
const MAX_OWN_ENTRIES = 50;
/** Milliseconds for what follows an answer, or a message. */
const AFTERWARDS_MS = 300;
const START_MS = 5000;
const MEGABYTE = 1024 * 1024;
const MAX_MESSAGE = 2000;
const MAX_NITRO_MESSAGE = 4000;
const MAX_UPLOAD = 20 * MEGABYTE;
/** Segments of the longest transcript: an hour in sentences of a second. */
const SEGMENTS = 3600;

interface Probe {
  name: string;
  input: string;
  /** Brings about what is measured. @param run its number */
  act(member: Member, run: number): Promise<unknown>;
  /** What has to be there first, and isn't measured. */
  prepare?(member: Member, run: number): Promise<unknown>;
}

interface Result {
  name: string;
  input: string;
  processor: number;
  clock: number;
}

/** Texts that cost more than others of the same length, or did once. */
const shapes: readonly ((length: number) => string)[] = [
  (length) => 'so I think that we should really go there tomorrow. '.repeat(length),
  (length) => 'w'.repeat(length),
  (length) => 'ka lo min ter '.repeat(length),
  (length) => '⅒'.repeat(length),
  (length) => 'ﷺ '.repeat(length),
  (length) => 'a\u3000'.repeat(length),
  (length) => `a${'\u3000'.repeat(length - 2)}b`,
  (length) => `a${'\u2028'.repeat(length - 2)}b`,
  (length) => '。\t'.repeat(length),
  (length) => `e${'\u0301'.repeat(length)}`,
  (length) => 'e\u0301\u0323\u0302'.repeat(length),
  (length) => '<@123456789012345678>'.repeat(length),
  (length) => '<:pog:123456789012345678>'.repeat(length),
  (length) => 'https://a.example/b?c=d '.repeat(length),
  (length) => `https://${'a.'.repeat(length)}`,
  (length) => '*_~`|'.repeat(length),
  (length) => '[a]('.repeat(length),
  (length) => '||a||> '.repeat(length),
  (length) => '1,234.5 '.repeat(length),
  (length) => '👩‍👩‍👧‍👦'.repeat(length),
  (length) => '東京特許許可局'.repeat(length),
  (length) => Array.from({ length }, (_, index) => `${String.fromCharCode(97 + (index % 26))}q`).join(','),
];

/** The shape for a run, as long as it may be; never the same text twice, so that nothing comes from a cache. */
function textOfLength(length: number, run: number): string {
  const shape = shapes[run % shapes.length] as (typeof shapes)[number];
  const end = ` ${run}`;
  return (shape(length).slice(0, length - end.length) + end).toWellFormed();
}

const csv = (bytes: number, line: (index: number) => string): Buffer => {
  let text = '';
  for (let index = 0; text.length < bytes; index++) text += line(index);
  return Buffer.from(text).subarray(0, bytes);
};

/** Files for /dictionary import: what it takes all of, and what it takes nothing of. */
const imports: readonly Buffer[] = [
  csv(MEGABYTE - 100, () => 'a\n'),
  csv(MEGABYTE - 100, (index) => `${index}${'w'.repeat(90)},${'said '.repeat(38)}\n`),
  csv(MEGABYTE / 3, (index) => `${index}${'⅒'.repeat(24)},${'ﷺ'.repeat(10)}\n`),
  csv(MEGABYTE - 100, () => ','),
  csv(MEGABYTE - 100, () => '\n'),
  csv(MEGABYTE - 100, () => '"'),
  csv(MEGABYTE - 100, (index) => `w${index},x\n`),
  csv(MEGABYTE / 3, (index) => `w${index}${'\u2028'.repeat(300)},${'\u3000'.repeat(300)}x\n`),
];

/** Every way to call a command, by what a member types. */
const calls = offeredCommands({ moods: true, readsMessages: true }).flatMap((command) =>
  command.data.type === ApplicationCommandType.ChatInput
    ? callsOf(command).map(({ path, options }) => ({ name: [command.data.name, ...path.map(({ name }) => name)].join(' '), options }))
    : [],
);

/** What Discord lets members type if there is no limit. */
const MAX_TYPED = 6000;

/** An id that many settings may have: 18 digits. */
const idOf = (number: number) => String(100_000_000_000_000_000n + BigInt(number));

const { values: options } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-main-thread-'));
const discord = await startLocalDiscord({ members: RUNS + 3, privilegedIntents: GatewayIntentBits.MessageContent });
const sound = await shortMp3(1);
const service = await startMisbehavingService((request, response) => {
  const { url = '' } = request;
  const voices = Array.from({ length: 100 }, (_, index) => modelOnWire(`voice-${index}${new URL(url, 'http://a').search.length}`));
  if (url === '/v1/tts') return answer(200, sound, { 'content-type': 'audio/mpeg' })(request, response);
  if (url === '/v1/asr') return answerJson(200, segmentsOf(SEGMENTS))(request, response);
  if (url.startsWith('/model?')) return answerJson(200, { total: 3000, items: voices })(request, response);
  if (url.startsWith('/model/')) return answerJson(200, modelOnWire(url.slice(7)))(request, response);
  return (answerToFree(url) ?? answer(404, ''))(request, response);
});
let bot: ChildProcess | undefined;
const results: Result[] = [];
try {
  const members = [...discord.world.firstGuild.members.values()].filter(({ user }) => !user.bot).map(({ user }) => user.id);
  const admins = discord.addRole('Admins', PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator);
  for (const id of members) discord.setRoles(id, [admins]);
  console.error('filling the store');
  await fillStore(join(folder, 'parley.db'), members);
  bot = await startBot(startArguments, discord, { url: service.url, key: 'key' }, folder, {
    NODE_OPTIONS: `--import=${new URL('./main-thread-watch.ts', import.meta.url).href}`,
    READ_MESSAGES: 'on',
    OWN_VOICES: 'everyone',
    BUDGET_MEMBER_MINUTES: '0',
    BUDGET_GUILD_MINUTES: '0',
  });
  const people = members.map((id) => memberOf(discord, id));
  const [first] = people as [Member];
  await until(async () => (await first.client.call('commands', { channel_id: discord.channelId('general') })).length > 10);
  // What a start does in the background.
  await sleep(START_MS);
  for (const probe of probesOf()) {
    if (options.only && !probe.name.includes(options.only)) continue;
    try {
      results.push(await measure(probe, people));
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
} finally {
  if (bot) await endProcess(bot);
  await Promise.all([discord.close(), service.close()]);
  await rm(folder, { recursive: true, force: true });
}
results.sort((a, b) => b.processor - a.processor);
console.table(
  results.map(({ name, input, processor, clock }) => ({
    command: name,
    input,
    'main thread, p99 (ms of processor)': round(processor, 3),
    'by the clock (ms)': round(clock, 3),
    'at most': LIMIT,
    met: processor <= LIMIT,
  })),
);
if (results.some(({ processor }) => processor > LIMIT)) process.exitCode = 1;
await writeReport(options.json, { runs: RUNS, entries: ENTRIES, limit: LIMIT, results });

async function measure(probe: Probe, people: Member[]): Promise<Result> {
  console.error(`${probe.name}: ${probe.input}`);
  const blocks: LongestBlock[] = [];
  // Once more than counts, so that code is loaded and compiled. Each by another member: cooldowns apply.
  for (let run = -1; run < RUNS; run++) {
    const member = people[(run + people.length) % people.length] as Member;
    await probe.prepare?.(member, run + 1);
    await sleep(AFTERWARDS_MS);
    await ask(bot as ChildProcess, { reset: true });
    await probe.act(member, run + 1).catch((error: unknown) => {
      throw new Error(`${probe.name} failed in run ${run + 1}`, { cause: error });
    });
    await sleep(AFTERWARDS_MS);
    const block = await ask<LongestBlock>(bot as ChildProcess, { read: true });
    if (run >= 0) blocks.push(block);
  }
  const p99 = (of: keyof LongestBlock) =>
    quantile(
      blocks.map((block) => block[of]),
      0.99,
    );
  return { name: probe.name, input: probe.input, processor: p99('processor'), clock: p99('clock') };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100);
}

/** The answer to an interaction, once it isn't "thinking…" any more. */
function answered(interaction: MemberInteraction): Promise<APIMessage> {
  return interaction.message((message) => !isLoading(message));
}

function saying(interaction: MemberInteraction, words: RegExp): Promise<APIMessage> {
  return interaction.message((message) => words.test(textOf(message)));
}

function probesOf(): Probe[] {
  /** The message whose buttons come next. */
  let shown = {} as APIMessage;
  const run = (name: string, input: string, given: (run: number) => Record<string, string | boolean> = () => ({})): Probe => ({
    name: `/${name}`,
    input,
    act: async (member, number) => answered(await member.run(name, given(number))),
  });
  return [
    { ...run('say', '2,000 characters', (number) => ({ text: textOfLength(2000, number), send_as: 'file' })), name: '/say, as a file' },
    {
      name: '/say, aloud',
      input: '2,000 characters',
      prepare: (member) => member.listen(),
      async act(member, number) {
        await saying(await member.run('say', { text: textOfLength(2000, number) }), /./);
        await sleep(1000);
        await answered(await member.run('stop'));
        await member.leaveVoice();
      },
    },
    ...everyCompletion(),
    run('dictionary add', '100 and 200 characters, 1,000 entries', (number) => ({
      word: textOfLength(100, number),
      say_as: textOfLength(200, number),
      for: 'server',
    })),
    run('dictionary remove', '100 characters, 1,000 entries', (number) => ({ word: textOfLength(100, number) })),
    run('dictionary list', '1,000 entries', () => ({ for: 'server' })),
    {
      ...run('dictionary list', '50 characters, 1,000 entries', (number) => ({ search: textOfLength(50, number), for: 'server' })),
      name: '/dictionary list, search',
    },
    run('dictionary test', '100 characters, 1,000 entries', (number) => ({ word: textOfLength(100, number) })),
    run('dictionary export', '1,000 entries', () => ({ for: 'server' })),
    {
      name: '/dictionary import',
      input: '1 MB',
      async act(member, number) {
        const form = await member.run('dictionary import', { for: number % 4 ? 'server' : 'me' });
        const file = member.upload('words.csv', imports[number % imports.length] as Buffer);
        return answered(await member.submitModal(form, { file, mode: 'replace' }));
      },
    },
    {
      name: '/dictionary import, Undo',
      input: '1,000 entries for 1,000 others',
      async prepare(member, number) {
        const bytes = csv(330_000, (index) => `${number}x${index}${'w'.repeat(85)},${'said '.repeat(38)}\n`);
        // The member may have imported another less than 30 s ago.
        do {
          await sleep(1000);
          const form = await member.run('dictionary import', { for: 'server' });
          shown = await answered(await member.submitModal(form, { file: member.upload('words.csv', bytes), mode: 'replace' }));
        } while (!textOf(shown).includes('Imported'));
      },
      act: async (member) => (await member.click(shown, 'Undo')).answered(),
    },
    {
      name: '/transcribe',
      input: '20 MB, an hour of words',
      act: (member) => transcribe(member, MAX_UPLOAD),
    },
    {
      name: '/transcribe, another page',
      input: 'an hour of words',
      async prepare(member) {
        shown = await transcribe(member, MEGABYTE);
      },
      act: async (member) => (await member.click(shown, 'Next')).answered(),
    },
    {
      name: '/transcribe, as a file',
      input: 'an hour of words',
      act: async (member) => answered(await member.select(shown, menuOf(shown, 'transcript-file'), 'srt')),
    },
    run('voice mine', 'none'),
    {
      name: '/voice mine, another title',
      input: 'a voice that others use',
      async prepare(member) {
        shown = await answered(await member.run('voice mine'));
      },
      async act(member, number) {
        const form = await member.click(shown, `voice-mine:edit:${ownVoiceId(member.client.userId)}`);
        await member.submitModal(form, { title: `Renamed ${number}` });
        await member.sees((message) => message.id === shown.id && textOf(message).includes(`Renamed ${number}`));
        // What follows in the background.
        await sleep(2000);
      },
    },
    {
      name: '/voice mine, Delete',
      input: 'a voice that others use',
      async prepare(member) {
        const list = await answered(await member.run('voice mine'));
        await member.click(list, `voice-mine:delete:${ownVoiceId(member.client.userId)}`);
        shown = await member.sees((message) => message.id === list.id && labelsIn(message).length === 2);
      },
      async act(member) {
        const ended = await member.click(shown, `voice-mine:delete-now:${ownVoiceId(member.client.userId)}`);
        await ended.answered();
        await sleep(2000);
      },
    },
    {
      name: '/settings import',
      input: '256 KB',
      async prepare(member) {
        shown = await answered(await member.run('settings'));
      },
      async act(member, number) {
        const button = await member.click(shown, 'settings:import');
        const form = await member.submitModal(button, { file: member.upload('settings.json', settingsFile(number)) });
        return Promise.race([form.answered(), form.sentence(), sleep(3000)]);
      },
    },
    run('settings', 'none'),
    run('privacy', 'none'),
    run('credit', 'none'),
    run('status', 'none'),
    run('help', 'none'),
    run('queue', 'none'),
    {
      name: 'Read this aloud',
      input: '4,000 characters',
      prepare: (member) => member.listen(),
      async act(member, number) {
        const message = await member.write('as long as only Nitro allows');
        const kept = discord.world.messages.get(message.channel_id)?.find(({ id }) => id === message.id);
        if (kept) kept.content = textOfLength(MAX_NITRO_MESSAGE, number);
        await saying(await member.runOnMessage('Read this aloud', message.id), /./);
        await sleep(500);
        await answered(await member.run('stop'));
        await member.leaveVoice();
      },
    },
    {
      name: 'a message that is read aloud',
      input: '2,000 characters',
      async prepare(member, number) {
        await member.listen();
        if (number === 0) await answered(await member.run('read start'));
      },
      async act(member, number) {
        const message = await member.write(textOfLength(MAX_MESSAGE, number));
        await sleep(500);
        await member.edit(message, textOfLength(MAX_MESSAGE, number + 1));
        await sleep(500);
        await member.delete(message);
        await answered(await member.run('stop'));
      },
    },
    // At the end, as they delete or change what the others find.
    ...everyCommand(),
    {
      name: '/privacy, Delete',
      input: 'all that a member may have',
      async prepare(member) {
        const { id } = await answered(await member.run('privacy'));
        await member.click(await member.sees((message) => message.id === id), 'Delete my data…');
        shown = await member.sees((message) => message.id === id && labelsIn(message).includes('Delete'));
      },
      async act(member) {
        const done = member.client.next('MESSAGE_UPDATE', (message) => message.id === shown.id && textOf(message).includes('Done'));
        await Promise.all([done, member.click(shown, 'Delete')]);
      },
    },
  ];
}

type Call = (typeof calls)[number];

/** The largest value that the option takes. */
function largest(option: Call['options'][number], member: Member, run: number): string | number | boolean {
  if ('choices' in option && option.choices?.length) return option.choices[run % option.choices.length]?.value ?? '';
  switch (option.type) {
    case OptionType.String:
      return textOfLength(option.max_length ?? MAX_TYPED, run);
    case OptionType.Integer:
    case OptionType.Number:
      return option.max_value ?? Number.MAX_SAFE_INTEGER;
    case OptionType.Boolean:
      return true;
    case OptionType.Channel:
      return discord.channelId('Lounge');
    case OptionType.Attachment:
      return member.upload('sound.mp3', sound);
    default:
      return member.client.userId;
  }
}

/** Every command with all its options at their longest, but for those whose files and texts are measured above. */
function everyCommand(): Probe[] {
  return calls
    .filter(({ options }) => options.length > 0)
    .map(({ name, options }) => ({
      name: `/${name}, all options`,
      input: 'each at its longest',
      async act(member, run) {
        const filled = Object.fromEntries(options.map((option) => [option.name, largest(option, member, run)]));
        // It may be refused: that costs what it costs.
        await (await member.run(name, filled)).answered();
      },
    }));
}

/** Every option that completes what is typed. */
function everyCompletion(): Probe[] {
  return calls.flatMap(({ name, options }) =>
    options
      .filter((option) => 'autocomplete' in option && option.autocomplete)
      .map((option) => ({
        name: `/${name}: ${option.name}, while typing`,
        input: '6,000 characters, or none',
        act: (member: Member, run: number) => member.autocomplete(name, option.name, run % 2 ? textOfLength(MAX_TYPED, run) : ''),
      })),
  );
}

async function transcribe(member: Member, bytes: number): Promise<APIMessage> {
  const header = wavHeader(bytes - 44, { rate: 16_000 });
  const audio = member.upload('long.wav', Buffer.concat([header, Buffer.alloc(bytes - 44)]));
  const reply = await member.run('transcribe', { audio });
  return reply.message((message) => labelsIn(message).some((label) => label.startsWith('Next')));
}

function labelsIn(message: APIMessage): string[] {
  return partsOf(message.components).flatMap((part) => ('label' in part && part.label ? [part.label] : []));
}

function menuOf(message: APIMessage, prefix: string): string {
  const menu = partsOf(message.components).find((part) => part.type === ComponentType.StringSelect && part.custom_id.startsWith(prefix));
  if (!menu || !('custom_id' in menu)) throw new Error(`There is no menu ${prefix}.`);
  return menu.custom_id as string;
}

/** One of the member's own voices. */
function ownVoiceId(userId: string): string {
  return `own-0-${userId}`;
}

function settingsFile(run: number): Buffer {
  const ids = (length: number) => Array.from({ length }, (_, index) => idOf(index));
  const file =
    run % 2
      ? { muted: ids(11_000), volume: 1 }
      : { channelVoices: Object.fromEntries(ids(4_000).map((id) => [id, { id: 'v', title: 'x' }])), roles: ids(1000) };
  return Buffer.from(JSON.stringify(file));
}

/** What 150,000 members and 50,000 servers have left, and everything that the members who are measured may have of their own. */
async function fillStore(path: string, members: string[]): Promise<void> {
  const store: Store = openSqliteStore(path);
  const voices = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ id: `voice-${from + index}`, title: `A voice ${index}` }));
  const settings = createSettings(store);
  const dictionaries = createDictionaries(store);
  const owners = createVoiceOwners(store);
  const day = new Date().toISOString().slice(0, 10);
  const ownVoice = (id: string, ownerId: string, guildId: string): OwnVoice => ({
    ...{ id, ownerId, title: `Voice of ${ownerId}`, description: 'Made of a recording.', createdAt: Date.now(), sharedWith: [guildId] },
    consent: { kind: 'own', memberId: ownerId, at: Date.now() },
  });
  for (let number = 0; number < OWN_VOICES; number++)
    await owners.save(ownVoice(`made-${number}`, idOf(number), number < 50 ? discord.guildId : idOf(number + 500_000)));
  for (let number = 0; number < ENTRIES - OWN_VOICES; number++) {
    const id = idOf(number);
    if (number % 10 < 5)
      await store.set(`member:${id}`, { voice: voices(1)[0] ?? null, favourites: voices(3), recent: voices(5), speed: 1 });
    else if (number % 10 < 7)
      await store.set(`guild:${id}`, { voice: voices(1)[0] ?? null, volume: 1, roles: [id], channels: [id, idOf(number + 1)] });
    else if (number % 10 < 9) await store.set(`spent:${day}:speech:member:${id}`, number, { expiresInMs: 2 * 86_400_000 });
    else await store.set(`use:${day}:${id}:speech`, number, { expiresInMs: 31 * 86_400_000 });
  }
  const entries = (count: number, about: string) =>
    Array.from({ length: count }, (_, index) => ({
      word: `${about}${index}${'w'.repeat(90)}`.slice(0, 100),
      spoken: 'said '.repeat(39),
      language: null,
    }));
  await dictionaries.change({ guildId: discord.guildId }, () => entries(1000, 'server'));
  for (const userId of members) {
    await dictionaries.change({ userId }, () => entries(MAX_OWN_ENTRIES, 'mine'));
    await settings.changeMember(userId, (before) => ({ ...before, favourites: voices(25), recent: voices(10, 25) }));
    for (let number = 0; number < 3; number++) await owners.save(ownVoice(`own-${number}-${userId}`, userId, discord.guildId));
  }
  await store.close();
}
