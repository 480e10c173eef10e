// The message of /help: the first steps, and every command with a link to it.
import { ApplicationCommandType, type ApplicationIntegrationType, bold, type InteractionContextType, inlineCode } from 'discord.js';
import { type CardMessage, card, cards, separator, text } from '../discord/cards.ts';
import type { DescribedCommand } from '../locales/command-texts.ts';
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

/** A command on a message or a member, which help explains in a sentence of its own. */
type ContextCommand = KeyIn<'help.contextCommands'>;

/** Commands by name, in the order in which they are shown. */
const GROUPS: readonly [Group, (DescribedCommand | ContextCommand)[]][] = [
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
    const command = usable.find((candidate) => candidate.name === name && candidate.type === ApplicationCommandType.ChatInput);
    const subcommand = FIRST_SUBCOMMANDS[name];
    const path = subcommand === undefined ? name : `${name} ${subcommand}`;
    return command?.id ? (`</${path}:${command.id}>` as const) : inlineCode(`/${path}`);
  };
  const isUsable = (wanted: string) => usable.some(({ name }) => name === wanted);
  const line = (name: string, description: string) => t('help.line', { mention: mention(name), description });
  const lineOf = (name: DescribedCommand | ContextCommand) =>
    isContextCommand(name) ? t(`help.contextCommands.${name}`, { name }) : line(name, t(`commands.${name}.description`));
  const group = (name: Group, lines: readonly string[]) =>
    lines.length > 0 ? text([bold(t(`help.groups.${name}`)), ...lines].join('\n')) : null;
  const grouped = new Set<string>(GROUPS.flatMap(([, names]) => names));
  const others = usable.filter(({ name, type }) => !grouped.has(name) && type === ApplicationCommandType.ChatInput);

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
        group(name, names.filter(isUsable).map(lineOf)),
      ),
      group(
        'more',
        others.slice(0, MAX_MORE).map(({ name, description }) => line(name, description)),
      ),
    ),
  );
}

/** All commands without their ids, for when Discord cannot be asked. */
export function listCommandNames(): KnownCommand[] {
  const type = (name: DescribedCommand | ContextCommand) =>
    isContextCommand(name) ? ApplicationCommandType.Message : ApplicationCommandType.ChatInput;
  return GROUPS.flatMap(([, names]) => names.map((name) => ({ id: null, name, type: type(name), description: '' })));
}

/** Discord takes capitals in these names only. */
function isContextCommand(name: DescribedCommand | ContextCommand): name is ContextCommand {
  return /^\p{Lu}/u.test(name);
}
