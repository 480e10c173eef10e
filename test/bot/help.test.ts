// /help: short, with links to the commands that there are.
import { ApplicationCommandOptionType, ApplicationCommandType, ApplicationIntegrationType, InteractionContextType } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/discord/command.ts';
import { helpMessage, type KnownCommand, type Place } from '../../src/help/view.ts';
import { en } from '../../src/locales/index.ts';
import { anyCharacter, anyTranslator } from '../helpers/arbitrary-text.ts';
import { expectWithinLimits } from '../helpers/discord-limits.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { isEphemeral, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

const { GuildInstall, UserInstall } = ApplicationIntegrationType;
const known: KnownCommand[] = (commands as Command<never>[]).map(({ data }, index) => ({
  ...{ id: String(10n ** 17n + BigInt(index)), name: data.name, type: data.type },
  description: 'description' in data ? data.description : '',
  contexts: data.contexts ?? null,
  // The defaults for commands that do not specify them.
  integrationTypes: data.integration_types ?? [GuildInstall],
}));
const inGuild: Place = {
  inGuild: true,
  isAdmin: false,
  makesVoices: true,
  readsMessages: true,
  context: InteractionContextType.Guild,
  installs: [GuildInstall],
};
const admin: Place = { ...inGuild, isAdmin: true };
const helpOf = (commands: readonly KnownCommand[], place: Place) => JSON.stringify(helpMessage(en, commands, place));

describe('the help', () => {
  it('describes every command in its own words', () => {
    const help = helpOf(known, admin);
    for (const { name, id, type } of known) {
      if (type === ApplicationCommandType.ChatInput) expect(help).toMatch(new RegExp(`</${name}( \\w+)?:${id}>`));
    }
    // Discord opens no link to a command whose subcommand isn't named.
    for (const { data } of commands as Command<never>[]) {
      const options = 'options' in data ? (data.options ?? []) : [];
      const subcommands = options.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand).map(({ name }) => name);
      if (subcommands.length > 0) expect(help).toMatch(new RegExp(`</${data.name} (${subcommands.join('|')}):`));
    }
    expect(help).not.toContain('**More**');
    expect(help).toContain('**Transcribe**');
  });

  it('names commands without links if their ids are unknown', () => {
    const help = helpOf([{ id: null, name: 'say', type: ApplicationCommandType.ChatInput, description: '' }], admin);
    expect(help).toContain('`/say`');
    expect(help).not.toContain('/queue');
  });

  it('mentions reading channels aloud only where that is possible', () => {
    expect(helpOf(known, admin)).toContain('</read start:');
    expect(helpOf(known, admin)).toContain('**Stop reading this member**');
    const without = helpOf(known, { ...admin, readsMessages: false });
    expect(without).not.toContain('/read start');
    expect(without).not.toContain('Stop reading this member');
    expect(without).toContain('**Read this aloud**');
  });

  it('shows admin commands only to admins', () => {
    expect(helpOf(known, admin)).toContain('</settings:');
    expect(helpOf(known, inGuild)).not.toContain('</settings:');
  });

  it('mentions making voices only to members who may', () => {
    expect(helpOf(known, inGuild)).toContain('</voice create:');
    expect(helpOf(known, inGuild)).toContain('**Make a voice**');
    const refused = helpOf(known, { ...inGuild, makesVoices: false });
    for (const mention of ['</voice ', '**Make a voice**']) expect(refused).not.toContain(mention);
  });

  it('leaves out server commands outside of servers', () => {
    const inDm: Place = { ...inGuild, inGuild: false, context: InteractionContextType.BotDM };
    const told = helpOf(known, inDm);
    for (const name of ['say', 'transcribe', 'credit', 'voices']) expect(told).toContain(`</${name}:`);
    for (const name of ['queue', 'leave', 'status']) expect(told).not.toContain(`</${name}:`);
  });

  it.each([
    ['a group of people', InteractionContextType.PrivateChannel],
    ['direct messages with me', InteractionContextType.BotDM],
    ['a server that has me not', InteractionContextType.Guild],
  ])('offers a member who alone has installed me only what comes along with them, in %s', (_, context) => {
    const told = helpOf(known, {
      inGuild: false,
      isAdmin: false,
      makesVoices: false,
      readsMessages: true,
      context,
      installs: [UserInstall],
    });
    for (const name of ['say', 'transcribe', 'credit', 'privacy']) expect(told).toContain(`</${name}:`);
    for (const name of ['voices', 'queue', 'leave', 'status', 'settings']) expect(told).not.toContain(`/${name}`);
  });

  it('keeps to the limits, however many commands there are', () => {
    const command: fc.Arbitrary<KnownCommand> = fc.record({
      id: fc.option(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String)),
      name: fc.stringMatching(/^[a-z]{1,32}$/),
      type: fc.constantFrom(ApplicationCommandType.ChatInput, ApplicationCommandType.Message),
      description: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 100 }),
    });
    fc.assert(
      fc.property(anyTranslator, fc.array(command, { maxLength: 100 }), fc.boolean(), fc.boolean(), (t, more, isMember, isAdmin) => {
        const message = helpMessage(t, [...known, ...more], { ...inGuild, inGuild: isMember, isAdmin });
        expectWithinLimits(message);
      }),
    );
  });
});

