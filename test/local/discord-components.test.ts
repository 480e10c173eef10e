// Components V2 of the local Discord: messages that are a layout of texts, media, files and buttons, as real bots send them.
import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ComponentType,
  ContainerBuilder,
  Events,
  FileBuilder,
  type Interaction,
  MediaGalleryBuilder,
  MessageFlags,
  SectionBuilder,
  SeparatorBuilder,
  SeparatorSpacingSize,
  StringSelectMenuBuilder,
  type TextChannel,
  TextDisplayBuilder,
  ThumbnailBuilder,
} from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';

const { IsComponentsV2 } = MessageFlags;
/** A PNG with one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const checkContainer = createSchemaCheck('ContainerComponentResponse');

async function setUp() {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  const channel_id = discord.channelId('general');
  const channel = client.channels.cache.get(channel_id) as TextChannel;
  const messages = `/channels/${channel_id}/messages`;
  const send = (components: unknown, more: object = {}) =>
    request(discord, 'POST', messages, { flags: IsComponentsV2, components, ...more });
  const edit = (id: unknown, body: object) => request(discord, 'PATCH', `${messages}/${id}`, body);
  return { discord, client, channel_id, channel, messages, send, edit, member: discord.member() };
}

const text = (content: string) => ({ type: ComponentType.TextDisplay, content });
const button = (custom_id: string) => ({ type: ComponentType.Button, style: ButtonStyle.Primary, label: custom_id, custom_id });
const refusal = (errors: object) => ({ status: 400, body: { code: 50035, errors } });
const at = (code: string) => ({ _errors: [{ code }] });

/** One of everything that a message can hold. */
function everything() {
  const files = [
    new AttachmentBuilder(PIXEL, { name: 'dot.png', description: 'A dot' }),
    new AttachmentBuilder(Buffer.from('hello'), { name: 'words.txt' }),
  ];
  const container = new ContainerBuilder()
    .setAccentColor(0x5865f2)
    .addTextDisplayComponents(new TextDisplayBuilder({ content: '# Title' }))
    .addSectionComponents(
      new SectionBuilder()
        .addTextDisplayComponents(new TextDisplayBuilder({ content: 'with a picture' }))
        .setThumbnailAccessory(new ThumbnailBuilder({ media: { url: 'attachment://dot.png' }, description: 'A dot' })),
    )
    .addSectionComponents(
      new SectionBuilder()
        .addTextDisplayComponents(new TextDisplayBuilder({ content: 'with a button' }))
        .setButtonAccessory(new ButtonBuilder({ customId: 'beside', label: 'Beside', style: ButtonStyle.Secondary })),
    )
    .addSeparatorComponents(new SeparatorBuilder().setSpacing(SeparatorSpacingSize.Large).setDivider(false))
    .addMediaGalleryComponents(
      new MediaGalleryBuilder().addItems(
        { media: { url: 'attachment://dot.png' }, description: 'The dot again' },
        { media: { url: 'https://example.com/a.png' }, spoiler: true },
      ),
    )
    .addActionRowComponents(
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder({ customId: 'menu', options: [{ label: 'One', value: '1' }] }),
      ),
    )
    .addFileComponents(new FileBuilder({ file: { url: 'attachment://words.txt' } }));
  return { flags: IsComponentsV2, components: [container], files } as const;
}

