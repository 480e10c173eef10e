// A small discord.js bot with one of everything the page can show, for tests of the page alone.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createAudioPlayer, createAudioResource, entersState, joinVoiceChannel, StreamType, VoiceConnectionStatus } from '@discordjs/voice';
import {
  ActionRowBuilder,
  type ApplicationCommandData,
  ApplicationCommandType,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  Client,
  GatewayIntentBits,
  type GuildMember,
  type Interaction,
  MessageFlags,
  ModalBuilder,
  ApplicationCommandOptionType as Option,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { createEncoder } from 'libopus-wasm';

const fruits = ['Apple', 'Apricot', 'Banana', 'Cherry'];

const commands: ApplicationCommandData[] = [
  {
    name: 'echo',
    description: 'Says a text again',
    options: [
      { type: Option.String, name: 'text', description: 'What to say', required: true, maxLength: 40 },
      { type: Option.String, name: 'fruit', description: 'Which fruit goes with it', autocomplete: true },
      { type: Option.Integer, name: 'times', description: 'How often', minValue: 1, maxValue: 3 },
      { type: Option.Boolean, name: 'private', description: 'For your eyes alone' },
      { type: Option.Channel, name: 'where', description: 'A channel' },
    ],
  },
  { name: 'panel', description: 'Buttons and a menu' },
  {
    name: 'measure',
    description: 'Weighs a file',
    options: [{ type: Option.Attachment, name: 'file', description: 'The file', required: true }],
  },
  { name: 'hum', description: 'Hums in your voice channel' },
  { name: 'ponder', description: 'Thinks first, then answers' },
  { name: 'sulk', description: 'Never answers' },
  { name: 'Shout', type: ApplicationCommandType.Message },
];

export interface PageBot {
  client: Client;
  close(): Promise<void>;
}

/** Logs in, registers the commands, answers them until closed. */
export async function startPageBot({ apiUrl, token }: { apiUrl: string; token: string }): Promise<PageBot> {
  const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates], rest: { api: apiUrl } });
  client.on('error', () => {});
  client.on('interactionCreate', (interaction) => {
    answer(interaction).catch((error) => client.emit('warn', String(error)));
  });
  const ready = once(client, 'clientReady');
  await client.login(token);
  await ready;
  await client.application?.commands.set(commands);
  return { client, close: () => client.destroy() };
}

async function answer(interaction: Interaction): Promise<unknown> {
  if (interaction.isAutocomplete()) {
    const typed = interaction.options.getFocused().toLowerCase();
    return interaction.respond(
      fruits.filter((fruit) => fruit.toLowerCase().includes(typed)).map((fruit) => ({ name: fruit, value: fruit.toLowerCase() })),
    );
  }
  if (interaction.isMessageContextMenuCommand()) return interaction.reply(interaction.targetMessage.content.toUpperCase() || 'NO WORDS');
  if (interaction.isButton())
    return interaction.customId === 'form' ? interaction.showModal(form()) : interaction.update(panel(Number(interaction.customId) + 1));
  if (interaction.isStringSelectMenu())
    return interaction.reply({ content: `You chose ${interaction.values.join(' and ')}.`, flags: MessageFlags.Ephemeral });
  if (interaction.isModalSubmit()) return interaction.reply(`The form says: ${interaction.fields.getTextInputValue('words')}`);
  if (interaction.isChatInputCommand()) return answerCommand(interaction);
  return undefined;
}

async function answerCommand(interaction: ChatInputCommandInteraction): Promise<unknown> {
  const { options } = interaction;
  switch (interaction.commandName) {
    case 'echo': {
      const said = Array.from({ length: options.getInteger('times') ?? 1 }, () => options.getString('text', true)).join(' ');
      const rest = [options.getString('fruit'), options.getChannel('where')?.name].filter(Boolean).join(', ');
      return interaction.reply({
        content: rest ? `${said} (${rest})` : said,
        ...(options.getBoolean('private') && { flags: MessageFlags.Ephemeral }),
      });
    }
    case 'panel':
      return interaction.reply(panel(1));
    case 'measure':
      return interaction.reply(`${options.getAttachment('file', true).name} has ${options.getAttachment('file', true).size} bytes.`);
    case 'hum':
      return hum(interaction);
    case 'ponder':
      await interaction.deferReply();
      await once(interaction.client, 'pondered');
      return interaction.editReply('Here is the answer.');
    default:
      return undefined;
  }
}

function panel(page: number) {
  return {
    content: '',
    embeds: [
      {
        title: `Page ${page}`,
        description: '**Bold** words',
        fields: [{ name: 'Left', value: '1', inline: true }],
        footer: { text: 'The end' },
        color: 0x5865f2,
      },
    ],
    components: [
      new ActionRowBuilder<ButtonBuilder>().addComponents(
        new ButtonBuilder().setCustomId(String(page)).setLabel('Next').setStyle(ButtonStyle.Primary),
        new ButtonBuilder().setCustomId('form').setLabel('Form').setStyle(ButtonStyle.Success),
        new ButtonBuilder().setCustomId('never').setLabel('Greyed out').setStyle(ButtonStyle.Danger).setDisabled(true),
      ),
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder()
          .setCustomId('pick')
          .setPlaceholder('Choose a colour')
          .addOptions({ label: 'Red', value: 'red' }, { label: 'Green', value: 'green' }, { label: 'Blue', value: 'blue' }),
      ),
    ],
  };
}

function form(): ModalBuilder {
  const words = new TextInputBuilder()
    .setCustomId('words')
    .setLabel('Words')
    .setStyle(TextInputStyle.Paragraph)
    .setMinLength(3)
    .setMaxLength(20);
  return new ModalBuilder()
    .setCustomId('form')
    .setTitle('A form')
    .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(words));
}

/** Two seconds of a tone, encrypted end to end as all voice is. */
async function hum(interaction: ChatInputCommandInteraction): Promise<unknown> {
  const channel = (interaction.member as GuildMember).voice.channel;
  if (!channel) return interaction.reply({ content: 'Join a voice channel first.', flags: MessageFlags.Ephemeral });
  await interaction.deferReply();
  const connection = joinVoiceChannel({
    guildId: channel.guild.id,
    channelId: channel.id,
    adapterCreator: channel.guild.voiceAdapterCreator,
    selfDeaf: false,
  });
  await entersState(connection, VoiceConnectionStatus.Ready, 20_000);
  // Ready comes before the end-to-end encrypted group is there.
  while (!connection.voicePrivacyCode) await once(connection, 'transitioned', { signal: AbortSignal.timeout(15_000) });
  const player = createAudioPlayer();
  connection.subscribe(player);
  player.play(createAudioResource(Readable.from(await tone(100), { objectMode: true }), { inputType: StreamType.Opus }));
  await interaction.editReply('Humming.');
  await once(player, 'idle');
  connection.destroy();
  return undefined;
}

async function tone(count: number): Promise<Buffer[]> {
  const encoder = await createEncoder({ channels: 1 });
  const pcm = new Int16Array(960);
  const frames = Array.from({ length: count }, (_, frame) => {
    for (let at = 0; at < 960; at++) pcm[at] = 9000 * Math.sin(((frame * 960 + at) * 2 * Math.PI * 440) / 48_000);
    return Buffer.from(encoder.encode(pcm));
  });
  return frames;
}
