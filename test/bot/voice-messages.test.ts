// Voice messages that are answered with their words as they arrive: where, whose, and that the words go when somebody wants them gone.
import { once } from 'node:events';
import { type APIMessage, ChannelType, Events, PermissionFlagsBits as P, type SendableChannels } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { removeMessages } from '../../src/local/discord/world/messages.ts';
import { editThread } from '../../src/local/discord/world/threads.ts';
import { en } from '../../src/locales/index.ts';
import { noMetrics } from '../../src/monitoring/observers.ts';
import { StoreError } from '../../src/store/index.ts';
import { createSettings, type GuildSettings } from '../../src/store/settings.ts';
import { filesOf, isEphemeral, labelsOf, type Member, partsOf, textOf } from '../helpers/member.ts';
import { answer, answerJson } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { silentOgg } from '../helpers/recordings.ts';
import { silentWav } from '../helpers/speech.ts';
import { segmentsOf, useTranscribingParley } from './transcribing-parley.ts';

const sound = silentWav(2);
/** Awaited before the settings of a member are read. */
let beforeMember = async () => {};
/** What the next key begins with whose value can't be read. */
let unreadable: string | null = null;
let failingReservations = 0;
/** How often the balance has been read. */
let balancesSeen = 0;
const { parley, service, logged } = useTranscribingParley({
  readMessages: true,
  cooldown: { burst: 50, perMs: 1 },
  retries: { attempts: 1 },
  wordsTiming: { lookMs: 50, againMs: 50 },
  metrics: {
    ...noMetrics,
    creditSeen() {
      balancesSeen++;
    },
  },
  wrapStore: (store) => ({
    ...store,
    async get(key) {
      if (key.startsWith('member:')) await beforeMember();
      if (unreadable !== null && key.startsWith(unreadable)) {
        unreadable = null;
        throw new StoreError('the store is away');
      }
      return store.get(key);
    },
    async incrementAll(...given) {
      if (failingReservations > 0) throw new StoreError(`${--failingReservations} more failures`);
      return store.incrementAll(...given);
    },
  }),
});

/** The members in a thread of each test below #general: Discord limits how fast one channel is written in. */
let robin: Member;
let sam: Member;
let threadId: string;
const general = () => parley.discord.channelId('general');
const calls = () => service.requests.filter(({ url }) => url === '/v1/asr').length;
const isAbout =
  ({ id }: APIMessage) =>
  (message: APIMessage) =>
    message.message_reference?.message_id === id;
const answerTo = (message: APIMessage) => robin.sees(isAbout(message));
const DAY_MS = 24 * 3600_000;
const speak = (member: Member, seconds?: number) => member.sendVoiceMessage('voice-message.wav', sound, seconds);
const storedIn = async (prefix: string) => (await parley.store.list(prefix)).map(([key]) => key);

/** Answers everybody's voice messages in #general, unless the rules say otherwise. */
async function setRules(rules: Partial<GuildSettings['transcripts']>): Promise<void> {
  await createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({
    ...before,
    transcripts: { ...before.transcripts, channels: [general()], who: 'everyone', ...rules },
  }));
}

const choose = (member: Member, transcribed: boolean | null) =>
  createSettings(parley.store).changeMember(member.client.userId, (before) => ({ ...before, transcribed }));

const posted = (channelId: string) => parley.discord.world.messages.get(channelId) ?? [];
const referenceOf = (message: object) => (message as Partial<APIMessage>).message_reference?.message_id;

/** Robin's next voice message is answered, so what came before isn't going to be. */
async function expectNoAnswer({ id, channel_id }: APIMessage): Promise<void> {
  await choose(robin, true);
  await answerTo(await speak(robin));
  expect(posted(channel_id).some((message) => referenceOf(message) === id)).toBe(false);
}

/** Sam sends one, and nothing more happens to it. */
async function refused(): Promise<APIMessage> {
  // Something may still be going on in another test's thread.
  const isHere = ({ user_id, channel_id }: { user_id: string; channel_id: string }) =>
    user_id === parley.discord.application.id && channel_id === threadId;
  const unmarked = robin.client.next('MESSAGE_REACTION_REMOVE', isHere);
  const message = await speak(sam);
  await unmarked;
  return message;
}

const answersTo = ({ id, channel_id }: APIMessage) => posted(channel_id).filter((one) => referenceOf(one) === id);
const isGone = ({ id, channel_id }: APIMessage) => expect.poll(() => posted(channel_id).some((message) => message.id === id)).toBe(false);
const noticesIn = (channelId = general()) =>
  posted(channelId).filter((one) => /"voice-messages:o(n|ff)"/.test(JSON.stringify(one.components)));
