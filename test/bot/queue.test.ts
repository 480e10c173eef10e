// The queue as members use it: /queue, /skip, /stop and /leave, and who may do what.
import { Client, PermissionFlagsBits as P, type VoiceBasedChannel } from 'discord.js';
import { describe, expect, it } from 'vitest';
import {
  BudgetError,
  createCapsLookup,
  createCreditService,
  openAccount,
  readPrices,
  toOperatorBudgets,
} from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { createPayment } from '../../src/discord/payment.ts';
import { checkRoom, playPaid } from '../../src/discord/playback.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { queueMessage } from '../../src/say/queue-view.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createSpeech } from '../../src/synthesis/index.ts';
import { createSessions, VoiceError } from '../../src/voice-session/index.ts';
import type { QueueItem } from '../../src/voice-session/types.ts';
import { isEphemeral, type Member, partsOf, textOf, textsOf } from '../helpers/member.ts';
import { connect } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';

/** Takes twenty seconds to say, unless it is ended. */
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen. '.repeat(4).trim();

describe('the queue', () => {
  const parley = useParley();

  /** Robin is heard at length, and Sam waits behind. */
  async function busy(text = 'Me too, ||in secret||.'): Promise<{ robin: MemberInteraction; sam: MemberInteraction }> {
    const { member, other } = parley;
    await member.listen();
    await other.listen();
    const robin = await member.run('say', { text: LONG });
    await robin.message((message) => textOf(message).includes(en('say.speaking')));
    const sam = await other.run('say', { text, voice: 'clara' });
    await sam.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    return { robin, sam };
  }
  type MemberInteraction = Awaited<ReturnType<Member['run']>>;
  const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

  it('is listed privately in play order, with member, voice and text', async () => {
    const { member, other } = parley;
    const { robin, sam } = await busy();
    const list = await says(await other.run('queue'), en('queue.nowPlaying'));
    expect(isEphemeral(list)).toBe(true);
    const [, playing, , next] = textsOf(list);
    expect(playing?.split('\n')).toEqual([
      `<@${member.client.userId}> · Default voice`,
      expect.stringMatching(/^One two three/),
      expect.stringMatching(/^-# About \d+ seconds? left$/),
      expect.stringMatching(/^▬*●─*$/),
    ]);
    expect(next).toBe(`**1.** <@${other.client.userId}> · Clara · about 1 second\nMe too, █████.`);
    expect(await (await other.run('skip')).sentence()).toContain('or a moderator can');
    await other.run('stop');
    await says(sam, en('say.cancelled'));
    const skip = await member.run('skip');
    await says(robin, en('say.skipped'));
    expect(textOf(await says(skip, openingOf('queue.skipped')))).toBe(en('queue.skippedOwn'));
    await says(await member.run('leave'), 'I’ve left');
    for (const command of ['queue', 'skip', 'stop', 'leave', 'dictionary export', 'voices']) {
      const options = command === 'voices' ? { title: 'no such title' } : {};
      const answer = await (await member.run(command, options)).message((message) => textOf(message) !== '');
      expect(textOf(answer)).toMatch(/^(Nothing is playing|I’m not in a voice channel|There’s nothing here yet|No voices match)/);
      // Not the colour of an error.
      expect(answer.components?.[0], command).toMatchObject({ accent_color: 0x5b7cfa });
    }
  });

  it('can be skipped and stopped by moderators, regardless of whose text it is', async () => {
    const { member, other, discord } = parley;
    const lounge = discord.channelId('Lounge');
    discord.setPermissions(lounge, other.client.userId, { allow: P.MuteMembers });
    const first = await busy(LONG);
    const skip = await other.run('skip');
    await says(first.robin, en('say.skipped'));
    expect(textOf(await says(skip, openingOf('queue.skipped')))).toBe(en('queue.skipped', { owner: member.client.userId }));
    await says(first.sam, en('say.speaking'));
    const stopped = await other.run('stop');
    await says(stopped, 'I dropped 1 text');
    await says(first.sam, en('say.stopped'));
    discord.setPermissions(lounge, other.client.userId, {});
    const second = await busy();
    expect(await (await other.run('leave')).sentence()).toContain(en('queue.othersWaiting'));
    await member.run('stop');
    await Promise.all([says(second.robin, en('say.stopped')), says(second.sam, en('say.cancelled'))]);
    await (await other.run('leave')).message((message) => textOf(message).startsWith('I’ve left'));
    expect(await (await other.run('leave')).sentence()).toContain(en('voiceChannels.botNotInVoice'));
  });

  it('is moderated by moderators of the bot’s voice channel, wherever they type', async () => {
    const { member, other, discord } = parley;
    const [general, random, lounge] = ['general', 'random', 'Lounge'].map((name) => discord.channelId(name)) as [string, string, string];
    const sam = other.client.userId;
    await member.listen();
    const interaction = await member.run('say', { text: LONG });
    const spoken = await says(interaction, en('say.speaking'));

    discord.setPermissions(general, sam, { allow: P.MuteMembers | P.ManageMessages });
    for (const refused of [
      await other.run('skip'),
      await other.click(spoken, en('say.skipButton')),
      await other.click(spoken, en('say.stopButton')),
    ])
      expect(await refused.sentence()).toContain('or a moderator can');
    expect(await (await other.run('stop')).sentence()).toContain(en('queue.nothingToStop'));
    expect(await (await other.run('leave')).sentence()).toContain(en('queue.othersWaiting'));
    discord.setPermissions(general, sam, {});

    discord.setPermissions(lounge, sam, { allow: P.ManageMessages, deny: P.ViewChannel });
    expect(await (await other.run('skip')).sentence()).toContain('or a moderator can');
    discord.setPermissions(lounge, sam, { allow: P.ManageMessages });
    await other.inChannel(random).run('skip');
    await says(interaction, en('say.skipped'));
    discord.setPermissions(lounge, sam, {});

    const again = await member.run('say', { text: LONG });
    await says(again, en('say.speaking'));
    discord.setRoles(sam, [discord.addRole('Administrators', P.Administrator)]);
    await other.inChannel(random).run('stop');
    await says(again, en('say.stopped'));
    discord.setRoles(sam, []);
  });

  it('loses one waiting text with its Cancel button, and all texts of a member with the one that is playing', async () => {
    const { member } = parley;
    const { robin, sam } = await busy();
    const waiting = [];
    for (const text of ['Number one', 'Number two']) waiting.push(await member.run('say', { text }));
    const [one, two] = waiting as [MemberInteraction, MemberInteraction];
    await member.click(await says(one, 'ahead'), en('say.cancelButton'));
    await says(one, en('say.cancelled'));
    expect(textOf((await robin.messages())[0] as never)).toContain(en('say.speaking'));
    await member.click(await says(robin, en('say.speaking')), en('say.stopButton'));
    await Promise.all([says(robin, en('say.stopped')), says(two, en('say.cancelled'))]);
    await says(sam, openingOf('say.spoken'));
  });

  it('loses a waiting text, and nothing else, with the Remove button beside it in the list', async () => {
    const { member, other } = parley;
    const { robin, sam } = await busy();
    const list = await says(await other.run('queue'), en('queue.nowPlaying'));
    const stale = await says(await other.run('queue'), en('queue.nowPlaying'));
    const removals = partsOf(list.components).filter((part) => 'label' in part && part.label === en('queue.removeButton'));
    expect(removals).toHaveLength(1);
    await other.click(list, en('queue.removeButton'));
    await says(sam, en('say.cancelled'));
    await other.sees((message) => message.id === list.id && !textOf(message).includes('Me too'));
    expect(await (await other.click(stale, en('queue.removeButton'))).sentence()).toBe(en('queue.alreadyGone'));
    expect(textOf((await robin.messages())[0] as never)).toContain(en('say.speaking'));
    await member.run('stop');
    await says(robin, en('say.stopped'));
  });

  it('has room for five texts of each member', async () => {
    const { member } = parley;
    await member.listen();
    const first = await member.run('say', { text: LONG });
    await says(first, en('say.speaking'));
    for (let place = 1; place < 5; place++)
      await says(await member.run('say', { text: `Number ${place}` }), en('say.queued', { before: place }));
    const sixth = await member.run('say', { text: 'One too many' });
    expect(await sixth.sentence()).toContain('already have 5 texts in the queue');
    expect(sixth.messages()).toHaveLength(1);
    await says(await member.run('stop'), 'I dropped 5 texts');
  });
});

describe('a full queue', () => {
  const waiting = (count: number, memberId: (place: number) => string) => ({
    items: () =>
      Array.from({ length: count }, (_, position) => ({
        ...{ id: String(position), memberId: memberId(position), position, playing: position === 0, sentSeconds: 0, queuedAt: 0 },
      })),
  });

  it('takes fifty texts in all, and five of each member', () => {
    expect(() => checkRoom(undefined, 'robin')).not.toThrow();
    expect(() => checkRoom(waiting(49, String), 'robin')).not.toThrow();
    expect(() => checkRoom(waiting(50, String), 'robin')).toThrow('queue is full: it holds 50 texts');
    expect(() =>
      checkRoom(
        waiting(5, () => 'robin'),
        'robin',
      ),
    ).toThrow('already have 5 texts in the queue');
    expect(() =>
      checkRoom(
        waiting(5, () => 'robin'),
        'sam',
      ),
    ).not.toThrow();
  });
});

describe('an utterance that is not queued', () => {
  const text = 'Hello.';

  /** What `playPaid` throws, what the utterance then rejects with, and what remains reserved of the member's budget. */
  async function refused(characters: number): Promise<{ error: unknown; cancelled: unknown; used: number }> {
    const store = openSqliteStore(':memory:');
    const api = connect('http://127.0.0.1:9');
    const account = await openAccount({ api, store, service: 'test', log: createLog('silent'), prices: readPrices(readConfig({})) });
    const credit = createCreditService({
      store,
      account,
      capsOf: createCapsLookup(toOperatorBudgets(readConfig({})), createSettings(store)),
    });
    const client = new Client<true>({ intents: [] });
    const sessions = createSessions(client);
    // Joining is no longer possible.
    await sessions.close();
    const { signal } = new AbortController();
    const utterance = createSpeech({ api, format: 'mp3' }).utterance({ text }, { signal });
    const channel = { id: '40', guildId: '30' } as VoiceBasedChannel;
    const payment = createPayment(credit, { kind: 'speech', amount: characters, guildId: '30', memberId: '20' });
    const paid = { payment, charged: utterance.charged, billed: utterance.billed };
    const error = await playPaid(sessions, { id: '10', memberId: '20', channel, stay: false, utterance, paid }).catch(
      (thrown: unknown) => thrown,
    );
    const cancelled = await utterance.ready.catch((thrown: unknown) => thrown);
    const { member } = await credit.todaysBudgets('speech', { guildId: '30', memberId: '20' });
    await store.close();
    await client.destroy();
    return { error, cancelled, used: member.used };
  }

  it('is cancelled if the budget is exceeded', async () => {
    const { error, cancelled, used } = await refused(1_000_000);
    expect(error).toBeInstanceOf(BudgetError);
    expect(cancelled).toMatchObject({ name: 'AbortError' });
    expect(used).toBe(0);
  });

  it('is cancelled if the voice channel cannot be joined, and costs nothing', async () => {
    const { error, cancelled, used } = await refused(text.length);
    expect(error).toBeInstanceOf(VoiceError);
    expect(cancelled).toMatchObject({ name: 'AbortError' });
    expect(used).toBe(0);
  });
});

describe('the list of the queue', () => {
  const items = Array.from(
    { length: 23 },
    (_, position): QueueItem => ({
      id: String(position),
      memberId: '123456789012345678',
      label: { voice: 'Clara', text: 'Hello', seconds: 3.2 },
      position,
      playing: position === 0,
      sentSeconds: 0,
      queuedAt: 0,
    }),
  );

  const nothing = () => false;

  it('is paged, ten to a page, and never shows a page that does not exist', () => {
    const pageOf = (page: number) => textsOf(queueMessage(en, items, page, nothing));
    expect(pageOf(2)).toHaveLength(12);
    expect(pageOf(2)[1]).toMatch(/^\*\*10\.\*\*/);
    expect(pageOf(2).at(-1)).toBe('-# Page 2 of 3');
    expect(pageOf(9).at(-1)).toBe('-# Page 3 of 3');
    expect(pageOf(Number.NaN).at(-1)).toBe('-# Page 1 of 3');
    expect(JSON.stringify(queueMessage(en, items.slice(0, 3), 1, nothing))).not.toContain('custom_id');
  });

  it('shows how far the current text is, and about how long the next ones are', () => {
    const at = (sentSeconds: number, seconds: number | null) => {
      const item = { ...(items[0] as QueueItem), sentSeconds, label: { voice: null, text: 'Hello', seconds } };
      return textsOf(queueMessage(en, [item], 1, nothing))[1];
    };
    expect(at(0, 10)).toBe('<@123456789012345678> · Default voice\nHello\n-# Starting…');
    expect(at(5, 10)).toBe('<@123456789012345678> · Default voice\nHello\n-# About 5 seconds left\n▬▬▬▬▬▬▬▬●───────');
    expect(at(12, 10)).toMatch(/\n-# Almost done\n▬+●$/);
    expect(at(5, null)).toBe('<@123456789012345678> · Default voice\nHello');
    expect(textsOf(queueMessage(en, items, 1, nothing))[3]).toBe('**1.** <@123456789012345678> · Clara · about 3 seconds\nHello');
  });

  it('has Skip below what is playing and Remove beside what is waiting', () => {
    const labels = partsOf(queueMessage(en, items.slice(0, 2), 1, () => true).components).flatMap((part) =>
      'label' in part ? [part.label] : [],
    );
    expect(labels).toEqual([en('say.skipButton'), en('queue.removeButton')]);
  });

  it('hides the text if it is not to be shown', () => {
    const item = { ...(items[1] as QueueItem), label: { voice: 'Clara', text: null, seconds: 3.2 } };
    expect(textsOf(queueMessage(en, [item], 1, nothing))[1]).toBe('**1.** <@123456789012345678> · Clara · about 3 seconds');
  });
});
