// /say: what is spoken, where, in which order, and the message for each reason not to speak.
import { type APIMessage, Locale, PermissionFlagsBits as P } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { filesOf, isEphemeral, labelsOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { startParley, useParley } from '../helpers/parley.ts';
import { tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

/** Whether it is being said. */
const isLive = (message: APIMessage) => labelsOf(message).includes(en('say.stopButton'));

/** Takes twenty seconds to say, unless it is ended. */
const LONG = 'one two three four five six seven eight nine ten, '.repeat(7);

describe('/say', () => {
  const parley = useParley();

  it('plays one utterance after the other, and says how many come before', async () => {
    const { member } = parley;
    await member.listen();
    const first = await member.run('say', { text: LONG });
    await first.message((message) => textOf(message).includes(en('say.speaking')));
    const second = await member.run('say', { text: 'And the second one.' });
    await second.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    const third = await member.run('say', { text: 'The last.' });
    await third.message((message) => textOf(message).includes(en('say.queued', { before: 2 })));
    // It is next for no longer than the second one takes.
    const thirdIsNext = third.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    await member.run('skip');
    await first.message((message) => textOf(message).includes(en('say.skipped')));
    await thirdIsNext;
    await second.message((message) => textOf(message).includes(openingOf('say.spoken')));
    await third.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });

  it('replies with a file on request, without a voice channel', async () => {
    const { member } = parley;
    await member.leaveVoice();
    const interaction = await member.run('say', { text: 'Hello, file!', send_as: 'file' });
    const reply = await interaction.message((message) => filesOf(message).length > 0);
    expect(filesOf(reply)[0]?.name).toBe('hello-file.mp3');
    const bytes = new Uint8Array(await (await fetch(filesOf(reply)[0]?.url ?? '')).arrayBuffer());
    expect(bytes.length).toBeGreaterThan(2000);
  });

  it('says which language a text is in that no voice speaks, and what would, in the member’s own language', async () => {
    const refusal = await parley.member.run('say', { text: 'こんにちは、世界。', send_as: 'file' });
    expect(await refusal.sentence()).toContain(en('say.voiceInstallable', { language: 'Japanese' }));
  });

  it.each(['channel', 'file', 'message'])('says which part of a text the voice leaves out (send_as: %s)', async (send_as) => {
    const { member } = parley;
    await member.listen();
    // What the voice speaks is known as soon as its title is.
    await expect.poll(async () => (await member.autocomplete('say', 'voice', '')).length).toBe(25);
    const interaction = await member.run('say', { text: 'Hello สวัสดี ครับ, world', send_as });
    await interaction.message((message) => textOf(message).includes(en('say.leftOut', { typed: 'สวัสดี ครับ' })));
    const whole = await member.run('say', { text: 'Hello world', send_as });
    const reply = await whole.message((message) => textOf(message).includes('Hello world') && !isLive(message));
    expect(textOf(reply)).not.toContain('left it out');
  });

  it('gives a text that was refused back to its member, who can edit it', async () => {
    const { member } = parley;
    await member.listen();
    const edited = await editRefused({});
    await edited.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });

  it.each([
    ['in the voice channel that was named', () => ({ channel: parley.discord.channelId('Lounge') }), openingOf('say.spoken')],
    ['as a file', () => ({ send_as: 'file' }), 'Hello, world.'],
    ['as a voice message', () => ({ send_as: 'message' }), 'Hello, world.'],
  ])('sends an edited text where the refused one was to go: %s', async (_, options, shown) => {
    await parley.member.leaveVoice();
    const edited = await editRefused(options());
    const reply = await edited.message((message) => textOf(message).includes(shown) || filesOf(message).length > 0);
    expect(isEphemeral(reply)).toBe(false);
    if (!('channel' in options())) await edited.message((message) => filesOf(message).length > 0);
  });

  it('has no public reply, whose deletion the private one would show, to a text that is refused within half a second', async () => {
    const { member } = parley;
    const answered = async () => {
      const interaction = await member.run('say', { text: 'こんにちは、世界。', send_as: 'file' });
      const { message_reference: reference } = await interaction.message(isEphemeral);
      return { reference, count: interaction.messages().length };
    };
    await expect.poll(answered).toEqual({ reference: undefined, count: 1 });
  });

  it('shows a text that was refused before its turn as waiting, rather than answer too late', async () => {
    const { member } = parley;
    await member.listen();
    await (await member.run('say', { text: LONG, voice: 'clara' })).message(isLive);
    const refused = await member.run('say', { text: 'ᚠᚢᚦᚨᚱᚲ', voice: 'clara' });
    await refused.message((message) => labelsOf(message).includes(en('say.cancelButton')));
    await (await member.run('stop')).answered();
  });

  async function editRefused(options: Record<string, string>) {
    const { member } = parley;
    const interaction = await member.run('say', { text: 'こんにちは、世界。', ...options });
    const refused = await interaction.message(isEphemeral);
    expect(textOf(refused)).toContain('no voice here speaks it');
    const form = await member.click(refused, en('say.editButton'));
    expect(JSON.stringify(await form.modal())).toContain('こんにちは、世界。');
    return member.submitModal(form, { [en('say.sayMoreLabel')]: 'Hello, world.' });
  }

  it('offers the titles of voices while the member types', async () => {
    const { member } = parley;
    await expect.poll(async () => (await member.autocomplete('say', 'voice', '')).length).toBe(25);
    const choices = await member.autocomplete('say', 'voice', 'robert, n');
    expect(choices.slice(0, 2)).toEqual([
      { name: expect.stringMatching(/^Robert, narrator · English · \w+, \w+$/), value: 'robert-narrator' },
      { name: expect.stringMatching(/^Robert, newsreader · English · /), value: 'robert-newsreader' },
    ]);
    const misspelt = await member.autocomplete('say', 'voice', 'robret, narator');
    expect(misspelt[0]).toEqual({ name: expect.stringMatching(/^Robert, narrator · English · \w+, \w+$/), value: 'robert-narrator' });
  });

  it('offers private voices to operators only, but lets anybody with the id use them', async () => {
    const { member, other } = parley;
    const robot = { name: expect.stringMatching(/^My robot/), value: 'my-robot' };
    await expect.poll(() => member.autocomplete('say', 'voice', 'my ro')).toContainEqual(robot);
    for (const typed of ['', 'my ro', 'my robot', 'robot'])
      expect(await other.autocomplete('say', 'voice', typed)).not.toContainEqual(robot);
    expect(await other.autocomplete('say', 'voice', 'my-robot')).toContainEqual(robot);
    const [titled, own, byId] = [
      await other.run('say', { text: 'One.', send_as: 'file', voice: 'My robot' }),
      await member.run('say', { text: 'One.', send_as: 'file', voice: 'My robot' }),
      await other.run('say', { text: 'One.', send_as: 'file', voice: 'my-robot' }),
    ];
    expect(await titled.sentence()).toContain('My robot');
    for (const interaction of [own, byId]) await interaction.message((one) => filesOf(one).length > 0);
  });

  it.each([
    ['nothing but blanks', '   ', 'There’s nothing to say'],
    ['nothing that has a sound', '!!! … ???', 'nothing to say out loud in this text'],
  ])('does not speak %s', async (_, text, sentence) => {
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text });
    expect(await interaction.sentence()).toContain(sentence);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('says so when the member is in no voice channel', async () => {
    await parley.member.leaveVoice();
    const interaction = await parley.member.run('say', { text: 'Hello' });
    expect(await interaction.sentence()).toContain('You’re not in a voice channel');
    expect(interaction.messages()).toHaveLength(1);
  });

  it.each([
    ['Stage', 'is a stage'],
    ['Listen only', 'I need **Speak** in'],
    ['No bots', 'I need **Connect** in'],
    ['Booth for one', 'is full'],
  ])('says so, at once and in private, when it cannot speak in %s', async (name, sentence) => {
    const { member, discord } = parley;
    await member.listen(discord.channelId(name));
    const interaction = await member.run('say', { text: 'Hello' });
    expect(await interaction.sentence()).toContain(sentence);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('names every permission that the bot lacks', async () => {
    const { member, discord } = parley;
    const workshop = discord.channelId('Workshop');
    await member.listen(workshop);
    discord.setPermissions(workshop, discord.application.id, { deny: P.ViewChannel | P.Connect | P.Speak });
    const interaction = await member.run('say', { text: 'Hello' });
    expect(await interaction.sentence()).toContain('I need **View Channel**, **Connect**, and **Speak** in');
    discord.setPermissions(workshop, discord.application.id, {});
  });

  it('joins a full channel if the bot may move members, as in Discord', async () => {
    const { member, discord } = parley;
    const booth = discord.channelId('Booth for one');
    const receiver = await member.listen(booth);
    discord.setPermissions(booth, discord.application.id, { allow: P.MoveMembers });
    const interaction = await member.run('say', { text: 'There is room.' });
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(receiver.stats().decrypted).toBeGreaterThan(10);
    discord.setPermissions(booth, discord.application.id, {});
  });

  it('does not speak in a channel that the member may not join', async () => {
    const { other, discord } = parley;
    const workshop = discord.channelId('Workshop');
    discord.setPermissions(workshop, other.client.userId, { deny: P.Connect });
    const interaction = await other.run('say', { text: 'Hello', channel: workshop });
    expect(await interaction.sentence()).toContain('You can’t join');
    expect(interaction.messages()).toHaveLength(1);
    discord.setPermissions(workshop, other.client.userId, {});
  });

  it('speaks in the named channel if the member may join it too', async () => {
    const { member, other, discord } = parley;
    const workshop = discord.channelId('Workshop');
    await member.leaveVoice();
    const receiver = await other.listen(workshop);
    const interaction = await member.run('say', { text: 'Hello, you.', channel: workshop });
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(receiver.stats().decrypted).toBeGreaterThan(10);
    await other.leaveVoice();
  });

  it('says so when a moderator mutes the bot, stays to be unmuted, and is heard again afterwards', async () => {
    const { member, discord } = parley;
    const { application } = discord;
    await member.listen();
    const interaction = await member.run('say', { text: LONG });
    await interaction.message((message) => textOf(message).includes(en('say.speaking')));
    discord.setServerMute(application.id);
    await interaction.message((message) => textOf(message).includes(openingOf('say.interrupted')));
    expect(await interaction.sentence()).toContain('moderator can unmute me');
    const still = await member.run('say', { text: 'Now?' });
    expect(await still.sentence()).toContain('moderator can unmute me');
    discord.setServerMute(application.id, false);
    const again = await member.run('say', { text: 'Now?' });
    await again.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });

  it('does not leave a channel in the middle of an utterance', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    await other.listen(discord.channelId('Workshop'));
    const first = await member.run('say', { text: LONG });
    await first.message((message) => textOf(message).includes(en('say.speaking')));
    const interaction = await other.run('say', { text: 'Here, please.' });
    expect(await interaction.sentence()).toContain(en('errors.voice.busy'));
    expect(interaction.messages()).toHaveLength(1);
    await member.run('skip');
    await first.message((message) => textOf(message).includes(en('say.skipped')));
    await other.leaveVoice();
  });

  it('says so while the member is deafened, and how to change that', async () => {
    const { member } = parley;
    await member.listen();
    await member.client.call('set_voice', { self_deaf: true });
    const deaf = await (await member.run('say', { text: 'Hello' })).message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(textOf(deaf)).toContain('Hello\n-# You’ve deafened yourself. Click the headphones next to your name.');
    await member.client.call('set_voice', { self_deaf: false });
    const heard = await (await member.run('say', { text: 'Hello' })).message((message) =>
      textOf(message).includes(openingOf('say.spoken')),
    );
    expect(textOf(heard)).not.toContain('deafened');
  });

  it('says so only to the member if the voice does not exist', async () => {
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'Hello', voice: 'no-such-voice' });
    expect(await interaction.sentence()).toContain('can’t find a voice called `no-such-voice`');
    expect(interaction.messages()).toHaveLength(1);
  });

  it('continues with the next utterance after a failure', async () => {
    await parley.member.listen();
    const [broken, whole] = [
      await parley.member.run('say', { text: 'Hello', voice: 'no-such-voice' }),
      await parley.member.run('say', { text: 'Still here.' }),
    ];
    await broken.sentence();
    await whole.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });
});

describe('/say at a hosted service', () => {
  it('has what a member wrote for an instruction spoken, and only the mood that they chose obeyed', async () => {
    const service = await startTestVoiceService({ like: 'hosted' });
    for (const model of ['s2.1-pro', 's1']) {
      const parley = await startParley({ service: { url: service.url, key: service.key, isHosted: true }, model });
      try {
        const text = '(happy) He cast [Fireball] <|speaker:1|>at me.';
        const interaction = await parley.member.run('say', { text, mood: 'sad', send_as: 'file' });
        const [file] = filesOf(await interaction.message((message) => filesOf(message).length > 0));
        const audio = new Uint8Array(await (await fetch(file?.url ?? '')).arrayBuffer());
        const { text: heard } = await parley.api.transcribe({ audio, filename: 'said.mp3' });
        expect(heard.replace(/[^\p{L}\d]+/gu, ' ').trim(), model).toBe('happy He cast Fireball speaker 1 at me');
      } finally {
        await parley.close();
      }
    }
    await service.close();
  });

  it('names the most used voice of the server’s language if nobody has chosen one, over a restart as well', async () => {
    const asked: unknown[] = [];
    const latencies: unknown[] = [];
    const models = [
      modelOnWire('english', { task_count: 9, languages: ['en'] }),
      modelOnWire('german', { task_count: 5, languages: ['de'] }),
    ];
    const speak = answer(200, wavOf(tone(382, 0.2, 24_000, 0.24), 24_000), { 'content-type': 'audio/wav' });
    const service = await startMisbehavingService((request, response, body) => {
      if (request.url !== '/v1/tts') return answerJson(200, { total: models.length, items: models })(request, response);
      const { reference_id, latency } = JSON.parse(String(body));
      asked.push(reference_id);
      latencies.push(latency);
      speak(request, response);
    });
    const hosted = { url: service.url, key: 'key', isHosted: true };
    const parley = await startParley({ service: hosted, model: 's2.1-pro', discord: { preferredLocale: Locale.German } });
    try {
      const { member, store, discord } = parley;
      const say = async (text: string) =>
        (await member.run('say', { text, send_as: 'file' })).message((message) => filesOf(message).length > 0);
      await say('Guten Tag.');
      models.push(modelOnWire('newer', { task_count: 99, languages: ['de', 'fr'] }));
      await parley.restartBot();
      await say('Guten Abend.');
      await createSettings(store).changeGuild(discord.guildId, (guild) => ({ ...guild, language: 'fr' }));
      await say('Bonsoir.');
      expect(asked).toEqual(['german', 'german', 'newer']);
      expect(latencies).toEqual(['normal', 'normal', 'normal']);
    } finally {
      await parley.close();
      await service.close();
    }
  });
});
