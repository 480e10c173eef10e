// A small discord.js bot with one of everything the page can show.

import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createAudioPlayer, createAudioResource, entersState, joinVoiceChannel, StreamType, VoiceConnectionStatus } from '@discordjs/voice';
import {
  ActionRowBuilder,
  type AnySelectMenuInteraction,
  type ApplicationCommandData,
  ApplicationCommandType,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  ChannelType,
  type ChatInputCommandInteraction,
  Client,
  GatewayIntentBits,
  type GuildMember,
  type Interaction,
  LabelBuilder,
  MentionableSelectMenuBuilder,
  type MessageActionRowComponentBuilder,
  MessageFlags,
  ModalBuilder,
  ApplicationCommandOptionType as Option,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js';
import { oggOpusOf, tone } from './sound.ts';
import { WAIT_MS } from './waiter.ts';

/** A PNG with one pixel. */
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
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
  { name: 'whisper', description: 'Answers you, then everybody' },
  { name: 'sulk', description: 'Never answers' },
  { name: 'choose', description: 'Menus of every kind' },
  { name: 'profile', description: 'A form with menus' },
  {
    name: 'settings',
    description: 'What is set',
    options: [
      { type: Option.Subcommand, name: 'show', description: 'Shows it' },
      {
        type: Option.SubcommandGroup,
        name: 'voice',
        description: 'The voice',
        options: [
          {
            type: Option.Subcommand,
            name: 'set',
            description: 'Sets the voice',
            options: [{ type: Option.String, name: 'fruit', description: 'Named after', required: true, autocomplete: true }],
          },
        ],
      },
    ],
  },
  {
    name: 'paint',
    nameLocalizations: { de: 'malen' },
    description: 'Paints it',
    descriptionLocalizations: { de: 'Malt es an' },
    options: [
      {
        type: Option.String,
        name: 'colour',
        nameLocalizations: { de: 'farbe' },
        description: 'Which',
        required: true,
        choices: [{ name: 'Red', nameLocalizations: { de: 'Rot' }, value: 'red' }],
      },
    ],
  },
  { name: 'Shout', type: ApplicationCommandType.Message },
  { name: 'Greet', type: ApplicationCommandType.User },
];

export interface PageBot {
  client: Client;
  close(): Promise<void>;
}

/** Logs in, registers the commands, and responds until closed. */
export async function startPageBot({ apiUrl, token }: { apiUrl: string; token: string }): Promise<PageBot> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
    // Node's own fetch, since undici 8 refuses the forms that discord.js makes with Node's FormData.
    rest: { api: apiUrl, makeRequest: (url, init) => fetch(url, init as never) as never },
  });
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
  if (interaction.isUserContextMenuCommand()) return interaction.reply(`Hello ${interaction.targetUser.displayName}`);
  if (interaction.isButton())
    return interaction.customId === 'form' ? interaction.showModal(form()) : interaction.update(panel(Number(interaction.customId) + 1));
  if (interaction.isStringSelectMenu())
    return interaction.reply({ content: `You chose ${interaction.values.join(' and ')}.`, flags: MessageFlags.Ephemeral });
  if (interaction.isAnySelectMenu()) {
    const { users, roles, channels } = namesOf(interaction);
    return interaction.reply({
      content: `Chosen: ${[...users, ...roles, ...channels].join(' and ') || 'nobody'}.`,
      flags: MessageFlags.Ephemeral,
    });
  }
  if (interaction.isModalSubmit()) {
    const { fields } = interaction;
    if (interaction.customId === 'form') return interaction.reply(`The form says: ${fields.getTextInputValue('words')}`);
    const friends = fields.getSelectedUsers('friends')?.map((user) => user.globalName) ?? [];
    return interaction.reply(
      `${fields.getTextInputValue('name')} likes ${fields.getStringSelectValues('fruits').join(' and ')}, and ${friends.join(' and ') || 'nobody'}.`,
    );
  }
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
    case 'paint':
      return interaction.reply(`${options.getString('colour')} for ${interaction.locale}`);
    case 'choose':
      return interaction.reply({ components: menus(interaction) });
    case 'profile':
      return interaction.showModal(profile());
    case 'settings':
      return interaction.reply(
        `${[options.getSubcommandGroup(), options.getSubcommand(), options.getString('fruit')].filter(Boolean).join(' ')} here.`,
      );
    case 'measure':
      return interaction.reply(`${options.getAttachment('file', true).name} has ${options.getAttachment('file', true).size} bytes.`);
    case 'hum':
      return hum(interaction);
    case 'whisper':
      await interaction.reply({ content: 'For you alone.', flags: MessageFlags.Ephemeral });
      return interaction.followUp('For everybody.');
    case 'ponder': {
      const pondered = once(interaction.client, 'pondered');
      await interaction.deferReply();
      await pondered;
      return interaction.editReply('Here is the answer.');
    }
    default:
      return undefined;
  }
}

