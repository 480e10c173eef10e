// The usual bot, for comparison: discord.js, fetch, and ffmpeg as @discordjs/voice starts it. Its second command, `join`, only joins and
// then sends one packet.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import {
  type AudioPlayer,
  createAudioPlayer,
  createAudioResource,
  entersState,
  getVoiceConnection,
  joinVoiceChannel,
  NoSubscriberBehavior,
  type VoiceConnection,
  VoiceConnectionStatus,
} from '@discordjs/voice';
import { ApplicationCommandOptionType, type ChatInputCommandInteraction, Client, Events, GatewayIntentBits } from 'discord.js';

const { DISCORD_TOKEN = '', DISCORD_API_URL = '', VOICE_API_URL = '', VOICE_API_KEY = '' } = process.env;
const JOIN_MS = 20_000;

const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
  rest: { api: DISCORD_API_URL },
});
const players = new WeakMap<VoiceConnection, AudioPlayer>();

// An expired interaction must not end the benchmark.
client.on(Events.Error, (error) => console.error(String(error)));
client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  if (interaction.commandName === 'join') await justJoin(interaction);
  else await say(interaction);
});

async function say(interaction: ChatInputCommandInteraction): Promise<void> {
  await interaction.deferReply();
  const connection = connectionFor(interaction);
  await entersState(connection, VoiceConnectionStatus.Ready, JOIN_MS);
  const response = await fetch(`${VOICE_API_URL}/v1/tts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${VOICE_API_KEY}`, 'content-type': 'application/json', model: 's1' },
    body: JSON.stringify({ text: interaction.options.getString('text', true), format: 'mp3' }),
  });
  if (!response.body) throw new Error('The service gave no sound.');
  const player = playerOf(connection);
  player.play(createAudioResource(Readable.from(response.body)));
  await interaction.editReply('Speaking');
}

async function justJoin(interaction: ChatInputCommandInteraction): Promise<void> {
  const connection = connectionFor(interaction);
  const answered = interaction.deferReply();
  await entersState(connection, VoiceConnectionStatus.Ready, JOIN_MS);
  while (!connection.voicePrivacyCode) await once(connection, 'transitioned', { signal: AbortSignal.timeout(JOIN_MS) });
  // Longer than a silence frame, so that it counts as sound.
  connection.playOpusPacket(Buffer.concat([Buffer.from([0xf8]), Buffer.alloc(39, 7)]));
  await answered;
}

function connectionFor(interaction: ChatInputCommandInteraction): VoiceConnection {
  if (!interaction.inCachedGuild() || !interaction.member.voice.channelId) throw new Error('Nobody is there.');
  const { guild, member } = interaction;
  const there = getVoiceConnection(guild.id);
  if (there && there.state.status === VoiceConnectionStatus.Ready) return there;
  there?.destroy();
  const connection = joinVoiceChannel({
    guildId: guild.id,
    channelId: member.voice.channelId as string,
    adapterCreator: guild.voiceAdapterCreator,
  });
  connection.on('error', () => {});
  connection.on(VoiceConnectionStatus.Disconnected, () => {
    if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy();
  });
  return connection;
}

function playerOf(connection: VoiceConnection): AudioPlayer {
  const player = players.get(connection) ?? createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Pause } });
  if (!players.has(connection)) connection.subscribe(player);
  players.set(connection, player);
  return player;
}

process.once('SIGTERM', () => void client.destroy().finally(() => process.exit(0)));
const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
await client.login(DISCORD_TOKEN);
const { application } = await ready;
await application.commands.set([
  {
    name: 'say',
    description: 'Speak',
    options: [{ type: ApplicationCommandOptionType.String, name: 'text', description: 'What to say', required: true }],
  },
  { name: 'join', description: 'Join' },
]);
console.log('ready');
