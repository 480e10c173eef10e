// How recordings and transcripts are stored in messages: they survive the round trip, and anything can be read back safely.
import type { Message } from 'discord.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seal, unseal } from '../../src/store/index.ts';
import { readConfirmation } from '../../src/transcription/confirmation.ts';
import { transcriptMessage } from '../../src/transcription/message.ts';
import { estimateSeconds, fromLink, type Recording, toLink } from '../../src/transcription/recording.ts';
import { readTranscript, transcriptFormats, writeTranscript } from '../../src/transcription/transcript-file.ts';
import { toPages } from '../../src/transcription/transcript-pages.ts';
import { anyTranscript } from '../helpers/transcripts.ts';

const recording: Recording = {
  name: 'voice message ü.ogg',
  url: 'https://cdn.example/attachments/1/2/voice%20message%20%C3%BC.ogg?ex=1&is=2&hm=3',
  size: 8000,
  duration: 12.5,
  contentType: 'audio/ogg; codecs=opus',
};

it('a recording survives being stored as a link, which still leads to the recording', () => {
  expect(toLink(recording)).toBe(`${recording.url}#size=8000&seconds=12.5&type=audio%2Fogg%3B+codecs%3Dopus`);
  expect(fromLink(toLink(recording))).toEqual(recording);
  const unknown = { ...recording, duration: null, contentType: null };
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

it('any button and embeds are read as valid options and recordings', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 6 }), fc.array(fc.string()), (parts, urls) => {
      const message = { embeds: urls.map((url) => ({ url })) } as unknown as Message;
      const { recordings, options } = readConfirmation(message, parts);
      expect(recordings.length).toBeLessThanOrEqual(urls.length);
      expect([null, ...transcriptFormats]).toContain(options.format);
    }),
  );
  expect(readConfirmation({ embeds: [] } as unknown as Message, ['1', '0', 'srt', 'pt', 'BR'])).toEqual({
    recordings: [],
    options: { isPrivate: true, timestamps: false, format: 'srt', language: 'pt:BR' },
  });
});

it('any text can be read back safely', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl({ withFragments: true }), fc.json()), (text) => {
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
    fc.property(anyTranscript, fc.string({ unit: 'binary' }), fc.boolean(), (transcript, name, timestamps) => {
      const document = { transcript, name, recording: toLink(recording), language: 'en' };
      const back = readTranscript(writeTranscript(document, 'json').text);
      if (!back) return expect.fail('it does not come back');
      const options = { limit: 4096, timestamps };
      expect(toPages(back.transcript, options)).toEqual(toPages(transcript, options));
      for (const format of transcriptFormats) expect(writeTranscript(back, format)).toEqual(writeTranscript(document, format));
    }),
  );
});

it('any transcript fits into a message, with files that Discord accepts', () => {
  fc.assert(
    fc.property(
      anyTranscript,
      fc.string({ unit: 'binary' }),
      fc.option(fc.constantFrom(...transcriptFormats)),
      fc.integer({ min: 0, max: 5000 }),
      (transcript, name, format, maxBytes) => {
        const document = { transcript, name, recording: toLink(recording), language: null };
        const message = transcriptMessage(document, { owner: '1'.repeat(20), timestamps: true }, format, maxBytes);
        const names = message.files.map((file) => file.name ?? '');
        expect(new Set(names).size).toBe(names.length);
        for (const one of names) expect(one).toMatch(/^[\p{L}\p{N}._-]{1,130}\.(txt|srt|vtt|json)$/u);
        for (const { attachment } of message.files) expect((attachment as Buffer).length).toBeLessThanOrEqual(maxBytes);
        // The buttons read the file: without it there are none.
        expect(message.components.length > 0).toBe(names.length > 0);
      },
    ),
  );
});