test('a layout of everything comes back as Discord serialises it: numbered, complete, and with its media resolved', async () => {
  const { discord, channel, messages, member } = await setUp();
  const received = member.next('MESSAGE_CREATE');
  const { id } = await channel.send(everything());
  const { body } = await request(discord, 'GET', `${messages}/${id}`);
  const [container] = body.components as { components: Record<string, never>[] }[];
  checkContainer(container);
  const [title, pictured, pressable, separator, gallery, row, file] = container?.components ?? [];
  expect(container).toMatchObject({ id: 1, type: 17, accent_color: 0x5865f2, spoiler: false });
  expect(title).toMatchObject({ id: 2, content: '# Title' });
  const dot = {
    url: expect.stringContaining('/dot.png'),
    content_type: 'image/png',
    width: 1,
    height: 1,
    attachment_id: expect.any(String),
  };
  expect(pictured).toMatchObject({ accessory: { type: 11, media: dot, description: 'A dot', spoiler: false } });
  expect(pressable).toMatchObject({ accessory: { type: 2, custom_id: 'beside' } });
  expect(separator).toMatchObject({ divider: false, spacing: 2 });
  const outside = { url: 'https://example.com/a.png', proxy_url: 'https://example.com/a.png', width: null, content_type: null };
  expect(gallery).toMatchObject({
    items: [
      { media: dot, description: 'The dot again' },
      { media: outside, spoiler: true },
    ],
  });
  expect(row).toMatchObject({ type: 1, components: [{ custom_id: 'menu' }] });
  expect(file).toMatchObject({ file: { url: expect.stringContaining('/words.txt') }, name: 'words.txt', size: 5, spoiler: false });
  expect(body).toMatchObject({ flags: IsComponentsV2, content: '', embeds: [], attachments: [] });
  expect(body).not.toHaveProperty('shownFiles');
  expect((await received).components).toEqual(body.components);
  const words = (file as never as { file: { url: string } }).file.url;
  expect(await (await fetch(words)).text()).toBe('hello');
});

test('buttons and menus within containers and sections reach the application, which edits their message', async () => {
  const { client, channel, channel_id, member } = await setUp();
  client.on(Events.InteractionCreate, async (interaction: Interaction) => {
    if (!interaction.isMessageComponent()) return;
    const components = [new TextDisplayBuilder({ content: `used ${interaction.customId}` })];
    await interaction.update({ flags: IsComponentsV2, components });
  });
  for (const [custom_id, component_type] of [
    ['beside', ComponentType.Button],
    ['menu', ComponentType.StringSelect],
  ] as const) {
    const { id: message_id } = await channel.send(everything());
    const updated = member.next('MESSAGE_UPDATE');
    await member.call('click', { channel_id, message_id, custom_id, component_type, values: ['1'] });
    expect((await updated).components).toMatchObject([{ id: 1, type: 10, content: `used ${custom_id}` }]);
  }
});

test('a deferred response takes the flag with its first edit, and an old message by clearing its content and embeds', async () => {
  const { discord, client, channel_id, member, edit, messages } = await setUp();
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isButton()) return;
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({ flags: IsComponentsV2, components: [text('filled in')] });
    await interaction.followUp({ flags: IsComponentsV2 | MessageFlags.Ephemeral, components: [text('and more')] });
  });
  const old = { content: 'old', embeds: [{ title: 'old' }], components: [{ type: 1, components: [button('b')] }] };
  const { body } = await request(discord, 'POST', messages, old);
  const filled = member.next('MESSAGE_UPDATE');
  const more = member.next('MESSAGE_CREATE', ({ components }) => components?.length === 1);
  await member.call('click', { channel_id, message_id: body.id as string, custom_id: 'b', component_type: ComponentType.Button });
  expect(await filled).toMatchObject({ flags: IsComponentsV2 | MessageFlags.Ephemeral, components: [{ content: 'filled in' }] });
  expect(await more).toMatchObject({ flags: IsComponentsV2 | MessageFlags.Ephemeral, components: [{ content: 'and more' }] });

  const layout = { flags: IsComponentsV2, components: [text('new')] };
  const legacy = at('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
  expect(await edit(body.id, layout)).toMatchObject(refusal({ content: legacy, embeds: legacy }));
  expect(await edit(body.id, { ...layout, content: null })).toMatchObject(refusal({ embeds: legacy }));
  expect((await edit(body.id, { ...layout, content: null, embeds: [] })).body).toMatchObject({ ...layout, content: '', embeds: [] });
});

