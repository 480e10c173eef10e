// The usual bot that reads a channel aloud, for comparison: every message waits in one queue, is synthesised when its turn comes, and is
// played through ffmpeg as @discordjs/voice starts it.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  AudioPlayerStatus,
  createAudioPlayer,
  createAudioResource,
  entersState,
  joinVoiceChannel,
  VoiceConnectionStatus,
} from '@discordjs/voice';
import { Client, Events, GatewayIntentBits } from 'discord.js';

const {
  DISCORD_TOKEN = '',
  DISCORD_API_URL = '',
  VOICE_API_URL = '',
  VOICE_API_KEY = '',
  TEXT_CHANNEL = '',
  VOICE_CHANNEL = '',
} = process.env;
const JOIN_MS = 20_000;

const client = new Client({
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildVoiceStates,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.MessageContent,
  ],
  rest: { api: DISCORD_API_URL },
});
client.on(Events.Error, (error) => console.error(String(error)));

const queue: string[] = [];
const player = createAudioPlayer();
let isPlaying = false;

async function playQueue(): Promise<void> {
  if (isPlaying) return;
  isPlaying = true;
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    const response = await fetch(`${VOICE_API_URL}/v1/tts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${VOICE_API_KEY}`, 'content-type': 'application/json', model: 's1' },
      body: JSON.stringify({ text, format: 'mp3' }),
    });
    if (!response.body) throw new Error('The service gave no sound.');
    player.play(createAudioResource(Readable.from(response.body)));
    await once(player, AudioPlayerStatus.Idle);
  }
  isPlaying = false;
}

client.on(Events.MessageCreate, ({ channelId, author, content }) => {
  if (channelId !== TEXT_CHANNEL || author.bot) return;
  queue.push(`${author.displayName} says ${content}`);
  void playQueue();
});

process.once('SIGTERM', () => void client.destroy().finally(() => process.exit(0)));
const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
await client.login(DISCORD_TOKEN);
await ready;
const channel = client.channels.cache.get(VOICE_CHANNEL);
if (!channel?.isVoiceBased()) throw new Error('There is no such voice channel.');
const connection = joinVoiceChannel({ guildId: channel.guildId, channelId: channel.id, adapterCreator: channel.guild.voiceAdapterCreator });
connection.subscribe(player);
await entersState(connection, VoiceConnectionStatus.Ready, JOIN_MS);
console.log('ready');
