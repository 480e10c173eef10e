// What a start must not make: the first object of Intl takes 6 MB, and an idle bot needs none; nor does it need any language.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const bot = new URL('../../src/bot/bot.ts', import.meta.url);
const commands = new URL('../../commands/index.ts', import.meta.url);

/** Prints what of Intl is used, and which language is read, while the bot's code is loaded. */
const watched = `
  const used = [];
  const note = (name, original) => function (...args) {
    used.push(name);
    return new.target ? Reflect.construct(original, args) : Reflect.apply(original, this, args);
  };
  for (const name of Object.getOwnPropertyNames(Intl)) if (/^[A-Z]/.test(name)) Intl[name] = note(name, Intl[name]);
  for (const type of [Number, Date]) type.prototype.toLocaleString = note('toLocaleString', type.prototype.toLocaleString);
  String.prototype.localeCompare = note('localeCompare', String.prototype.localeCompare);
  const { default: fs } = await import('node:fs');
  const { syncBuiltinESMExports } = await import('node:module');
  const { readFileSync } = fs;
  fs.readFileSync = (file, ...rest) => {
    if (/src.locales.[^.]+[.]json$/.test(String(file))) used.push(String(file));
    return readFileSync(file, ...rest);
  };
  syncBuiltinESMExports();
  await import(${JSON.stringify(bot)});
  await import(${JSON.stringify(commands)});
  console.log(JSON.stringify(used));
`;

test('loading the bot makes nothing of Intl, and reads no language', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', watched]);
  expect(JSON.parse(stdout)).toEqual([]);
});
