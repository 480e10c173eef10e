// How recordings and transcripts are stored in messages: they survive the round trip, and anything can be read back safely.
import { ComponentType, type Message } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { seal, unseal } from '../../src/store/index.ts';
import { transcriptMessage } from '../../src/transcription/message.ts';
import { agreedId, languageQuestion } from '../../src/transcription/questions.ts';
import { estimateSeconds, fromLink, type Recording, readRecordings, toLink, toRecordingLines } from '../../src/transcription/recording.ts';
import { alignTranscript } from '../../src/transcription/transcript-alignment.ts';
import { readTranscript, transcriptFormats, writeTranscript } from '../../src/transcription/transcript-file.ts';
import { toPages } from '../../src/transcription/transcript-lines.ts';
import { anyCharacter, anyTranscript, anyUrl } from '../helpers/arbitrary-text.ts';
import { partsOf } from '../helpers/member.ts';

const recording: Recording = {
  name: 'voice message ü.ogg',
  url: 'https://cdn.example/attachments/1/2/voice%20message%20%C3%BC.ogg?ex=1&is=2&hm=3',
  size: 8000,
  duration: 12.5,
  contentType: 'audio/ogg; codecs=opus',
  source: '123/456/789',
};

it('a recording survives being stored as a link, which still leads to the recording', () => {
  expect(toLink(recording)).toBe(`${recording.url}#size=8000&seconds=12.5&type=audio%2Fogg%3B+codecs%3Dopus&in=123%2F456%2F789`);
  expect(fromLink(toLink(recording))).toEqual(recording);
  const unknown = { ...recording, duration: null, contentType: null, source: null };
  expect(fromLink(toLink(unknown))).toEqual(unknown);
  expect(fromLink(toLink({ ...recording, url: `${recording.url}#size=1&seconds=0` }))).toEqual(recording);
});

it.each(['', 'nonsense', 'https://cdn.example/a.mp3', 'https://cdn.example/a.mp3#size=-1', 'https://cdn.example/a.mp3#size=1&seconds=x'])(
  'an invalid link is not read: %s',
  (link) => expect(fromLink(link)).toBeNull(),
);

it('its estimated length is what Discord says, if so many bytes fit into it, or else the most that they usually contain', () => {
  const megabyte = { ...recording, size: 1_000_000, duration: null };
  expect(estimateSeconds(recording)).toBe(12.5);
  expect(estimateSeconds({ ...megabyte, duration: 1 })).toBeCloseTo(5.2, 1);
  expect(estimateSeconds({ ...megabyte, name: 'a.mp3' })).toBe(125);
  expect(estimateSeconds({ ...megabyte, name: 'a.WAV' })).toBeCloseTo(31, 0);
  expect(estimateSeconds({ ...megabyte, name: 'a.ogg', duration: 0 })).toBeCloseTo(333, 0);
  expect(estimateSeconds({ ...megabyte, name: 'a.ogg', size: 20_000_000 })).toBe(3600);
});

it('any button and texts are read as valid options and recordings', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 6 }), fc.array(fc.string()), (parts, urls) => {
      const texts = urls.map((url) => ({ type: ComponentType.TextDisplay, content: `[x](${url})` }));
      const message = { components: texts } as unknown as Message;
      for (const { url } of readRecordings(message)) expect(URL.canParse(url)).toBe(true);
      expect([null, ...transcriptFormats]).toContain(agreedId.read(['transcribe-agreed', ...parts].join(':'))?.format);
    }),
  );
  expect(agreedId.read('transcribe-agreed:1:0:srt:pt:BR')).toEqual({
    isPrivate: true,
    timestamps: false,
    format: 'srt',
    language: 'pt:BR',
  });
});

it('the recordings of a question are read back from its text', () => {
  const two = [recording, { ...recording, name: 'b].mp3', url: 'https://cdn.example/a/b%5D(1).mp3' }];
  const question = languageQuestion(recording, 'xx', { isPrivate: true, timestamps: true, format: null, language: 'xx' }, [], en);
  expect(readRecordings({ components: question.components } as never)).toEqual([recording]);
  const lines = toRecordingLines(two, en).map((content) => ({ type: ComponentType.TextDisplay, content }));
  expect(readRecordings({ components: lines } as never).map(({ size, source }) => [size, source])).toEqual([
    [8000, '123/456/789'],
    [8000, '123/456/789'],
  ]);
});

