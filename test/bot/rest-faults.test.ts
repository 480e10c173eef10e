// REST faults: answers still arrive, exactly once, or the member is told; and queued speech is heard.
import { type APIMessage, Routes } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { filesOf, isEphemeral, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';

const parley = useParley();
const EDIT = /^PATCH .*\/messages\/@original/;
const FIRST_ANSWER = /^POST .*\/callback/;

afterEach(() => {
  parley.discord.restFaults.length = 0;
  setTimeoutTo(() => TIMEOUT_MS);
});

/** Milliseconds for which discord.js waits for Discord. */
const TIMEOUT_MS = 15_000;

/** @param timeout asked before each request */
function setTimeoutTo(timeout: () => number): void {
  Object.defineProperty(parley.bot().client.rest.options, 'timeout', { configurable: true, get: timeout });
}

/** How often requests may still fail. */
const faultsLeft = () => parley.discord.restFaults.reduce((sum, { times }) => sum + times, 0);
type MemberInteraction = Awaited<ReturnType<typeof parley.member.run>>;
const firstPage = (interaction: MemberInteraction) => interaction.message((message) => textOf(message).includes('page 1 of'));
const spoken = (interaction: MemberInteraction) => interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
/** Answers in public first, and then with the file. */
const sayAsFile = () => parley.member.run('say', { text: 'Here.', send_as: 'file' });

async function beginToSpeak(text = 'One two three four.'): Promise<MemberInteraction> {
  await parley.member.listen();
  const interaction = await parley.member.run('say', { text });
  await interaction.message((message) => textOf(message).includes(en('say.speaking')));
  return interaction;
}

describe('a first answer', () => {
  it.each(['reset', 'reset after', 'hang'] as const)('that is lost (%s) is repeated in time, exactly once', async (how) => {
    parley.discord.failRest(FIRST_ANSWER, how);
    const interaction = await parley.member.run('voices');
    await firstPage(interaction);
    expect(faultsLeft()).toBe(0);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('that has arrived counts, though its confirmation is lost, and so is the answer to its repetition', async () => {
    parley.discord.failRest(FIRST_ANSWER, 'reset after', 2);
    const interaction = await parley.member.run('voices');
    await firstPage(interaction);
    expect(faultsLeft()).toBe(0);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('to /say whose confirmation is lost does not affect the speech', async () => {
    await parley.member.listen();
    parley.discord.failRest(FIRST_ANSWER, 'reset after');
    const interaction = await parley.member.run('say', { text: 'Here.' });
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(faultsLeft()).toBe(0);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('that Discord refuses with 500 is repeated', async () => {
    parley.discord.failRest(FIRST_ANSWER, { status: 500 });
    await firstPage(await parley.member.run('voices'));
  });

  it('that takes longer than 3 s fails: Discord reports it, nothing is heard, and the next command is answered', async () => {
    const { member, discord } = parley;
    const receiver = await member.listen();
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    discord.failRest(FIRST_ANSWER, { until });
    const interaction = await member.run('say', { text: 'Nobody waits for this. '.repeat(10) });
    discord.expireInteractions('initial responses');
    letGo();
    expect(await interaction.failed()).toContain('did not respond');
    await firstPage(await member.run('voices'));
    await expect.poll(async () => textOf(await (await member.run('queue')).message(() => true))).toContain(en('queue.empty'));
    expect(interaction.messages()).toEqual([]);
    // All of it would be 700.
    expect(receiver.frames().length).toBeLessThan(350);
  });
});

it('a reply whose first response was sent twice, so that nobody knows its id, is noted all the same, and corrected after a kill', async () => {
  const { member, discord, store } = parley;
  await member.listen();
  discord.failRest(FIRST_ANSWER, 'reset after');
  const interaction = await member.run('say', { text: 'One two three four five. '.repeat(10) });
  await interaction.message((message) => textOf(message).includes('Speaking now'));
  expect(await store.list('reply:')).toHaveLength(1);
  // As the next process would.
  await parley.bot().correctReplies();
  await interaction.message((message) => textOf(message).includes('I restarted before this was finished'));
  await member.run('stop');
  await expect.poll(() => store.list('reply:')).toEqual([]);
});

describe('a changed answer', () => {
  it.each(['reset', 'reset after', 'hang'] as const)('that is lost (%s) is sent again', async (how) => {
    let interaction: MemberInteraction | undefined;
    // One second in place of 15, for nothing but the change that is lost: on a busy machine, others may take as long.
    setTimeoutTo(() => (interaction?.messages().length && faultsLeft() > 0 ? 1000 : TIMEOUT_MS));
    parley.discord.failRest(EDIT, how);
    interaction = await sayAsFile();
    await interaction.message((message) => filesOf(message).length > 0);
    expect(faultsLeft()).toBe(0);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('that is lost repeatedly is given up, and the member is told', async () => {
    parley.discord.failRest(EDIT, 'reset', 1000);
    const interaction = await sayAsFile();
    expect(await interaction.sentence()).toMatch(/Reference `[0-9a-f]{8}`/);
    await interaction.deleted();
    // Four attempts; on a busy machine, those of the test before this one may not have ended.
    expect(1000 - faultsLeft()).toBeLessThanOrEqual(8);
  });

  it('that Discord refuses with 500 is sent again; if the refusals continue, the member is told', async () => {
    parley.discord.failRest(EDIT, { status: 500 }, 2);
    await firstPage(await parley.member.run('voices'));
    parley.discord.failRest(EDIT, { status: 503 }, 100);
    const interaction = await sayAsFile();
    expect(await interaction.sentence()).toMatch(/^Discord is having problems[\s\S]*Status 503/);
    await interaction.deleted();
  });

  it('waits if Discord asks for a short while (429)', async () => {
    parley.discord.failRest(EDIT, { status: 429, retryAfterSeconds: 0.3 });
    await firstPage(await parley.member.run('voices'));
    expect(faultsLeft()).toBe(0);
  });

  it('fails if Discord asks for longer than anybody waits (429), and tells the member until when', async () => {
    parley.discord.failRest(EDIT, { status: 429, retryAfterSeconds: 600 }, 100);
    const interaction = await sayAsFile();
    expect(await interaction.sentence()).toMatch(/^I’ve hit one of Discord’s limits\. Try again <t:\d+:R>\./);
    await interaction.deleted();
    parley.discord.restFaults.length = 0;
    await firstPage(await parley.member.run('voices'));
  });

  it.each([
    ['429 for long', { status: 429, retryAfterSeconds: 600 }],
    ['500', { status: 500 }],
  ])('of a /say does not keep its sound from being heard when it fails (%s), nor the next change from being made', async (_, how) => {
    await parley.member.listen();
    // discord.js sends four times what fails with 500.
    parley.discord.failRest(EDIT, how, how.status === 500 ? 4 : 1);
    const interaction = await parley.member.run('say', { text: 'Heard.' });
    await spoken(interaction);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('of a /say that could never be sent is replaced by a message to the member', async () => {
    await parley.member.listen();
    parley.discord.failRest(EDIT, { status: 429, retryAfterSeconds: 600 }, 100);
    const interaction = await parley.member.run('say', { text: 'Heard.' });
    expect(await interaction.sentence()).toMatch(/^I’ve hit one of Discord’s limits/);
    await interaction.deleted();
  });
});

describe('after the 15 minutes of an interaction', () => {
  it('the outcome is reported anyway', async () => {
    const interaction = await beginToSpeak();
    parley.discord.expireInteractions('tokens');
    const end = await spoken(interaction);
    expect(JSON.stringify(end.components)).not.toContain('say-stop');
  });

  it('the sound and the queue go on if the bot cannot see the channel', async () => {
    const { discord, member } = parley;
    const interaction = await beginToSpeak('one two three four five six seven eight nine ten, '.repeat(5));
    const next = await member.run('say', { text: 'Next.' });
    await next.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    discord.setPermissions(discord.channelId('general'), discord.application.id, { deny: 1n << 10n });
    discord.expireInteractions('tokens');
    await member.run('skip');
    await expect.poll(async () => textOf(await (await member.run('queue')).message(() => true))).toContain(en('queue.empty'));
    expect(
      [interaction, next]
        .flatMap((one) => one.messages())
        .map(textOf)
        .join(),
    ).not.toMatch(/Skipped|Spoken \(/);
    discord.setPermissions(discord.channelId('general'), discord.application.id, {});
    await spoken(await member.run('say', { text: 'Here.' }));
  });
});

it('a message that names somebody notifies nobody unless it says so, sent or edited by whatever means', async () => {
  const { member, other, discord, bot } = parley;
  const { rest, channels } = bot().client;
  // In a channel of its own: Discord lets the sixth message in a few seconds wait.
  const channelId = discord.channelId('random');
  const body = { content: `<@${member.client.userId}> <@${other.client.userId}>` };
  for (const files of [{}, { files: [{ name: 'a.txt', data: Buffer.from('a') }] }]) {
    const sent = (await rest.post(Routes.channelMessages(channelId), { body, ...files })) as APIMessage;
    expect(sent.mentions).toEqual([]);
    const edited = (await rest.patch(Routes.channelMessage(sent.channel_id, sent.id), { body, ...files })) as APIMessage;
    expect(edited.mentions).toEqual([]);
  }
  const channel = await channels.fetch(channelId);
  if (!channel?.isSendable()) throw new Error('the channel is gone');
  expect((await channel.send(body)).mentions.users.size).toBe(0);
  expect((await channel.send({ ...body, allowedMentions: { users: [other.client.userId] } })).mentions.users.size).toBe(1);
});

describe('a message that is deleted under us', () => {
  it('does not affect its sound, and the next in the queue is heard and reported', async () => {
    const { member } = parley;
    const interaction = await beginToSpeak();
    const next = await member.run('say', { text: 'Next.' });
    const [message] = interaction.messages();
    await member.client.call('delete_message', { channel_id: message?.channel_id ?? '', message_id: message?.id ?? '' });
    await spoken(next);
    expect(interaction.messages()).toEqual([]);
  });

  it('while its next page is sent is reported only to the member', async () => {
    const { member, discord } = parley;
    const message = await firstPage(await member.run('voices'));
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    discord.failRest(EDIT, { until });
    const clicked = await member.click(message, 'Next');
    await clicked.answered();
    await member.client.call('delete_message', { channel_id: message.channel_id, message_id: message.id });
    letGo();
    expect(await clicked.sentence()).toContain(en('general.expiredMessage'));
    expect(clicked.messages().every(isEphemeral)).toBe(true);
  });
});