function panel(page: number) {
  return {
    content: '',
    embeds: [
      {
        author: { name: 'by Somebody' },
        title: `Page ${page}`,
        thumbnail: { url: 'attachment://dot.png' },
        description: '**Bold** words',
        fields: [{ name: 'Left', value: '1', inline: true }],
        footer: { text: 'The end' },
        color: 0x5865f2,
      },
    ],
    files: [{ attachment: dot, name: 'dot.png' }],
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

function namesOf(interaction: AnySelectMenuInteraction) {
  const users = 'users' in interaction ? interaction.users.map((user) => user.globalName ?? user.username) : [];
  const roles = 'roles' in interaction ? interaction.roles.map((role) => role?.name) : [];
  const channels =
    'channels' in interaction ? interaction.channels.map((channel) => (channel && 'name' in channel ? channel.name : '?')) : [];
  return { users, roles, channels };
}

/** One select menu of each kind that lists users, roles or channels. */
function menus({ user, guild }: ChatInputCommandInteraction) {
  const row = (menu: MessageActionRowComponentBuilder) => new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(menu);
  const first = guild?.channels.cache.find((channel) => channel.name === 'Lounge');
  const people = new UserSelectMenuBuilder().setCustomId('people').setPlaceholder('Two people').setMinValues(2).setMaxValues(2);
  const roles = new RoleSelectMenuBuilder().setCustomId('roles').setPlaceholder('A role');
  const places = new ChannelSelectMenuBuilder()
    .setCustomId('places')
    .setPlaceholder('Voice channels')
    .setChannelTypes(ChannelType.GuildVoice)
    .setMinValues(0)
    .setMaxValues(3);
  if (first) places.setDefaultChannels(first.id);
  const anybody = new MentionableSelectMenuBuilder().setCustomId('anybody').setPlaceholder('Anybody').addDefaultUsers(user.id);
  return [row(people), row(roles), row(places), row(anybody)];
}

function profile(): ModalBuilder {
  const name = new TextInputBuilder().setCustomId('name').setStyle(TextInputStyle.Short).setMaxLength(20);
  const likes = new StringSelectMenuBuilder()
    .setCustomId('fruits')
    .setMinValues(1)
    .setMaxValues(2)
    .addOptions(fruits.map((label) => ({ label, value: label.toLowerCase(), default: label === 'Banana' })));
  const friends = new UserSelectMenuBuilder().setCustomId('friends').setRequired(false);
  return new ModalBuilder()
    .setCustomId('profile')
    .setTitle('About you')
    .addTextDisplayComponents(new TextDisplayBuilder().setContent('**All of it** can be changed later.'))
    .addLabelComponents(
      new LabelBuilder().setLabel('Name').setDescription('As others shall read it').setTextInputComponent(name),
      new LabelBuilder().setLabel('Fruits').setStringSelectMenuComponent(likes),
      new LabelBuilder().setLabel('Friends').setUserSelectMenuComponent(friends),
    );
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

/** Plays a tone, end-to-end encrypted like all voice, until the client emits 'hushed'. */
async function hum(interaction: ChatInputCommandInteraction): Promise<unknown> {
  const channel = (interaction.member as GuildMember).voice.channel;
  if (!channel) return interaction.reply({ content: 'Join a voice channel first.', flags: MessageFlags.Ephemeral });
  const hushed = once(interaction.client, 'hushed');
  await interaction.deferReply();
  const connection = joinVoiceChannel({
    guildId: channel.guild.id,
    channelId: channel.id,
    adapterCreator: channel.guild.voiceAdapterCreator,
    selfDeaf: false,
  });
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
  // The end-to-end encrypted group is only complete after Ready.
  while (!connection.voicePrivacyCode) await once(connection, 'transitioned', { signal: AbortSignal.timeout(WAIT_MS) });
  const { packets } = await oggOpusOf(tone(440, 2, 48_000));
  const player = createAudioPlayer();
  connection.subscribe(player);
  player.play(createAudioResource(Readable.from(endless(packets), { objectMode: true }), { inputType: StreamType.Opus }));
  await interaction.editReply('Humming.');
  await hushed;
  player.stop();
  connection.destroy();
  return undefined;
}

function* endless(packets: Uint8Array[]): Generator<Buffer> {
  // The voice library compares them with a method of Buffer.
  for (;;) for (const packet of packets) yield Buffer.from(packet);
}
