// Records what the bot does: its requests to Discord and to the voice service, the steps of its store, the voice channels it is in and what
// is heard there. What two runs do differently without meaning to (ids, times, ports, random parts, the order of what happens at the same
// time) is made the same.
import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type APIVoiceState, ApplicationCommandOptionType as OptionType } from 'discord.js';
import { createDecoder } from 'libopus-wasm';
import type { LocalDiscord, MemberClient, RestExchange } from '../../src/local/discord/index.ts';
import type { FilledOption } from '../../src/local/discord/page/protocol.ts';
import type { Entry, Store, Value } from '../../src/store/types.ts';
import { RATE } from '../helpers/speech.ts';
import { hearTones } from '../helpers/tones.ts';

type Kind = 'does' | 'discord' | 'service' | 'store' | 'voice' | 'hears' | 'sees';

/** Lines of the same block happen one after the other; blocks may happen in any order. */
interface Line {
  kind: Kind;
  block: string;
  text: string;
}

export interface StepOptions {
  /** Something is still spoken when the step ends. */
  speaking?: boolean;
  /** Speech was cut short, so how much of it is heard depends on the moment. */
  cut?: boolean;
  /** A sample, or a voice that was trained: how long it is differs by a packet from run to run. */
  isSample?: boolean;
}

export interface Recorder {
  /** Gives ids of this local Discord names, and records its requests and what its members do. */
  watchDiscord(discord: LocalDiscord): void;
  wrapStore(store: Store): Store;
  serviceLine(block: string, text: string): void;
  /** Writes down what a member got, as a file. */
  sees(text: string): void;
  name(id: string, name: string): void;
  /** Whether something else than the bot waits, and for how many requests. */
  hold(count: number): void;
  step(title: string, run: () => Promise<unknown>, isSpeaking: () => boolean, options?: StepOptions): Promise<void>;
  /** From now on, of a new bot. */
  act(title: string): void;
  /** Writes down what happened in no particular step of it. */
  endAct(): void;
  text(): string;
  /** Custom ids that were pressed, filled in or submitted, as they were. */
  readonly pressed: Set<string>;
  /** Commands that were run, and options that were completed. */
  readonly commands: Set<string>;
  /** The latest value under each key that was ever set. */
  readonly everStored: Map<string, Entry>;
  /** Random bytes that were taken, as base64url. */
  readonly randoms: ReadonlySet<string>;
  /** The tokens of the bots. */
  readonly tokens: ReadonlySet<string>;
}

/** Turns in which nothing happens, after which the bot has nothing more to do. */
const QUIET_TURNS = 16;
const TURN_MS = 25;
const MAX_STEP_MS = 120_000;

