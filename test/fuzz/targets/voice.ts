// The voice gateway and its UDP from both ends: what no client would send to the local Discord, and what it would never send to the bot.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { LocalDiscord } from '../../../src/local/discord/index.ts';
import { below, pick, type Random, randomBytes } from '../../helpers/random.ts';
import { connectToVoiceGateway } from '../../helpers/raw-gateway.ts';
import { createSimulatedMember } from '../../load/simulated-member.ts';
import { distort } from '../distort.ts';
import { startBotUnderTest } from '../environment.ts';
import { spoken } from '../jobs.ts';
import { mutate } from '../mutations.ts';
import type { OpenTarget } from '../target.ts';

/** How long the local voice gateway may take to close, or to answer a heartbeat. */
const ANSWER_MS = 20_000;
/** How long the bot, after receiving nonsense, may take to rejoin and speak. */
const HEALING_MS = 120_000;
const BOT_OPS = [2, 4, 5, 6, 8, 9, 11, 13, 18, 20, 21, 22, 24, 31, 99];
/** Sequence number, then one of DAVE's opcodes. */
const DAVE_OPS = [25, 27, 29, 30, 0, 255];

export const openVoice: OpenTarget = async ({ botAccess }) => {
  const bot = await startBotUnderTest(botAccess);
  const { discord } = bot;
  const member = createSimulatedMember(discord, discord.guildId, () => {});
  await member.listen();
  await spoken(member, 'I am here.', HEALING_MS);
  const udp = createSocket('udp4');
  return {
    async attack(random) {
      const way = random();
      if (way < 0.8) return attackServer(discord, random, udp);
      for (let left = 1 + below(4, random); left > 0; left--)
        discord.voice.faults.sendMessage(discord.guildId, discord.application.id, messageToBot(random));
      await spoken(member, 'Yes.', HEALING_MS);
      return 'the bot speaks';
    },
    async close() {
      member.close();
      udp.close();
      await bot.closeUnseen();
    },
  };
};

async function attackServer(discord: LocalDiscord, random: Random, udp: ReturnType<typeof createSocket>): Promise<string> {
  // A separate guild that the bot is not in.
  const who = { guildId: '1', channelId: '2', userId: '3', sessionId: 'fuzz' };
  const { token } = discord.voice.admit(who);
  const identify = { server_id: who.guildId, user_id: who.userId, session_id: who.sessionId, token, max_dave_protocol_version: 1 };
  const gateway = await connectToVoiceGateway(discord.voice);
  gateway.socket.on('error', () => {});
  const timer = setTimeout(() => gateway.socket.terminate(), ANSWER_MS);
  try {
    if (random() < 0.7) gateway.send(0, identify);
    for (let left = 1 + below(6, random); left > 0; left--) {
      if (gateway.socket.readyState !== gateway.socket.OPEN) break;
      gateway.socket.send(messageToGateway(identify, random));
    }
    const port = below(65_535, random) + 1;
    udp.send(randomBytes(pick([0, 4, 8, 12, 74, 200], random), random), port, '127.0.0.1', () => {});
    gateway.send(3, { t: 77, seq_ack: -1 });
    return await Promise.race([
      gateway.next(6).then(() => 'the voice gateway goes on'),
      gateway.closed.then((code) => {
        // Ended by the timer above.
        if (code === 1006) throw new Error(`the local voice gateway neither closed nor answered within ${ANSWER_MS / 1000} s`);
        return `the voice gateway closed with ${code}`;
      }),
    ]);
  } finally {
    clearTimeout(timer);
    discord.voice.expel(who.guildId, who.userId);
    gateway.socket.close();
    if (gateway.socket.readyState !== gateway.socket.CLOSED) await once(gateway.socket, 'close');
  }
}

function messageToGateway(identify: object, random: Random): string | Uint8Array {
  const valid = [
    { op: 0, d: identify },
    { op: 1, d: { protocol: 'udp', data: { address: '127.0.0.1', port: 9, mode: 'aead_aes256_gcm_rtpsize' } } },
    { op: 3, d: { t: 1, seq_ack: 0 } },
    { op: 5, d: { speaking: 1, delay: 0, ssrc: 1 } },
    { op: 7, d: { ...identify, seq_ack: 5 } },
    { op: 23, d: { transition_id: 0 } },
    { op: 31, d: { transition_id: 3 } },
    { op: 12, d: {} },
  ];
  const kind = random();
  if (kind < 0.25) return JSON.stringify(valid[1]);
  if (kind < 0.6) return JSON.stringify(distort(pick(valid, random), random));
  if (kind < 0.7) return mutate(Buffer.from(JSON.stringify(pick(valid, random))), random).toString();
  return Buffer.concat([Buffer.of(pick([26, 28, 0, 27], random)), randomBytes(below(400, random), random)]);
}

function messageToBot(random: Random): string | Uint8Array {
  const kind = random();
  if (kind < 0.15) return randomBytes(below(100, random), random).toString('latin1');
  if (kind < 0.55) {
    const d = { user_id: '1', user_ids: ['1'], ssrc: 1, transition_id: 1, protocol_version: 1, epoch: 1, speaking: 1, t: 1 };
    return JSON.stringify(
      distort(
        {
          op: pick(
            BOT_OPS.filter((op) => op !== 4 && op !== 8),
            random,
          ),
          seq: 1,
          d,
        },
        random,
      ),
    );
  }
  return Buffer.concat([Buffer.of(0, 1, pick(DAVE_OPS, random)), randomBytes(below(400, random), random)]);
}
