// The local Discord's REST API, files and limits, through raw requests and the real discord.js.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { ChannelType, Events, PermissionFlagsBits as P, type TextChannel } from 'discord.js';
import { type Dispatcher, Pool } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type LocalDiscordOptions, startLocalDiscord } from '../../src/local/discord/index.ts';
import { keyOf, logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { watchRequests } from '../helpers/openapi.ts';
import { discordDescription, titled } from '../helpers/requirements.ts';

async function setUp(options: LocalDiscordOptions = {}) {
  const discord = await openLocalDiscord(options);
  const general = `/channels/${discord.channelId('general')}`;
  const send = (body: object) => request(discord, 'POST', `${general}/messages`, body);
  return { discord, general, send };
}

test('requests without the token, or for an unknown path, are refused', async () => {
  const { discord } = await setUp();
  expect(await request(discord, 'GET', '/users/@me', undefined, { authorization: 'Bot wrong' })).toMatchObject({ status: 401 });
  expect(await request(discord, 'GET', '/nowhere')).toMatchObject({ status: 404, body: { code: 0 } });
  expect(await request(discord, 'GET', '/channels/1')).toMatchObject({ status: 404, body: { code: 10003 } });
});

test('a message can be sent, read, edited and deleted', async () => {
  const { discord, general, send } = await setUp();
  const { body } = await send({ content: 'one' });
  const path = `${general}/messages/${body.id}`;
  expect(await request(discord, 'GET', path)).toMatchObject({ status: 200, body: { content: 'one', edited_timestamp: null } });
  expect(await request(discord, 'PATCH', path, { content: 'two' })).toMatchObject({ status: 200, body: { content: 'two' } });
  expect((await request(discord, 'GET', `${general}/messages`)).body).toMatchObject([{ content: 'two' }]);
  expect((await request(discord, 'DELETE', path)).status).toBe(204);
  expect(await request(discord, 'GET', path)).toMatchObject({ status: 404, body: { code: 10008 } });
});

test.each([
  ['no boundary', 'multipart/form-data', '--b--'],
  ['no end', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="content"\r\n\r\nhi'],
  [
    'a file without an end',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="files[0]"; filename="a"\r\n\r\nhi',
  ],
  ['a part without headers', 'multipart/form-data; boundary=b', '--b\r\nnonsense\r\n\r\nhi\r\n--b--'],
])('a form with %s is refused as a client error', async (_, type, body) => {
  const { discord, general } = await setUp();
  const response = await fetch(`${discord.apiUrl}/v10${general}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${discord.application.token}`, 'content-type': type },
    body,
  });
  expect(response.status).toBe(400);
});

test('the application cannot edit messages of others', async () => {
  const { discord, general } = await setUp();
  const { id } = await discord.member().call('send_message', { channel_id: discord.channelId('general'), content: 'mine' });
  expect(await request(discord, 'PATCH', `${general}/messages/${id}`, { content: 'yours' })).toMatchObject({ body: { code: 50005 } });
  expect(await request(discord, 'DELETE', `${general}/messages/${id}`)).toMatchObject({ status: 403, body: { code: 50013 } });
});

