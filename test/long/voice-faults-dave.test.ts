// End-to-end encryption in trouble: no frame leaves unencrypted while it is on, and no listener is left in silence.

import { entersState, getVoiceConnection, VoiceConnectionStatus } from '@discordjs/voice';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  bytesOf,
  heardBy,
  openInMidPlay,
  openVoiceFixture,
  type Receiver,
  say,
  speechOf,
  type VoiceFixture,
} from '../helpers/voice-fixture.ts';
import { joinAsBot } from '../helpers/voice-server.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

/** Resolves when the voice server has let the bot in, with or without an encrypted group. */
async function connected({ client, lounge }: VoiceFixture): Promise<void> {
  const connection = getVoiceConnection(lounge.guildId, client.user.id);
  if (!connection) throw new Error('There is no voice connection.');
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
}

/** Asserts that the end of `whole` was heard without a gap; returns the number of packets. */
function expectEndOf(whole: Uint8Array[], receiver: Receiver): number {
  const heard = heardBy(receiver);
  expect(heard).toEqual(bytesOf(whole).slice(-heard.length));
  return heard.length;
}

beforeAll(async () => {
  packets = await speechOf(100);
});

describe('without an encrypted group', () => {
  it('waits for the group, then plays from the first frame', async () => {
    const fixture = await openVoiceFixture();
    const { discord, sessions, lounge, listen } = fixture;
    discord.voice.faults.withholdDave = true;
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await connected(fixture);
    expect(receiver.stats().packets).toBe(0);
    discord.voice.faults.withholdDave = false;
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 2 });
    await receiver.heard(100);
    expect(heardBy(receiver)).toEqual(bytesOf(packets));
    expect(receiver.stats()).toMatchObject({ ...clean, early: 0 });
  });

  it('recovers from a corrupted welcome', async () => {
    const { discord, sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    discord.voice.faults.corruptNextWelcome = true;
    const playback = say(sessions.join(lounge), () => packets);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 2 });
    await receiver.heardSilence(5);
    expect(heardBy(receiver)).toEqual(bytesOf(packets));
    expect(receiver.stats()).toMatchObject(clean);
  });
});

describe('in mid-play', () => {
  it('members who join and leave at once, with racing commits, do not interrupt the sound', async () => {
    const { discord, lounge, listen, receiver, session, playback } = await openInMidPlay(packets, 10);
    // Each may commit the others, over its own socket, and one commit wins.
    const bots = [1, 2, 3].map((number) =>
      joinAsBot(discord.voice, { guildId: lounge.guildId, channelId: lounge.id, userId: `10900000000000001${number}` }),
    );
    onTestFinished(() => {
      for (const bot of bots) bot.leave();
    });
    await Promise.all(bots.map((bot) => bot.ready()));
    const sam = await listen('Sam');
    await sam.member.call('join_voice', { channel_id: null });
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 2 });
    await receiver.heardSilence(5);
    expect(heardBy(receiver)).toEqual(bytesOf(packets));
    expect(receiver.stats()).toMatchObject({ ...clean, lost: 0 });
    expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
  });

  it('when everybody leaves it plays on unsent, and a member who returns hears the rest encrypted', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    let returned: Receiver | undefined;
    let rounds = 0;
    const playback = say(session, function* () {
      for (; (returned?.sound.length ?? 0) <= 10; rounds++) yield* packets;
    });
    await receiver.heard(20);
    await receiver.member.call('join_voice', { channel_id: null });
    await expect.poll(() => session.state).toMatchObject({ status: 'ready', encrypted: false });
    const before = receiver.sound.length;
    returned = await listen('Robin');
    expect(await playback.finished).toEqual({ ended: 'played', seconds: (rounds * packets.length) / 50 });
    await returned.heardSilence(5);
    const whole = Array.from({ length: rounds }, () => packets).flat();
    expect(before).toBeLessThan(whole.length);
    expect(expectEndOf(whole, returned)).toBeGreaterThan(10);
    expect(returned.stats()).toMatchObject(clean);
  });

  it('a welcome corrupted on rejoining delays it, and an utterance that had hardly begun starts over', async () => {
    const { client, discord, lounge, receiver, playback } = await openInMidPlay(packets, 20);
    discord.voice.faults.corruptNextWelcome = true;
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 2 });
    await receiver.heardSilence(5);
    expect(discord.voice.faults.corruptNextWelcome).toBe(false);
    expect(heardBy(receiver).slice(-100)).toEqual(bytesOf(packets));
    expect(receiver.stats()).toMatchObject(clean);
  });

  it('follows a downgrade for a listener without encryption, and the upgrade after it', async () => {
    const { discord, lounge, receiver, session, playback } = await openInMidPlay(packets, 20);
    discord.voice.faults.setEncrypted(lounge.guildId, lounge.id, false);
    await expect.poll(() => session.state).toMatchObject({ status: 'ready', encrypted: false });
    await receiver.heard(receiver.sound.length + 20);
    discord.voice.faults.setEncrypted(lounge.guildId, lounge.id, true);
    await expect.poll(() => session.state).toMatchObject({ status: 'ready', encrypted: true });
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 2 });
    await receiver.heardSilence(5);
    expect(heardBy(receiver)).toEqual(bytesOf(packets));
    expect(receiver.stats()).toMatchObject(clean);
  });

  it('skips malformed messages, and the process survives', async () => {
    const { client, lounge, receiver, playback } = await openInMidPlay(packets, 20);
    const connection = getVoiceConnection(lounge.guildId, client.user.id);
    const state = connection?.state.status === VoiceConnectionStatus.Ready ? connection.state.networking.state : null;
    if (!state || !('ws' in state)) throw new Error('There is no connection.');
    // As they come from the socket: a two-byte sequence number, then external sender, proposals, commit or welcome.
    const texts = ['', 'null', '7', '{"op":22}', '{"op":11,"d":{}}', '{"op":24,"d":null}'];
    const bytes = [25, 27, 29, 30].flatMap((op) => [0, 1, 2, 300].map((length) => Buffer.from([0, 1, op, ...Buffer.alloc(length, op)])));
    for (const data of [...texts, Buffer.alloc(0), Buffer.alloc(2), ...bytes])
      state.ws.onMessage({ data } as Parameters<typeof state.ws.onMessage>[0]);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 2 });
    await receiver.heardSilence(5);
    expect(heardBy(receiver).at(-1)).toBe(bytesOf(packets).at(-1));
    expect(receiver.stats()).toMatchObject(clean);
  });
});
