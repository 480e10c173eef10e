// A command is continued that another process has begun and handed over. On a real interaction of the local Discord.
import { once } from 'node:events';
import { ApplicationCommandType, type ChatInputCommandInteraction, Events, MessageFlags } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { createDispatcher } from '../../src/bot/dispatch.ts';
import { createAccess } from '../../src/discord/access.ts';
import type { InteractionContext, SlashCommand } from '../../src/discord/command.ts';
import { UserError } from '../../src/discord/errors.ts';
import { createLog } from '../../src/log.ts';
import type { CommandOutcome } from '../../src/monitoring/observers.ts';
import { deriveSealingKey, openSqliteStore } from '../../src/store/index.ts';
import { createSettings, type Settings } from '../../src/store/settings.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';
import { memberOf } from '../helpers/member.ts';

type Context = { settings: Settings } & InteractionContext;
type Resume = NonNullable<SlashCommand<Context>['resume']>;

const data = { type: ApplicationCommandType.ChatInput, name: 'sing', description: 'Sings' } as const;
const claim = async () => true;

/** A dispatcher with /sing, which a member has just run: it is begun by nobody, and continued by `resume`. */
async function openDispatcher(resume?: Resume) {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  await client.application.commands.set([data]);
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  const settings = createSettings(store);
  const ended: [string, CommandOutcome][] = [];
  const run = async () => expect.unreachable('it is begun again');
  const command: SlashCommand<Context> = { data, run, ...(resume && { resume }) };
  const dispatcher = createDispatcher<{ settings: Settings }>({
    ...{ commands: [command], features: { settings }, access: createAccess({}), store, sealingKey: deriveSealingKey('token', 'replies') },
    ...{ log: createLog('silent'), signal: new AbortController().signal, onEnd: (...end) => ended.push(end) },
  });
  const member = memberOf(discord, 'Robin');
  const created = once(client, Events.InteractionCreate) as Promise<[ChatInputCommandInteraction<'cached'>]>;
  const seen = await member.run('sing');
  const [interaction] = await created;
  return { dispatcher, interaction, seen, settings, ended };
}

it('is continued with what was handed over, in the server’s language of now', async () => {
  const given: unknown[] = [];
  const { dispatcher, interaction, seen, settings, ended } = await openDispatcher(async (one, { publicT }, handedOver, how) => {
    given.push(one, handedOver, how.claim);
    await one.reply(publicT('say.skipButton'));
  });
  await settings.changeGuild(interaction.guildId, (guild) => ({ ...guild, language: 'de' }));
  await dispatcher.resume(interaction, { verse: 2 }, claim);
  expect(given).toEqual([interaction, { verse: 2 }, claim]);
  expect((await seen.message(() => true)).content).toBe('Überspringen');
  expect(ended).toEqual([['sing', 'done']]);
});

it('leaves what its command can’t continue to whoever starts on the interaction next', async () => {
  const { dispatcher, interaction, ended } = await openDispatcher();
  await dispatcher.resume(interaction, {}, claim);
  expect(ended).toEqual([]);
  expect(interaction.replied).toBe(false);
  expect(dispatcher.claim(interaction.id)).toBe(true);
  expect(dispatcher.claim(interaction.id)).toBe(false);
});

it('answers a failure while it is continued', async () => {
  const { dispatcher, interaction, seen, ended } = await openDispatcher(async (one) => {
    await one.deferReply({ flags: MessageFlags.Ephemeral });
    throw new UserError(() => 'The song is forgotten.');
  });
  await dispatcher.resume(interaction, {}, claim);
  expect(await seen.sentence()).toBe('The song is forgotten.');
  expect(ended).toEqual([['sing', 'refused']]);
});

it('counts as running in its server until it has ended, also after the bot has been told to stop', async () => {
  const singing = Promise.withResolvers<void>();
  const { dispatcher, interaction, ended } = await openDispatcher(async (one) => {
    await one.reply('La');
    await singing.promise;
  });
  dispatcher.stop();
  const resumed = dispatcher.resume(interaction, {}, claim);
  await dispatcher.current((guildId) => guildId !== interaction.guildId);
  const current = dispatcher.current((guildId) => guildId === interaction.guildId).then(() => ended.length);
  const settled = dispatcher.settled().then(() => ended.length);
  singing.resolve();
  expect(await Promise.all([current, settled])).toEqual([1, 1]);
  await resumed;
});

it('lets whoever continues it go on once it is queued, long before it has ended', async () => {
  const singing = Promise.withResolvers<void>();
  const { dispatcher, interaction, ended } = await openDispatcher(async (one, _, __, { onStart }) => {
    await one.reply('La');
    onStart();
    await singing.promise;
  });
  await dispatcher.resume(interaction, {}, claim);
  expect(ended).toEqual([]);
  singing.resolve();
  await dispatcher.settled();
  expect(ended).toEqual([['sing', 'done']]);
});
