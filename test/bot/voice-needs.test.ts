// Several features in one voice channel: whoever ends or moves asks first who else needs the bot there.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import type { Need, Session } from '../../src/voice-session/types.ts';
import { textOf } from '../helpers/member.ts';
import { by, hang, openVoiceFixture, utteranceOf } from '../helpers/voice-fixture.ts';
import { useReadingBot } from './reading-bot.ts';

/** Lasts until it is ended. */
const silently = (signal: AbortSignal): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => hang(signal) }),
});

/** Begins to need the bot in the session's channel, and returns what ends that. */
const begin: Record<Need, (session: Session) => () => void> = {
  speech(session) {
    const playback = session.enqueue(utteranceOf(silently), { ...by(), background: true });
    return () => void session.remove(playback.id);
  },
  captions(session) {
    const release = session.expectHearing();
    return () => {
      release();
      session.leaveUnneeded();
    };
  },
  reading(session) {
    session.setRead(true);
    return () => session.setRead(false);
  },
  stay(session) {
    session.setStay(true);
    return () => {
      session.setStay(false);
      session.leaveUnneeded();
    };
  },
};
const needs = Object.keys(begin) as Need[];

describe('a voice channel', () => {
  it('is left when the last one that needs it ends, whichever that is, and not before', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture({ joinDelaysMs: needs.map(() => 0) });
    await listen('Robin');
    for (const last of needs) {
      const session = sessions.join(lounge);
      await session.ready;
      const ends = new Map(needs.map((need) => [need, begin[need](session)]));
      for (const need of needs) if (need !== last) ends.get(need)?.();
      await expect.poll(() => session.neededBy).toEqual([last]);
      session.leaveUnneeded();
      expect(sessions.get(lounge.guildId), last).toBe(session);
      ends.get(last)?.();
      await expect.poll(() => sessions.get(lounge.guildId), { message: `after ${last}` }).toBeUndefined();
    }
  });

  it('isn’t left for another one while it is spoken or heard in, nor, by captions and reading, while people are read to', async () => {
    const { sessions, lounge, workshop, listen } = await openVoiceFixture();
    const listener = await listen('Robin');
    const kept: string[] = [];
    const tryToMove = (need: Need, sparesReading: boolean, who: string) => {
      const session = sessions.join(lounge);
      const end = begin[need](session);
      try {
        expect(sessions.join(workshop, { sparesReading }).channelId).toBe(workshop.id);
      } catch {
        kept.push(`${need} from ${who}`);
      }
      end();
    };
    for (const need of needs) {
      tryToMove(need, false, 'speech');
      sessions.get(lounge.guildId)?.leave();
      tryToMove(need, true, 'captions');
      sessions.get(lounge.guildId)?.leave();
    }
    expect(kept).toEqual([
      'speech from speech',
      'speech from captions',
      'captions from speech',
      'captions from captions',
      'reading from captions',
    ]);
    await listener.member.call('join_voice', { channel_id: null });
    await expect.poll(() => lounge.members.size).toBe(0);
    const session = sessions.join(lounge);
    session.setRead(true);
    expect(sessions.join(workshop, { sparesReading: true })).toBe(session);
    expect(session.neededBy, 'it is the other channel that is read').toEqual([]);
  });

  it('is left once the background speech has ended that was left when nobody else needed it, but not at once after other speech', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    await listen('Robin');
    const session = sessions.join(lounge);
    session.setRead(true);
    const other = session.enqueue(utteranceOf(silently), by());
    session.setRead(false);
    session.remove(other.id);
    await other.finished;
    expect(sessions.get(lounge.guildId)).toBe(session);
    expect(session.neededBy).toEqual([]);
  });
});

const bot = useReadingBot();

