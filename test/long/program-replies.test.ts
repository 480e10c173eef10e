// Replies of a program that is killed with SIGKILL: the next one corrects them at its start, or when a button is pressed.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { GatewayIntentBits, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { isEphemeral, labelsOf, type Member, memberOf, textOf, textsOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import type { Program } from '../helpers/program.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { silentWav } from '../helpers/speech.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { startFlakyProxy } from '../load/flaky-proxy.ts';

/** Two minutes: it plays until its process is killed, however slow the machine is. */
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.'.repeat(20);
const MINUTE_MS = 60_000;
const sound = silentWav(2);

let service: TestVoiceService;

beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service?.close());

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

const transcribe = (member: Member, options = {}) => member.run('transcribe', { audio: member.upload('memo.wav', sound), ...options });

async function kill(program: Program): Promise<void> {
  program.child.kill('SIGKILL');
  await program.ended;
}

/** Open replies as they are noted in the store. */
function notesIn(dataDir: string): { interactionId: string; value: { kind?: string; token?: string }; expiresInMs: number }[] {
  const db = new DatabaseSync(join(dataDir, 'parley.db'));
  const rows = db.prepare("SELECT key, value, expires_at FROM entries WHERE key LIKE 'reply:%'").all();
  db.close();
  return rows.map(({ key, value, expires_at }) => ({
    interactionId: String(key).split(':')[1] ?? '',
    value: JSON.parse(String(value)),
    expiresInMs: Number(expires_at) - Date.now(),
  }));
}

/** Everything that a process has written. */
async function filesIn(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'latin1'));
  return (await Promise.all(files)).join('\n');
}