it('any text can be read back safely', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), anyUrl, fc.json()), (text) => {
      const found = fromLink(text);
      if (found) expect(URL.canParse(found.url)).toBe(true);
      expect(readTranscript(text) === null || text.includes('segments')).toBe(true);
    }),
  );
});

it('a sealed link reveals nothing, and can be read only with its key', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, anything) => {
      const sealed = seal(text, key);
      expect(unseal(sealed, key)).toBe(text);
      expect(unseal(sealed, other)).toBeNull();
      expect(unseal(`${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`, key)).toBeNull();
      expect(unseal(anything, key)).toBeNull();
    }),
  );
  expect(seal('x', key)).not.toBe(seal('x', key));
});

it('any transcript survives its file with the same pages and files', () => {
  fc.assert(
    fc.property(anyTranscript, fc.string({ unit: anyCharacter }), fc.boolean(), (transcript, name, timestamps) => {
      const document = { transcript: alignTranscript(transcript), name, recording: toLink(recording), source: '1/2/3', language: 'en' };
      const back = readTranscript(writeTranscript(document, 'json').text);
      if (!back) return expect.fail('it does not come back');
      const options = { limit: 2400, most: 20, timestamps };
      expect(toPages(back.transcript, options)).toEqual(toPages(document.transcript, options));
      for (const format of transcriptFormats) expect(writeTranscript(back, format)).toEqual(writeTranscript(document, format));
    }),
  );
});

it('any transcript fits into a message, with files that Discord accepts', () => {
  fc.assert(
    fc.property(
      anyTranscript,
      fc.string({ unit: anyCharacter }),
      fc.option(fc.constantFrom(...transcriptFormats)),
      fc.integer({ min: 0, max: 5000 }),
      (transcript, name, format, maxBytes) => {
        const document = { transcript: alignTranscript(transcript), name, recording: toLink(recording), source: null, language: null };
        const view = { owner: '1'.repeat(20), timestamps: true, languages: ['en', 'de'] };
        const message = transcriptMessage(document, view, { format, maxBytes }, en);
        const names = message.files.map((file) => file.name ?? '');
        expect(new Set(names).size).toBe(names.length);
        for (const one of names) expect(one).toMatch(/^[\p{L}\p{N}._-]{1,130}\.(txt|srt|vtt|json)$/u);
        for (const { attachment } of message.files) expect((attachment as Buffer).length).toBeLessThanOrEqual(maxBytes);
        // The card shows every file, the one that its buttons read last; without it there are none.
        const parts = partsOf(message.components);
        expect(parts.flatMap((part) => (part.type === ComponentType.File ? [part.file.url] : []))).toEqual(
          names.map((one) => `attachment://${one}`),
        );
        expect(names.at(-1)?.endsWith('.json') ?? true).toBe(true);
        expect(parts.some(({ type }) => type === ComponentType.ActionRow)).toBe(names.length > 0);
      },
    ),
  );
});

describe('a recording without speech', () => {
  const silent = { text: '', duration: 3, segments: [] };
  const document = { transcript: silent, name: 'silence.ogg', recording: toLink(recording), source: null, language: null };
  const messageIn = (languages: string[], format: 'json' | 'srt' | null = null) =>
    transcriptMessage(document, { owner: '1'.repeat(20), timestamps: true, languages }, { format, maxBytes: 5000 }, en);

  it('is sent without a file, unless it was asked for as data, where there is nothing to try', () => {
    expect(messageIn(['en']).files).toEqual([]);
    expect(messageIn(['en'], 'srt').files).toEqual([]);
    expect(messageIn(['en'], 'json').files).toHaveLength(1);
    expect(JSON.stringify(messageIn(['en']).components)).toContain(`"${en('transcription.noSpeech')}"`);
    expect(JSON.stringify(messageIn(['en']).components)).not.toContain(en('transcription.tooLargeToAttach'));
  });

  it('can be tried in another language where there is one', () => {
    const message = messageIn(['en', 'de']);
    expect(message.files).toHaveLength(1);
    expect(JSON.stringify(message.components)).toContain(en('transcription.noSpeechInLanguage'));
    expect(partsOf(message.components).some(({ type }) => type === ComponentType.ActionRow)).toBe(true);
  });
});
