// Modals of the local Discord: labels, texts, menus and file uploads, as real bots send them.
import {
  ButtonBuilder,
  ButtonStyle,
  ComponentType,
  Events,
  FileUploadBuilder,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  type ModalSubmitInteraction,
  StringSelectMenuBuilder,
  type TextChannel,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';

const FILES = { type: 19, custom_id: 'files' };

/** A bot whose button opens this modal, and a member who has opened it. */
async function openModal(modal: ModalBuilder) {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  const member = discord.member();
  const channel_id = discord.channelId('general');
  const submitted = new Promise<ModalSubmitInteraction>((resolve) => {
    client.on(Events.InteractionCreate, async (interaction) => {
      if (interaction.isButton()) await interaction.showModal(modal);
      else if (interaction.isModalSubmit()) resolve(interaction);
    });
  });
  const channel = client.channels.cache.get(channel_id) as TextChannel;
  const button = new ButtonBuilder({ customId: 'open', label: 'Open', style: ButtonStyle.Primary });
  const { id: message_id } = await channel.send({
    flags: MessageFlags.IsComponentsV2,
    components: [{ type: ComponentType.ActionRow, components: [button] }],
  });
  const shown = member.next('INTERACTION_MODAL_CREATE');
  await member.call('click', { channel_id, message_id, custom_id: 'open', component_type: ComponentType.Button });
  const { interaction_id, custom_id, components } = await shown;
  const submit = (fields: { custom_id: string; value?: string; values?: string[] }[]) =>
    member.call('submit_modal', { channel_id, interaction_id, custom_id, fields });
  const upload = (name: string, bytes = 3) => member.upload(name, 'audio/wav', new Uint8Array(bytes)).id;
  return { discord, member, components, submitted, submit, upload };
}

test('files, choices and text of a modal reach the application, with the files resolved', async () => {
  const modal = new ModalBuilder({ customId: 'form', title: 'Your own voice' })
    .addTextDisplayComponents({ type: ComponentType.TextDisplay, content: '## Before you start' })
    .addLabelComponents(
      new LabelBuilder().setLabel('Name').setTextInputComponent(new TextInputBuilder({ customId: 'name', style: TextInputStyle.Short })),
      new LabelBuilder()
        .setLabel('Language')
        .setStringSelectMenuComponent(new StringSelectMenuBuilder({ customId: 'language', options: [{ label: 'German', value: 'de' }] })),
      new LabelBuilder()
        .setLabel('Recordings')
        .setDescription('Up to three')
        .setFileUploadComponent(new FileUploadBuilder().setCustomId('files').setMaxValues(3)),
    );
  const { components, submitted, submit, upload } = await openModal(modal);
  expect(components).toMatchObject([{ id: 1, type: 10 }, { id: 2, component: { id: 3 } }, { id: 4, component: { id: 5 } }, { id: 6 }]);
  const values = [upload('one.wav', 3), upload('two.wav', 5)];
  await submit([
    { custom_id: 'name', value: 'Ada' },
    { custom_id: 'language', values: ['de'] },
    { custom_id: 'files', values },
  ]);
  const { fields } = await submitted;
  expect([fields.getTextInputValue('name'), fields.getStringSelectValues('language')]).toEqual(['Ada', ['de']]);
  const files = [...(fields.getUploadedFiles('files', true)?.values() ?? [])];
  expect(files.map(({ id, name, size, ephemeral }) => [id, name, size, ephemeral])).toEqual([
    [values[0], 'one.wav', 3, true],
    [values[1], 'two.wav', 5, true],
  ]);
  expect((await (await fetch(files[1]?.url as string)).arrayBuffer()).byteLength).toBe(5);
});

test('the number of files has limits, a required one is needed, and a member’s files are their own', async () => {
  const label = new LabelBuilder().setLabel('Recordings');
  const twoToThree = new FileUploadBuilder().setCustomId('files').setMinValues(2).setMaxValues(3);
  const modal = new ModalBuilder({ customId: 'form', title: 'Files' }).addLabelComponents(label.setFileUploadComponent(twoToThree));
  const { discord, submit, upload } = await openModal(modal);
  const fill = (...values: string[]) => submit([{ custom_id: 'files', values }]);
  await expect(fill()).rejects.toThrow('“Recordings” is required.');
  await expect(fill(upload('a'))).rejects.toThrow('“Recordings” takes 2 to 3 files.');
  await expect(fill(...'abcd'.split('').map((name) => upload(name)))).rejects.toThrow('takes 2 to 3 files');
  const foreign = discord.member('Sam').upload('sam', 'audio/wav', new Uint8Array(1)).id;
  await expect(fill(upload('a'), foreign)).rejects.toThrow('The file is gone');
  await fill(upload('a'), upload('b'));
});

test('an upload that is not required may stay empty', async () => {
  const optional = new FileUploadBuilder().setCustomId('files').setRequired(false);
  const label = new LabelBuilder().setLabel('Recordings').setFileUploadComponent(optional);
  const { submit, submitted } = await openModal(new ModalBuilder({ customId: 'form', title: 'Files' }).addLabelComponents(label));
  await submit([{ custom_id: 'files', values: [] }]);
  expect((await submitted).fields.getUploadedFiles('files')).toBeNull();
});

test('an upload outside Discord’s limits, or outside a label, is refused', async () => {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  const command = await client.application.commands.create({ name: 'open', description: 'Opens a form' });
  const member = discord.member();
  const received = new Promise<{ id: string; token: string }>((resolve) => client.once(Events.InteractionCreate, resolve));
  await member.call('run_command', { channel_id: discord.channelId('general'), command_id: command.id });
  const { id, token } = await received;
  const open = (component: object) =>
    request(discord, 'POST', `/interactions/${id}/${token}/callback`, {
      type: 9,
      data: { custom_id: 'form', title: 'Form', components: [component] },
    });
  const inLabel = (field: object) => ({ type: 18, label: 'Files', component: { ...FILES, ...field } });
  for (const wrong of [
    inLabel({ min_values: 11 }),
    inLabel({ max_values: 0 }),
    inLabel({ max_values: 11 }),
    inLabel({ min_values: 3, max_values: 2 }),
    inLabel({ min_values: 0 }),
    inLabel({ custom_id: '' }),
    { type: 1, components: [FILES] },
    FILES,
  ])
    expect(await open(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
  expect((await open(inLabel({ min_values: 0, max_values: 10, required: false }))).status).toBe(204);
});