export function createRecorder(): Recorder {
  const normaliser = createNormaliser();
  const written: string[] = [];
  const pressed = new Set<string>();
  const commands = new Set<string>();
  const tokens = new Set<string>();
  const everStored = new Map<string, Entry>();
  let lines: Line[] = [];
  let packets: (Uint8Array | null)[] = [];
  /** The member who listens. */
  let listener: MemberClient | null = null;
  let missed = 0;
  let marks: string[] = [];
  const underWay = new Set<ServerResponse>();
  let held = 0;
  let events = 0;
  /** Steps of the store that have not ended. */
  let storing = 0;
  /** Something was cut short in this act: how much is known of how loud its voice is depends on the moment. */
  let wasCut = false;

  const add = (kind: Kind, block: string, text: string) => {
    events++;
    lines.push({ kind, block, text });
  };
  // Covers every server in this process: the local Discord, the voice service and the proxy before it.
  subscribe('http.server.request.start', (message) => {
    const { response } = message as { request: IncomingMessage; response: ServerResponse };
    underWay.add(response);
    events++;
    response.once('close', () => {
      underWay.delete(response);
      events++;
    });
  });

  async function idle(isSpeaking: () => boolean, { speaking = false }: StepOptions): Promise<void> {
    const begun = performance.now();
    let seen = events;
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await sleep(TURN_MS);
      // What is being spoken is still being read.
      const asked = [...underWay].filter(({ headersSent }) => !speaking || !headersSent).length;
      const isQuiet = events === seen && storing === 0 && asked <= held && (speaking || !isSpeaking());
      quiet = isQuiet ? quiet + 1 : 0;
      seen = events;
      if (performance.now() - begun > MAX_STEP_MS) throw new Error(`The bot is still busy: ${underWay.size} requests under way.`);
    }
  }

  async function describeSound({ cut = false, speaking = false, isSample = false }: StepOptions): Promise<string[]> {
    const utterances: Uint8Array[][] = [[]];
    for (const packet of packets) {
      if (packet) utterances.at(-1)?.push(packet);
      else if (utterances.at(-1)?.length) utterances.push([]);
    }
    packets = [];
    // Whoever has just entered can't decrypt the very first packets yet.
    const { early = 0, undecryptable = 0, lost = 0 } = listener?.voiceStats() ?? {};
    const all = early + undecryptable + lost;
    const more = all >= missed ? all - missed : all;
    missed = all;
    const heard = utterances.filter(({ length }) => length > 0);
    if (cut) return [];
    if (speaking) return heard.length > 0 ? ['something'] : [];
    return Promise.all(
      heard.map(async (utterance, index) => {
        const length = isSample ? '' : `${utterance.length + (index === 0 ? more : 0)} packets: `;
        return length + JSON.stringify(await wordsOf(utterance));
      }),
    );
  }

  function write(title: string): void {
    const normal = (text: string) => normaliser.normalise(text);
    written.push('', `== ${title}`);
    for (const kind of ['does', 'discord', 'service', 'store', 'voice', 'hears', 'sees'] as const) {
      const blocks = Map.groupBy(
        lines.filter((line) => line.kind === kind),
        ({ block }) => block,
      );
      const texts = [...blocks.values()].map((block) =>
        reduce(
          kind,
          wasCut,
          block.map(({ text }) => text),
        )
          .map((text) => `${kind} ${normal(text)}`)
          .join('\n'),
      );
      if (kind !== 'does' && kind !== 'hears' && kind !== 'sees') texts.sort();
      written.push(...texts.filter((text) => text !== ''));
    }
    lines = [];
  }

  const recorder: Recorder = {
    pressed,
    commands,
    everStored,
    randoms: normaliser.randoms,
    tokens,
    sees: (text) => add('sees', '', text),
    serviceLine: (block, text) => add('service', block, text),
    name: normaliser.name,
    hold(count) {
      held += count;
    },
    watchDiscord(discord) {
      nameAll(discord, normaliser.name);
      tokens.add(discord.application.token);
      discord.onRestRequest((exchange) => {
        const line = discordLine(exchange);
        // One a second is sent, whatever else happens.
        if (line?.text.includes('/reactions/')) marks.push(line.text);
        else if (line) add('discord', line.block, line.text);
      });
      discord.world.onEvent(({ t, d }) => {
        if (t !== 'VOICE_STATE_UPDATE') return;
        const { user_id, channel_id } = d as APIVoiceState;
        if (user_id === discord.application.id) add('voice', '', channel_id === null ? 'leaves' : `is in ${channel_id}`);
      });
      const open = discord.member;
      discord.member = (name, options) => {
        const client = open(name, options);
        if (name === 'Robin') {
          listener = client;
          client.onHeard(({ opus }) => void packets.push(opus.length > 3 ? opus.slice() : null));
        }
        return watchMember(client, name ?? 'Robin');
      };
    },
    wrapStore: (store) =>
      wrapStore(store, {
        begin() {
          events++;
          storing++;
        },
        end: () => void storing--,
        add: (block, text) => add('store', block, text),
        stored: (key, value, expiresInMs) =>
          void everStored.set(key, { key, value, expiresAt: expiresInMs === undefined ? null : Date.now() + expiresInMs }),
      }),
    act(title) {
      written.push('', '', `#### ${title}`);
      lines = [];
      packets = [];
      wasCut = false;
    },
    endAct() {
      const texts = marks.map((text) => `discord ${normaliser.normalise(text)}`).sort();
      if (texts.length > 0) written.push('', '== in the course of it', ...texts);
      marks = [];
    },
    async step(title, run, isSpeaking, options = {}) {
      wasCut ||= options.cut === true || options.speaking === true;
      process.stderr.write(`${title}\n`);
      await run().catch((error: unknown) => {
        throw new Error(`In the step “${title}”`, { cause: error });
      });
      await idle(isSpeaking, options);
      for (const text of await describeSound(options)) add('hears', '', text);
      write(title);
    },
    text: () => `${written.join('\n').trim()}\n`,
  };

  /** Records what a member does, and which custom ids that covers. */
  function watchMember(client: MemberClient, name: string): MemberClient {
    const call: MemberClient['call'] = async (method, params) => {
      const given = params as Record<string, unknown>;
      if (method === 'click' || method === 'submit_modal') {
        pressed.add(`${method === 'click' ? '' : 'form '}${given.custom_id}${given.values ? ` = ${given.values}` : ''}`);
        add(
          'does',
          '',
          `${name}: ${method === 'click' ? 'presses' : 'submits'} ${given.custom_id} ${JSON.stringify(given.values ?? given.fields ?? '')}`,
        );
      } else if (method === 'run_command' || method === 'autocomplete') {
        const known = await client.call('commands', { channel_id: String(given.channel_id) });
        const command = known.find(({ id }) => id === given.command_id)?.name;
        const filled = (given.options ?? []) as FilledOption[];
        const isPath = ({ type }: FilledOption) => type <= OptionType.SubcommandGroup;
        const options = filled.filter((option) => !isPath(option));
        const path = [command, ...filled.filter(isPath).map((option) => option.name)].join(' ');
        commands.add(method === 'run_command' ? path : `${path} (${options.find(({ focused }) => focused)?.name}…)`);
        for (const option of options) if (method === 'run_command') commands.add(`${path} ${option.name}:`);
        add('does', '', `${name}: ${method === 'run_command' ? 'runs' : 'types'} /${path} ${JSON.stringify(options)}`);
        if (method === 'autocomplete') {
          const choices = await client.call(method, params);
          add('sees', '', `choices ${JSON.stringify(choices)}`);
          return choices;
        }
      } else if (!['commands', 'hello', 'messages', 'open_dm'].includes(method))
        add('does', '', `${name}: ${method} ${JSON.stringify(params)}`);
      return client.call(method, params);
    };
    return { ...client, call };
  }

  return recorder;
}