/** What is said in the channel, but not below a message. */
const saidAfter = ({ id, channel_id }: APIMessage) =>
  posted(channel_id)
    .filter((one) => one.author.bot && one.id > id && referenceOf(one) === undefined)
    .map((one) => textOf(one as APIMessage));

beforeEach(async () => {
  service.behave(answerJson(200, segmentsOf(2)));
  const { id } = await parley.member.client.call('create_thread', { channel_id: general(), name: 'A thread' });
  threadId = id;
  [robin, sam] = [parley.member.inChannel(id), parley.other.inChannel(id)];
  await setRules({});
  for (const member of [robin, sam]) await choose(member, null);
});
afterEach(() => createSettings(parley.store).resetGuild(parley.discord.guildId));

describe('a voice message in a chosen channel', () => {
  it('is answered with its words, in a reply that pings nobody and has the buttons of a transcript, and has a reaction while they are written', async () => {
    const answerAll = service.hold();
    const isOurs = ({ user_id }: { user_id: string }) => user_id === parley.discord.application.id;
    const [marked, unmarked] = [robin.client.next('MESSAGE_REACTION_ADD', isOurs), robin.client.next('MESSAGE_REACTION_REMOVE', isOurs)];
    const message = await speak(sam);
    expect(await marked).toMatchObject({ message_id: message.id, emoji: { name: '✍️' } });
    answerAll();
    const answer = await answerTo(message);
    expect(textOf(answer)).toBe('This is sentence number 0. This is sentence number 1.\n-# 0:02');
    expect(answer.mentions).toEqual([]);
    expect(filesOf(answer).map(({ name }) => name)).toEqual(['voice-message-transcript.json']);
    expect(labelsOf(answer)).toEqual(expect.arrayContaining([en('voiceMessages.stayOutButton'), 'German']));
    expect((await unmarked).message_id).toBe(message.id);
    await expect.poll(() => storedIn('reply:')).toEqual([]);
  });

  it('is answered though the store is away when it arrives, and when its budget is reserved', async () => {
    unreadable = 'member:';
    failingReservations = 1;
    const answer = await answerTo(await speak(sam));
    expect(textOf(answer)).toContain('This is sentence number 0.');
    expect([unreadable, failingReservations]).toEqual([null, 0]);
  });

  it('is answered there and in threads below it, and nowhere else', async () => {
    await answerTo(await speak(sam));
    await answerTo(await speak(sam.inChannel(general())));
    await expectNoAnswer(await speak(sam.inChannel(parley.discord.channelId('Lounge'))));
    await expectNoAnswer(await speak(await sam.inDm()));
  });

  it('is answered without a reaction if the bot may not react, and not at all if it may not attach files, which /settings says', async () => {
    const { discord } = parley;
    const deny = (permissions: bigint) => discord.setPermissions(general(), discord.application.id, { deny: permissions });
    deny(P.AddReactions);
    await answerTo(await speak(sam));
    deny(P.AttachFiles | P.SendMessages);
    const message = await speak(sam);
    const panel = await (await robin.run('settings')).message((one) => textOf(one) !== '');
    await robin.select(panel, 'settings:section', 'transcripts');
    const shown = await robin.sees((one) => one.id === panel.id && textOf(one).includes(en('voiceMessages.panel.channels')));
    expect(textOf(shown)).toContain(`I don’t answer in <#${general()}> yet: I need **Send Messages** and **Attach Files** there.`);
    deny(0n);
    await expectNoAnswer(message);
  });

  it('is answered once, and what a bot posts never is', async () => {
    const before = calls();
    const message = await speak(sam);
    await answerTo(message);
    await setRules({ files: true });
    const channel = parley.bot().client.channels.cache.get(message.channel_id) as SendableChannels;
    const { id } = await channel.send({ files: [{ attachment: Buffer.from(sound), name: 'said.wav' }] });
    await expectNoAnswer(await robin.sees((one) => one.id === id));
    expect([answersTo(message).length, calls()]).toEqual([1, before + 2]);
  });

  it('has its words hidden if that is set, and on every page', async () => {
    await setRules({ spoiler: true });
    service.behave(answerJson(200, segmentsOf(400)));
    const answer = await answerTo(await speak(sam));
    expect(textOf(answer)).toMatch(/^\|\|This is sentence number 0\..*\|\|/s);
    await sam.click(answer, 'Next');
    const second = await robin.sees((one) => one.id === answer.id && textOf(one).includes('Page 2 of'));
    expect(textOf(second)).toMatch(/^\|\|/);
    expect(partsOf(second.components)).toContainEqual(expect.objectContaining({ name: 'voice-message-transcript.json', spoiler: true }));
    expect(labelsOf(second)).toContain(en('voiceMessages.stayOutButton'));
  });

  it('is transcribed in the language that is set, or in any if the service doesn’t know that one; another one replaces the words', async () => {
    await setRules({ language: 'cy' });
    service.behave((request, response, body) => {
      const isWelsh = /name="language"\s+cy/.test(body?.toString('latin1') ?? '');
      const refusal = [{ loc: ['body', 'language'], type: 'literal_error', msg: 'no' }];
      (isWelsh ? answerJson(422, refusal) : answerJson(200, segmentsOf(1)))(request, response);
    });
    const before = calls();
    const answer = await answerTo(await speak(sam));
    expect(calls()).toBe(before + 2);
    service.behave(answerJson(200, { text: 'Guten Tag.', duration: 2, segments: [] }));
    const refused = await robin.select(answer, en('transcription.otherLanguage'), 'German');
    expect(await refused.sentence()).toContain(openingOf('general.notYourButtons'));
    await sam.select(answer, en('transcription.otherLanguage'), 'German');
    const changed = await robin.sees((one) => one.id === answer.id && textOf(one).startsWith('Guten Tag.'));
    expect(textOf(changed)).toContain('German');
    expect(filesOf(changed)).toHaveLength(1);
    expect(labelsOf(changed)).toContain(en('voiceMessages.stayOutButton'));
  });

  it('isn’t transcribed any further than the longest, whatever it claims, and says what to do', async () => {
    await setRules({ longest: 1 });
    const sentence = en('voiceMessages.tooLong', { seconds: 60 });
    const before = calls();
    const claimed = await answerTo(await speak(sam, 61));
    expect([textOf(claimed), calls()]).toEqual([sentence, before]);
    const long = await sam.sendVoiceMessage('voice-message.ogg', silentOgg(3580), 4);
    expect(textOf(await answerTo(long))).toBe(sentence);
    const answer = await answerTo(long);
    await sam.delete(long);
    await isGone(answer);
  });

  it('that isn’t sound is answered with a sentence', async () => {
    const message = await sam.sendVoiceMessage('voice-message.ogg', Buffer.from('<!doctype html>'));
    expect(textOf(await answerTo(message))).toContain('I can’t read `voice-message.ogg` as audio.');
  });
});

