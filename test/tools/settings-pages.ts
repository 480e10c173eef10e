// What readers see of the settings, made from the schema in src/config.ts: docs/settings.md and .env.example. `npm run settings` writes both.
import { writeFileSync } from 'node:fs';
import { settingGroups } from '../../src/config.ts';

const WIDTH = 120;

interface Setting {
  name: string;
  description: string;
  /** As it would be written in `.env`; empty = none. */
  byDefault: string;
}

/** Every file that is made from the schema, by its path in the repository. */
export function settingsPages(): Record<string, string> {
  const groups = Object.entries(settingGroups).map(([title, group]): [string, Setting[]] => [
    title,
    Object.entries(group).map(([name, schema]) => ({
      name,
      description: schema.description ?? '',
      byDefault: String(schema.safeParse(undefined).data ?? ''),
    })),
  ]);
  return { 'docs/settings.md': page(groups), '.env.example': example(groups) };
}

function page(groups: [string, Setting[]][]): string {
  const names = groups.map(
    ([title, list]) => `- **${title}**: ${list.map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`).join(', ')}`,
  );
  const sections = groups.map(([title, list]) => {
    const entries = list.map(({ name, description, byDefault }) => {
      const end = byDefault === '' ? '' : `\n\nDefault: \`${byDefault}\``;
      return `### ${name}\n\n${description.replaceAll(/\b[A-Z]{2,}_[A-Z_]+[A-Z]\b/g, '`$&`')}${end}`;
    });
    return [`## ${title}`, ...entries].join('\n\n');
  });
  return `${[
    '# Settings',
    '<!-- Made from src/config.ts by `npm run settings`. Change the descriptions there. -->',
    'Parley reads its settings from the environment, or from a file `.env` in the folder it is started in. `cp .env.example .env` makes one with every setting, all of them empty. An empty value means the default. If a value is wrong, Parley says so at the start, in one line, and exits.',
    'With nothing set, Parley runs against the local Discord and the local voice service. [For admins](admins.md) says what admins can change for their server.',
    names.join('\n'),
    ...sections,
  ].join('\n\n')}\n`;
}

function example(groups: [string, Setting[]][]): string {
  const sections = groups.map(([title, list]) => {
    const entries = list.map(({ name, description, byDefault }) => {
      const comment = byDefault === '' ? description : `${description} Default: ${byDefault}`;
      return [...wrap(comment), `${name}=`].join('\n');
    });
    return [`# ${title}`, '', ...entries].join('\n');
  });
  const head = [
    'Every setting of Parley. Copy this file to .env and fill in what you need. An empty value means the default.',
    'With nothing set, Parley runs against the local Discord and the local voice service.',
    'Made from src/config.ts by `npm run settings`.',
  ].map((line) => `# ${line}`);
  return `${[head.join('\n'), ...sections].join('\n\n')}\n`;
}

/** Lines of a comment, each at most as wide as the file. */
function wrap(text: string): string[] {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > WIDTH) lines.push(`# ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

if (import.meta.main)
  for (const [path, text] of Object.entries(settingsPages())) writeFileSync(new URL(`../../${path}`, import.meta.url), text);