/** Requests for the same message, or with the same interaction's token, come one after the other. */
function discordLine({ method, path, body, status }: RestExchange): { block: string; text: string } | null {
  const [, kind, , third] = path.split('/');
  const token = kind === 'interactions' || kind === 'webhooks' ? third : undefined;
  const block = token ?? path;
  if (path.startsWith('/gateway') || path === '/oauth2/applications/@me') return null;
  // Progress is shown as often as there is time for it.
  const content = body === undefined ? '' : JSON.stringify(body);
  if (method === 'PATCH' && /"custom_id":"(transcribe|voice)-cancel:/.test(content)) return null;
  return { block, text: `${method} ${path} ${content} → ${status}` };
}

interface Steps {
  begin(): void;
  end(): void;
  add(block: string, text: string): void;
  stored(key: string, value: Value, expiresInMs?: number): void;
}

function wrapStore(store: Store, { begin, end, add, stored }: Steps): Store {
  const json = (value: unknown) => JSON.stringify(value);
  const forHow = ({ expiresInMs }: { expiresInMs?: number } = {}) => (expiresInMs === undefined ? '' : ` for ${roughly(expiresInMs)}`);
  const noted = async <T>(block: string, text: string, run: () => Promise<T>, result: (value: T) => string = () => ''): Promise<T> => {
    begin();
    try {
      const value = await run();
      add(block, `${text}${result(value)}`);
      return value;
    } finally {
      end();
    }
  };
  return {
    get: (key) => noted(key, `get ${key}`, () => store.get(key)),
    async set(key, value, options) {
      await noted(key, `set ${key} ${json(value)}${forHow(options)}`, () => store.set(key, value, options));
      stored(key, value, options?.expiresInMs);
    },
    delete: (key) => noted(key, `delete ${key}`, () => store.delete(key)),
    deleteAll: (prefix) => noted(prefix, `deleteAll ${prefix}`, () => store.deleteAll(prefix)),
    async increment(key, by, options) {
      const sum = await noted(key, `increment ${key} by ${by}${forHow(options)}`, () => store.increment(key, by, options));
      stored(key, sum, options?.expiresInMs);
      return sum;
    },
    async incrementAll(counters, by, options) {
      const keys = counters.map(({ key, max }) => (max === undefined ? key : `${key} ≤ ${max}`));
      const done = await noted(
        counters.map(({ key }) => key).join(),
        `incrementAll ${keys.join(', ')} by ${by}${forHow(options)}`,
        () => store.incrementAll(counters, by, options),
        ({ exceeded }) => (exceeded ? ` → exceeds ${exceeded.place} at ${exceeded.value}` : ''),
      );
      for (const [place, sum] of (done.sums ?? []).entries()) stored(counters[place]?.key ?? '', sum, options?.expiresInMs);
      return done;
    },
    async compareAndSet(key, expected, value, options) {
      const isDone = await noted(
        key,
        `replace ${key} ${json(expected)} by ${json(value)}${forHow(options)}`,
        () => store.compareAndSet(key, expected, value, options),
        (done) => ` → ${done}`,
      );
      if (isDone && value !== null) stored(key, value, options?.expiresInMs);
      return isDone;
    },
    list: (prefix) => noted(prefix, `list ${prefix}`, () => store.list(prefix)),
    async *entries(prefix) {
      add(prefix ?? '', `entries ${prefix ?? ''}`);
      yield* store.entries(prefix);
    },
    scrub: () => noted('', 'scrub', () => store.scrub()),
    close: () => store.close(),
    get reconnectedAt() {
      return store.reconnectedAt;
    },
  };
}

/** Without what depends on how fast things went. */
function reduce(kind: Kind, wasCut: boolean, texts: string[]): string[] {
  // A request whose answer was lost is sent again, and comes too late.
  if (kind === 'discord')
    return texts.filter(
      (text) => !(text.endsWith(' → 400') && texts.some((other) => other !== text && other.startsWith(text.slice(0, -3)))),
    );
  // A voice that is being trained is asked for until it is.
  if (kind === 'service')
    return texts.filter(
      (text, index) =>
        (text !== texts[index - 1] || !text.startsWith('GET /model/')) && !/^GET \/model\?page_size=10&tag=parley-/.test(text),
    );
  if (kind !== 'store') return texts;
  // A command that takes two seconds is noted; the balance, and voices that are being made, are looked at by the clock.
  const kept = texts.filter(
    (text) =>
      !(wasCut && text.startsWith('set level:')) && !/^(set|delete) reply:\d+:@original|^\w+ account:|^list pending-voice:/.test(text),
  );
  // The seconds of a recording are reserved in as many steps as its bytes come in.
  const reserved = kept.filter((text) => isReservation(text));
  if (reserved.length < 2) return kept;
  const sum = reserved.reduce((total, text) => total + Number(/ by (\d+)/.exec(text)?.[1]), 0);
  return [...kept.filter((text) => !isReservation(text)), (reserved[0] as string).replace(/ by \d+/, ` by ${sum} in all`)];
}

const isReservation = (text: string) => /^incrementAll spent:\d+:transcription:/.test(text) && !text.includes('exceeds');

/** A time to live: it may have been shortened by the time it took to get there. */
function roughly(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes >= 2 * 24 * 60) return `${Math.round(minutes / (24 * 60))} days`;
  if (minutes >= 120) return `${Math.round(minutes / 60)} h`;
  return minutes >= 2 ? `${minutes} min` : `${Math.round(ms / 10_000) * 10} s`;
}

