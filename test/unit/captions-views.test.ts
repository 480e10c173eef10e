// What members read of captions: the panel, the lines, and the messages that the writer makes of them.
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { captionsPanel, endedPanel } from '../../src/captions/panel.ts';
import { createRuns } from '../../src/captions/stored.ts';
import { createLineFinder, readTranscript, withoutSpeaker } from '../../src/captions/transcript.ts';
import { type CaptionMessages, captionLine, createWriter, readCaptionLine, type WriterOptions } from '../../src/captions/writer.ts';
import { createLog } from '../../src/log.ts';
import { openSqliteStore, StoreError } from '../../src/store/index.ts';
import { writeTranscript } from '../../src/transcription/transcript-file.ts';
import { anyCharacter } from '../helpers/arbitrary-text.ts';
import { expectTaken } from '../helpers/discord-limits.ts';
import { anyTranslator, hostileTexts } from '../helpers/hostile-texts.ts';

const anyText = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.constantFrom(...Object.values(hostileTexts)));
const NOW = 1_700_000_000_000;

/** A channel that keeps its messages, on the first of which `fail` may act. */
function open(options: Partial<WriterOptions> = {}) {
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  const runs = createRuns(store, createLog('silent'));
  const channel = new Map<string, string>();
  const edits: string[] = [];
  const messages: CaptionMessages = {
    async send(content) {
      const id = String(1000 + channel.size + edits.length);
      channel.set(id, content);
      return id;
    },
    async edit(id, content) {
      if (!channel.has(id)) throw new Error('gone');
      edits.push(content);
      channel.set(id, content);
    },
    delete: async (id) => channel.delete(id),
    read: async (id) => channel.get(id) ?? null,
    isLost: ({ message }: Error) => message === 'lost',
    isGone: ({ message }: Error) => message === 'gone',
  } as CaptionMessages;
  const pauses = { edit: 0, silence: 30_000 };
  const writer = createWriter({ guildId: '1', messages, runs, onLost() {}, log: createLog('silent'), pauses, ...options });
  onTestFinished(writer.close);
  const say = (userId: string, text: string, at = 0, name = `Member ${userId}`) =>
    writer.add({ userId, text, startedAt: NOW + at, endedAt: NOW + at + 900 }, name);
  return { writer, runs, messages, channel, edits, say, written: () => [...channel.values()] };
}

describe('the panel of captions', () => {
  it('is taken by Discord in every language, with however many members', () => {
    const id = fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String);
    const state = fc.record({
      ...{ voiceChannelId: id, startedBy: id, captioned: fc.array(id, { maxLength: 99 }), unheard: fc.array(id, { maxLength: 99 }) },
      outOfBudget: fc.array(fc.tuple(fc.option(id), fc.nat(2 ** 40)), { maxLength: 99 }),
      ...{ seconds: fc.nat(), cost: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })), isKept: fc.boolean() },
      service: fc.option(fc.domain()),
      languages: fc.array(fc.constantFrom('en', 'de', 'zh', 'pt-BR'), { maxLength: 60 }).map((all) => [...new Set(all)]),
    });
    fc.assert(
      fc.property(anyTranslator, state, (t, one) => {
        expectTaken(captionsPanel(t, one));
        expectTaken(endedPanel(t, one));
      }),
    );
  });
});

