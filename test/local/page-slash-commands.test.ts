// Slash commands and their options on the page; the waveform of a voice message.
import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType as Type,
} from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { listSlashCommands, matchCommands, readField } from '../../src/local/discord/page/composer/slash-commands.ts';
import { decodeWaveform, encodeWaveform } from '../../src/local/discord/page/messages/waveform.ts';

function command(name: string, description: string, options: APIApplicationCommandBasicOption[] = [], type = 1): APIApplicationCommand {
  return {
    id: name,
    application_id: '1',
    version: '1',
    default_member_permissions: null,
    type,
    name,
    description,
    options,
  } as APIApplicationCommand;
}

const option = (type: Type, more: object = {}) => ({ type, name: 'it', description: 'It', ...more }) as APIApplicationCommandBasicOption;
const read = (type: Type, text: string, more?: object) => readField({ option: option(type, more), text });

describe('slash commands', () => {
  const commands = [
    command('voices', 'Page through the voices'),
    command('say', 'Speak a text', [option(Type.Boolean, { name: 'loud' }), option(Type.String, { name: 'text', required: true })]),
    command('essay', 'Write at length'),
    command('Transcribe', '', [], 3),
  ];

  test('are listed by subcommand, with its path', () => {
    const show = { type: Type.Subcommand, name: 'show', description: 'Shows it', options: [option(Type.String)] };
    const group = { type: Type.SubcommandGroup, name: 'voice', description: 'Voice', options: [{ ...show, name: 'set' }] };
    const listed = listSlashCommands([command('settings', 'All', [show, group] as never)]);
    expect(listed.map(({ title, description }) => [title, description])).toEqual([
      ['settings show', 'Shows it'],
      ['settings voice set', 'Shows it'],
    ]);
    expect(listed[1]?.path.map(({ name, type }) => [name, type])).toEqual([
      ['voice', 2],
      ['set', 1],
    ]);
    expect(listed[1]?.options.map(({ name }) => name)).toEqual(['it']);
  });

  test('are listed in the application’s order, without message commands, required options first', () => {
    const listed = listSlashCommands(commands);
    expect(listed.map(({ title }) => title)).toEqual(['voices', 'say', 'essay']);
    expect(listed[1]?.options.map(({ name }) => name)).toEqual(['text', 'loud']);
  });

  test('match by prefix first, then by any part of the name, then by the description', () => {
    const listed = listSlashCommands(commands);
    expect(matchCommands(listed, 'say').map(({ title }) => title)).toEqual(['say', 'essay']);
    expect(matchCommands(listed, 'length').map(({ title }) => title)).toEqual(['essay']);
    expect(matchCommands(listed, 'zzz')).toEqual([]);
  });

  test('say what is wrong with a value, and allow an optional one to be empty', () => {
    expect(read(Type.String, '', { required: true })).toEqual({ problem: 'This option is required.' });
    expect(read(Type.String, '')).toBeUndefined();
    expect(read(Type.String, 'abcdef', { max_length: 3 })).toEqual({ problem: '3 characters at most; these are 6.' });
    expect(read(Type.Integer, '1.5')).toEqual({ problem: 'Enter a whole number.' });
    expect(read(Type.Number, 'many')).toEqual({ problem: 'Enter a number.' });
    expect(read(Type.Integer, '0', { min_value: 1 })).toEqual({ problem: '1 or more is needed.' });
    expect(read(Type.Channel, 'nowhere')).toEqual({ problem: 'Choose one from the list.' });
  });

  test('accept numbers, booleans, and choices by name', () => {
    expect(read(Type.Number, '2,5')).toEqual({ value: 2.5 });
    expect(read(Type.String, 'subrip', { choices: [{ name: 'SubRip', value: 'srt' }] })).toEqual({ value: 'srt' });
    expect(read(Type.Boolean, 'true')).toEqual({ value: true });
  });
});

describe('a waveform', () => {
  test('has a point per tenth of a second, 256 at most, and follows the level', () => {
    const rate = 8000;
    const sound = Float32Array.from({ length: 2 * rate }, (_, at) => (at < rate ? 0 : Math.sin(at / 5)));
    const bars = decodeWaveform(encodeWaveform(sound, rate), 20);
    expect(atob(encodeWaveform(sound, rate))).toHaveLength(20);
    expect(Math.max(...bars.slice(0, 9))).toBe(0);
    expect(Math.min(...bars.slice(11))).toBeGreaterThan(0.5);
    expect(atob(encodeWaveform(new Float32Array(60 * rate), rate))).toHaveLength(256);
  });

  test('is drawn without steps if it has fewer points than bars', () => {
    const bars = decodeWaveform(btoa(String.fromCharCode(0, 255)), 8);
    expect(bars).toEqual([...bars].sort((one, other) => one - other));
    expect(new Set(bars).size).toBeGreaterThan(4);
    expect([bars.at(0), bars.at(-1)]).toEqual([0, 1]);
  });

  test('is flat if it cannot be decoded', () => {
    expect(decodeWaveform('no base64!', 3)).toEqual([0, 0, 0]);
  });
});
