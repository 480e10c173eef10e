// The local Discord's interactions, through the real discord.js and raw requests.
import {
  ActionRowBuilder,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  type Client,
  ComponentType,
  Events,
  type Interaction,
  MessageFlags,
  ModalBuilder,
  PermissionFlagsBits,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, test } from 'vitest';
import type { LocalDiscord, LocalDiscordOptions, MemberClient } from '../../src/local/discord/index.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';

const ECHO = {
  name: 'echo',
  description: 'Says it again',
  integration_types: [0, 1],
  options: [
    { type: ApplicationCommandOptionType.String, name: 'text', description: 'What', required: true, max_length: 10, autocomplete: true },
    { type: ApplicationCommandOptionType.Attachment, name: 'file', description: 'A file' },
    { type: ApplicationCommandOptionType.Channel, name: 'channel', description: 'Where', channel_types: [2] },
    { type: ApplicationCommandOptionType.Integer, name: 'times', description: 'How often', min_value: 1, max_value: 3 },
  ],
} as const;

/** A guild with a bot that has `/echo` and the message command `Look`, and handles interactions with the given function. */
async function setUp(onInteraction: (interaction: Interaction) => unknown, options?: LocalDiscordOptions) {
  const discord = await openLocalDiscord(options);
  const client = await logIn(discord);
  await client.application.commands.set([ECHO, { name: 'Look', type: ApplicationCommandType.Message, integrationTypes: [0, 1] } as never]);
  client.on(Events.InteractionCreate, (interaction) => void onInteraction(interaction));
  const member = discord.member();
  const { commands } = await member.call('hello', {});
  const idOf = (name: string) => commands.find((command) => command.name === name)?.id as string;
  const channel_id = discord.channelId('general');
  const echo = (text = 'hello', extraOptions: { name: string; type: number; value: string | number }[] = [], user: MemberClient = member) =>
    user.call('run_command', { channel_id, command_id: idOf('echo'), options: [{ name: 'text', type: 3, value: text }, ...extraOptions] });
  return { discord, client, member, channel_id, idOf, echo };
}

/** The bot's next interaction, without a response. */
async function setUpSilent() {
  let found: (interaction: ChatInputCommandInteraction) => void;
  const next = new Promise<ChatInputCommandInteraction>((resolve) => {
    found = resolve;
  });
  const parts = await setUp((interaction) => interaction.isChatInputCommand() && found(interaction));
  return { ...parts, next };
}

function callback(discord: LocalDiscord, { id, token }: { id: string; token: string }, body: object) {
  return request(discord, 'POST', `/interactions/${id}/${token}/callback`, body);
}

test('a command arrives with its options, its member, and both permissions', async () => {
  const { discord, echo, next, member } = await setUpSilent();
  const upload = member.upload('a.txt', 'text/plain', new TextEncoder().encode('abc'));
  await echo('hello', [
    { name: 'file', type: 11, value: upload.id },
    { name: 'channel', type: 7, value: discord.channelId('Lounge') },
    { name: 'times', type: 4, value: 2 },
  ]);
  const interaction = await next;
  expect(interaction.options.getString('text')).toBe('hello');
  expect(interaction.options.getInteger('times')).toBe(2);
  expect(interaction.options.getChannel('channel')?.name).toBe('Lounge');
  const file = interaction.options.getAttachment('file', true);
  expect(await (await fetch(file.url)).text()).toBe('abc');
  expect(interaction.memberPermissions?.has('Administrator')).toBe(true);
  expect(interaction.appPermissions.has('SendMessages')).toBe(true);
  expect(interaction.appPermissions.has('Administrator')).toBe(false);
  expect(interaction.attachmentSizeLimit).toBe(10 * 1024 * 1024);
  expect(interaction.authorizingIntegrationOwners).toMatchObject({ 0: discord.guildId });
});

test('values that do not match an option’s definition are refused', async () => {
  const { echo, member, idOf, channel_id } = await setUpSilent();
  await expect(echo('much too long')).rejects.toThrow(/characters/);
  await expect(echo('a', [{ name: 'times', type: 4, value: 4 }])).rejects.toThrow(/between 1 and 3/);
  await expect(echo('a', [{ name: 'channel', type: 7, value: channel_id }])).rejects.toThrow(/kind/);
  await expect(member.call('run_command', { channel_id, command_id: idOf('echo') })).rejects.toThrow(/required/);
});

