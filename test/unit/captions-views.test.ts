// What members read of captions: the panel, the lines, and the messages that the writer makes of them.
import { type APIMessage, DiscordAPIError } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createInTurnByKey } from '../../src/async/waiting.ts';
import { captionsPanel, earlierPanel, endedPanel } from '../../src/captions/panel.ts';
import { createLineFinder, readTranscript, withoutSpeaker } from '../../src/captions/transcript.ts';
import { createWriter, type WriterOptions } from '../../src/captions/writer.ts';
import { createLog } from '../../src/log.ts';
import type { WordsChannel } from '../../src/posted-words/channel.ts';
import { createPostedLines, lineOf, readLine } from '../../src/posted-words/lines.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';
import { writeTranscript } from '../../src/transcription/transcript-file.ts';
import { anyCharacter, anyTranslator, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectTaken } from '../helpers/discord-limits.ts';

const anyText = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.constantFrom(...Object.values(hostileTexts)));
const NOW = 1_700_000_000_000;

const refusal = (code: number, status = 400) =>
  new DiscordAPIError({ code, message: 'refused' }, code, status, 'PATCH', '', { body: undefined, files: undefined });

/** A channel that keeps its messages. */
function createChannel() {
  const kept = new Map<string, string>();
  const edits: string[] = [];
  let latest = 1000;
  const channel: WordsChannel = {
    id: '2',
    async send(content) {
      const id = String(++latest);
      kept.set(id, content);
      return id;
    },
    async edit(id, content) {
      if (!kept.has(id)) throw refusal(10008, 404);
      edits.push(content);
      kept.set(id, content);
    },
    delete: async (id) => void kept.delete(id),
    read: async (id) => kept.get(id) ?? null,
    listAfter: async (after) => {
      const messages = [...kept].filter(([id]) => Number(id) > Number(after)).map(([id, content]) => ({ id, content }) as APIMessage);
      return { messages, next: null };
    },
    change: (act) => act(),
    archiveAgain: async () => {},
  };
  return { channel, kept, edits };
}

/** @param wrapStore for a store that fails */
function open(options: Partial<WriterOptions> = {}, wrapStore = (store: Store) => store) {
  const store = wrapStore(openSqliteStore(':memory:'));
  onTestFinished(() => store.close());
  const { channel, kept, edits } = createChannel();
  const lines = createPostedLines(store, createLog('silent'));
  const words = { inTurn: createInTurnByKey<string>(), lines, store };
  const openWriter = (given: WriterOptions['words'] = words) => {
    const writer = createWriter({
      ...{ guildId: '1', channel, since: '1', words: given, onLost() {}, onRefused() {}, log: createLog('silent') },
      ...{ pauses: { edit: 0, silence: 30_000 }, ...options },
    });
    onTestFinished(writer.close);
    return writer;
  };
  const writer = openWriter();
  const sayTo = (to: typeof writer, userId: string, text: string, at = 0, name = `Member ${userId}`) =>
    to.add({ userId, text, startedAt: NOW + at, endedAt: NOW + at + 900 }, name);
  const say = (userId: string, text: string, at = 0, name?: string) => sayTo(writer, userId, text, at, name);
  const removeAll = (memberId: string) => writer.removeAll(memberId, Number.POSITIVE_INFINITY);
  const written = () => [...kept.values()];
  return { writer, openWriter, sayTo, removeAll, words, lines, channel, kept, edits, say, written };
}

