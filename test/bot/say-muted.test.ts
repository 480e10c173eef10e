// Members who cannot speak in a voice channel, because of a mute or a missing permission, cannot speak through the bot either.
import { PermissionFlagsBits as P } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { type Member, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';

/** Takes twenty seconds to say, unless it is ended. */
const LONG = 'one two three four five six seven eight nine ten, '.repeat(7);

describe('/say by a muted member', () => {
  const parley = useParley();
  const says = (interaction: Awaited<ReturnType<Member['run']>>, what: string) =>
    interaction.message((message) => textOf(message).includes(what));

  afterEach(async () => {
    const { discord, other, member } = parley;
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, {});
    await other.listen();
    discord.setServerMute(other.client.userId, false);
    await Promise.all([member.leaveVoice(), other.leaveVoice()]);
  });

  it('is refused while a moderator has muted them, even outside of voice channels, and works afterwards', async () => {
    const { discord, other } = parley;
    await other.listen();
    const spoken = await says(await other.run('say', { text: 'Yes.' }), openingOf('say.spoken'));
    discord.setServerMute(other.client.userId);
    expect(await (await other.run('say', { text: 'Hello' })).sentence()).toContain('A moderator muted you');
    expect(await (await other.select(spoken, en('say.moreMenu'), en('say.replay'))).sentence()).toContain('A moderator muted you');
    expect(await (await other.select(spoken, en('say.moreMenu'), en('say.sayMore'))).sentence()).toContain('A moderator muted you');
    await says(await other.run('status'), 'A moderator muted you');
    await other.leaveVoice();
    const channel = discord.channelId('Lounge');
    expect(await (await other.run('say', { text: 'Hello', channel })).sentence()).toContain('A moderator muted you');
    await other.listen();
    discord.setServerMute(other.client.userId, false);
    await other.leaveVoice();
    await says(await other.run('say', { text: 'Yes again', channel }), openingOf('say.spoken'));
  });

  it('is refused in channels where they may not speak', async () => {
    const { discord, other } = parley;
    const lounge = discord.channelId('Lounge');
    discord.setPermissions(lounge, other.client.userId, { deny: P.Speak });
    expect(await (await other.run('say', { text: 'Hello', channel: lounge })).sentence()).toContain(
      `You need the **Speak** permission in <#${lounge}>`,
    );
    await other.listen();
    expect(await (await other.run('say', { text: 'Hello' })).sentence()).toContain(`You need the **Speak** permission in <#${lounge}>`);
    const panel = await (await other.run('voices')).message((message) => textOf(message) !== '');
    const detail = await other.select(panel, en('voices.open'), 'Clara');
    await detail.answered();
    const shownVoice = await other.sees(({ id, components }) => id === panel.id && JSON.stringify(components).includes(en('voices.hear')));
    expect(await (await other.click(shownVoice, en('voices.hear'))).sentence()).toContain(
      `You need the **Speak** permission in <#${lounge}>`,
    );
  });

  it('is refused before anybody sees an answer while a moderator has muted the bot', async () => {
    const { discord, other, member } = parley;
    await other.listen();
    await says(await other.run('say', { text: 'Yes.' }), openingOf('say.spoken'));
    discord.setServerMute(discord.application.id);
    const deleted: string[] = [];
    discord.onRestRequest(({ method, path }) => {
      if (method === 'DELETE') deleted.push(path);
    });
    expect(await (await other.run('say', { text: 'Hello' })).sentence()).toContain(en('errors.voice.muted'));
    const message = await member.write('Hello');
    expect(await (await other.runOnMessage('Read this aloud', message.id)).sentence()).toContain(en('errors.voice.muted'));
    expect(deleted).toEqual([]);
    discord.setServerMute(discord.application.id, false);
    await says(await other.run('say', { text: 'Yes again' }), openingOf('say.spoken'));
  });

  it('ends only their own utterances when a moderator mutes them', async () => {
    const { discord, member, other } = parley;
    await member.listen();
    await other.listen();
    const first = await other.run('say', { text: LONG });
    await says(first, en('say.speaking'));
    const mine = await member.run('say', { text: 'Heard.' });
    await says(mine, en('say.queued', { before: 1 }));
    const second = await other.run('say', { text: 'I am not.' });
    await says(second, en('say.queued', { before: 2 }));
    discord.setServerMute(other.client.userId);
    expect(await first.sentence()).toContain('A moderator muted you');
    await says(first, openingOf('say.interrupted'));
    expect(await second.sentence()).toContain('A moderator muted you');
    await second.deleted();
    await says(mine, openingOf('say.spoken'));
  });
});