describe('replies that a killed process left open', () => {
  it('are corrected by the next one, wherever they are, with tokens that live 15 minutes at most and are kept nowhere but sealed', async () => {
    const proxy = await startFlakyProxy(service.url);
    onTestFinished(proxy.close);
    const { start, member, discord, dataDir } = await openProgramFixture({ ...service, url: proxy.url }, { guilds: 3, members: 4 });
    const [, hidden = '', without = ''] = discord.guildIds;
    discord.removeBot(without);
    discord.setPermissions(discord.channelId('general', hidden), discord.application.id, { deny: P.ViewChannel });
    const memberIn = (guildId: string, name: string) => memberOf(discord, name, { guildId });
    const [sam, ada] = ['Sam', 'Ada'].map((name) => memberIn(discord.guildId, name)) as [Member, Member];
    const tokens = new Set<string>();
    discord.onRestRequest(({ path }) => {
      const [, token] = /^\/interactions\/\d+\/([^/]+)\/callback/.exec(path) ?? [];
      if (token) tokens.add(token);
    });
    const first = await start({ LOG_LEVEL: 'trace', VOICE_API_CONCURRENCY: '20' });

    // Requests that hang stay so when the service is well again. Transcripts wait for an hour; speech and voices, which begin later, for half a
    // minute.
    proxy.state = 'hangs';
    const transcripts = {
      'in public': await transcribe(sam),
      'that only the member sees': await transcribe(sam, { private: true }),
      'in direct messages': await transcribe(await ada.inDm()),
      'in a server without the bot': await transcribe(memberIn(without, 'Ada')),
    };
    for (const transcript of Object.values(transcripts)) await says(transcript, openingOf('transcription.transcribingSince'));

    proxy.state = 'well';
    await member.listen();
    await says(await member.run('say', { text: 'Done before.' }), openingOf('say.spoken'));
    const playing = await member.run('say', { text: LONG });
    await says(playing, en('say.speaking'));
    const waiting = await member.run('say', { text: 'Waiting.', voice: 'clara' });
    await says(waiting, en('say.queued', { before: 1 }));
    // Where the bot sees no messages, it could not correct one.
    const elsewhere = memberIn(hidden, 'Sam');
    await elsewhere.listen();
    const unseen = await elsewhere.run('say', { text: LONG });
    const live = await says(unseen, en('say.speaking'));
    const spoken = () => notesIn(dataDir).flatMap(({ value }) => (value.kind === 'say' ? [value] : []));
    await expect.poll(spoken).toEqual(Array(2).fill({ kind: 'say', channelId: discord.channelId('general'), locale: 'en' }));

    proxy.state = 'hangs';
    const file = await member.run('say', { text: 'A file, please.', send_as: 'file' });
    const voices = await member.run('voices');
    // Those two, the file, the transcripts, and the voices. The voices and three of the transcripts can only be reached with Discord's token.
    // On a busy machine, the other four may also have been noted with it, as “thinking”.
    await expect
      .poll(() => {
        const notes = notesIn(dataDir);
        const ids = (some: typeof notes) => new Set(some.map(({ interactionId }) => interactionId)).size;
        return [ids(notes), ids(notes.filter(({ value }) => value.token === undefined))];
      })
      .toEqual([8, 4]);
    await kill(first);
    const sealed = notesIn(dataDir).filter(({ value }) => value.token !== undefined);
    expect(sealed.length).toBeGreaterThanOrEqual(4);
    for (const { expiresInMs } of sealed) {
      expect(expiresInMs).toBeGreaterThan(10 * MINUTE_MS);
      expect(expiresInMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    }
    const files = await filesIn(dataDir);
    expect(tokens.size).toBeGreaterThan(sealed.length);
    for (const token of tokens) expect(files).not.toContain(token);
    // The key that they are sealed with comes from the bot's token.
    expect(files).not.toContain('secret:replies');

    proxy.state = 'well';
    const second = await start({ LOG_LEVEL: 'trace' });
    for (const [interaction, text, choices] of [
      [
        playing,
        `${LONG.slice(0, 139)}…`,
        [en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore'), en('say.showText')],
      ],
      [waiting, 'Waiting.', [en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')]],
    ] as const) {
      const corrected = await says(interaction, en('say.interruptedByRestart'));
      expect(textOf(corrected)).not.toMatch(/Speaking now|Up next/);
      expect(textsOf(corrected).slice(0, 2)).toEqual(['**Robin**', text]);
      expect(labelsOf(corrected)).toEqual(choices);
      expect(interaction.messages()).toHaveLength(1);
    }
    expect(textOf(await says(waiting, 'I restarted'))).toContain('Clara · I restarted');
    for (const [where, transcript] of Object.entries(transcripts)) {
      const corrected = await says(transcript, en('transcription.interruptedByRestart'));
      expect(textOf(corrected), where).toContain('**memo.wav**');
      // On a busy machine, a public one begins with a private notice.
      expect(
        transcript.messages().filter((message) => textOf(message) !== en('general.started')),
        where,
      ).toHaveLength(1);
    }
    for (const thinking of [file, voices])
      await thinking.message((message) => textOf(message).startsWith(en('general.interruptedByRestart')));
    await expect.poll(() => notesIn(dataDir)).toEqual([]);
    // What it can't see is corrected by the next press of a button.
    await elsewhere.click(live, en('say.stopButton'));
    const corrected = await says(unseen, en('say.interruptedByRestart'));
    expect(labelsOf(corrected)).toEqual([
      en('say.replay'),
      en('say.saveAsFile'),
      en('say.sendAsVoiceMessage'),
      en('say.sayMore'),
      en('say.showText'),
    ]);

    await says(await member.select(await says(waiting, 'I restarted'), en('say.moreMenu'), en('say.replay')), openingOf('say.spoken'));
    const finished = await transcribe(member, { private: true });
    expect(isEphemeral(await says(finished, 'I didn’t hear any speech'))).toBe(true);
    second.child.kill('SIGINT');
    await second.ended;
    expect(notesIn(dataDir)).toEqual([]);
    for (const token of tokens) for (const { out, err } of [first, second]) expect([...out, ...err].join('\n')).not.toContain(token);
  });
});

describe('a voice message that a killed process was answering', () => {
  it('is answered by the next one, unless that is killed as well; either way, no reaction is left on it', async () => {
    const proxy = await startFlakyProxy(service.url);
    onTestFinished(proxy.close);
    const { start, member, discord, dataDir } = await openProgramFixture(
      { ...service, url: proxy.url },
      { privilegedIntents: GatewayIntentBits.MessageContent },
    );
    const general = discord.channelId('general');
    const first = await start({ READ_MESSAGES: 'on' });
    const store = openSqliteStore(join(dataDir, 'parley.db'));
    await createSettings(store).changeGuild(discord.guildId, (before) => ({
      ...before,
      transcripts: { ...before.transcripts, channels: [general], who: 'everyone' },
    }));
    await store.close();
    const messageOf = (id: string) => discord.world.messages.get(general)?.find((one) => one.id === id);
    const isMarked = (id: string) => (messageOf(id)?.reactedBy?.length ?? 0) > 0;
    const answersTo = (id: string) =>
      (discord.world.messages.get(general) ?? []).filter(({ message_reference }) => message_reference?.message_id === id);
    const speak = async () => (await member.sendVoiceMessage('voice-message.wav', sound)).id;

    proxy.state = 'hangs';
    const twice = await speak();
    await expect.poll(() => isMarked(twice)).toBe(true);
    await kill(first);
    const second = await start({ READ_MESSAGES: 'on' });
    await expect.poll(() => notesIn(dataDir).map(({ value }) => value)).toMatchObject([{ kind: 'voice-message-again' }]);
    const once = await speak();
    await expect.poll(() => isMarked(once)).toBe(true);
    await expect.poll(() => isMarked(twice)).toBe(true);
    await expect.poll(() => notesIn(dataDir)).toHaveLength(2);
    await kill(second);
    proxy.state = 'well';
    await start({ READ_MESSAGES: 'on' });
    await expect.poll(() => answersTo(once)).toHaveLength(1);
    await expect.poll(() => [isMarked(twice), isMarked(once)]).toEqual([false, false]);
    await expect.poll(() => notesIn(dataDir)).toEqual([]);
    expect(answersTo(twice)).toEqual([]);
  });
});