describe('captions and reading', () => {
  const workshop = () => bot.discord.channelId('Workshop');
  const whereIsIt = () => bot.discord.world.firstGuild.voiceStates.get(bot.discord.application.id)?.channel_id ?? null;
  const settings = () => createSettings(bot.store);
  const run = (command: string, channelId = bot.general) => bot.member.inChannel(channelId).run(command);
  /** Resolves once they have been announced: until then, what is being said keeps the bot there. */
  async function startCaptions(channelId: string): Promise<void> {
    const announced = () => bot.service.spoken.filter(({ text }) => text.includes('Captions are on')).length;
    const before = announced();
    expect(await (await run('captions start', channelId)).sentence()).toContain('Captions are on');
    expect(whereIsIt()).toBe(channelId);
    await expect.poll(announced).toBe(before + 1);
    await expect.poll(async () => (await run('queue')).sentence(), { interval: 200 }).toContain(en('queue.empty'));
  }
  const areCaptionsOn = async () => textOf(await (await run('captions start', workshop())).message((one) => textOf(one) !== ''));

  beforeEach(async () => {
    await settings().resetGuild(bot.discord.guildId);
    await bot.store.deleteAll('reading-silent:');
    await bot.member.client.call('join_voice', { channel_id: bot.lounge });
    await bot.startReading();
    onTestFinished(async () => {
      await (await run('captions stop', bot.lounge)).sentence();
    });
  });

  it('in one channel end one after the other: captions go on after /read stop and after a channel is no longer always read', async () => {
    const { discord, general, lounge } = bot;
    await startCaptions(lounge);
    await settings().changeGuild(discord.guildId, (before) => ({
      ...before,
      reading: { ...before.reading, always: [{ textChannelId: discord.channelId('random'), voiceChannelId: lounge }] },
    }));
    await settings().changeGuild(discord.guildId, (before) => ({ ...before, reading: { ...before.reading, always: [] } }));
    await (await run('read stop')).message((one) => textOf(one).includes(`turned off reading aloud for <#${general}>`));
    expect(await areCaptionsOn()).toContain(`I’m captioning in <#${lounge}>`);
    expect(whereIsIt()).toBe(lounge);
    await (await run('captions stop', lounge)).sentence();
    await bot.botIsThere(false);
  });

  it('in one channel end one after the other: it is read in after captions have ended', async () => {
    await startCaptions(bot.lounge);
    await (await run('captions stop', bot.lounge)).sentence();
    await bot.member.client.call('send_message', { channel_id: bot.general, content: 'message 41' });
    await bot.listener.hears(41);
    expect(whereIsIt()).toBe(bot.lounge);
  });

  it('in two channels: captions elsewhere go on after /read stop', async () => {
    await bot.member.client.call('join_voice', { channel_id: workshop() });
    await startCaptions(workshop());
    await (await run('read stop')).message((one) => textOf(one).includes('turned off reading aloud'));
    expect(await areCaptionsOn()).toContain('Captions are on already');
    expect(whereIsIt()).toBe(workshop());
  });

  it('in two channels: people who are read to keep captions from being started elsewhere', async () => {
    expect(await (await run('captions start', workshop())).sentence()).toContain('I’m speaking in another channel');
    expect(whereIsIt()).toBe(bot.lounge);
  });

  it('in two channels: a /read start that captions refuse is not stored, and doesn’t take effect when they end', async () => {
    const { discord, store, lounge, member } = bot;
    await (await run('read stop')).message((one) => textOf(one).includes('turned off reading aloud'));
    await bot.botIsThere(false);
    await startCaptions(workshop());
    expect(await (await run('read start')).sentence()).toContain('I’m captioning another channel of this server');
    expect((await store.get(`reading:${discord.guildId}`)) ?? []).toEqual([]);
    // Not the first one, which may still be of the join.
    const left = member.client.next(
      'VOICE_STATE_UPDATE',
      ({ user_id, channel_id }) => user_id === discord.application.id && channel_id === null,
    );
    await (await run('captions stop', workshop())).sentence();
    await left;
    expect(await (await run('read stop')).sentence()).toContain('I’m not reading any channel aloud');
    expect(whereIsIt()).not.toBe(lounge);
  });
});