/** Changes what Discord says of #general, for one test. */
async function changeGeneral(changes: object, before: object): Promise<void> {
  const { discord, bot } = parley;
  const channel = discord.world.firstGuild.channels.get(general()) ?? {};
  const apply = async (changed: object) => {
    Object.assign(channel, changed);
    discord.setPermissions(general(), discord.application.id, {});
    await expect.poll(() => bot().client.channels.cache.get(general())).toMatchObject(changed);
  };
  await apply(changes);
  onTestFinished(() => apply(before));
}

describe('a voice message', () => {
  it('in a post of a chosen forum is answered there, after a notice of its own for each post', async () => {
    await changeGeneral({ type: ChannelType.GuildForum }, { type: ChannelType.GuildText });
    await parley.store.deleteAll('words-told:');
    const already = noticesIn().length;
    await answerTo(await speak(sam));
    await answerTo(await speak(sam));
    expect([noticesIn(threadId).length, noticesIn().length - already]).toEqual([1, 0]);
  });

  it('in an age-restricted channel is answered there like any other, and its words are nowhere else', async () => {
    await changeGeneral({ nsfw: true }, { nsfw: false });
    service.behave(answerJson(200, { text: 'Only for adults.', duration: 2, segments: [] }));
    const answer = await answerTo(await speak(sam));
    expect(textOf(answer)).toContain('Only for adults.');
    const isSaidIn = [...parley.discord.world.messages].flatMap(([id, all]) => (JSON.stringify(all).includes('for adults') ? [id] : []));
    expect(isSaidIn).toEqual([threadId]);
    expect(JSON.stringify([await parley.store.list(''), logged])).not.toContain('for adults');
  });

  it('that is being transcribed when the bot is removed from the server is forgotten, and those after its return are answered', async () => {
    const { discord, bot } = parley;
    const answerAll = service.hold();
    const asked = calls();
    const message = await speak(sam);
    await expect.poll(calls).toBe(asked + 1);
    discord.removeBot(discord.guildId);
    await expect.poll(() => bot().client.guilds.cache.has(discord.guildId)).toBe(false);
    answerAll();
    await expect.poll(() => storedIn('reply:')).toEqual([]);
    discord.addBot(discord.guildId);
    await expect.poll(() => bot().client.channels.cache.has(threadId)).toBe(true);
    await expectNoAnswer(message);
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

describe('sound files', () => {
  it('are answered only if that is set, each of them, but not films', async () => {
    const file = () => sam.send(['one.wav', sound], ['two.wav', sound], ['notes.txt', Buffer.from('Hello')]);
    await expectNoAnswer(await file());
    await setRules({ files: true });
    const message = await file();
    await expect.poll(() => answersTo(message)).toHaveLength(2);
    await expect.poll(() => storedIn('reply:')).toEqual([]);
    await sam.delete(message);
    await expect.poll(() => answersTo(message)).toEqual([]);
    const uploads = [sam.client.upload('film.mp4', 'video/mp4', sound).id];
    await expectNoAnswer(await sam.client.call('send_message', { channel_id: message.channel_id, uploads }));
  });
});

describe('whose voice messages', () => {
  it('are answered is decided by each member, if the server asks them, with a button that the channel is shown once', async () => {
    await parley.store.deleteAll('words-told:');
    await setRules({ who: 'asked' });
    const first = await speak(sam);
    const notice = await robin.sees((one) => labelsOf(one).includes(en('voiceMessages.onButton')) && !isEphemeral(one));
    const since = ({ id }: APIMessage) => noticesIn().filter((one) => BigInt(one.id) >= BigInt(id));
    await expectNoAnswer(first);
    expect(since(notice)).toHaveLength(1);
    const pressed = await sam.click(notice, en('voiceMessages.onButton'));
    expect(await pressed.sentence()).toContain(en('voiceMessages.isOn'));
    await answerTo(await speak(sam));
    expect(since(notice)).toHaveLength(1);
  });

  it('are answered is said in each channel that is chosen in /settings, and once more if it changes whose', async () => {
    await createSettings(parley.store).resetGuild(parley.discord.guildId);
    await parley.store.deleteAll('words-told:');
    const random = parley.discord.channelId('random');
    const member = robin;
    const opened = await (await member.run('settings')).message((one) => textOf(one) !== '');
    const seen = (text: string) => member.sees((one) => one.id === opened.id && JSON.stringify(one).includes(text));
    await member.select(opened, 'settings:section', 'transcripts');
    await member.select(await seen('settings:transcripts:channels'), 'settings:transcripts:channels', random);
    const chosen = await seen(`Voice messages answered in**: <#${random}>`);
    await expect.poll(() => noticesIn(random).length).toBe(1);
    await member.select(chosen, 'settings:transcripts:who', 'everyone');
    // The first one, which isn't true any more, is gone.
    await expect.poll(() => noticesIn(random).map(textOf)).toEqual([expect.stringContaining('Don’t want that for yours?')]);
    const notice = noticesIn(random).at(-1) as APIMessage;
    expect(textOf(notice)).not.toContain('This replaces');
    expect(await (await sam.click(notice, en('voiceMessages.offButton'))).sentence()).toContain('I won’t answer your voice messages');
    await member.select(chosen, 'settings:transcripts:options', ['spoiler', 'files']);
    await member.select(chosen, 'settings:transcripts:longest', '10');
    await member.select(chosen, 'settings:transcripts:language', 'de');
    await expect
      .poll(async () => (await createSettings(parley.store).guild(parley.discord.guildId)).transcripts)
      .toEqual({ channels: [random], who: 'everyone', spoiler: true, files: true, longest: 10, language: 'de' });
    expect(noticesIn(random)).toHaveLength(1);
    // An earlier version didn't note which message it was.
    await parley.store.deleteAll('words-notice:');
    await member.select(chosen, 'settings:transcripts:who', 'asked');
    await expect
      .poll(() => noticesIn(random).map(textOf))
      .toEqual([expect.anything(), expect.stringContaining('This replaces what I said')]);
    await member.select(chosen, 'settings:transcripts:channels', []);
    await expect.poll(() => storedIn('words-told:')).toEqual([]);
    await expect.poll(() => storedIn('words-notice:')).toEqual([]);
  });

  it('are answered can be imported from a file, except for channels of other servers, and is then said in the channels', async () => {
    await createSettings(parley.store).resetGuild(parley.discord.guildId);
    await parley.store.deleteAll('words-told:');
    const already = noticesIn().length;
    const transcripts = {
      channels: [general(), '123456789012345678'],
      who: 'everyone',
      spoiler: true,
      files: true,
      longest: 10,
      language: 'de',
    };
    const panel = await (await robin.run('settings')).message((one) => textOf(one) !== '');
    const file = robin.upload('parley-settings.json', Buffer.from(JSON.stringify({ transcripts })));
    await robin.submitModal(await robin.click(panel, 'settings:import'), { file });
    const question = await robin.sees((one) => one.id === panel.id && textOf(one).includes(en('settings.importQuestion')));
    expect(textOf(question)).toContain(`**Voice messages answered in**: none → <#${general()}>`);
    await robin.click(question, en('settings.importYes'));
    await expect.poll(() => noticesIn().length).toBe(already + 1);
    const imported = (await createSettings(parley.store).guild(parley.discord.guildId)).transcripts;
    expect(imported).toEqual({ ...transcripts, channels: [general()] });
    await answerTo(await speak(sam));
  });

  it('aren’t answered any more once the member presses the button below the words, which also deletes them', async () => {
    const answer = await answerTo(await speak(sam));
    // Somebody else stays out as well, but leaves the words to their owner.
    expect(await (await robin.click(answer, en('voiceMessages.stayOutButton'))).sentence()).toContain('I won’t answer your voice messages');
    expect(posted(answer.channel_id).some(({ id }) => id === answer.id)).toBe(true);
    expect(await (await sam.click(answer, en('voiceMessages.stayOutButton'))).sentence()).toContain(en('voiceMessages.isOffAndDeleted'));
    await isGone(answer);
    expect(await storedIn(`words-of:${sam.client.userId}:`)).not.toContainEqual(expect.stringContaining(answer.id));
    await expectNoAnswer(await speak(sam));
  });

  it('can be chosen in /privacy, which also deletes the words of the last days', async () => {
    const other = sam;
    const answer = await answerTo(await speak(sam));
    const shown = await (await other.run('privacy')).message((one) => textOf(one) !== '');
    const sees = (text: string) => other.sees((one) => one.id === shown.id && textOf(one).includes(text));
    expect(textOf(shown)).toContain('You haven’t decided');
    await other.click(shown, en('voiceMessages.offButton'));
    const off = await sees('You’ve switched it off for yours');
    await other.click(off, en('voiceMessages.onButton'));
    const on = await sees('You’ve switched it on for yours');
    await other.click(on, en('privacy.deleteButton'));
    const question = await sees('my replies with the words of your voice messages');
    await other.click(question, en('privacy.deleteYes'));
    await sees('Done. I’ve deleted your data.');
    await isGone(answer);
    expect(await storedIn(`words-of:${other.client.userId}:`)).toEqual([]);
    expect((await createSettings(parley.store).member(other.client.userId)).transcribed).toBeNull();
  });

  it('are answered is limited to the server’s roles', async () => {
    const role = parley.discord.addRole('Speakers', 0n);
    await createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({ ...before, roles: [role] }));
    await expectNoAnswer(await speak(sam));
    parley.discord.setRoles(sam.client.userId, [role]);
    await answerTo(await speak(sam));
    parley.discord.setRoles(sam.client.userId, []);
  });
});

describe('a forwarded voice message', () => {
  const forward = (message: APIMessage) =>
    robin.client.call('forward_message', { channel_id: message.channel_id, message_id: message.id, to_channel_id: threadId });
  const original = () => speak(sam.inChannel(parley.discord.channelId('Lounge')));

  it('is answered once in a channel, however often it is forwarded there', async () => {
    const message = await original();
    const first = await forward(message);
    await answerTo(first);
    await expectNoAnswer(await forward(message));
  });

  it('is answered when it is forwarded again, if it couldn’t be at first', async () => {
    const message = await original();
    const unmarked = robin.client.next('MESSAGE_REACTION_REMOVE', ({ channel_id }) => channel_id === threadId);
    service.behave(answerJson(500, {}));
    await forward(message);
    await unmarked;
    await expect.poll(() => parley.store.get(`words-forward:${threadId}:${message.id}`)).toBeFalsy();
    service.behave(answerJson(200, segmentsOf(2)));
    await answerTo(await forward(message));
  });

  it('isn’t sent again, for another language, once the one who speaks has opted out', async () => {
    const answer = await answerTo(await forward(await original()));
    await choose(sam, false);
    const before = calls();
    expect(await (await robin.select(answer, en('transcription.otherLanguage'), 'de')).sentence()).toContain(
      en('voiceMessages.speakerOptedOut'),
    );
    expect(calls()).toBe(before);
  });

  it('isn’t answered if the one who speaks doesn’t want that', async () => {
    await choose(sam, false);
    await expectNoAnswer(await forward(await original()));
    await setRules({ who: 'asked' });
    await choose(sam, null);
    await choose(robin, true);
    await expectNoAnswer(await forward(await original()));
  });
});

describe('the words', () => {
  it('go with their message, also after a restart, and are nowhere in the store', async () => {
    const message = await speak(sam);
    const answer = await answerTo(message);
    await expect.poll(() => storedIn('words:')).toContainEqual(expect.stringContaining(answer.id));
    expect(JSON.stringify(await parley.store.list(''))).not.toContain('sentence number');
    expect(logged.join('\n')).not.toContain('sentence number');
    await parley.restartBot();
    await sam.delete(message);
    await isGone(answer);
    await expect.poll(async () => JSON.stringify(await parley.store.list('words'))).not.toContain(answer.id);
  });

  it('are forgotten when a moderator deletes the answer', async () => {
    const message = await speak(sam);
    const answer = await answerTo(message);
    await expect.poll(() => storedIn('words:')).toContainEqual(expect.stringContaining(answer.id));
    removeMessages(parley.discord.world, threadId, [answer.id]);
    await expect.poll(async () => JSON.stringify(await parley.store.list('words'))).not.toContain(answer.id);
    expect(JSON.stringify(await parley.store.list('words'))).not.toContain(message.id);
  });

  it('are found although Discord’s answer to them was lost, and deleted with their message', async () => {
    parley.discord.failRest(new RegExp(`^POST .*/channels/${threadId}/messages`), 'reset after');
    const message = await speak(sam);
    const answer = await answerTo(message);
    await sam.delete(message);
    await isGone(answer);
    await expect.poll(async () => JSON.stringify(await parley.store.list('words'))).not.toContain(message.id);
  });

  it('go with their message if the process was killed right after it had posted them', async () => {
    const message = await speak(sam);
    const answer = await answerTo(message);
    await expect.poll(() => storedIn('words-reply:')).toContainEqual(expect.stringContaining(answer.id));
    // As such a process leaves it.
    for (const key of await storedIn('words')) if (key.includes(answer.id)) await parley.store.delete(key);
    const key = `${parley.discord.guildId}:${message.id}`;
    await parley.store.set(`words-expected:${key}`, { channelId: threadId, memberIds: [sam.client.userId] });
    await parley.store.set(`words-expected-of:${sam.client.userId}:${key}`, threadId);
    await sam.delete(message);
    await isGone(answer);
    await expect.poll(async () => JSON.stringify(await parley.store.list('words'))).not.toContain(message.id);
  });

  it('go with their message though the store is away when that is deleted', async () => {
    const message = await speak(sam);
    const answer = await answerTo(message);
    await expect.poll(() => storedIn('words-reply:')).toContainEqual(expect.stringContaining(answer.id));
    unreadable = 'words-reply:';
    await sam.delete(message);
    await isGone(answer);
    expect(unreadable).toBe(null);
    await expect.poll(async () => JSON.stringify(await parley.store.list('words'))).not.toContain(answer.id);
  });

  it('go with their message if an earlier version has answered it', async () => {
    const message = await speak(sam);
    const answer = await answerTo(message);
    await expect.poll(() => storedIn('words-reply:')).toContainEqual(expect.stringContaining(answer.id));
    // It knows nothing of this.
    await parley.store.deleteAll('words-reply:');
    await sam.delete(message);
    await isGone(answer);
    await expect.poll(async () => JSON.stringify(await parley.store.list('words'))).not.toContain(answer.id);
  });

  it('are deleted in an archived thread, which is archived again; in a locked one later, which /privacy says', async () => {
    const { world } = parley.discord;
    const thread = world.firstGuild.threads.get(threadId) ?? expect.fail('there is no thread');
    const { id: other } = await parley.member.client.call('create_thread', { channel_id: general(), name: 'Another' });
    const locked = world.firstGuild.threads.get(other) ?? expect.fail('there is no thread');
    const answers = [await answerTo(await speak(sam)), await answerTo(await speak(sam.inChannel(other)))] as const;
    parley.discord.setPermissions(general(), parley.discord.application.id, { allow: P.ManageThreads });
    onTestFinished(() => parley.discord.setPermissions(general(), parley.discord.application.id, {}));
    editThread(world, thread, { archived: true });
    editThread(world, locked, { archived: true, locked: true });
    const elsewhere = sam.inChannel(general());
    const shown = await (await elsewhere.run('privacy')).message((one) => textOf(one) !== '');
    const sees = (text: string) => elsewhere.sees((one) => one.id === shown.id && textOf(one).includes(text));
    await elsewhere.click(shown, en('privacy.deleteButton'));
    await elsewhere.click(await sees('my replies with the words of your voice messages'), en('privacy.deleteYes'));
    await sees(en('privacy.wordsLeft', { obstacle: 'locked' }));
    expect(posted(threadId).some(({ id }) => id === answers[0].id)).toBe(false);
    expect(thread.thread_metadata.archived).toBe(true);
    expect(posted(other).some(({ id }) => id === answers[1].id)).toBe(true);
    await parley.restartBot();
    editThread(world, locked, { locked: false });
    await isGone(answers[1]);
    await expect.poll(() => storedIn('words-removal:')).toEqual([]);
    await expect.poll(() => locked.thread_metadata.archived).toBe(true);
  });

  it('that Discord never takes are charged, and said to be refused', async () => {
    parley.discord.blockedWords.push('sentence number');
    onTestFinished(() => void parley.discord.blockedWords.splice(0));
    const spent = async () =>
      Number(await parley.store.get(memberBudgetKey(Math.floor(Date.now() / DAY_MS), 'transcription', sam.client.userId)));
    const before = await spent();
    const answer = await answerTo(await speak(sam));
    expect(textOf(answer)).toContain(en('errors.refusedText'));
    await expect.poll(spent).toBe(before + 2);
  });

  it('go with all the messages that a moderator deletes at once', async () => {
    const messages = [await speak(sam), await speak(robin)];
    const answers = await Promise.all(messages.map(answerTo));
    await expect.poll(() => storedIn('words:')).toEqual(expect.arrayContaining(answers.map(({ id }) => expect.stringContaining(id))));
    removeMessages(
      parley.discord.world,
      threadId,
      messages.map(({ id }) => id),
    );
    for (const answer of answers) await isGone(answer);
  });

  it('aren’t written if the message is deleted meanwhile, but charged if the service has received it', async () => {
    const received = Promise.withResolvers<void>();
    service.behave(() => received.resolve());
    const spent = async () => {
      const key = memberBudgetKey(Math.floor(Date.now() / DAY_MS), 'transcription', sam.client.userId);
      return Number(await parley.store.get(key));
    };
    const before = await spent();
    const message = await speak(sam);
    await received.promise;
    await sam.delete(message);
    service.behave(answerJson(200, segmentsOf(2)));
    await expectNoAnswer(message);
    // Its seconds, without what was reserved because it claimed to be longer.
    await expect.poll(spent).toBe(before + 2);
  });
});

describe('if something is in the way', () => {
  it('an outage of the service is said once', async () => {
    service.behave(answerJson(500, {}));
    const [first, second] = [await refused(), await refused()];
    expect(saidAfter(first)).toEqual([expect.stringContaining('voice service')]);
    service.behave(answerJson(200, segmentsOf(2)));
    await expectNoAnswer(second);
    expect(saidAfter(first)).toHaveLength(1);
  });

  it('a service that is busy for a moment is asked again, and nobody is told', async () => {
    const busy = answer(429, '{}', { 'content-type': 'application/json', 'retry-after': '1' });
    const asked = calls();
    service.behave((request, response) => (calls() === asked + 1 ? busy : answerJson(200, segmentsOf(2)))(request, response));
    const message = await speak(sam);
    expect(textOf(await answerTo(message))).toContain('This is sentence number 0');
    expect([calls(), saidAfter(message)]).toEqual([asked + 2, []]);
  });

  it('messages that wait for a busy service make room for others when they are deleted', async () => {
    service.behave(answer(429, '{}', { 'content-type': 'application/json', 'retry-after': '200' }));
    const asked = calls();
    const messages = [await speak(sam), await speak(sam)];
    await expect.poll(calls).toBe(asked + 2);
    for (const message of messages) await sam.delete(message);
    service.behave(answerJson(200, segmentsOf(2)));
    for (const message of messages) await expectNoAnswer(message);
  });

  it('a used-up budget is said once a day, and a server’s to everyone', async () => {
    const allow = (memberMinutes: number | null, guildMinutes: number | null) =>
      createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({ ...before, memberMinutes, guildMinutes }));
    await allow(0, null);
    const first = await refused();
    await expect.poll(() => saidAfter(first)).toEqual([expect.stringMatching(/^<@\d+>: Transcription is switched off/)]);
    await allow(null, 0);
    const second = await refused();
    await expect.poll(() => saidAfter(second)).toEqual([expect.stringMatching(/^Transcription is switched off/)]);
    const third = await refused();
    await allow(null, null);
    await expectNoAnswer(third);
    expect(saidAfter(first)).toHaveLength(2);
  });

  it('little credit is said once a day, and nothing is transcribed', async () => {
    const restart = async (perHour: number | null) => {
      const before = balancesSeen;
      await parley.restartBot({ prices: { perMillionBytes: null, perHour } });
      await expect.poll(() => balancesSeen).toBeGreaterThan(before);
    };
    await restart(100_000);
    onTestFinished(() => restart(null));
    const asked = calls();
    const first = await refused();
    await refused();
    expect([saidAfter(first), calls()]).toEqual([[expect.stringContaining(en('voiceMessages.littleCredit'))], asked]);
  });

  it('a flood is answered as far as it is one member’s share, and the channel is told once', async () => {
    const answerAll = service.hold();
    const asked = calls();
    // In two channels, since Discord limits how many are answered in one at a time.
    const messages: APIMessage[] = [];
    for (let count = 0; count < 4; count++) messages.push(await speak(sam));
    const { id } = await parley.member.client.call('create_thread', { channel_id: general(), name: 'Another thread' });
    for (let count = 0; count < 4; count++) messages.push(await speak(sam.inChannel(id)));
    const told = () => messages.flatMap((message, index) => (index % 4 === 0 ? saidAfter(message) : []));
    await expect.poll(told).toEqual([expect.stringContaining(en('voiceMessages.tooMany'))]);
    // Two at a time.
    await expect.poll(calls).toBe(asked + 2);
    service.behave(answerJson(200, segmentsOf(2)));
    answerAll();
    await expect
      .poll(() => messages.map((message) => answersTo(message).length > 0))
      .toEqual([true, true, true, true, true, false, false, false]);
    expect(told()).toHaveLength(1);
  });

  it('a channel that Discord lets nobody write in for the moment delays no other channel', async () => {
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    onTestFinished(() => letGo());
    parley.discord.failRest(new RegExp(`^POST .*/channels/${threadId}/messages`), { until });
    const held = [await speak(robin), await speak(robin)];
    const { id } = await parley.member.client.call('create_thread', { channel_id: general(), name: 'Elsewhere' });
    const elsewhere = robin.inChannel(id);
    await elsewhere.sees(isAbout(await speak(elsewhere)));
    expect(held.flatMap(answersTo)).toEqual([]);
    letGo();
    for (const message of held) await answerTo(message);
  });
});

describe('a member who has used up what may come at once', () => {
  const { parley: strict } = useTranscribingParley({ readMessages: true, cooldown: { burst: 2, perMs: 600_000 } });

  it('isn’t answered for now, which the channel is told, and can’t use /transcribe either', async () => {
    const channelId = strict.discord.channelId('general');
    await createSettings(strict.store).changeGuild(strict.discord.guildId, (before) => ({
      ...before,
      transcripts: { ...before.transcripts, channels: [channelId], who: 'everyone' },
    }));
    const [first] = [await speak(strict.other), await speak(strict.other), await speak(strict.other)];
    await strict.member.sees((one) => textOf(one).includes(en('voiceMessages.tooMany')));
    const answers = () => (strict.discord.world.messages.get(channelId) ?? []).filter((one) => referenceOf(one) !== undefined);
    await expect.poll(() => answers().length).toBe(2);
    expect(await (await strict.other.runOnMessage('Transcribe', first.id)).sentence()).toContain('too fast for me');
    expect(answers()).toHaveLength(2);
  });
});

describe('without the message content intent', () => {
  const { parley: deaf } = useTranscribingParley();

  it('/settings says that Transcribe on a message is the way', async () => {
    const panel = await (await deaf.member.run('settings')).message((one) => textOf(one) !== '');
    await deaf.member.select(panel, 'settings:section', 'transcripts');
    const shown = await deaf.member.sees((one) => one.id === panel.id && textOf(one).includes(en('voiceMessages.panel.noAccess')));
    expect(textOf(shown)).toContain(en('voiceMessages.panel.noAccess'));
    expect(labelsOf(shown)).not.toContain(en('voiceMessages.panel.who.asked'));
  });
});

it('a voice message is not sent to the service if it is deleted before it is known whether it is wanted', async () => {
  const [asked, known] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  beforeMember = async () => {
    asked.resolve();
    await known.promise;
  };
  onTestFinished(() => {
    beforeMember = async () => {};
  });
  const message = await speak(sam);
  await asked.promise;
  const deleted = once(parley.bot().client, Events.MessageDelete);
  await sam.delete(message);
  await deleted;
  beforeMember = async () => {};
  known.resolve();
  const before = calls();
  await answerTo(await speak(robin));
  expect(calls()).toBe(before + 1);
});