describe('a line', () => {
  it('has the name and the words as they are, whatever they contain, and is one line that can be read back', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, text) => {
        const line = captionLine(name, text);
        if (line === null) return;
        expect(line).not.toMatch(/[\n\r\u202a-\u202e\u2066-\u2069]/);
        expect(line).not.toMatch(/(?<!\\)(?:\\\\)*<[@#:]|(?<!\\)(?:\\\\)*@everyone/);
        expect(readCaptionLine(line)).not.toBeNull();
      }),
    );
    const said = { name: '*Eve* \\', text: 'I said <@123> and @everyone, **so** there' };
    expect(readCaptionLine(captionLine(said.name, said.text) ?? '')).toEqual(said);
    expect(captionLine('*Eve*', 'I said <@123> and @everyone, https://a.example')).toBe(
      '**\\*Eve\\*** I said \\<@123> and \\@everyone, https\\://a.example',
    );
    expect(captionLine('Robin', ' \u200b ')).toBeNull();
    expect(readCaptionLine('-# I’m 15 seconds behind.')).toBeNull();
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
    const { writer, runs, say, written } = open();
    writer.setBehind('behind');
    await writer.flush();
    expect(written()).toEqual(['-# behind']);
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual([]);
    writer.setBehind('behind again');
    await writer.flush();
    expect(await writer.removeAll('1')).toBe(0);
    expect(written()).toEqual(['-# behind again']);
    say('1', 'One.');
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.']);
    expect(await runs.listLines('1')).toHaveLength(1);
    const quiet = open({ pauses: { edit: 0, silence: 0 } });
    quiet.say('1', 'Before.');
    quiet.writer.setBehind('behind');
    await quiet.writer.flush();
    expect(quiet.written()).toEqual(['**Member 1** Before.', '-# behind']);
  });

  it('goes on in another message if a moderator deletes one, and writes nothing of it again, but all that is said after it', async () => {
    const { writer, runs, say, channel, written } = open();
    writer.setBehind('behind');
    await writer.flush();
    channel.clear();
    say('1', 'One.');
    writer.setBehind(null);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** One.']);
    channel.clear();
    say('1', 'Two.', 1);
    await writer.flush();
    say('1', 'Three.', 2);
    await writer.flush();
    expect(written()).toEqual(['**Member 1** Two.\n**Member 1** Three.']);
    expect([...(await runs.listLines('1'))].map(([, lines]) => lines.length)).toEqual([2]);
  });

  it('removes all lines of one member, from earlier messages too, and leaves those of another with the same name', async () => {
    const { writer, say, written } = open({ pauses: { edit: 0, silence: 30_000 } });
    for (let count = 0; count < 3; count++) {
      say('1', `${count} ${'x'.repeat(600)}`, 10 * count, 'Sam');
      say('2', `${count} the same`, 10 * count + 1, 'Sam');
    }
    writer.note('of ours');
    await writer.flush();
    expect(written().length).toBeGreaterThan(1);
    expect(await writer.removeAll('1')).toBe(3);
    expect(written().join('\n').split('\n')).toEqual(['**Sam** 0 the same', '**Sam** 1 the same', '**Sam** 2 the same', '-# of ours']);
    expect(await writer.removeAll('1')).toBe(0);
  });

  it('goes on while the store fails, and stores later whose words they are', async () => {
    let isBroken = true;
    const { writer, runs, say, written } = open();
    const { saveLines } = runs;
    runs.saveLines = async (...given) => {
      if (isBroken) throw new StoreError('gone');
      return saveLines(...given);
    };
    say('1', 'One.');
    await writer.flush();
    say('2', 'Two.', 1);
    await expect.poll(written).toEqual(['**Member 1** One.\n**Member 2** Two.']);
    isBroken = false;
    await expect.poll(async () => (await runs.listLines('1'))[0]?.[1].map(([id]) => id)).toEqual(['1', '2']);
    expect(await writer.removeAll('1')).toBe(1);
    expect(written()).toEqual(['**Member 2** Two.']);
  });

  it('tries again if Discord fails, and gives up if it can’t write there any more', async () => {
    let failures = 2;
    const { messages, say, written } = open();
    const { send } = messages;
    messages.send = async (content) => {
      if (failures-- > 0) throw new Error('500');
      return send(content);
    };
    say('1', 'One.');
    await expect.poll(() => written()).toEqual(['**Member 1** One.']);
    const lost = open({ onLost: (error) => events.push((error as Error).message) });
    const events: string[] = [];
    lost.messages.send = async () => {
      throw new Error('lost');
    };
    lost.say('1', 'One.');
    await lost.writer.flush();
    expect(events).toEqual(['lost']);
  });
});

describe('the transcript', () => {
  it('is read back from the messages, with who said what and when, and written in every format', async () => {
    const { writer, runs, messages, say } = open();
    say('1', 'Hello, <b>all</b>.', 1_000, 'Ann & Bo');
    writer.note('of ours');
    say('2', 'Hi!', 2_500, 'Sam');
    await writer.flush();
    const found = await readTranscript('1', NOW, runs, messages);
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
    const line = captionLine('Sam', 'Yes.') ?? '';
    expect([line, '-# of ours', line, line, line].map((one) => isTheirs(one))).toEqual([true, false, false, true, false]);
    expect(withoutSpeaker(transcript, '1')?.segments).toHaveLength(1);
    expect(withoutSpeaker({ ...transcript, segments: segments.slice(0, 1) }, '1')).toBeNull();
  });
});