/** What is said in these packets, and how it was divided by pauses. */
async function wordsOf(packets: readonly Uint8Array[]): Promise<string> {
  const decoder = await createDecoder({ channels: 1 });
  const frames = packets.map((packet) => decoder.decodeFloat(packet).slice());
  decoder.free();
  const samples = new Int16Array(frames.length * 320);
  for (const [index, frame] of frames.entries())
    for (let at = 0; at < 320; at++) {
      const mean = ((frame[3 * at] ?? 0) + (frame[3 * at + 1] ?? 0) + (frame[3 * at + 2] ?? 0)) / 3;
      samples[index * 320 + at] = Math.round(Math.max(-1, Math.min(1, mean)) * 32_767);
    }
  if (RATE !== 16_000) throw new Error('The tones have another rate.');
  return [...hearTones(samples)].map(({ text }) => text).join(' | ');
}

function nameAll(discord: LocalDiscord, name: (id: string, name: string) => void): void {
  const { world } = discord;
  name(world.application.id, '<app>');
  for (const [index, guild] of [...world.guilds.values()].entries()) {
    const suffix = index === 0 ? '' : `/${index + 1}`;
    name(guild.id, `<guild${suffix}>`);
    for (const channel of guild.channels.values()) name(channel.id, `<#${channel.name}${suffix}>`);
    for (const role of guild.roles) if (role.id !== guild.id) name(role.id, `<&${role.name}${suffix}>`);
  }
  for (const user of world.users.values()) if (user.id !== world.application.id) name(user.id, `<${user.global_name ?? user.username}>`);
}

