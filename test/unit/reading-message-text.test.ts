// What is heard of a message that is read aloud, and how its author is introduced.
import { type APIMessage, ChannelType, Client, type Message, MessageFlags, MessageReferenceType, MessageType } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { en, languages, translatorFor } from '../../src/locales/index.ts';
import { emojiName, introduce, readMessage } from '../../src/reading/message-text.ts';
import { anyText, anyTranslator } from '../helpers/arbitrary-text.ts';

const GUILD = '100';
const CHANNEL = '200';

/** The members' names in the server, by id. */
const members = { '1': 'Robin', '2': 'Sam' };

/** Receives messages of Robin's, as discord.js makes them of what Discord sends, in a server with Robin, Sam, a role and a channel. */
function receiver() {
  const client = new Client({ intents: [] });
  const user = (id: string) => ({ id, username: `user${id}`, global_name: `User ${id}`, discriminator: '0', avatar: null });
  // What the library does with GUILD_CREATE and MESSAGE_CREATE; its types keep these functions to itself.
  const guilds = client.guilds as unknown as { _add(data: object): { channels: { cache: Map<string, { messages: MessageManager }> } } };
  const guild = guilds._add({
    id: GUILD,
    name: 'Server',
    roles: [{ id: '300', name: 'Night owls', permissions: '0', position: 1 }],
    channels: [{ id: CHANNEL, type: ChannelType.GuildText, name: 'general-chat', position: 0, permission_overwrites: [] }],
    members: Object.entries(members).map(([id, name]) => ({
      user: user(id),
      nick: name,
      roles: [],
      joined_at: '2026-01-01T00:00:00Z',
    })),
  });

  return (content: string, rest: Partial<Record<keyof APIMessage, unknown>> = {}): Message<true> => {
    const data = {
      id: '900',
      channel_id: CHANNEL,
      guild_id: GUILD,
      type: MessageType.Default,
      author: user('1'),
      content,
      ...rest,
    };
    const channel = guild.channels.cache.get(CHANNEL);
    if (!channel) throw new Error('The server has no channel.');
    return channel.messages._add({ attachments: [], embeds: [], mentions: [], mention_roles: [], flags: 0, ...data }, false);
  };
}

interface MessageManager {
  _add(data: object, cache: boolean): Message<true>;
}

const receive = receiver();
const options = {
  t: en,
  ignorePrefix: '-',
  maxLength: 500,
  channelName: (id: string) => (id === '200' ? 'general-chat' : undefined),
  readsForwarded: true,
};
const textOf = async (...message: Parameters<typeof receive>) => (await readMessage(receive(...message), options))?.text ?? null;

test('every language has names of its own for emoji, with or without skin tones and joined parts', () => {
  const names = languages.map(({ locale }) => emojiName('👍🏽', locale));
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(languages.length);
  expect(emojiName('🏳️‍🌈', 'de')).toBe('Regenbogenflagge');
});