const parley = useParley();

describe('/help', () => {
  it('answers privately, with links that open the commands, in servers and direct messages', async () => {
    const { commands: registered } = await parley.member.client.call('hello', {});
    const id = registered.find(({ name }) => name === 'say')?.id;
    for (const [where, first] of [
      [parley.other, 'Join a voice channel'],
      [await parley.other.inDm(), 'sends you a voice message'],
    ] as const) {
      const help = async () => (await where.run('help')).message((one) => textOf(one) !== '');
      // Discord may take longer to tell the ids than help waits for them.
      await expect.poll(async () => textOf(await help())).toContain(`</say:${id}>`);
      const message = await help();
      expect(isEphemeral(message)).toBe(true);
      expect(textOf(message)).toContain(first);
      expect(textOf(message)).not.toContain('</settings:');
    }
  });

  it('helps also while Discord does not tell the ids', async () => {
    await parley.restartBot();
    parley.discord.restFaults.push({ match: /GET .*commands/, times: 1, how: { status: 403 } });
    const interaction = await parley.member.run('help');
    const message = await interaction.message((one) => textOf(one) !== '');
    expect(textOf(message)).toContain('`/say`');
    expect(textOf(message)).toContain('`/settings`');
  });

  it('asks Discord for the ids once for everybody, and waits for them no longer than a few seconds', async () => {
    const { discord, member, other } = parley;
    await parley.restartBot();
    const held = Promise.withResolvers<void>();
    discord.failRest(/GET .*commands/, { until: held.promise });
    let asked = 0;
    discord.onRestRequest(({ method, path }) => {
      if (method === 'GET' && path.includes('/commands')) asked++;
    });
    const timers = holdTimers(5_000);
    const answers = [await member.run('help'), await other.run('help'), await member.run('help')];
    const isAnswered = (answer: (typeof answers)[number]) => answer.messages().some((one) => textOf(one).includes('`/say`'));
    expect(answers.filter(isAnswered)).toEqual([]);
    const answeredLate = () => {
      timers.expire();
      return answers.filter(isAnswered).length;
    };
    await expect.poll(answeredLate).toBe(3);
    held.resolve();
    const tellsIds = async () => textOf(await (await other.run('help')).message((one) => textOf(one) !== '')).includes('</say:');
    await expect.poll(tellsIds).toBe(true);
    expect(asked).toBe(1);
  });
});

describe('a member who writes to the bot directly', () => {
  it('is told once a day that it understands commands, in their language, and again once their data is deleted', async () => {
    const { member, store } = parley;
    const dm = await member.inDm();
    const hints = async () => {
      // What it answers before that has arrived by then.
      await (await dm.run('help')).message((one) => textOf(one).includes('/say'));
      const { channel_id } = await dm.write('Are you there?');
      await (await dm.run('help')).message((one) => textOf(one).includes('/say'));
      const messages = parley.discord.world.messages.get(channel_id) ?? [];
      return messages.filter((one) => /only understand commands|verstehe nur Befehle/.test(JSON.stringify(one))).length;
    };
    await dm.write('Hallo, kannst du mir bitte sagen, wie das hier funktioniert?');
    const hint = await dm.sees((one) => textOf(one).includes('Befehle'));
    expect(textOf(hint)).toBe('Ich verstehe nur Befehle. Tippe `/`, um sie zu sehen, oder nimm `/help`.');
    expect(await hints()).toBe(1);
    expect(await store.get(`direct-hint:${member.client.userId}`)).toBe(true);
    const privacy = await member.run('privacy');
    await member.click(await privacy.message((one) => textOf(one).includes('I note for a day')), 'Delete my data…');
    await member.click(await member.sees((one) => textOf(one).includes('You can’t undo this')), 'Delete');
    await expect.poll(() => store.get(`direct-hint:${member.client.userId}`)).toBeNull();
    await dm.write('Hello again, what can you do?');
    await dm.sees((one) => textOf(one).includes('only understand commands'));
  });
});