describe('the panel of captions', () => {
  it('is taken by Discord in every language, with however many members', () => {
    const id = fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String);
    const state = fc.record({
      ...{ voiceChannelId: id, startedBy: id, captioned: fc.array(id, { maxLength: 99 }), unheard: fc.array(id, { maxLength: 99 }) },
      outOfBudget: fc.array(fc.tuple(fc.option(id), fc.nat(2 ** 40)), { maxLength: 99 }),
      ...{
        seconds: fc.nat(),
        cost: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
        isKept: fc.boolean(),
        isDeafened: fc.boolean(),
      },
      service: fc.option(fc.domain()),
      languages: fc.array(fc.constantFrom('en', 'de', 'zh', 'pt-BR'), { maxLength: 60 }).map((all) => [...new Set(all)]),
    });
    fc.assert(
      fc.property(anyTranslator, state, (t, one) => {
        expectTaken(captionsPanel(t, one));
        expectTaken(earlierPanel(t, { voiceChannelId: one.voiceChannelId, link: `https://discord.com/channels/${one.startedBy}` }));
        expectTaken(endedPanel(t, one));
      }),
    );
  });
});

describe('a line', () => {
  it('has the name and the words as they are, whatever they contain, and is one line that can be read back', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, text) => {
        const line = lineOf(name, text);
        if (line === null) return;
        expect(line).not.toMatch(/[\n\r\u202a-\u202e\u2066-\u2069]/);
        expect(line).not.toMatch(/(?<!\\)(?:\\\\)*<[@#:]|(?<!\\)(?:\\\\)*@everyone/);
        expect(readLine(line)).not.toBeNull();
      }),
    );
    const said = { name: '*Eve* \\', text: 'I said <@123> and @everyone, **so** there' };
    expect(readLine(lineOf(said.name, said.text) ?? '')).toEqual(said);
    expect(lineOf('*Eve*', 'I said <@123> and @everyone, https://a.example')).toBe(
      '**\\*Eve\\*** I said \\<@123> and \\@everyone, https\\://a.example',
    );
    expect(lineOf('Robin', ' \u200b ')).toBeNull();
    expect(readLine('-# I’m 15 seconds behind.')).toBeNull();
  });
});