describe('a message', () => {
  test.each([
    ['members, roles and channels by name', '<@2> and <@9>, see <#200> with <@&300>', 'Sam and someone, see general-chat with Night owls'],
    ['channels that listeners don’t see without a name', 'see <#201>', 'see a channel'],
    ['a link by its site', 'look: https://www.github.com/a/b?c=d!', 'look: a link to github.com!'],
    ['a link with a name by it', '[the manual](https://example.com)', 'the manual'],
    ['a link to a message', 'see https://discord.com/channels/1/2/3', 'see a link to a message'],
    ['a GIF from Discord’s menu', 'https://tenor.com/view/dog-gif-123', 'a GIF'],
    ['an address without a name as a link', 'http://127.0.0.1:8080/x', 'link'],
    ['a domain in another script', 'https://xn--mnchen-3ya.de', 'a link to münchen.de'],
    ['code as "code"', 'run `npm i` now ```js\nx\n```', 'run code now code'],
    ['spoilers hidden', 'he is ||his father||', 'he is spoiler'],
    ['custom emoji by name', 'well <:PepeHands:123>', 'well, Pepe Hands'],
    ['emoji by name', 'so good 😂!', 'so good, face with tears of joy!'],
    ['emoji alone', '👍🏽', 'thumbs up'],
    ['the same emoji several times', '🎉🎉🎉 yay ❤️ ❤️', 'party popper 3 times, yay, red heart twice'],
    ['the same custom emoji several times', '<:wave:1><:wave:1> <:wave:1>', 'wave 3 times'],
    ['flags and keycaps', '🇩🇪 vs 🏴󠁧󠁢󠁥󠁮󠁧󠁿 at 1️⃣', 'flag: Germany, vs, flag: England, at, keycap: 1'],
    ['joined emoji', '👨‍👩‍👧 🏳️‍🌈', 'family: man, woman, girl, rainbow flag'],
    ['characters that are repeated shortened', 'nooooooo!!!!!!', 'nooo!!!'],
    ['decorated letters plain', '𝓗𝓮𝓵𝓵𝓸 ⓦⓞⓡⓛⓓ ｈｉ ʜᴇʟʟᴏ 🅷🅸 🇭 🇮', 'Hello world hi hello hi h i'],
    ['piled marks removed', 'h̴̢̛̪e̷̡̛l̶̡̛l̵o̶ café', 'hello café'],
    ['times in UTC', 'at <t:0:t>', 'at 12:00 AM UTC'],
    ['commands, headings and lists as lines', '# Title\n* one\n* </say now:5>', 'Title\none\nsay now'],
  ])('is heard with %s', async (_, typed, heard) => {
    expect(await textOf(typed)).toBe(heard);
  });

  test('is heard with how far a time is away', async () => {
    const inTwoHours = Math.floor(Date.now() / 1000) + 7_300;
    expect(await textOf(`starts <t:${inTwoHours}:R>`)).toBe('starts in 2 hours');
  });

  test.each(['', ' ', '-not for the others', '  - list', '...', '!?'])('is not heard if it is %j', async (typed) => {
    expect(await textOf(typed)).toBeNull();
  });

  test('is heard with any beginning if no prefix is set', async () => {
    expect((await readMessage(receive('- milk'), { ...options, ignorePrefix: '' }))?.text).toBe('milk');
  });

  test.each([
    ['joined', MessageType.UserJoin],
    ['pinned', MessageType.ChannelPinnedMessage],
    ['boosted', MessageType.GuildBoost],
    ['used a command', MessageType.ChatInputCommand],
    ['started a thread', MessageType.ThreadCreated],
  ])('is not heard if it says that somebody %s', async (_, type) => {
    expect(await textOf('Robin', { type })).toBeNull();
  });

  test('is cut with "and so on"', async () => {
    const text = (await readMessage(receive('one two three '.repeat(40)), { ...options, maxLength: 50 }))?.text ?? '';
    expect(text).toMatch(/^one two three .*, and so on\.$/);
    expect(text.length).toBeLessThanOrEqual(50);
  });

  test('without an ordinary text is still bounded', async () => {
    for (const typed of ['😂', '🦊🐶', '<:pog:1>', '<@2> ', '<t:0:F>', '1️⃣', '👨‍👩‍👧', 'https://example.com ', 'ha', '\u0301'].map((one) =>
      one.repeat(4000),
    ))
      expect(((await textOf(typed)) ?? '').length, typed.slice(0, 30)).toBeLessThanOrEqual(options.maxLength);
  });
});

let made = 0;
const attachment = (content_type: string | undefined, rest = {}) => ({
  id: String(++made),
  filename: 'a',
  size: 1,
  url: 'https://cdn.discordapp.com/a',
  proxy_url: 'https://cdn.discordapp.com/a',
  ...(content_type === undefined ? {} : { content_type }),
  ...rest,
});
const picture = attachment('image/png');
const voiceMessage = { flags: MessageFlags.IsVoiceMessage, attachments: [attachment('audio/ogg', { duration_secs: 12.4, waveform: '' })] };
const sticker = { id: '5', name: 'Wave', format_type: 1 };
const poll = {
  question: { text: 'What to eat?' },
  answers: ['Pizza', 'Sushi', 'Soup'].map((text, answer_id) => ({ answer_id, poll_media: { text } })),
  expiry: null,
  allow_multiselect: false,
  layout_type: 1,
};