test('a response in time succeeds, and a second one is refused', async () => {
  const { discord, echo, next, member } = await setUpSilent();
  const success = member.next('INTERACTION_SUCCESS');
  const { interaction_id } = await echo();
  const interaction = await next;
  await interaction.reply('done');
  expect(await success).toEqual({ interaction_id });
  const second = await callback(discord, interaction, { type: 4, data: { content: 'again' } });
  expect(second).toMatchObject({ status: 400, body: { code: 40060 } });
});

test('a response after 3 seconds is refused, and the member is told', async () => {
  const { discord, echo, next, member } = await setUpSilent();
  const failure = member.next('INTERACTION_FAILURE');
  const { interaction_id } = await echo();
  const interaction = await next;
  discord.expireInteractions('initial responses');
  expect(await failure).toMatchObject({ interaction_id });
  await expect(interaction.reply('late')).rejects.toMatchObject({ code: 10062 });
});

test('the token expires after 15 minutes', async () => {
  const { discord, echo, next } = await setUpSilent();
  await echo();
  const interaction = await next;
  await interaction.deferReply();
  discord.expireInteractions('tokens');
  await expect(interaction.editReply('late')).rejects.toMatchObject({ code: 50027 });
});

test('an interaction without a response accepts no follow-ups', async () => {
  const { discord, echo, next } = await setUpSilent();
  await echo();
  const { token } = await next;
  const path = `/webhooks/${discord.application.id}/${token}`;
  expect(await request(discord, 'POST', path, { content: 'a' })).toMatchObject({ status: 404, body: { code: 10015 } });
  expect(await request(discord, 'PATCH', `${path}/messages/%40original`, { content: 'a' })).toMatchObject({ status: 404 });
});

test('while the application has no session, a command fails at once', async () => {
  const { client, echo, member } = await setUpSilent();
  const offline = member.next('PRESENCE_UPDATE', ({ status }) => status === 'offline');
  await client.destroy();
  await offline;
  const failure = member.next('INTERACTION_FAILURE');
  await echo();
  expect((await failure).reason).toMatch(/offline/);
});

test('an ephemeral response is visible only to its member', async () => {
  const { discord, echo, next, member, channel_id } = await setUpSilent();
  const other = discord.member('Sam');
  const seen = member.next('MESSAGE_CREATE');
  await echo();
  const interaction = await next;
  await interaction.reply({ content: 'secret', flags: MessageFlags.Ephemeral });
  const { id } = await seen;
  expect((await member.call('messages', { channel_id })).map(({ content }) => content)).toEqual(['secret']);
  expect(await other.call('messages', { channel_id })).toEqual([]);
  expect(await request(discord, 'GET', `/channels/${channel_id}/messages/${id}`)).toMatchObject({ status: 404, body: { code: 10008 } });
  expect((await interaction.fetchReply()).content).toBe('secret');
  await interaction.deleteReply();
  await expect(interaction.editReply('gone')).rejects.toMatchObject({ code: 10008 });
});

