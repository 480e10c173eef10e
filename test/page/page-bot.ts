// A small discord.js bot with one of everything the page can show.

import { once } from 'node:events';
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APIModalInteractionResponseCallbackData,
  type ApplicationCommandOptionData,
  ApplicationCommandType,
  ButtonStyle,
  ChannelType,
  type ChatInputCommandInteraction,
  Client,
  ComponentType,
  GatewayIntentBits,
  type GuildMember,
  type Interaction,
  type LocalizationMap,
  MessageFlags,
  ApplicationCommandOptionType as Option,
  SelectMenuDefaultValueType,
  TextInputStyle,
  type VoiceBasedChannel,
} from 'discord.js';
import { makeRequest } from '../../src/bot/client.ts';
import { createSessions, type Sessions } from '../../src/voice-session/index.ts';
import { oggOpusOf, tone } from '../helpers/sound.ts';
import { say } from '../helpers/voice-fixture.ts';

/** A PNG with one pixel. */
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const fruits = ['Apple', 'Apricot', 'Banana', 'Cherry'];

interface Command {
  description: string;
  options?: ApplicationCommandOptionData[];
  nameLocalizations?: LocalizationMap;
  descriptionLocalizations?: LocalizationMap;
  answer(interaction: ChatInputCommandInteraction, sessions: Sessions): unknown;
}

const commands: Record<string, Command> = {
  echo: {
    description: 'Says a text again',
    options: [
      { type: Option.String, name: 'text', description: 'What to say', required: true, maxLength: 40 },
      { type: Option.String, name: 'fruit', description: 'Which fruit goes with it', autocomplete: true },
      { type: Option.Integer, name: 'times', description: 'How often', minValue: 1, maxValue: 3 },
      { type: Option.Boolean, name: 'private', description: 'For your eyes alone' },
      { type: Option.Channel, name: 'where', description: 'A channel' },
    ],
    answer(interaction) {
      const { options } = interaction;
      const said = Array.from({ length: options.getInteger('times') ?? 1 }, () => options.getString('text', true)).join(' ');
      const rest = [options.getString('fruit'), options.getChannel('where')?.name].filter(Boolean).join(', ');
      return interaction.reply({
        content: rest ? `${said} (${rest})` : said,
        ...(options.getBoolean('private') && { flags: MessageFlags.Ephemeral }),
      });
    },
  },
  panel: { description: 'Buttons and a menu', answer: (interaction) => interaction.reply(panel(1)) },
  measure: {
    description: 'Weighs a file',
    options: [{ type: Option.Attachment, name: 'file', description: 'The file', required: true }],
    answer(interaction) {
      const { name, size } = interaction.options.getAttachment('file', true);
      return interaction.reply(`${name} has ${size} bytes.`);
    },
  },
  hum: { description: 'Hums in your voice channel', answer: hum },
  ponder: {
    description: 'Thinks first, then answers',
    async answer(interaction) {
      const pondered = once(interaction.client, 'pondered');
      await interaction.deferReply();
      await pondered;
      await interaction.editReply('Here is the answer.');
    },
  },
  whisper: {
    description: 'Answers you, then everybody',
    async answer(interaction) {
      await interaction.reply({ content: 'For you alone.', flags: MessageFlags.Ephemeral });
      await interaction.followUp('For everybody.');
    },
  },
  sulk: { description: 'Never answers', answer: () => {} },
  choose: { description: 'Menus of every kind', answer: (interaction) => interaction.reply({ components: menus(interaction) }) },
  profile: { description: 'A form with menus', answer: (interaction) => interaction.showModal(profile) },
  settings: {
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
    answer(interaction) {
      const { options } = interaction;
      const words = [options.getSubcommandGroup(), options.getSubcommand(), options.getString('fruit')];
      return interaction.reply(`${words.filter(Boolean).join(' ')} here.`);
    },
  },
  paint: {
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
    answer: (interaction) => interaction.reply(`${interaction.options.getString('colour')} for ${interaction.locale}`),
  },
};

/** Logs in, registers the commands, and responds until closed. */
export async function startPageBot({ apiUrl, token }: { apiUrl: string; token: string }) {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
    rest: { api: apiUrl, makeRequest },
  });
  client.on('error', () => {});
  const ready = once(client, 'clientReady');
  await client.login(token);
  await ready;
  const sessions = createSessions(client as Client<true>);
  client.on('interactionCreate', (interaction) => {
    answer(interaction, sessions).catch((error) => client.emit('warn', String(error)));
  });
  await client.application?.commands.set([
    ...Object.entries(commands).map(([name, { answer, ...command }]) => ({ name, ...command })),
    { name: 'Shout', type: ApplicationCommandType.Message },
    { name: 'Greet', type: ApplicationCommandType.User },
  ]);
  return {
    client,
    async close() {
      await sessions.close();
      await client.destroy();
    },
  };
}

