// Commands, completions, buttons, menus and forms that no Discord client would send.

import { readFileSync } from 'node:fs';
import { type APIMessage, ApplicationCommandType, InteractionType, ApplicationCommandOptionType as OptionType } from 'discord.js';
import fc from 'fast-check';
import { commands } from '../../../commands/index.ts';
import type { MemberClient } from '../../../src/local/discord/index.ts';
import { en } from '../../../src/locales/index.ts';
import { createSettings } from '../../../src/store/settings.ts';
import { anyText } from '../../helpers/arbitrary-text.ts';
import { request } from '../../helpers/local-discord.ts';
import { filesOf, textOf } from '../../helpers/member.ts';
import { pick, type Random } from '../../helpers/random.ts';
import { anyData, callsOf } from '../any-command.ts';
import { anyComponent, anyForm, type Known } from '../any-component.ts';
import { commandIds, sendAndCheck, throwProblems } from '../commands.ts';
import { sample } from '../distort.ts';
import type { BotUnderTest, OpenTarget } from '../target.ts';

export const openInteractions: OpenTarget = async ({ main }) => {
  const { parley, discord, checker } = main;
  const ids = await commandIds(main);
  const messages = await fillChannel(main);
  const known: Known = {
    discord,
    knownIds: messages.flatMap(({ components }) =>
      [...JSON.stringify(components).matchAll(/"custom_id":"([^"]+)"/g)].map(([, id = '']) => id),
    ),
    memberIds: [parley.member.client.userId, parley.other.client.userId],
  };
  const uses = fc.oneof({ weight: 3, arbitrary: anyComponent(known) }, { weight: 1, arbitrary: anyForm(known) });
  const settings = createSettings(parley.store);

  /** Cleans up: whatever the settings, nothing that this member started goes on. */
  async function stop(client: MemberClient): Promise<void> {
    await settings.resetGuild(discord.guildId);
    for (const id of known.memberIds) await settings.resetMember(id);
    const data = { id: ids.get('1:stop'), name: 'stop', type: ApplicationCommandType.ChatInput };
    await checker.answered(
      discord.forgeInteraction(client, { channelId: discord.channelId('general'), type: InteractionType.ApplicationCommand, data }),
    );
  }

  function command(client: MemberClient, random: Random): Promise<string> {
    const chosen = pick(commands, random);
    const { name, type } = chosen.data;
    const base = { id: ids.get(`${type}:${name}`), name, type };
    let given: object;
    if (type === ApplicationCommandType.Message) {
      const target = { ...pick(messages, random), content: sample(anyText, random) };
      given = { target_id: target.id, resolved: { messages: { [target.id]: target } } };
    } else given = sample(anyData(discord, callsOf(chosen)), random);
    return sendAndCheck(main, client, { type: InteractionType.ApplicationCommand, data: { ...base, ...given } }, () => stop(client));
  }

  async function complete(client: MemberClient, random: Random): Promise<string> {
    const focused = { name: 'voice', type: OptionType.String, value: sample(anyText, random), focused: true };
    const data = { id: ids.get('1:say'), name: 'say', type: ApplicationCommandType.ChatInput, options: [focused] };
    const type = InteractionType.ApplicationCommandAutocomplete;
    throwProblems(main, await checker.completed(discord.forgeInteraction(client, { channelId: discord.channelId('general'), type, data })));
    return 'completed';
  }

  return {
    attack(random) {
      const { client } = pick([parley.member, parley.other], random);
      const way = random();
      if (way < 0.45) return command(client, random);
      if (way < 0.55) return complete(client, random);
      const message = pick(messages, random);
      putBack(main, message);
      return sendAndCheck(main, client, { ...sample(uses, random), messageId: message.id }, () => stop(client));
    },
  };
};

/** Messages with the commands' answers, and messages that no command would send. */
async function fillChannel(bot: BotUnderTest): Promise<APIMessage[]> {
  const { discord, parley } = bot;
  const { member } = parley;
  await member.listen();
  const road = readFileSync(new URL('../../fixtures/speech/road.mp3', import.meta.url));
  const answers = [
    await (await member.run('say', { text: 'Something that takes a while to say.' })).message((one) =>
      textOf(one).includes(en('say.speaking')),
    ),
    await (await member.run('voices')).message((one) => textOf(one).includes('page 1 of')),
    await (await member.run('settings')).message((message) => textOf(message) !== ''),
    await (await member.run('privacy')).message((message) => textOf(message) !== ''),
    await (await member.run('transcribe', { audio: member.upload('road.mp3', road) })).message((message) => filesOf(message).length > 0),
  ];
  const strange = [
    { embeds: [{ description: '\u200b', url: 'http://127.0.0.1:1/memo.mp3#size=10&seconds=1' }] },
    { embeds: [{ title: 'x', fields: ['mine', 'sort', 'title', 'page', '__proto__'].map((name) => ({ name, value: '\\\\`' })) }] },
  ];
  for (const message of strange) {
    const { body } = await request(discord, 'POST', `/channels/${discord.channelId('general')}/messages`, {
      ...message,
      allowed_mentions: { parse: [] },
    });
    answers.push(body as unknown as APIMessage);
  }
  const ids = answers.map(({ id }) => id);
  return structuredClone((discord.world.messages.get(discord.channelId('general')) ?? []).filter(({ id }) => ids.includes(id)));
}

/** Some buttons delete or change their message; restores it for the next one. */
function putBack({ discord }: BotUnderTest, message: APIMessage): void {
  const { messages } = discord.world;
  const others = (messages.get(message.channel_id) ?? []).filter(({ id }) => id !== message.id);
  messages.set(message.channel_id, [...others, structuredClone(message)]);
}