test('each violated limit of a message is reported at its field', async () => {
  const { discord, general } = await setUp();
  const button = (custom_id: string) => ({ type: 2, style: 1, label: 'x', custom_id });
  const row = (...components: object[]) => ({ type: 1, components });
  const cases: [body: object, place: string[], code: string][] = [
    [{ content: 'x'.repeat(2001) }, ['content'], 'BASE_TYPE_BAD_LENGTH'],
    [{ embeds: [{ description: 'x'.repeat(4097) }] }, ['embeds', '0', 'description'], 'BASE_TYPE_BAD_LENGTH'],
    [{ embeds: Array(2).fill({ description: 'x'.repeat(3001) }) }, ['embeds'], 'MAX_EMBED_SIZE_EXCEEDED'],
    [{ components: Array(6).fill(row(button('a'))) }, ['components'], 'BASE_TYPE_BAD_LENGTH'],
    [{ components: [row(...['1', '2', '3', '4', '5', '6'].map(button))] }, ['components', '0', 'components'], 'BASE_TYPE_BAD_LENGTH'],
    [{ components: [row(button('x'.repeat(101)))] }, ['components', '0', 'components', '0', 'custom_id'], 'BASE_TYPE_BAD_LENGTH'],
    [
      { components: [row(button('a'), button('a'))] },
      ['components', '0', 'components', '1', 'custom_id'],
      'COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      { components: [row({ type: 3, custom_id: 's', options: Array.from({ length: 26 }, (_, i) => ({ label: `${i}`, value: `${i}` })) })] },
      ['components', '0', 'components', '0', 'options'],
      'BASE_TYPE_BAD_LENGTH',
    ],
  ];
  // The limit is five messages in five seconds per channel: two channels accept them all at once.
  const targets = [general, `/channels/${discord.channelId('random')}`];
  for (const [index, [body, place, code]] of cases.entries()) {
    const answer = await request(discord, 'POST', `${targets[index % 2]}/messages`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 50035 } });
    const at = place.reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], answer.body.errors);
    expect(at, place.join('.')).toMatchObject({ _errors: [{ code }] });
  }
});

test('a body of the wrong shape is a validation error at any depth', async () => {
  const { discord, send } = await setUp();
  const commands = `/applications/${discord.application.id}/commands`;
  for (const body of [{ embeds: 5 }, { embeds: [{ fields: 5 }] }, { components: [{ type: 1, components: [5] }] }, { content: 5 }])
    expect(await send(body), JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 50035 } });
  for (const options of [5, [5], [{ choices: 5 }]])
    expect(await request(discord, 'POST', commands, { name: 'a', description: 'b', options })).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
});

test('an empty message is refused', async () => {
  const { send } = await setUp();
  expect(await send({ content: '' })).toMatchObject({ status: 400, body: { code: 50006 } });
});

test('only users that allowed_mentions permits are mentioned', async () => {
  const { discord, send } = await setUp();
  const content = `<@${discord.member('Sam').userId}> @everyone`;
  expect((await send({ content })).body).toMatchObject({ mentions: [{ global_name: 'Sam' }], mention_everyone: false });
  expect((await send({ content, allowed_mentions: { parse: [] } })).body).toMatchObject({ mentions: [] });
});

describe('a voice message', () => {
  const attachment = { id: 0, filename: 'voice-message.ogg', duration_secs: 1.5, waveform: 'AAAA' };
  const METADATA = { status: 400, body: { code: 50162 } };

  /** Posts a file as a voice message. */
  async function setUpPost() {
    const { discord, general } = await setUp();
    return (payload: object, type = 'audio/ogg') => {
      const data = new FormData();
      data.set('payload_json', JSON.stringify({ flags: 1 << 13, ...payload }));
      data.set('files[0]', new Blob(['ogg'], { type }), 'voice-message.ogg');
      return request(discord, 'POST', `${general}/messages`, data);
    };
  }

  test('is a sound with a duration and waveform, and allows no other content', async () => {
    const post = await setUpPost();
    expect(await post({ attachments: [attachment] })).toMatchObject({ status: 200, body: { attachments: [{ duration_secs: 1.5 }] } });
    expect(await post({ attachments: [{ id: 0 }] })).toMatchObject(METADATA);
    expect(await post({ content: 'and', attachments: [attachment] })).toMatchObject({ body: { code: 50160 } });
    expect(await post({ attachments: [{ ...attachment, id: 7 }] })).toMatchObject({ body: { code: 50035 } });
    expect(await post({ attachments: [attachment] }, 'text/plain')).toMatchObject({ status: 400, body: { code: 50161 } });
  });

  test('lasts 20 minutes at most', async () => {
    const post = await setUpPost();
    expect(await post({ attachments: [{ ...attachment, duration_secs: 0 }] })).toMatchObject(METADATA);
    expect(await post({ attachments: [{ ...attachment, duration_secs: 1201 }] })).toMatchObject(METADATA);
    expect(await post({ attachments: [{ ...attachment, duration_secs: 1200 }] })).toMatchObject({ status: 200 });
  });

  test('has a waveform of 1 to 256 bytes', async () => {
    const post = await setUpPost();
    for (const waveform of ['', 'no base64', Buffer.alloc(257).toString('base64')])
      expect(await post({ attachments: [{ ...attachment, waveform }] })).toMatchObject(METADATA);
    const longest = Buffer.alloc(256).toString('base64');
    expect(await post({ attachments: [{ ...attachment, waveform: longest }] })).toMatchObject({ status: 200 });
  });
});

