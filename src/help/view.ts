// The message of /help: the first steps, and every command with a link to it.
import { ApplicationCommandType, type ApplicationIntegrationType, bold, type InteractionContextType, inlineCode } from 'discord.js';
import { type CardMessage, card, cards, separator, text } from '../discord/cards.ts';
import type { KeyIn, Translator } from '../locales/index.ts';

/** A command as Discord knows it; the id is null if Discord could not be asked. */
export interface KnownCommand {
  id: string | null;
  name: string;
  type: ApplicationCommandType;
  description: string;
  /** Where it can be used; null or absent = everywhere. */
  contexts?: readonly InteractionContextType[] | null;
  /** Installed to servers, users or both; null or absent = both. */
  integrationTypes?: readonly ApplicationIntegrationType[] | null;
}

/** Where /help was used. */
export interface Place {
  /** In a guild the bot is a member of? */
  inGuild: boolean;
  isAdmin: boolean;
  /** May this member make voices here? */
  makesVoices: boolean;
  /** Can channels be read aloud? */
  readsMessages: boolean;
  context: InteractionContextType;
  /** How the bot is installed here. In direct messages with the bot, any guild counts. */
  installs: readonly ApplicationIntegrationType[];
}

type Group = KeyIn<'help.groups'>;

/** Commands that the locales describe. */
const DESCRIBED = [
  ...(['say', 'read', 'queue', 'skip', 'stop', 'leave', 'transcribe', 'captions'] as const),
  ...(['voices', 'voice', 'dictionary', 'status', 'credit', 'privacy', 'help', 'settings'] as const),
];

/** Commands on messages and members, which help explains in sentences of their own. */
const CONTEXT_COMMANDS = [
  'Transcribe',
  'Make a voice',
  'Read this aloud',
  'Stop reading this member',
] as const satisfies KeyIn<'help.contextCommands'>[];

/** Commands by name, in the order in which they are shown. */
const GROUPS: [Group, string[]][] = [
  ['speaking', ['say', 'read', 'Read this aloud', 'queue', 'skip', 'stop', 'leave']],
  ['listening', ['transcribe', 'Transcribe', 'captions']],
  ['voices', ['voices', 'voice', 'Make a voice', 'dictionary']],
  ['about', ['status', 'credit', 'privacy', 'help']],
  ['admins', ['settings', 'Stop reading this member']],
];

/** Commands for members who may make voices. */
const FOR_VOICE_MAKERS = ['voice', 'Make a voice'];

/** Only where channels can be read. */
const FOR_READING = ['read', 'Stop reading this member'];

/** Subcommands that links lead to: a command that has any can't be run without one. */
const FIRST_SUBCOMMANDS: Record<string, string> = { voice: 'create', read: 'start', captions: 'start', dictionary: 'add' };

/** At most so many further commands are shown, to keep the message within Discord's limits. */
const MAX_MORE = 10;

/** Lists the commands that can be used in this place; only admins see those for admins. */
export function helpMessage(t: Translator, registered: readonly KnownCommand[], place: Place): CardMessage {
  const usable = registered.filter(
    ({ name, contexts, integrationTypes }) =>
      (place.makesVoices || !FOR_VOICE_MAKERS.includes(name)) &&
      (place.readsMessages || !FOR_READING.includes(name)) &&
      (contexts?.includes(place.context) ?? true) &&
      (integrationTypes?.some((type) => place.installs.includes(type)) ?? true),
  );
  const mention = (name: string) => {
    const found = usable.find((one) => one.name === name && one.type === ApplicationCommandType.ChatInput);
    const subcommand = FIRST_SUBCOMMANDS[name];
    const path = subcommand === undefined ? name : `${name} ${subcommand}`;
    return found?.id ? (`</${path}:${found.id}>` as const) : inlineCode(`/${path}`);
  };
  const lineOf = ({ name, type, description }: KnownCommand) =>
    type === ApplicationCommandType.ChatInput
      ? t('help.line', { mention: mention(name), description: describe(t, name) ?? description })
      : describeContext(t, name);
  const group = (name: Group, commands: readonly KnownCommand[]) =>
    commands.length > 0 ? text([bold(t(`help.groups.${name}`)), ...commands.map(lineOf)].join('\n')) : null;
  const grouped = GROUPS.flatMap(([, names]) => names);
  const others = usable.filter(({ name, type }) => !grouped.includes(name) && type === ApplicationCommandType.ChatInput);

  return cards(
    card(
      'neutral',
      text(t('help.intro')),
      text(
        place.inGuild
          ? `${bold(t('help.stepsTitle'))}\n${t('help.steps', { say: mention('say'), voices: mention('voices') })}`
          : t('help.asVoiceMessage', { say: mention('say') }),
      ),
      separator(),
      ...GROUPS.filter(([name]) => name !== 'admins' || place.isAdmin).map(([name, names]) =>
        group(
          name,
          names.flatMap((wanted) => usable.find((one) => one.name === wanted) ?? []),
        ),
      ),
      group('more', others.slice(0, MAX_MORE)),
    ),
  );
}

/** All commands without their ids, for when Discord cannot be asked. */
export function listCommandNames(): KnownCommand[] {
  const type = (name: string) => (/^[A-Z]/.test(name) ? ApplicationCommandType.Message : ApplicationCommandType.ChatInput);
  return GROUPS.flatMap(([, names]) => names.map((name) => ({ id: null, name, type: type(name), description: '' })));
}

/** A command's description in the member's language; null for commands that the locales don't describe. */
function describe(t: Translator, name: string): string | null {
  const known = DESCRIBED.find((one) => one === name);
  return known === undefined ? null : t(`commands.${known}.description`);
}

/** How to use a command on a message or a member. */
function describeContext(t: Translator, name: string): string {
  const known = CONTEXT_COMMANDS.find((one) => one === name);
  return known === undefined ? bold(name) : t(`help.contextCommands.${known}`, { name });
}
