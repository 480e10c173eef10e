// Which commands, options, buttons, menus and forms the walk has used, of all that the source has.
import { readdirSync, readFileSync } from 'node:fs';
import { type APIApplicationCommandOption, ApplicationCommandOptionType as OptionType } from 'discord.js';
import { commands as allCommands, offeredCommands } from '../../commands/index.ts';
import type { Recorder } from './recorder.ts';

const ROOT = new URL('../../', import.meta.url);

interface Handled {
  data: { name: string; options?: readonly unknown[] };
  components?: object;
  modals?: object;
}

export function describeCoverage({ pressed, commands }: Recorder): string {
  const ids = [...pressed];
  const isUsed = (kind: string, prefix: string) =>
    ids.some((id) => id.startsWith(`${prefix}${kind}`) && /^(:|$| = )/.test(id.slice(prefix.length + kind.length)));
  const line = (kind: string, used: boolean) => `${used ? 'used    ' : 'NOT used'} ${kind}`;
  const offered: Handled[] = [...new Set([...allCommands, ...offeredCommands({ moods: true, readsMessages: true })])];
  const handlers = (field: 'components' | 'modals') => [...new Set(offered.flatMap((command) => Object.keys(command[field] ?? {})))].sort();
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

/** Beginnings of custom ids: `customId('settings', 'export'` is `settings:export`. */
function findWrittenIds(): string[] {
  const found = new Set<string>();
  for (const folder of ['src/', 'commands/'])
    for (const file of readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.startsWith('local/')) continue;
      const text = readFileSync(new URL(folder + file, ROOT), 'utf8');
      for (const [, name = '', action] of text.matchAll(/(?:customId|voiceOptionsId)\(\s*'([a-z-]+)'(?:,\s*'([a-z-]+)')?/g))
        found.add(action === undefined ? name : `${name}:${action}`);
      for (const [, id = ''] of text.matchAll(/'(voice-mine:[a-z-]+)'/g)) found.add(id);
      for (const [, id = ''] of text.matchAll(/menuOf\('([a-z-]+)'/g)) found.add(id);
    }
  return [...found].sort();
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