test('denied permissions are refused in their channel, and an invisible channel refuses everything', async () => {
  const { discord, general, send } = await setUp();
  const id = discord.channelId('general');
  discord.setPermissions(id, discord.application.id, { deny: P.SendMessages });
  expect(await send({ content: 'x' })).toMatchObject({ status: 403, body: { code: 50013 } });
  discord.setPermissions(id, discord.application.id, { deny: P.EmbedLinks });
  expect(await send({ embeds: [{ title: 'x' }] })).toMatchObject({ status: 403, body: { code: 50013 } });
  discord.setPermissions(id, discord.application.id, { deny: P.ViewChannel });
  expect(await request(discord, 'GET', general)).toMatchObject({ status: 403, body: { code: 50001 } });
  discord.setPermissions(id, discord.application.id, {});
  expect(await send({ content: 'x' })).toMatchObject({ status: 200 });
});

test('reading a message takes Read Message History, and editing one’s own does not', async () => {
  const discord = await openLocalDiscord();
  const channelId = discord.channelId('general');
  const { body } = await request(discord, 'POST', `/channels/${channelId}/messages`, { content: 'Hello' });
  const path = `/channels/${channelId}/messages/${body.id}`;
  expect((await request(discord, 'GET', path)).status).toBe(200);
  discord.setPermissions(channelId, discord.application.id, { deny: P.ReadMessageHistory });
  expect(await request(discord, 'GET', path)).toMatchObject({ status: 403, body: { code: 50013 } });
  expect((await request(discord, 'PATCH', path, { content: 'Hello again' })).status).toBe(200);
});

test('the sixth message within five seconds is refused, with the time to retry after', async () => {
  const { send } = await setUp();
  // They are within five seconds however long they take. With a fraction of a millisecond, the time to wait may be rounded up beyond that.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.floor(performance.now()));
  onTestFinished(() => void clock.mockRestore());
  for (let left = 4; left >= 0; left--) {
    const { status, headers } = await send({ content: 'x' });
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
  }
  const refused = await send({ content: 'x' });
  expect(refused.status).toBe(429);
  expect(refused.body.retry_after).toBeLessThanOrEqual(5);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('with another pace, the five seconds pass as much faster', async () => {
  const { send } = await setUp({ rateLimitPace: 100 });
  const { headers } = await send({ content: 'x' });
  expect(Number(headers.get('x-ratelimit-reset-after'))).toBeLessThanOrEqual(0.05);
});

test('the fourth edit of messages that are over an hour old is refused, others are not', async () => {
  const { discord, send } = await setUp();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.floor(performance.now()));
  onTestFinished(() => void clock.mockRestore());
  const [old, recent] = [(await send({ content: 'x' })).body.id as string, (await send({ content: 'x' })).body.id as string];
  const channelId = discord.channelId('general');
  const message = discord.world.messages.get(channelId)?.find(({ id }) => id === old);
  if (message) message.timestamp = new Date(Date.now() - 3_601_000).toISOString();
  const edit = (id: string) => request(discord, 'PATCH', `/channels/${channelId}/messages/${id}`, { content: 'y' });
  for (let count = 1; count <= 3; count++) expect((await edit(old)).status).toBe(200);
  const refused = await edit(old);
  expect([refused.status, refused.body.code]).toEqual([429, 30046]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await edit(recent)).status).toBe(200);
});