describe('what comes with a message', () => {
  test.each([
    ['a picture', '', { attachments: [picture] }, 'a picture'],
    [
      'pictures and files',
      '',
      { attachments: [attachment('text/plain'), picture, attachment(undefined), attachment('image/webp')] },
      '2 pictures and 2 files',
    ],
    [
      'a video, a sound and a GIF',
      '',
      { attachments: ['video/mp4', 'audio/mpeg', 'image/gif'].map((type) => attachment(type)) },
      'a GIF, a video, and a sound',
    ],
    ['a picture of a kind that Discord does not name', '', { attachments: [attachment(undefined, { height: 1, width: 1 })] }, 'a picture'],
    [
      'fifty of them',
      '',
      {
        attachments: Array(50)
          .fill(null)
          .map(() => attachment('image/png')),
      },
      '50 pictures',
    ],
    ['a picture beside a text', 'look', { attachments: [picture] }, 'look, with a picture'],
    ['a picture after a question', 'why?', { attachments: [picture] }, 'why? with a picture'],
    ['a voice message', '', voiceMessage, 'a voice message of 12 seconds'],
    ['a sticker', '', { sticker_items: [sticker] }, 'the sticker Wave'],
    ['a poll', '', { poll }, 'a poll: What to eat? Pizza, Sushi, or Soup'],
  ])('is %s', async (_, typed, rest, heard) => {
    expect(await textOf(typed, rest)).toBe(heard);
  });

  test('is what was forwarded', async () => {
    const forward = (message: object) => ({
      message_reference: { type: MessageReferenceType.Forward, channel_id: '200', message_id: '1', guild_id: '100' },
      message_snapshots: [{ message: { type: 0, content: '', attachments: [], embeds: [], mentions: [], flags: 0, ...message } }],
    });
    expect(await textOf('', forward({ content: 'well **done**, <@2>' }))).toBe('a forwarded message: well done, Sam');
    expect(await textOf('', forward({ content: 'look', attachments: [picture] }))).toBe('a forwarded message: look, with a picture');
    expect(await textOf('', forward({}))).toBeNull();
    const german = forward({ content: 'ich komme heute leider etwas später nach Hause' });
    expect(await textOf('', german)).toBe('eine weitergeleitete Nachricht: ich komme heute leider etwas später nach Hause');
    const unread = { ...options, readsForwarded: false };
    expect(await readMessage(receive('', german), unread)).toMatchObject({ text: 'a forwarded message', language: null });
    expect((await readMessage(receive('look', german), unread))?.text).toBe('look, with a forwarded message');
  });
});

