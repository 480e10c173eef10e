// Every command with anything in its options: what nobody would type, what is not there, and what a client would not let through.
import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ChannelType,
  InteractionType,
  ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../commands/index.ts';
import { anyText, some } from './helpers/anything.ts';
import { createJudge, type Judge } from './helpers/judge.ts';
import { type Parley, startParley } from './helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from './helpers/voice-service.ts';

type Option = APIApplicationCommandBasicOption;
interface Filled {
  name: string;
  type: number;
  value: unknown;
  focused?: true;
}
interface Data {
  options: Filled[];
  resolved: Record<string, Record<string, unknown>>;
}

const plenty = { member: Number.POSITIVE_INFINITY, guild: Number.POSITIVE_INFINITY };

let service: TestVoiceService;
let parley: Parley;
let judge: Judge;
let ids: Map<string, string>;

beforeAll(async () => {
  service = await startTestVoiceService();
  judge = createJudge();
  parley = await startParley({
    ...{ service, logTo: judge.logTo, discord: { guilds: 2 }, budgets: { speech: plenty, transcription: plenty } },
  });
  judge.watch(parley.discord);
  const known = await parley.member.client.call('commands', { channel_id: parley.discord.channelId('general') });
  ids = new Map(known.map(({ type, name, id }) => [`${type}:${name}`, id]));
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});

/** A channel of this server, of another one, or of none. */
function anyChannel(): fc.Arbitrary<string> {
  const { discord } = parley;
  const names = ['Lounge', 'Lounge', 'Lounge', 'Workshop', 'general', 'Stage', 'No bots', 'Listen only'];
  return fc.constantFrom(
    ...names.map((name) => discord.channelId(name)),
    ...discord.guildIds.flatMap((guild) => names.map((name) => discord.channelId(name, guild))),
    '1',
    discord.guildId,
  );
}

const anyFile = fc.record({
  id: fc.constant('1'),
  filename: anyText.map((text) => text.slice(0, 300) || 'a'),
  size: fc.constantFrom(0, 10, 30_000_000, Number.MAX_SAFE_INTEGER),
  url: fc.constantFrom(
    ...[
      'http://127.0.0.1:1/a.mp3',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'nonsense',
      'https://cdn.discordapp.com.evil.example/a',
    ],
  ),
  content_type: fc.option(anyText, { nil: undefined }),
  duration_secs: fc.option(fc.constantFrom(-1, 0, 1e9, 4000), { nil: undefined }),
});

function anyValue(option: Option): fc.Arbitrary<unknown> {
  const choices = 'choices' in option && option.choices ? option.choices.map(({ value }) => value) : [];
  switch (option.type) {
    case OptionType.String:
      return choices.length > 0 ? fc.oneof(anyText, fc.constantFrom(...choices)) : anyText;
    case OptionType.Integer:
      return fc.oneof(fc.constantFrom(1, 2, 100_000), fc.maxSafeInteger());
    case OptionType.Number:
      return fc.oneof(fc.constantFrom(0.5, 1, 2), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case OptionType.Boolean:
      return fc.boolean();
    case OptionType.Channel:
      return anyChannel();
    default:
      return anyFile;
  }
}

/** Each option there or not; the required ones nearly always. */
function anyData(options: readonly Option[]): fc.Arbitrary<Data> {
  const filled = options.map((option) =>
    fc
      .tuple(anyValue(option), fc.integer({ min: 1, max: 20 }))
      .map(([value, chance]) => ({ option, value, isThere: option.required ? chance > 1 : chance > 10 })),
  );
  return fc.tuple(...filled).map((all) => {
    const data: Data = { options: [], resolved: {} };
    for (const { option, value } of all.filter(({ isThere }) => isThere)) {
      const { name, type } = option;
      if (type === OptionType.Attachment) data.resolved.attachments = { 1: value };
      if (type === OptionType.Channel)
        data.resolved.channels = { [String(value)]: { id: value, name: 'x', type: ChannelType.GuildVoice, permissions: '0' } };
      data.options.push({ name, type, value: type === OptionType.Attachment ? '1' : value });
    }
    return data;
  });
}

/** Runs it, ends what is being said, and gives what was wrong. */
async function run(type: InteractionType, data: object): Promise<string[]> {
  const { discord, other } = parley;
  const id = discord.forge(other.client, { channelId: discord.channelId('general'), type, data });
  await judge.answered(id);
  await (await other.run('stop')).answered();
  return judge.ended(id);
}

const basic = ({ data }: (typeof commands)[number]) => (('options' in data && data.options) || []) as Option[];

it.each(commands.map((command) => [command.data.name, command] as const))('%s takes anything in its options', async (name, command) => {
  const { type } = command.data;
  const base = { id: ids.get(`${type}:${name}`), name, type };
  const options = basic(command);
  if (type === ApplicationCommandType.Message) {
    const message = await parley.other.send(['notes.txt', Buffer.from('no audio')]);
    for (const content of some(anyText, 0.2)) {
      const target = { ...message, content, attachments: [{ ...message.attachments[0], filename: content }] };
      const data = { ...base, target_id: message.id, resolved: { messages: { [message.id]: target } } };
      expect(await run(InteractionType.ApplicationCommand, data)).toEqual([]);
    }
  } else {
    // Speaking takes the most time, and has the most in it.
    for (const data of some(anyData(options), options.length > 0 ? 0.2 : 0.02)) {
      const faults = await run(InteractionType.ApplicationCommand, { ...base, ...data });
      expect([...faults, ...(faults.length > 0 ? [JSON.stringify(data).slice(0, 500)] : [])]).toEqual([]);
    }
  }
  expect(judge.complaints.slice(0, 3)).toEqual([]);
  await (await parley.other.run('help')).message(({ embeds }) => embeds.length > 0);
});

const completed = commands.flatMap((command) =>
  basic(command).flatMap((option) => ('autocomplete' in option && option.autocomplete ? [[command.data.name, option.name] as const] : [])),
);

it.each(completed)('/%s completes whatever is typed in %s', async (name, option) => {
  const { discord, other } = parley;
  for (const value of some(anyText)) {
    const focused = { name: option, type: OptionType.String, value, focused: true };
    const id = discord.forge(other.client, {
      channelId: discord.channelId('general'),
      type: InteractionType.ApplicationCommandAutocomplete,
      data: { id: ids.get(`1:${name}`), name, type: ApplicationCommandType.ChatInput, options: [focused] },
    });
    expect(await judge.completed(id)).toEqual([]);
  }
  expect(judge.complaints.slice(0, 3)).toEqual([]);
});
