// Button presses, menu choices and submitted forms that no Discord client would send.
import { ComponentType, InteractionType } from 'discord.js';
import fc from 'fast-check';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/discord/command.ts';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { anyText } from '../helpers/arbitrary-text.ts';

const all: Command<never>[] = commands;
/** From all commands, including future ones. */
export const componentPrefixes = all.flatMap(({ components }) => Object.keys(components ?? {}));
const formPrefixes = all.flatMap(({ modals }) => Object.keys(modals ?? {}));

export interface ComponentUse {
  type: InteractionType.MessageComponent | InteractionType.ModalSubmit;
  data: object;
}

/** The parts that custom ids are made of. */
export interface Known {
  discord: LocalDiscord;
  /** Custom ids on existing messages. */
  knownIds: readonly string[];
  /** Their owners, and other members. */
  memberIds: [string, string];
}

const number = fc.constantFrom('0', '1', '2', '-1', '1.5', '100001', '1e309', 'NaN', '', ' 1');
const word = fc.constantFrom(
  ...['server', 'stay', 'showText', 'export', 'reset', 'section', 'target', 'voice', 'volume', 'set', 'roles', 'channels', 'muted', 'keep'],
  ...[
    'search',
    'cap',
    'budgets',
    'delete',
    'delete-now',
    'empty',
    'empty-now',
    'mine',
    'favourite',
    's',
    'f',
    'next',
    'json',
    'srt',
    '=a',
    '=',
  ],
  ...['__proto__', 'constructor', 'toString'],
);

/** Ids of users, guilds, channels and messages of both guilds. */
function anyId({ world, guildIds }: LocalDiscord, memberIds: string[]): fc.Arbitrary<string> {
  const { guilds, users } = world;
  const channels = [...guilds.values()].flatMap((guild) => [...guild.channels.keys(), ...guild.roles.map(({ id }) => id)]);
  return fc.constantFrom(...users.keys(), ...channels, ...guildIds, ...memberIds, '1', '99999999999999999999');
}

function anyCustomId({ discord, knownIds, memberIds }: Known, prefixes: string[]): fc.Arbitrary<string> {
  const [owner = '', other = ''] = memberIds;
  const part = fc.oneof(
    anyId(discord, memberIds),
    number,
    word,
    word,
    anyText.map((text) => text.slice(0, 30)),
  );
  const mangled = fc.tuple(fc.constantFrom(...knownIds), fc.nat(6), part).map(([id, at, other]) =>
    id
      .split(':')
      .with(Math.min(at, id.split(':').length - 1), other)
      .join(':'),
  );
  const made = fc
    .tuple(fc.constantFrom(...prefixes), fc.array(part, { maxLength: 5 }))
    .map(([prefix, parts]) => [prefix, ...parts].join(':'));
  return fc
    .oneof(
      { weight: 4, arbitrary: made },
      { weight: 3, arbitrary: mangled },
      { weight: 1, arbitrary: fc.constantFrom(...knownIds) },
      // As if the message belonged to this member.
      { weight: 2, arbitrary: fc.constantFrom(...knownIds.map((id) => id.replaceAll(owner, other))) },
      { weight: 1, arbitrary: anyText },
    )
    .map((id) => id.slice(0, 100) || ' ');
}

export function anyComponent(known: Known): fc.Arbitrary<ComponentUse> {
  const types = [ComponentType.Button, ComponentType.StringSelect, 5, 6, 7, 8];
  const values = fc.oneof(
    fc.array(
      fc.oneof(
        anyId(known.discord, known.memberIds),
        word,
        number,
        anyText.map((text) => text.slice(0, 100)),
      ),
      { maxLength: 4 },
    ),
    fc.constant(Array.from({ length: 300 }, (_, at) => String(at))),
  );
  return fc.tuple(anyCustomId(known, componentPrefixes), fc.constantFrom(...types), values).map(([custom_id, component_type, chosen]) => ({
    type: InteractionType.MessageComponent as const,
    data: { custom_id, component_type, ...(component_type === ComponentType.Button ? {} : { values: chosen, resolved: {} }) },
  }));
}

const FIELDS = ['title', 'text', 'lengthCap', 'guildBudget', 'memberBudget', 'guildMinutes', 'memberMinutes'];

/** A form with all its fields, or with one that does not belong to it. */
export function anyForm(known: Known): fc.Arbitrary<ComponentUse> {
  const texts = fc.tuple(...FIELDS.map(() => fc.oneof(anyText, number)));
  return fc.tuple(anyCustomId(known, formPrefixes), texts, fc.boolean()).map(([custom_id, values, isWhole]) => ({
    type: InteractionType.ModalSubmit as const,
    data: {
      custom_id,
      components: (isWhole ? FIELDS : ['other']).map((id, at) => ({
        ...{ type: ComponentType.Label, id: at + 1 },
        component: { type: ComponentType.TextInput, id: at + 100, custom_id: id, value: values[at] },
      })),
    },
  }));
}
