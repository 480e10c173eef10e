// Which commands, options, buttons, menus and forms the walk has used, of all that the source has.
import { readdirSync, readFileSync } from 'node:fs';
import { type APIApplicationCommandOption, ApplicationCommandOptionType as OptionType } from 'discord.js';
import { commands as allCommands, offeredCommands } from '../../commands/index.ts';
import type { Recorder } from './recorder.ts';

const ROOT = new URL('../../', import.meta.url);

interface Handled {
  data: { name: string; options?: readonly unknown[] };
  components?: readonly { prefix: string }[];
  modals?: readonly { prefix: string }[];
}

export function describeCoverage({ pressed, commands }: Recorder): string {
  const ids = [...pressed];
  const isUsed = (kind: string, prefix: string) =>
    ids.some((id) => id.startsWith(`${prefix}${kind}`) && /^(:|$| = )/.test(id.slice(prefix.length + kind.length)));
  const line = (kind: string, used: boolean) => `${used ? 'used    ' : 'NOT used'} ${kind}`;
  const offered: Handled[] = [...new Set([...allCommands, ...offeredCommands({ moods: true, readsMessages: true })])];
  const handlers = (field: 'components' | 'modals') =>
    [...new Set(offered.flatMap((command) => (command[field] ?? []).map(({ prefix }) => prefix)))].sort();
  const written = findWrittenIds();
  const paths = [
    ...new Set(offered.flatMap(({ data }) => listPaths(data.name, (data.options ?? []) as APIApplicationCommandOption[]))),
  ].sort();
  return [
    '',
    '#### what was used',
    '== buttons and menus, by their handlers',
    ...handlers('components').map((kind) => line(kind, isUsed(kind, ''))),
    '== forms, by their handlers',
    ...handlers('modals').map((kind) => line(kind, isUsed(kind, 'form '))),
    '== custom ids as the source writes them',
    ...written.map((kind) => line(kind, isUsed(kind, '') || isUsed(kind, 'form '))),
    '== commands and their options',
    ...paths.map((path) => line(path, commands.has(path))),
    '',
  ].join('\n');
}

/** Beginnings of custom ids: `settingsId.write({ action: 'export'` is `settings:export`. */
function findWrittenIds(): string[] {
  const files = ['src/', 'commands/'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('local/'))
      .map((file) => readFileSync(new URL(folder + file, ROOT), 'utf8')),
  );
  const text = files.join('\n');
  const prefixes = new Map([...text.matchAll(/const (\w+) = customId\('([a-z:-]+)'/g)].map(([, name = '', prefix = '']) => [name, prefix]));
  const actions = [...text.matchAll(/\b(\w+)\.write(?:IfItFits)?\(\{ (?:action|name): '([a-z-]+)'/gi)];
  return [
    ...new Set([
      ...prefixes.values(),
      ...actions.flatMap(([, name = '', action = '']) => (prefixes.has(name) ? [`${prefixes.get(name)}:${action}`] : [])),
      ...[...text.matchAll(/mineButton\([^\n]*'([a-z-]+)', id/g)].map(([, action = '']) => `voice-mine:${action}`),
    ]),
  ].sort();
}

function listPaths(name: string, options: readonly APIApplicationCommandOption[]): string[] {
  return options
    .flatMap((option) => {
      if (option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup)
        return listPaths(`${name} ${option.name}`, option.options ?? []);
      const typed = 'autocomplete' in option && option.autocomplete ? [`${name} (${option.name}…)`] : [];
      return [`${name} ${option.name}:`, ...typed];
    })
    .concat(options.some(({ type }) => type <= OptionType.SubcommandGroup) ? [] : [name]);
}
