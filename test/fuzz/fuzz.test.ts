// Every command with any options: what nobody would type, what does not exist, and what a client would not let through.
import { ApplicationCommandType, InteractionType, ApplicationCommandOptionType as OptionType } from 'discord.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { anyText, sampleOf } from '../helpers/arbitrary-text.ts';
import { textOf } from '../helpers/member.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { anyData, callsOf, nest } from './any-command.ts';
import { createInteractionChecker, type InteractionChecker } from './interaction-checker.ts';

const plenty = { member: Number.POSITIVE_INFINITY, guild: Number.POSITIVE_INFINITY };

let service: TestVoiceService;
let parley: Parley;
let checker: InteractionChecker;
let ids: Map<string, string>;

beforeAll(async () => {
  service = await startTestVoiceService();
  checker = createInteractionChecker();
  parley = await startParley({
    ...{ service, logTo: checker.logTo, discord: { guilds: 2 }, budgets: { speech: plenty, transcription: plenty } },
  });
  checker.watch(parley.discord);
  const known = await parley.member.client.call('commands', { channel_id: parley.discord.channelId('general') });
  ids = new Map(known.map(({ type, name, id }) => [`${type}:${name}`, id]));
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});

/** Runs the command, stops the speech, and returns the problems. */
async function run(type: InteractionType, data: object): Promise<string[]> {
  const { discord, other } = parley;
  const id = discord.forgeInteraction(other.client, { channelId: discord.channelId('general'), type, data });
  await checker.answered(id);
  await (await other.run('stop')).answered();
  return checker.ended(id);
}

it.each(commands.map((command) => [command.data.name, command] as const))('%s handles anything in its options', async (name, command) => {
  const { type } = command.data;
  const base = { id: ids.get(`${type}:${name}`), name, type };
  const calls = callsOf(command);
  const hasOptions = calls.some(({ options }) => options.length > 0);
  if (type === ApplicationCommandType.Message) {
    const message = await parley.other.send(['notes.txt', Buffer.from('no audio')]);
    for (const content of sampleOf(anyText, 0.2)) {
      const target = { ...message, content, attachments: [{ ...message.attachments[0], filename: content }] };
      const data = { ...base, target_id: message.id, resolved: { messages: { [message.id]: target } } };
      expect(await run(InteractionType.ApplicationCommand, data)).toEqual([]);
    }
  } else {
    // /say takes the longest, and has the most code behind it.
    for (const data of sampleOf(anyData(parley.discord, calls), hasOptions ? 0.2 : 0.02)) {
      const faults = await run(InteractionType.ApplicationCommand, { ...base, ...data });
      expect([...faults, ...(faults.length > 0 ? [JSON.stringify(data).slice(0, 500)] : [])]).toEqual([]);
    }
  }
  expect(checker.problems.slice(0, 3)).toEqual([]);
  await (await parley.other.run('help')).message((message) => textOf(message) !== '');
});

const completed = commands.flatMap((command) =>
  callsOf(command).flatMap((call) =>
    call.options.flatMap((option) =>
      'autocomplete' in option && option.autocomplete ? [[command.data.name, option.name, call] as const] : [],
    ),
  ),
);

it.each(completed)('/%s completes anything typed in %s', async (name, option, call) => {
  const { discord, other } = parley;
  for (const value of sampleOf(anyText)) {
    const focused = { name: option, type: OptionType.String, value, focused: true } as const;
    const id = discord.forgeInteraction(other.client, {
      channelId: discord.channelId('general'),
      type: InteractionType.ApplicationCommandAutocomplete,
      data: { id: ids.get(`1:${name}`), name, type: ApplicationCommandType.ChatInput, options: nest(call, [focused]) },
    });
    expect(await checker.completed(id)).toEqual([]);
  }
  expect(checker.problems.slice(0, 3)).toEqual([]);
});
