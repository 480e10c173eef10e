// A separate program that speaks in a voice channel, is kicked, speaks again, and closes everything.
// It exits by itself if nothing is left over.
import { once } from 'node:events';
import { Client, Events, GatewayIntentBits, type VoiceBasedChannel } from 'discord.js';
import { startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import { createSessions, type Utterance } from '../../src/voice/index.ts';
import { numberedFrames } from './voice-bot.ts';

const discord = await startLocalDiscord();
trustCertificate(discord.certificate);
const client = new Client<true>({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
  rest: { api: discord.apiUrl },
});
const ready = once(client, Events.ClientReady);
await client.login(discord.application.token);
await ready;
const lounge = client.channels.cache.get(discord.channelId('Lounge')) as VoiceBasedChannel;
await Promise.all([once(client, Events.VoiceStateUpdate), discord.member('Robin').call('join_voice', { channel_id: lounge.id })]);

const utterance = (frames: number): Utterance => ({
  ready: Promise.resolve(),
  prepare() {},
  cancel() {},
  async *open() {
    yield* numberedFrames(frames);
  },
});
const sessions = createSessions(client);
const kicked = sessions.join(lounge).enqueue(utterance(1000), { id: 'first', memberId: 'robin' });
await kicked.started;
discord.moveUser(client.user.id, null);
const first = await kicked.finished;
const second = await sessions.join(lounge).enqueue(utterance(10), { id: 'second', memberId: 'robin' }).finished;
await sessions.close();
await client.destroy();
await discord.close();
console.log(`${first.ended} ${second.ended}`);
