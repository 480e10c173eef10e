// What is heard of a message that is read aloud, and how its author is introduced.
import { MessageType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { en } from '../../src/locales/en/index.ts';
import { readMessage } from '../../src/reading/message-text.ts';
import { receiver } from '../helpers/received-message.ts';

const receive = receiver();
const options = { words: en, ignorePrefix: '-', maxLength: 500 };
const textOf = (...message: Parameters<typeof receive>) => readMessage(receive(...message), options)?.text ?? null;

describe('a message', () => {
  test.each([
    ['members, roles and channels by name', '<@2> and <@9>, see <#200> with <@&300>', 'Sam and someone, see general-chat with Night owls'],
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
  ])('is heard with %s', (_, typed, heard) => {
    expect(textOf(typed)).toBe(heard);
  });

  test('is heard with how far a time is away', () => {
    const inTwoHours = Math.floor(Date.now() / 1000) + 7_300;
    expect(textOf(`starts <t:${inTwoHours}:R>`)).toBe('starts in 2 hours');
  });

  test.each(['', ' ', '-not for the others', '  - list', '...', '!?'])('is not heard if it is %j', (typed) => {
    expect(textOf(typed)).toBeNull();
  });

  test('is heard with any beginning if no prefix is set', () => {
    expect(readMessage(receive('- milk'), { ...options, ignorePrefix: '' })?.text).toBe('milk');
  });

  test.each([
    ['joined', MessageType.UserJoin],
    ['pinned', MessageType.ChannelPinnedMessage],
    ['boosted', MessageType.GuildBoost],
    ['used a command', MessageType.ChatInputCommand],
    ['started a thread', MessageType.ThreadCreated],
  ])('is not heard if it says that somebody %s', (_, type) => {
    expect(textOf('Robin', { type })).toBeNull();
  });

  test('is cut with "and so on"', () => {
    const text = readMessage(receive('one two three '.repeat(40)), { ...options, maxLength: 50 })?.text ?? '';
    expect(text).toMatch(/^one two three .*, and so on\.$/);
    expect(text.length).toBeLessThanOrEqual(50);
  });
});