test('command definitions are validated, keep their id by name, and are limited in number', async () => {
  const { discord } = await setUp();
  const base = `/applications/${discord.application.id}/commands`;
  const post = (body: object) => request(discord, 'POST', base, body);
  const option = (name: string, more = {}) => ({ type: 3, name, description: 'd', ...more });
  const wrong: [body: object, place: string][] = [
    [{ name: 'Upper', description: 'd' }, 'name'],
    [{ name: 'a', description: '' }, 'description'],
    [{ name: 'a', description: 'd', contexts: [9] }, 'contexts'],
    [{ name: 'a', description: 'd', name_localizations: { xx: 'a' } }, 'name_localizations'],
    [{ name: 'a', description: 'd', options: [option('b'), option('c', { required: true })] }, 'options'],
    [{ name: 'a', description: 'd', options: [option('b'), option('b')] }, 'options'],
    [{ name: 'a', description: 'd', options: Array.from({ length: 26 }, (_, i) => option(`o${i}`)) }, 'options'],
    [{ name: 'Look', type: 3, description: 'd' }, 'description'],
  ];
  for (const [body, place] of wrong) {
    const { status, body: answer } = await post(body);
    expect([status, Object.keys(answer.errors as object)], place).toEqual([400, [place]]);
  }
  const first = await post({ name: 'a', description: 'one' });
  const second = await post({ name: 'a', description: 'two' });
  expect([first.status, second.status, second.body.id]).toEqual([201, 200, first.body.id]);
  const changed = await request(discord, 'PATCH', `${base}/${first.body.id}`, { name: 'b' });
  expect(changed.body).toMatchObject({ id: first.body.id, name: 'b', description: 'two' });
  const many = Array.from({ length: 101 }, (_, i) => ({ name: `c${i}`, description: 'd' }));
  expect(await request(discord, 'PUT', base, many)).toMatchObject({ status: 400, body: { code: 30032 } });
  expect((await request(discord, 'DELETE', `${base}/${first.body.id}`)).status).toBe(204);
});

test('discord.js survives REST faults, or reports them', async () => {
  const { discord } = await setUp();
  const client = await logIn(discord);
  const channel = client.channels.cache.get(discord.channelId('general')) as TextChannel;
  const match = /^POST .*\/messages$/;
  discord.restFaults.push({ match, times: 1, how: { status: 500 } });
  expect((await channel.send('after a 500')).content).toBe('after a 500');
  discord.restFaults.push({ match, times: 1, how: { status: 429, retryAfterSeconds: 0.05 } });
  expect((await channel.send('after a 429')).content).toBe('after a 429');
  discord.restFaults.push({ match, times: 3, how: 'reset' });
  await expect(request(discord, 'POST', `/channels/${channel.id}/messages`, { content: 'lost' })).rejects.toThrow();
  discord.restFaults.length = 0;
  discord.restFaults.push({ match, times: 1, how: 'reset after' });
  await expect(request(discord, 'POST', `/channels/${channel.id}/messages`, { content: 'done, but not said' })).rejects.toThrow();
  const contents = (await discord.member().call('messages', { channel_id: channel.id })).map(({ content }) => content);
  expect(contents).toEqual(['after a 500', 'after a 429', 'done, but not said']);
});

