// Command options that no Discord client would send.
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ChannelType,
  ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import fc from 'fast-check';
import type { offeredCommands } from '../../commands/index.ts';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { anyText } from '../helpers/arbitrary-text.ts';

type Option = APIApplicationCommandBasicOption;
interface Filled {
  name: string;
  type: number;
  value: unknown;
  focused?: true;
}
interface CommandData {
  options: Nested[];
  resolved: Record<string, Record<string, unknown>>;
}

type Nested = Filled | { name: string; type: number; options: Nested[] };

/** A way to call a command: its group and subcommand, if it has any, and the options that belong there. */
interface Call {
  path: { name: string; type: number }[];
  options: Option[];
}

/** Every way to call a command. */
export function callsOf({ data }: ReturnType<typeof offeredCommands>[number]): Call[] {
  const collect = (path: Call['path'], options: readonly APIApplicationCommandOption[]): Call[] => {
    const inner = options.flatMap((option) =>
      option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup
        ? collect([...path, option], option.options ?? [])
        : [],
    );
    return inner.length > 0 ? inner : [{ path, options: options as Option[] }];
  };
  return collect([], ('options' in data && data.options) || []);
}

/** The options as Discord sends them. */
export function nest({ path }: Pick<Call, 'path'>, options: Nested[]): Nested[] {
  return path.reduceRight<Nested[]>((inner, { name, type }) => [{ name, type, options: inner }], options);
}

/** A channel of this server, of another one, or of none. */
function anyChannel(discord: LocalDiscord): fc.Arbitrary<string> {
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

function anyValue(discord: LocalDiscord, option: Option): fc.Arbitrary<unknown> {
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
      return anyChannel(discord);
    default:
      return anyFile;
  }
}

/** Any call. Each option may be present or missing; the required ones are nearly always present. */
export function anyData(discord: LocalDiscord, calls: readonly Call[]): fc.Arbitrary<CommandData> {
  return fc.oneof(...calls.map((call) => anyDataOf(discord, call)));
}

function anyDataOf(discord: LocalDiscord, call: Call): fc.Arbitrary<CommandData> {
  const filled = call.options.map((option) =>
    fc
      .tuple(anyValue(discord, option), fc.integer({ min: 1, max: 20 }))
      .map(([value, chance]) => ({ option, value, isThere: option.required ? chance > 1 : chance > 10 })),
  );
  return fc.tuple(...filled).map((all) => {
    const data = { options: [] as Filled[], resolved: {} as CommandData['resolved'] };
    for (const { option, value } of all.filter(({ isThere }) => isThere)) {
      const { name, type } = option;
      if (type === OptionType.Attachment) data.resolved.attachments = { 1: value };
      if (type === OptionType.Channel)
        data.resolved.channels = { [String(value)]: { id: value, name: 'x', type: ChannelType.GuildVoice, permissions: '0' } };
      data.options.push({ name, type, value: type === OptionType.Attachment ? '1' : value });
    }
    return { ...data, options: nest(call, data.options) };
  });
}