describe('the writer', () => {
  it('writes one message, with a line for each caption in the order in which people began', async () => {
    const { writer, say, written } = open();
    say('1', 'First.', 0);
    say('2', 'Third.', 3_000);
    say('1', 'Second, but longer.', 1_000);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** First.\n**Member 1** Second, but longer.\n**Member 2** Third.']);
  });

  it('begins a new message after 1,500 characters, and after silence', async () => {
    const { writer, say, written } = open();
    for (let count = 0; count < 4; count++) say('1', 'x'.repeat(500), count);
    await writer.flush();
    expect(written().map(({ length }) => length)).toEqual([1027, 1027]);
    const quiet = open({ pauses: { edit: 0, silence: 0 } });
    quiet.say('1', 'Before.');
    quiet.say('1', 'After.');
    await quiet.writer.flush();
    expect(quiet.written()).toEqual(['**Member 1** Before.', '**Member 1** After.']);
  });

  it('changes a message every 1.2 s at most, and begins another one after 30 s of silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { writer, say, edits, written } = open({ pauses: undefined });
    for (let count = 0; count < 60; count++) {
      say('1', 'x', count);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(edits.length).toBeGreaterThan(1);
    expect(edits.length).toBeLessThanOrEqual(5);
    await vi.advanceTimersByTimeAsync(29_800);
    say('1', 'the same', 200);
    await writer.flush();
    expect(written()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(30_000);
    say('1', 'another', 300);
    await writer.flush();
    expect(written()).toHaveLength(2);
  });

  it('cuts what nobody could have said in one breath', async () => {
    const { writer, say, written } = open();
    say('1', 'word '.repeat(10_000));
    await writer.flush();
    expect(written()).toHaveLength(1);
    expect(written()[0]?.length).toBeLessThan(1_500);
  });

  it('says below the last line that it is behind, until it no longer is', async () => {
    const { writer, say, written } = open();
    say('1', 'One.');
    writer.setBehind('behind');
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.\n-# behind']);
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.']);
  });

  it('says that it is behind in a message of its own before the first line and after silence, which goes if nothing follows', async () => {
    const { writer, removeAll, lines, say, written } = open();
    writer.setBehind('behind');
    await writer.flush();
    expect(written()).toEqual(['-# behind']);
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual([]);
    writer.setBehind('behind again');
    await writer.flush();
    expect(await removeAll('1')).toBe(0);
    expect(written()).toEqual(['-# behind again']);
    say('1', 'One.');
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.']);
    expect(await lines.list('1', '1')).toHaveLength(1);
    const quiet = open({ pauses: { edit: 0, silence: 0 } });
    quiet.say('1', 'Before.');
    quiet.writer.setBehind('behind');
    await quiet.writer.flush();
    expect(quiet.written()).toEqual(['**Member 1** Before.', '-# behind']);
  });

  it('goes on in another message if a moderator deletes one, and writes nothing of it again, but all that is said after it', async () => {
    const { writer, lines, say, kept, written } = open();
    writer.setBehind('behind');
    await writer.flush();
    kept.clear();
    say('1', 'One.');
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.']);
    kept.clear();
    say('1', 'Two.', 1);
    await writer.flush();
    say('1', 'Three.', 2);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** Two.\n**Member 1** Three.']);
    expect((await lines.list('1', '1')).map(([, all]) => all.length)).toEqual([2]);
  });

  it('removes all lines of one member, from earlier messages too, and leaves those of another with the same name', async () => {
    const { writer, removeAll, say, written } = open();
    for (let count = 0; count < 3; count++) {
      say('1', `${count} ${'x'.repeat(600)}`, 10 * count, 'Sam');
      say('2', `${count} the same`, 10 * count + 1, 'Sam');
    }
    writer.note('of ours');
    await writer.flush();
    expect(written().length).toBeGreaterThan(1);
    expect(await removeAll('1')).toBe(3);
    expect(written().join('\n').split('\n')).toEqual(['**Sam** 0 the same', '**Sam** 1 the same', '**Sam** 2 the same', '-# of ours']);
    expect(await removeAll('1')).toBe(0);
  });

  it('waits while the store fails: whose words they are is stored before they are written', async () => {
    let isBroken = true;
    const { writer, lines, removeAll, say, written } = open({}, (store) => ({
      ...store,
      async set(...given) {
        if (isBroken) throw new StoreError('gone');
        return store.set(...given);
      },
    }));
    say('1', 'One.');
    await writer.flush(0);
    say('2', 'Two.', 1);
    await writer.flush(0);
    expect(written()).toEqual([]);
    isBroken = false;
    await expect.poll(written).toEqual(['**Member 1** One.\n**Member 2** Two.']);
    await expect.poll(async () => (await lines.list('1', '1'))[0]?.[1].map(([id]) => id)).toEqual(['1', '2']);
    expect(await removeAll('1')).toBe(1);
    expect(written()).toEqual(['**Member 2** Two.']);
  });

  it('removes the lines of whoever wants that, and no others, if members ask for it at once or twice', async () => {
    const { writer, removeAll, lines, say, written } = open();
    for (let count = 0; count < 6; count++)
      for (const id of ['1', '2', '3']) say(id, `${count} ${'x'.repeat(300)}`, 10 * count + Number(id));
    await writer.flush();
    expect(written().length).toBeGreaterThan(3);
    const counts = await Promise.all(['1', '2', '1'].map(removeAll));
    expect(counts.reduce((sum, count) => sum + count)).toBe(12);
    const left = written().join('\n').split('\n');
    expect(left.map((line) => readLine(line)?.name)).toEqual(Array.from({ length: 6 }, () => 'Member 3'));
    expect((await lines.list('1', '1')).flatMap(([, all]) => all.map(([id]) => id))).toEqual(Array.from({ length: 6 }, () => '3'));
  });

  it('leaves out what Discord never takes, tells whose it was, and goes on with everything else', async () => {
    const refused: string[] = [];
    const { writer, channel, say, written } = open({ onRefused: (memberId) => void refused.push(memberId) });
    let blocked = /darn/;
    for (const act of ['send', 'edit'] as const) {
      const usual = channel[act] as (...given: string[]) => Promise<never>;
      channel[act] = async (...given: string[]) => {
        if (blocked.test(given.at(-1) ?? '')) throw refusal(200000);
        return usual(...given);
      };
    }
    say('1', 'Oh darn.');
    say('2', 'One.', 1);
    say('1', 'darn it', 2);
    say('3', 'Two.', 3);
    await writer.flush();
    expect(written()).toEqual(['**Member 2** One.\n**Member 3** Two.']);
    say('2', 'darn', 4);
    await writer.flush();
    say('3', 'Three.', 5);
    await writer.flush();
    expect(written()).toEqual(['**Member 2** One.\n**Member 3** Two.\n**Member 3** Three.']);
    expect(refused).toEqual(['1', '1', '2']);
    // By a rule that is newer than what is there.
    blocked = /One/;
    say('2', 'Four.', 6);
    await writer.flush();
    expect(written().join('\n').split('\n').at(-1)).toBe('**Member 2** Four.');
    expect(refused).toHaveLength(3);
  });

  it('writes a line that is equal to one that a moderator has deleted', async () => {
    const { writer, say, kept, written } = open();
    say('1', 'Yes.');
    await writer.flush();
    kept.clear();
    say('1', 'Yes.', 1);
    say('1', 'No.', 2);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** Yes.\n**Member 1** No.']);
  });

  it.each(['send', 'edit'] as const)(
    'knows whose each line is if the process is killed right after a message was changed (%s)',
    async (act) => {
      const { writer, openWriter, sayTo, words, channel, lines, say, written } = open();
      const usual = channel[act] as (...given: string[]) => Promise<never>;
      if (act === 'edit') {
        say('1', 'One.', 0, 'Sam');
        await writer.flush();
      }
      let isKilled = false;
      channel[act] = async (...given: string[]) => {
        await usual(...given);
        isKilled = true;
        return new Promise<never>(() => {});
      };
      say('2', 'Two.', 1, 'Sam');
      await expect.poll(() => isKilled).toBe(true);
      channel[act] = usual as never;
      // Another process has no turns of the killed one.
      const others = {
        inTurn: createInTurnByKey<string>(),
        lines: createPostedLines(words.store, createLog('silent')),
      };
      const next = openWriter(others);
      sayTo(next, '1', 'Three.', 2, 'Sam');
      await next.flush();
      const all = written().join('\n').split('\n');
      expect(all.at(-1)).toBe('**Sam** Three.');
      const found = await readTranscript('1', { startedAt: NOW, panelId: '1' }, others, channel);
      const said = found?.transcript.segments.map(({ text, speaker }) => [text, speaker?.id]);
      expect(said).toEqual([...(act === 'edit' ? [['One.', '1']] : []), ['Two.', '2'], ['Three.', '1']]);
      expect(await next.removeAll('2', Number.POSITIVE_INFINITY)).toBe(1);
      expect(written().join('\n')).not.toContain('Two');
      expect((await lines.list('1', '1')).flatMap(([, of]) => of.map(([id]) => id))).not.toContain('2');
    },
  );

  it('removes lines as an earlier version has stored them, also if it has changed a message since this one was killed', async () => {
    const { words, channel, removeAll, written } = open();
    const lines = ['1', null, '2', '2'].map((id, index) => [id, NOW + index, NOW + index]);
    const id = await channel.send('**Sam** One.\n-# of ours\n**Robin** Two.\n**Robin** Three.');
    await words.store.set(`captions-lines:1:${id}`, lines);
    await words.store.set(`captions-change:1:${id}`, { from: lines.slice(0, 2), to: lines.slice(1), since: null });
    expect(await removeAll('2')).toBe(2);
    expect(written()).toEqual(['**Sam** One.\n-# of ours']);
    expect(await words.store.get(`captions-lines:1:${id}`)).toEqual(lines.slice(0, 2));
    expect(await removeAll('1')).toBe(1);
    expect(written()).toEqual(['-# of ours']);
  });

  it('knows whose each line is if Discord has done what it didn’t answer', async () => {
    const { writer, channel, lines, say, written } = open();
    for (const act of ['send', 'edit'] as const) {
      const usual = channel[act] as (...given: string[]) => Promise<never>;
      let failures = 1;
      channel[act] = async (...given: string[]) => {
        const done = await usual(...given);
        if (failures-- > 0) throw new Error('ECONNRESET');
        return done;
      };
    }
    say('1', 'One.');
    await expect.poll(written).toEqual(['**Member 1** One.']);
    say('2', 'Two.', 1);
    await writer.flush();
    say('3', 'Three.', 2);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.\n**Member 2** Two.\n**Member 3** Three.']);
    expect((await lines.list('1', '1')).map(([, all]) => all.map(([id]) => id))).toEqual([['1', '2', '3']]);
  });

  it('tries again if Discord fails, and gives up if it can’t write there any more', async () => {
    let failures = 2;
    const { channel, say, written } = open();
    const { send } = channel;
    channel.send = async (content) => {
      if (failures-- > 0) throw new Error('500');
      return send(content);
    };
    say('1', 'One.');
    await expect.poll(() => written()).toEqual(['**Member 1** One.']);
    const lost = open({ onLost: (error) => events.push((error as DiscordAPIError).code) });
    const events: unknown[] = [];
    lost.channel.send = async () => {
      throw refusal(50001, 403);
    };
    lost.say('1', 'One.');
    await lost.writer.flush();
    expect(events).toEqual([50001]);
  });
});

describe('the transcript', () => {
  it('is read back from the messages, with who said what and when, and written in every format', async () => {
    const { writer, words, channel, say } = open();
    say('1', 'Hello, <b>all</b>.', 1_000, 'Ann & Bo');
    writer.note('of ours');
    say('2', 'Hi!', 2_500, 'Sam');
    await writer.flush();
    const found = await readTranscript('1', { startedAt: NOW, panelId: '1' }, words, channel);
    expect(found?.transcript.segments).toEqual([
      { text: 'Hello, <b>all</b>.', start: 1, end: 1.9, speaker: { id: '1', name: 'Ann & Bo' } },
      { text: 'Hi!', start: 2.5, end: 3.4, speaker: { id: '2', name: 'Sam' } },
    ]);
    if (!found) return;
    const document = { transcript: found.transcript, name: 'Captions', recording: null, source: null, language: null };
    expect(writeTranscript(document, 'text').text).toBe('[0:01.0 → 0:01.9] Ann & Bo: Hello, <b>all</b>.\n[0:02.5 → 0:03.4] Sam: Hi!\n');
    expect(writeTranscript(document, 'srt').text).toContain('Ann & Bo: Hello, ‹b›all‹/b›.');
    expect(writeTranscript(document, 'vtt').text).toContain('<v Ann &amp; Bo>Hello, &lt;b&gt;all&lt;/b&gt;.\n');
    expect(writeTranscript(document, 'json').text).toContain('"name": "Ann & Bo"');
  });

  it('tells two members of the same name apart who said the same', () => {
    const segments = ['1', '2', '1'].map((id) => ({ text: 'Yes.', start: 0, end: 1, speaker: { id, name: 'Sam' } }));
    const transcript = { text: '', duration: 1, segments };
    const isTheirs = createLineFinder(transcript, '1');
    const line = lineOf('Sam', 'Yes.') ?? '';
    expect([line, '-# of ours', line, line, line].map((one) => isTheirs(one))).toEqual([true, false, false, true, false]);
    expect(withoutSpeaker(transcript, '1')?.segments).toHaveLength(1);
    expect(withoutSpeaker({ ...transcript, segments: segments.slice(0, 1) }, '1')).toBeNull();
  });
});