async function answer(interaction: Interaction, sessions: Sessions): Promise<unknown> {
  if (interaction.isAutocomplete()) {
    const typed = interaction.options.getFocused().toLowerCase();
    return interaction.respond(
      fruits.filter((fruit) => fruit.toLowerCase().includes(typed)).map((fruit) => ({ name: fruit, value: fruit.toLowerCase() })),
    );
  }
  if (interaction.isMessageContextMenuCommand()) return interaction.reply(interaction.targetMessage.content.toUpperCase() || 'NO WORDS');
  if (interaction.isUserContextMenuCommand()) return interaction.reply(`Hello ${interaction.targetUser.displayName}`);
  if (interaction.isButton())
    return interaction.customId === 'form' ? interaction.showModal(form) : interaction.update(panel(Number(interaction.customId) + 1));
  if (interaction.isStringSelectMenu())
    return interaction.reply({ content: `You chose ${interaction.values.join(' and ')}.`, flags: MessageFlags.Ephemeral });
  if (interaction.isAnySelectMenu()) {
    const users = 'users' in interaction ? interaction.users.map((user) => user.globalName) : [];
    const roles = 'roles' in interaction ? interaction.roles.map((role) => role?.name) : [];
    const channels = 'channels' in interaction ? interaction.channels.map((channel) => channel && 'name' in channel && channel.name) : [];
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
  return interaction.isChatInputCommand() ? commands[interaction.commandName]?.answer(interaction, sessions) : undefined;
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
      row(
        { type: ComponentType.Button, custom_id: String(page), label: 'Next', style: ButtonStyle.Primary },
        { type: ComponentType.Button, custom_id: 'form', label: 'Form', style: ButtonStyle.Success },
        { type: ComponentType.Button, custom_id: 'never', label: 'Greyed out', style: ButtonStyle.Danger, disabled: true },
      ),
      row({
        type: ComponentType.StringSelect,
        custom_id: 'pick',
        placeholder: 'Choose a colour',
        options: ['Red', 'Green', 'Blue'].map((label) => ({ label, value: label.toLowerCase() })),
      }),
    ],
  };
}

function row(...components: APIComponentInMessageActionRow[]): APIActionRowComponent<APIComponentInMessageActionRow> {
  return { type: ComponentType.ActionRow, components };
}

/** One select menu of each kind that lists users, roles or channels. */
function menus({ user, guild }: ChatInputCommandInteraction) {
  const lounge = guild?.channels.cache.find((channel) => channel.name === 'Lounge')?.id ?? '';
  return [
    row({ type: ComponentType.UserSelect, custom_id: 'people', placeholder: 'Two people', min_values: 2, max_values: 2 }),
    row({ type: ComponentType.RoleSelect, custom_id: 'roles', placeholder: 'A role' }),
    row({
      type: ComponentType.ChannelSelect,
      custom_id: 'places',
      placeholder: 'Voice channels',
      channel_types: [ChannelType.GuildVoice],
      min_values: 0,
      max_values: 3,
      default_values: [{ id: lounge, type: SelectMenuDefaultValueType.Channel }],
    }),
    row({
      type: ComponentType.MentionableSelect,
      custom_id: 'anybody',
      placeholder: 'Anybody',
      default_values: [{ id: user.id, type: SelectMenuDefaultValueType.User }],
    }),
  ];
}

const profile: APIModalInteractionResponseCallbackData = {
  custom_id: 'profile',
  title: 'About you',
  components: [
    { type: ComponentType.TextDisplay, content: '**All of it** can be changed later.' },
    {
      type: ComponentType.Label,
      label: 'Name',
      description: 'As others shall read it',
      component: { type: ComponentType.TextInput, custom_id: 'name', style: TextInputStyle.Short, max_length: 20 },
    },
    {
      type: ComponentType.Label,
      label: 'Fruits',
      component: {
        type: ComponentType.StringSelect,
        custom_id: 'fruits',
        min_values: 1,
        max_values: 2,
        options: fruits.map((label) => ({ label, value: label.toLowerCase(), default: label === 'Banana' })),
      },
    },
    { type: ComponentType.Label, label: 'Friends', component: { type: ComponentType.UserSelect, custom_id: 'friends', required: false } },
  ],
};

const words = { custom_id: 'words', label: 'Words', style: TextInputStyle.Paragraph, min_length: 3, max_length: 20 };
const form: APIModalInteractionResponseCallbackData = {
  custom_id: 'form',
  title: 'A form',
  components: [{ type: ComponentType.ActionRow, components: [{ type: ComponentType.TextInput, ...words }] }],
};

/** Plays a tone until the client emits 'hushed'. */
async function hum(interaction: ChatInputCommandInteraction, sessions: Sessions): Promise<void> {
  const hushed = once(interaction.client, 'hushed');
  await interaction.deferReply();
  const { packets } = await oggOpusOf(tone(440, 2, 48_000));
  const session = sessions.join((interaction.member as GuildMember).voice.channel as VoiceBasedChannel);
  await say(session, () => endless(packets)).started;
  await interaction.editReply('Humming.');
  await hushed;
  session.leave();
}

function* endless<T>(packets: T[]): Generator<T> {
  for (;;) yield* packets;
}