test('the first follow-up fills in the deferred response, and later ones are messages of their own', async () => {
  const { echo, next, member, channel_id } = await setUpSilent();
  await echo();
  const interaction = await next;
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  expect((await member.call('messages', { channel_id }))[0]?.flags).toBe(MessageFlags.Ephemeral | MessageFlags.Loading);
  const first = await interaction.followUp('one');
  expect(first.flags.has(MessageFlags.Ephemeral)).toBe(true);
  await interaction.followUp('two');
  const messages = await member.call('messages', { channel_id });
  expect(messages.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('a file in a response can be downloaded whole or in part, and one over the limit is refused', async () => {
  const { discord, echo, next } = await setUpSilent();
  await echo();
  const interaction = await next;
  await interaction.deferReply();
  const file = new AttachmentBuilder(Buffer.from('0123456789'), { name: 'a b.txt', description: 'digits' });
  const message = await interaction.editReply({ content: 'here', files: [file] });
  const attachment = message.attachments.first();
  expect(attachment).toMatchObject({ name: 'a_b.txt', size: 10, description: 'digits' });
  const url = attachment?.url as string;
  // Ids can be guessed.
  for (const guess of [url.replace(/\?.*/, ''), url.replace(/\w$/, (last) => (last === '0' ? '1' : '0'))])
    expect((await fetch(guess)).status).toBe(404);
  expect(url.startsWith(discord.cdnUrl)).toBe(true);
  const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
  expect([part.status, await part.text()]).toEqual([206, '234']);
  const large = new AttachmentBuilder(Buffer.alloc(10 * 1024 * 1024 + 1), { name: 'large.bin' });
  await expect(interaction.followUp({ files: [large] })).rejects.toMatchObject({ status: 413, code: 40005 });
});

test('the application offers choices while a member types', async () => {
  const { member, channel_id, idOf } = await setUp((interaction) => {
    if (interaction.isAutocomplete()) return interaction.respond([{ name: `${interaction.options.getFocused()}!`, value: 'x' }]);
  });
  const options = [{ name: 'text', type: 3, value: 'he', focused: true }];
  expect(await member.call('autocomplete', { channel_id, command_id: idOf('echo'), options })).toEqual([{ name: 'he!', value: 'x' }]);
});

test('buttons and menus reach the application with their message, which it can update', async () => {
  const { echo, member, channel_id } = await setUp(async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const button = new ButtonBuilder({ customId: 'b', label: 'Press', style: ButtonStyle.Primary });
      const menu = new StringSelectMenuBuilder({ customId: 'm', options: [{ label: 'One', value: '1' }] });
      await interaction.reply({
        components: [
          new ActionRowBuilder<ButtonBuilder>().addComponents(button),
          new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu),
        ],
      });
    } else if (interaction.isButton()) {
      await interaction.update('pressed');
    } else if (interaction.isStringSelectMenu()) {
      await interaction.deferUpdate();
      await interaction.editReply(`chose ${interaction.values}`);
    }
  });
  const created = member.next('MESSAGE_CREATE');
  await echo();
  const { id: message_id } = await created;
  const on = { channel_id, message_id };
  const pressed = member.next('MESSAGE_UPDATE');
  await member.call('click', { ...on, custom_id: 'b', component_type: ComponentType.Button });
  expect(await pressed).toMatchObject({ id: message_id, content: 'pressed' });
  const chosen = member.next('MESSAGE_UPDATE');
  await member.call('click', { ...on, custom_id: 'm', component_type: ComponentType.StringSelect, values: ['1'] });
  expect((await chosen).content).toBe('chose 1');
  const wrong = member.call('click', { ...on, custom_id: 'm', component_type: ComponentType.StringSelect, values: ['2'] });
  await expect(wrong).rejects.toThrow(/no such choice/);
});

test('a modal is shown to its member, and the submitted fields reach the application', async () => {
  const { echo, member, channel_id } = await setUp(async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const input = new TextInputBuilder({ customId: 'name', label: 'Name', style: TextInputStyle.Short, minLength: 2 });
      await interaction.showModal(
        new ModalBuilder({ customId: 'form', title: 'Who?' }).addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(input)),
      );
    } else if (interaction.isModalSubmit()) {
      await interaction.reply(`hello ${interaction.fields.getTextInputValue('name')}`);
    }
  });
  const shown = member.next('INTERACTION_MODAL_CREATE');
  await echo();
  const { interaction_id, custom_id } = await shown;
  const submit = (value: string) =>
    member.call('submit_modal', { channel_id, interaction_id, custom_id, fields: [{ custom_id: 'name', value }] });
  await expect(submit('x')).rejects.toThrow(/characters/);
  const answered = member.next('MESSAGE_CREATE');
  await submit('Ada');
  expect((await answered).content).toBe('hello Ada');
});