function createNormaliser() {
  const names = new Map<string, string>();
  const randoms = listenToRandomness();
  const today = Math.floor(Date.now() / 86_400_000);

  function normalise(text: string): string {
    return text
      .replaceAll(/[A-Za-z0-9_-]{8,}/g, (word) => (randoms.has(word) || randoms.has(word.slice(0, 16)) ? '<random>' : word))
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<random>')
      .replaceAll(/(?<![A-Za-z0-9_-])~[\w-]{16}(?![\w-])/g, '~<handle>')
      .replaceAll(/(?<!\d)\d{17,20}(?!\d)/g, (id) => names.get(id) ?? '<id>')
      .replaceAll(/[A-Za-z0-9_-]{32,}/g, '<random>')
      .replaceAll(/-# [^"\\]*\\n[▬●─]{16}/g, '-# <progress>')
      .replaceAll(/heard in about [^"\\;]*/g, 'heard in about <time>')
      .replaceAll(/(?<!\d)\d+ ms(?!\w)/g, '<n> ms')
      .replaceAll(/parley-[0-9a-f]{16}/g, 'parley-<random>')
      .replaceAll(/(`<random>`\. Pick)[^"]*/g, '$1 …')
      .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:<port>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>')
      .replaceAll(/(?<![\d.])1[6-9]\d{11}(?!\d)/g, '<time>')
      .replaceAll(/(?<![\d.])1[6-9]\d{8}(?!\d)/g, '<time>')
      .replaceAll(/(?<![\d.])2\d{4}(?!\d)/g, (day) => (Math.abs(Number(day) - today) < 40 ? '<day>' : day));
  }

  return { normalise, randoms, name: (id: string, name: string) => void names.set(id, name) };
}

/** All random values of this process, as they may be written. */
function listenToRandomness(): Set<string> {
  const seen = new Set<string>();
  const { randomBytes, randomUUID } = crypto;
  const note = (bytes: Uint8Array) => {
    const buffer = Buffer.from(bytes);
    for (const encoding of ['hex', 'base64url'] as const) {
      const text = buffer.toString(encoding);
      if (text.length < 8) continue;
      seen.add(text);
      // What is sealed begins with its nonce.
      if (buffer.length === 12 && encoding === 'base64url') seen.add(text.slice(0, 16));
    }
  };
  crypto.randomBytes = ((size: number, callback?: (error: Error | null, bytes: Buffer) => void) => {
    if (callback) return randomBytes(size, callback);
    const bytes = randomBytes(size);
    note(bytes);
    return bytes;
  }) as typeof randomBytes;
  crypto.randomUUID = (options) => {
    const id = randomUUID(options);
    seen.add(id.replaceAll('-', ''));
    return id;
  };
  syncBuiltinESMExports();
  return seen;
}