describe('the introduction', () => {
  const reply = (author: string) => ({
    type: MessageType.Reply,
    referenced_message: { author: { id: author, username: 'x', global_name: 'Sammy', discriminator: '0', avatar: null } },
  });
  const introduced = async (name: string | null, ...message: Parameters<typeof receive>) => {
    const text = await readMessage(receive(...message), options);
    if (!text) throw new Error('Nothing is heard of this message.');
    return introduce(name, text, en);
  };

  test('says who wrote, and to whom', async () => {
    expect(await introduced('Robin', 'hello there')).toBe('Robin says: hello there');
    expect(await introduced('Robin', '', { attachments: [picture] })).toBe('Robin sends a picture');
    expect(await introduced('Robin', 'https://github.com/a')).toBe('Robin sends a link to github.com');
    expect(await introduced('Robin', '😂 <:wave:1>')).toBe('Robin sends face with tears of joy, wave');
    expect(await introduced('Robin', '<@2>!')).toBe('Robin says: Sam!');
    expect(await introduced('Robin', 'look', { attachments: [picture] })).toBe('Robin says: look, with a picture');
    expect(await introduced('Robin', 'sure', reply('2'))).toBe('Robin to Sam: sure');
    expect(await introduced('Robin', 'sure', reply('77'))).toBe('Robin to Sammy: sure');
    expect(await introduced('Robin', 'sure', { type: MessageType.Reply, referenced_message: null })).toBe('Robin says: sure');
    expect(await introduced('Robin', 'and another thing', reply('1'))).toBe('Robin says: and another thing');
  });

  test('leaves out who wrote, but not to whom', async () => {
    expect(await introduced(null, 'hello there')).toBe('hello there');
    expect(await introduced(null, 'sure', reply('2'))).toBe('to Sam: sure');
  });

  test.each(languages.map(({ languageName, locale }) => [languageName, translatorFor(locale)] as const))(
    'says all of it in %s',
    async (_, t) => {
      const heard = async (...message: Parameters<typeof receive>) => {
        const text = await readMessage(receive(...message), { ...options, t });
        return text ? [introduce('Robin', text, t), introduce(null, text, t)] : [];
      };
      for (const text of await heard('GG', reply('2'))) expect(text).toMatch(/Sam.*GG/);
      const pictures = ['1', '2', '3'].map(() => attachment('image/png'));
      expect((await heard('', { attachments: pictures }))[0]).toMatch(/Robin.*3/);
      expect((await heard('GG', { attachments: pictures }))[0]).toMatch(/Robin.*GG.*3/);
      expect((await heard('', { sticker_items: [sticker], poll }))[0]).toMatch(/Robin.*Wave.*What to eat\?.*Pizza.*Sushi.*Soup/);
      expect((await heard('', voiceMessage))[0]).toMatch(/Robin.*12/);
      expect((await heard('<:wave:1><:wave:1><:wave:1> https://example.com'))[0]).toMatch(/wave.*3.*example\.com|3.*wave.*example\.com/);
    },
  );

  test('is in the language of the message, as all that Parley says in it', async () => {
    const german = await readMessage(receive('ich komme heute leider etwas später 😂 <@9>', { attachments: [picture] }), options);
    expect(german).toMatchObject({
      language: 'de',
      text: 'ich komme heute leider etwas später, Gesicht mit Freudentränen, jemand, dazu ein Bild',
    });
    expect(german && introduce('Robin', german, en)).toMatch(/^Robin sagt: /);
    const russian = await readMessage(receive('всем привет 🦊'), options);
    expect(russian).toMatchObject({ language: 'ru', text: 'всем привет, морда лисицы' });
    expect(russian && introduce('Robin', russian, translatorFor('fr'))).toBe('Robin dit : всем привет, морда лисицы');
  });
});

test('any message in any language of the server is heard as a bounded text without markup, or not at all', async () => {
  const things = fc.record(
    {
      attachments: fc.array(fc.constantFrom(picture, attachment('video/mp4'), attachment(undefined)), { maxLength: 50 }),
      sticker_items: fc.array(
        anyText.map((name) => ({ ...sticker, name })),
        { maxLength: 3 },
      ),
      poll: anyText.map((text) => ({ ...poll, question: { text }, answers: [{ answer_id: 1, poll_media: { text } }] })),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(anyText, things, anyTranslator, fc.integer({ min: 60, max: 2000 }), async (typed, rest, t, maxLength) => {
      const read = await readMessage(receive(typed, rest), { ...options, t, ignorePrefix: '', maxLength });
      if (read === null) return;
      expect(read.text.length).toBeLessThanOrEqual(maxLength);
      expect(read.text).toMatch(/[\p{L}\p{N}]/u);
      expect(read.text.isWellFormed()).toBe(true);
      expect(read.text).not.toMatch(/[\p{Cc}--\n]|[\p{Co}]/v);
      expect(introduce('Robin', read, t)).toContain(read.text);
    }),
    { numRuns: 150 },
  );
});