test('a message command receives the message with its content and files', async () => {
  const { member, channel_id, idOf } = await setUp(async (interaction) => {
    if (!interaction.isMessageContextMenuCommand()) return;
    const { content, attachments, flags } = interaction.targetMessage;
    const [{ name, duration } = {}] = attachments.values();
    await interaction.reply(`${content} ${name} ${duration} ${flags.has(MessageFlags.IsVoiceMessage)}`);
  });
  const look = async (message: { content?: string; voice_message?: { duration_secs: number; waveform: string } }) => {
    const { id } = member.upload('voice-message.ogg', 'audio/ogg', new Uint8Array(10));
    const { id: target_id } = await member.call('send_message', { channel_id, uploads: [id], ...message });
    const answered = member.next('MESSAGE_CREATE');
    await member.call('run_command', { channel_id, command_id: idOf('Look'), target_id });
    return (await answered).content;
  };
  expect(await look({ content: 'Listen:' })).toBe('Listen: voice-message.ogg null false');
  expect(await look({ voice_message: { duration_secs: 4, waveform: 'AAAA' } })).toBe(' voice-message.ogg 4 true');
});

test('a voice message can follow a response, but no response can become one, and it takes the permission', async () => {
  const files = [{ name: 'voice-message.ogg', attachment: Buffer.from('OggS'), duration: 2, waveform: 'AAAA' }];
  const { discord, echo, next, channel_id } = await setUpSilent();
  await echo();
  const interaction = await next;
  await interaction.deferReply();
  await interaction.editReply({ files, flags: MessageFlags.IsVoiceMessage as never });
  expect((await interaction.fetchReply()).flags.has(MessageFlags.IsVoiceMessage)).toBe(false);
  const sent = await interaction.followUp({ files, flags: [MessageFlags.IsVoiceMessage] });
  expect(sent.flags.has(MessageFlags.IsVoiceMessage)).toBe(true);
  expect(sent.attachments.first()).toMatchObject({ duration: 2, waveform: 'AAAA', contentType: 'audio/ogg' });
  const hidden = await interaction.followUp({ files, flags: [MessageFlags.IsVoiceMessage, MessageFlags.Ephemeral] });
  expect(hidden.flags.has([MessageFlags.IsVoiceMessage, MessageFlags.Ephemeral])).toBe(true);
  discord.setPermissions(channel_id, discord.application.id, { deny: PermissionFlagsBits.SendVoiceMessages });
  await expect(interaction.followUp({ files, flags: [MessageFlags.IsVoiceMessage] })).rejects.toMatchObject({ status: 403, code: 50013 });
});

test('an option for a file may say which types it takes, ten at most, and no other option', async () => {
  const { discord, client } = await setUpSilent();
  const register = (option: object) =>
    request(discord, 'POST', `/applications/${client.application?.id}/commands`, {
      name: 'upload',
      description: 'Takes a file',
      options: [{ name: 'file', description: 'It', type: ApplicationCommandOptionType.Attachment, ...option }],
    });
  expect(await register({ file_types: ['audio', 'video', '.caf'] })).toMatchObject({
    status: 201,
    body: { options: [{ file_types: ['audio', 'video', '.caf'] }] },
  });
  for (const wrong of [
    { file_types: ['sound'] },
    { file_types: 'audio' },
    { file_types: Array.from({ length: 11 }, (_, index) => `.a${index}`) },
    { file_types: ['audio'], type: ApplicationCommandOptionType.String },
  ])
    expect(await register(wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
});

test('a user-installed application is limited to five follow-ups and cannot read the channel', async () => {
  const { discord, echo, client, channel_id, member } = await setUp(
    async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.reply('first');
      for (let count = 1; count <= 5; count++) await interaction.followUp(`${count}`);
      await interaction.followUp('6').catch((error) => interaction.editReply(String(error.code)));
    },
    { installedBy: 'member' },
  );
  expect((client as Client).guilds.cache.size).toBe(0);
  const refused = member.next('MESSAGE_UPDATE');
  await echo();
  expect((await refused).content).toBe('40094');
  expect(await request(discord, 'GET', `/channels/${channel_id}`)).toMatchObject({ status: 403, body: { code: 50001 } });
});

test('a command that requires permissions is offered only to members who have them', async () => {
  const { discord, client, echo } = await setUpSilent();
  await client.application?.commands.set([{ ...ECHO, defaultMemberPermissions: '0' } as never]);
  const other = discord.member('Sam');
  expect((await other.call('hello', {})).commands).toEqual([]);
  await expect(echo('hello', [], other)).rejects.toThrow(/no such command/);
});