test('a taken port is reported, and nothing is left running', async () => {
  const { discord } = await setUp();
  const servers = () => process.getActiveResourcesInfo().filter((name) => /TCPServer|UDP/.test(name)).length;
  const before = servers();
  await expect(startLocalDiscord({ port: Number(new URL(discord.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  // Fewer if those of the test before were still closing.
  await expect.poll(servers).toBeLessThanOrEqual(before);
});

test('a request from another site, or by another host name, is refused with a reason', async () => {
  const { discord } = await setUp();
  const { port } = new URL(discord.url);
  for (const headers of [{ origin: 'https://elsewhere.example' }, { host: 'elsewhere.example' }]) {
    const asked = httpRequest({ host: '127.0.0.1', port, path: '/', headers });
    asked.end();
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    expect([response.statusCode, text]).toEqual([403, expect.stringContaining('own page')]);
  }
});

test('a member uploads a file by POST and finds it in the message', async () => {
  const { discord } = await setUp();
  const posted = await fetch(`${discord.url}/member/uploads?filename=a.txt&key=${keyOf(discord)}`, {
    method: 'POST',
    body: 'abc',
    headers: { 'content-type': 'text/plain', origin: discord.url },
  });
  const { id } = (await posted.json()) as { id: string };
  const message = await discord.member().call('send_message', { channel_id: discord.channelId('general'), uploads: [id] });
  expect(await (await fetch(message.attachments[0]?.url as string)).text()).toBe('abc');
});

test('only the newest messages and files within the retention limits are kept', async () => {
  const discord = await openLocalDiscord({ retention: { messagesPerChannel: 2, attachmentBytes: 10 } });
  const member = discord.member();
  const channel_id = discord.channelId('general');
  const sent = [];
  for (const name of ['a', 'b', 'c']) {
    const { id } = member.upload(name, 'text/plain', new Uint8Array(5));
    sent.push(await member.call('send_message', { channel_id, content: name, uploads: [id] }));
  }
  expect((await member.call('messages', { channel_id })).map(({ content }) => content)).toEqual(['b', 'c']);
  const statuses = sent.map(async ({ attachments }) => (await fetch(attachments[0]?.url as string)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
});

test('a deleted channel is gone for the application, too', async () => {
  const { discord } = await setUp();
  const client = await logIn(discord);
  const deleted = once(client, Events.ChannelDelete);
  discord.deleteChannel(discord.channelId('Workshop'));
  expect((await deleted)[0]).toMatchObject({ name: 'Workshop', type: ChannelType.GuildVoice });
});

test.each([
  ['no boundary', 'multipart/form-data', ''],
  [
    'JSON that is none',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{bad\r\n--b\r\n',
  ],
])('after a large form with %s the connection serves the next request', async (_, type, start) => {
  const { discord, general } = await setUp();
  const pool = new Pool(discord.url, { connections: 1 });
  onTestFinished(() => pool.destroy());
  const authorization = `Bot ${discord.application.token}`;
  const statusOf = async (options: Omit<Dispatcher.RequestOptions, 'origin'>) => {
    const { statusCode, body } = await pool.request(options);
    await body.dump();
    return statusCode;
  };
  const headers = { authorization, 'content-type': type };
  const body = start + 'x'.repeat(300_000);
  expect(await statusOf({ method: 'POST', path: `/api/v10${general}/messages`, headers, body })).toBe(400);
  expect(await statusOf({ method: 'GET', path: '/api/v10/users/@me', headers: { authorization } })).toBe(200);
});

test.skipIf(!discordDescription.isMet)(
  titled("what discord.js sends is as Discord's description wants it", discordDescription),
  async () => {
    const { discord } = await setUp();
    const { seen, problems } = watchRequests(discord);
    const client = await logIn(discord);
    await client.application.commands.set([{ name: 'a', description: 'd', options: [{ type: 3, name: 'b', description: 'c' }] }]);
    const channel = client.channels.cache.get(discord.channelId('general')) as TextChannel;
    const message = await channel.send({ content: 'hi', files: [{ attachment: Buffer.from('x'), name: 'x.txt' }] });
    await message.edit({ embeds: [{ title: 'T' }] });
    await message.delete();
    expect(seen.map(({ method, status }) => `${method} ${status}`)).toEqual(['GET 200', 'PUT 200', 'POST 200', 'PATCH 200', 'DELETE 204']);
    expect(problems).toEqual([]);
    await request(discord, 'POST', `/channels/${channel.id}/messages`, { content: 5 });
    expect(problems).toHaveLength(1);
  },
);