test('the flag cannot be removed, and excludes content, embeds, polls and stickers', async () => {
  const { send, edit } = await setUp();
  const { body } = await send([text('here')]);
  expect(await edit(body.id, { flags: 0 })).toMatchObject(refusal({ flags: at('MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG') }));
  expect(await edit(body.id, { components: [text('changed')] })).toMatchObject({
    status: 200,
    body: { flags: IsComponentsV2, components: [{ content: 'changed' }] },
  });
  const legacy = at('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
  expect(await edit(body.id, { content: 'words' })).toMatchObject(refusal({ content: legacy }));
  const refused = { content: 'a', embeds: [{ title: 'a' }], poll: {}, sticker_ids: ['1'] };
  expect(await send([text('a')], refused)).toMatchObject(refusal({ content: legacy, embeds: legacy, poll: legacy, sticker_ids: legacy }));
  expect(await send([text('a')], { content: null, embeds: [], sticker_ids: [] })).toMatchObject({ status: 200 });
  expect(await send([])).toMatchObject({ status: 400, body: { code: 50006 } });
  expect(await send([text('a')], { flags: 0 })).toMatchObject(refusal({ components: { 0: { type: at('UNION_TYPE_CHOICES') } } }));
});

test('40 components and 4000 characters are the limits of a whole message, however it is nested', async () => {
  const { send } = await setUp();
  const section = { type: ComponentType.Section, components: [text('a')], accessory: button('b') };
  const many = (count: number) => [section, { type: ComponentType.Container, components: Array(count - 4).fill(text('a')) }];
  expect((await send(many(40))).status).toBe(200);
  expect(await send(many(41))).toMatchObject(refusal({ components: at('COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED') }));
  const long = (length: number) => [text('a'.repeat(3000)), { type: 17, components: [text('a'.repeat(length - 3000))] }];
  expect((await send(long(4000))).status).toBe(200);
  expect(await send(long(4001))).toMatchObject(refusal({ components: at('COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED') }));
});

test('each component has limits of its own, and what is wrong is named by its path', async () => {
  const { send } = await setUp();
  const media = (url: string) => ({ media: { url } });
  const cases: [component: object, errors: object][] = [
    [text(''), { content: at('BASE_TYPE_BAD_LENGTH') }],
    [button('x'), { type: at('UNION_TYPE_CHOICES') }],
    [{ type: 17, components: [] }, { components: at('BASE_TYPE_BAD_LENGTH') }],
    [{ type: 17, components: [{ type: 17, components: [text('a')] }] }, { components: { 0: { type: at('UNION_TYPE_CHOICES') } } }],
    [{ type: 17, accent_color: 0x1000000, components: [text('a')] }, { accent_color: at('NUMBER_TYPE_MAX') }],
    [{ type: 9, components: [text('a')] }, { accessory: at('BASE_TYPE_REQUIRED') }],
    [{ type: 9, components: Array(4).fill(text('a')), accessory: button('x') }, { components: at('BASE_TYPE_BAD_LENGTH') }],
    [{ type: 9, components: [text('a')], accessory: text('b') }, { accessory: { type: at('UNION_TYPE_CHOICES') } }],
    [{ type: 12, items: [] }, { items: at('BASE_TYPE_BAD_LENGTH') }],
    [{ type: 12, items: Array(11).fill(media('https://a.example/')) }, { items: at('BASE_TYPE_BAD_LENGTH') }],
    [{ type: 12, items: [media('ftp://a.example/')] }, { items: { 0: { media: { url: at('URL_TYPE_INVALID_SCHEME') } } } }],
    [{ type: 13, file: { url: 'https://a.example/b.txt' } }, { file: { url: at('URL_TYPE_INVALID_SCHEME') } }],
    [{ type: 14, spacing: 3 }, { spacing: at('BASE_TYPE_CHOICES') }],
    [{ type: 1, components: Array.from('abcdef', button) }, { components: at('BASE_TYPE_BAD_LENGTH') }],
  ];
  const refused = await send(cases.map(([component]) => component));
  expect(refused).toMatchObject({ status: 400, body: { code: 50035 } });
  const { components } = refused.body.errors as { components: object[] };
  for (const [index, [component, errors]] of cases.entries()) expect(components[index], JSON.stringify(component)).toMatchObject(errors);
  expect(await send([text('a'), { type: 12, items: [media('https://a.example/'), media('attachment://no.png')] }])).toMatchObject(
    refusal({ components: { 1: { items: { 1: { media: { url: at('UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND') } } } } } }),
  );
  const twice = [
    { type: 1, components: [button('same')] },
    { type: 9, components: [text('a')], accessory: button('same') },
  ];
  expect(await send(twice)).toMatchObject(
    refusal({ components: { 1: { accessory: { custom_id: at('COMPONENT_CUSTOM_ID_DUPLICATED') } } } }),
  );
});

test('components nested however deeply are refused', async () => {
  const { send } = await setUp();
  let nested: object = text('a');
  for (let depth = 0; depth < 500; depth++) nested = { type: 17, components: [nested] };
  expect(await send([nested])).toMatchObject(refusal({ components: { 0: { components: { 0: { type: at('UNION_TYPE_CHOICES') } } } } }));
});

test('ids that the application chose are kept, and no other component is given one of them', async () => {
  const { send } = await setUp();
  const { body } = await send([text('a'), { ...text('b'), id: 2 }, text('c'), { ...text('d'), id: 1 }]);
  expect((body.components as { id: number }[]).map(({ id }) => id)).toEqual([3, 2, 4, 1]);
  const same = { ...text('a'), id: 7 };
  expect(await send([same, same])).toMatchObject(refusal({ components: { 1: { id: at('COMPONENT_ID_DUPLICATED') } } }));
});

test('text displays mention whom allowed_mentions allows', async () => {
  const { member, send, edit } = await setUp();
  const layout = [{ type: 17, components: [text(`hi <@${member.userId}>`)] }];
  expect((await send(layout)).body).toMatchObject({ mentions: [{ id: member.userId }] });
  const quiet = await send(layout, { allowed_mentions: { parse: [] } });
  expect(quiet.body.mentions).toEqual([]);
  expect((await edit(quiet.body.id, { components: layout })).body).toMatchObject({ mentions: [{ id: member.userId }] });
  expect((await edit(quiet.body.id, { components: [text('bye')] })).body.mentions).toEqual([]);
});

test('an edit keeps the files that it lists, and a file that no component shows is listed but not shown', async () => {
  const { channel, discord, messages } = await setUp();
  const sent = await channel.send(everything());
  const { body } = await request(discord, 'GET', `${messages}/${sent.id}`);
  const [container] = body.components as { components: { file?: { attachment_id: string } }[] }[];
  const id = container?.components.at(-1)?.file?.attachment_id as string;
  const file = new FileBuilder({ file: { url: 'attachment://words.txt' } });
  const kept = await sent.edit({ flags: IsComponentsV2, components: [file], attachments: [{ id, filename: 'words.txt' } as never] });
  expect(kept.components).toMatchObject([{ data: { name: 'words.txt', size: 5 } }]);
  const unlisted = await sent.edit({ flags: IsComponentsV2, components: [new TextDisplayBuilder({ content: 'none' })] });
  expect(unlisted.attachments.map(({ name }) => name)).toEqual(['words.txt']);
  // Discord finds a file by its name only if the list of those to keep has that name.
  for (const attachments of [[], [{ id } as never]]) {
    const edited = sent.edit({ flags: IsComponentsV2, components: [file], attachments });
    await expect(edited).rejects.toThrow(/UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND/);
  }
});

test('what is wrong with a response to an interaction is named by its path within data', async () => {
  const { discord, client, channel, channel_id, member } = await setUp();
  const { id: message_id } = await channel.send(everything());
  const received = new Promise<Interaction>((resolve) => client.once(Events.InteractionCreate, resolve));
  await member.call('click', { channel_id, message_id, custom_id: 'beside', component_type: ComponentType.Button });
  const { id, token } = await received;
  const respond = (type: number, data: object) => request(discord, 'POST', `/interactions/${id}/${token}/callback`, { type, data });
  const tooLong = at('BASE_TYPE_BAD_LENGTH');
  const layout = { flags: IsComponentsV2, components: [text('')] };
  for (const type of [4, 7])
    expect(await respond(type, layout)).toMatchObject(refusal({ data: { components: { 0: { content: tooLong } } } }));
  const modal = { custom_id: 'm', title: '', components: [text('a')] };
  expect(await respond(9, modal)).toMatchObject(refusal({ data: { title: tooLong } }));
  expect(await respond(8, { choices: [] })).toMatchObject(refusal({ type: at('INTERACTION_CALLBACK_TYPE_INVALID') }));
});
