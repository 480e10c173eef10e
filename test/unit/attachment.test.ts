// Attachments: only from where they may come, only audio, only so large; read as a stream.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { looksLikeAudio } from '../../src/audio/containers/formats.ts';
import { type Attachments, createAttachments, MAX_BYTES } from '../../src/discord/attachments.ts';
import { UserError } from '../../src/discord/errors.ts';

let answer: RequestListener;
let origin: string;
let attachments: Attachments;
const server = createServer((request, response) => answer(request, response));

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  attachments = createAttachments([origin]);
});

afterEach(async () => {
  await attachments.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const { signal } = new AbortController();
const file = (size: number, url = `${origin}/a/memo.mp3`) => ({ name: 'memo.mp3', url, size });
const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(100_000)]);
const readAll = async (size: number, url?: string) =>
  Buffer.concat(await Array.fromAsync(await attachments.openAudio(file(size, url), signal)));

describe('an attachment', () => {
  it('is read whole, in pieces', async () => {
    answer = (_, response) => {
      response.write(wav.subarray(0, 3));
      setImmediate(() => response.end(wav.subarray(3)));
    };
    expect((await readAll(wav.length)).equals(wav)).toBe(true);
  });

  it.each([
    'https://example.com/a.mp3',
    'file:///etc/passwd',
    'nonsense',
    'http://127.0.0.1:1/a.mp3',
    'http://127.0.0.1@example.com/a.mp3',
    'data:audio/wav;base64,UklGRg==',
  ])('is not read from %s', async (url) => {
    await expect(readAll(5, url)).rejects.toThrow('isn’t on Discord');
  });

  it.each(['http://127.0.0.1:1/', '/b/memo.mp3'])('is not followed to %s', async (location) => {
    const seen: (string | undefined)[] = [];
    answer = (request, response) => {
      seen.push(request.url);
      response.writeHead(302, { location }).end();
    };
    await expect(readAll(5)).rejects.toThrow('couldn’t download `memo.mp3` from Discord');
    expect(seen).toEqual(['/a/memo.mp3']);
  });

  it('that Discord would send packed is not unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    await expect(readAll(packed.length)).rejects.toThrow('can’t read `memo.mp3` as audio');
  });

  it('is refused when empty, whatever its size was said to be', async () => {
    await expect(readAll(0)).rejects.toThrow('is empty');
    answer = (_, response) => response.end();
    await expect(readAll(5)).rejects.toThrow('is empty');
  });

  it('is refused over the limit, with the limit', async () => {
    await expect(readAll(MAX_BYTES + 1024 * 1024)).rejects.toThrow('is 21 MB, but I can only transcribe up to 20 MB');
  });

  it('is refused as soon as it is longer than it was said to be', async () => {
    answer = (_, response) => {
      response.write(wav);
      // Nothing more: it is not waited for.
    };
    await expect(readAll(wav.length - 1)).rejects.toThrow('longer than Discord says');
  });

  it('is refused in mid-stream over the limit', async () => {
    answer = (_, response) => {
      response.on('error', () => {});
      const piece = Buffer.alloc(1024 * 1024);
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', write);
      };
      response.write(wav);
      write();
    };
    await expect(readAll(MAX_BYTES)).rejects.toThrow('longer than Discord says');
  });

  it('that stalls is given up', async () => {
    await attachments.close();
    attachments = createAttachments([origin], { silenceMs: 1000 });
    answer = (_, response) => void response.write(wav.subarray(0, 1000));
    await expect(readAll(wav.length)).rejects.toThrow('was cut off');
  });

  it('that arrives too slowly is given up, but a reader may take its time', async () => {
    await attachments.close();
    let clock = 0;
    attachments = createAttachments([origin], { now: () => clock });
    answer = (_, response) => {
      const write = (): void => {
        clock += 30_000;
        if (!response.destroyed) response.write(wav.subarray(0, 100), () => setImmediate(write));
      };
      write();
    };
    await expect(readAll(wav.length)).rejects.toThrow('too slowly');
    answer = (_, response) => response.end(wav);
    let read = 0;
    for await (const { length } of await attachments.openAudio(file(wav.length), signal)) {
      read += length;
      clock += 600_000;
    }
    expect(read).toBe(wav.length);
  });

  it('is refused when it is not audio', async () => {
    const page = '<!doctype html><p>This is no audio at all';
    answer = (_, response) => response.end(page);
    await expect(readAll(page.length)).rejects.toThrow(UserError);
    await expect(readAll(page.length)).rejects.toThrow('can’t read `memo.mp3` as audio');
  });

  it('that breaks off is reported as broken off', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': wav.length });
      response.write(wav.subarray(0, 1000), () => response.destroy());
    };
    await expect(readAll(wav.length)).rejects.toThrow('was cut off');
    answer = (_, response) => response.end(wav.subarray(0, 1000));
    await expect(readAll(wav.length)).rejects.toThrow('was cut off');
  });

  it.each([403, 404, 410])('that is gone, or whose link has expired (%i), is reported as gone', async (status) => {
    answer = (_, response) => response.writeHead(status).end('This content is no longer available.');
    await expect(readAll(5)).rejects.toThrow('its link has expired');
  });

  it('that Discord cannot send at the moment is reported as unavailable', async () => {
    answer = (_, response) => response.writeHead(503).end();
    await expect(readAll(5)).rejects.toThrow('couldn’t download `memo.mp3` from Discord');
  });

  it('says how much of it was handed on', async () => {
    answer = (_, response) => {
      response.write(wav.subarray(0, 50_000));
      setImmediate(() => response.end(wav.subarray(50_000)));
    };
    const told: [number, boolean][] = [];
    const audio = await attachments.openAudio(file(wav.length), signal, (...facts) => told.push(facts));
    expect(told).toEqual([]);
    let read = 0;
    for await (const { length } of audio) {
      read += length;
      expect(told.at(-1)).toEqual([read, false]);
    }
    expect(told.at(-1)).toEqual([wav.length, true]);
  });

  it('frees its connection when it is left early', async () => {
    const closed = new Promise((resolve) => {
      answer = (request, response) => {
        response.write(wav);
        request.socket.on('close', resolve);
      };
    });
    for await (const _ of await attachments.openAudio(file(wav.length + 1), signal)) break;
    await closed;
  });

  it('is closed while it waits for a reader, and still read completely afterwards', async () => {
    const ended: Promise<void>[] = [];
    answer = (_, response) => {
      response.write(wav);
      ended.push(new Promise((resolve) => response.once('close', () => resolve())));
      if (ended.length > 1) response.end(wav);
    };
    const patient = createAttachments([origin], { parkMs: 1 });
    const audio = await patient.openAudio(file(2 * wav.length), signal);
    await ended[0];
    expect(Buffer.concat(await Array.fromAsync(audio)).equals(Buffer.concat([wav, wav]))).toBe(true);
    expect(ended).toHaveLength(2);
    await patient.close();
  });

  it('frees its connection if nobody starts reading', async () => {
    const closed = new Promise((resolve) => {
      answer = (request, response) => {
        response.write(wav);
        request.socket.on('close', resolve);
      };
    });
    const audio = await attachments.openAudio(file(wav.length + 1), signal);
    await audio.return?.();
    await closed;
  });
});

describe('audio is known by its first bytes', () => {
  const bytes = (...values: number[]) => Uint8Array.from([...values, ...new Array(12 - values.length).fill(0)]);

  it.each([
    ['WAV', wav],
    ['Ogg', Buffer.from('OggS\0\x02\0\0\0\0\0\0')],
    ['FLAC', Buffer.from('fLaC\0\0\0\x22\0\0\0\0')],
    ['MP3 with ID3', Buffer.from('ID3\x04\0\0\0\0\0\0\0\0')],
    ['MP3', bytes(0xff, 0xfb, 0x90, 0x64)],
    ['AAC', bytes(0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc)],
    ['M4A', Buffer.from('\0\0\0\x20ftypM4A ')],
    ['QuickTime that begins with its sound', Buffer.from('\0\0\0\x08wide\0\0\x10\0mdat')],
    ['WebM', bytes(0x1a, 0x45, 0xdf, 0xa3)],
  ])('%s', (_, head) => expect(looksLikeAudio(head)).toBe(true));

  it.each([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('Hello, this is text')],
    ['text with a word that names a part of MP4', Buffer.from('Are free seats left?')],
    ['UTF-16 text', Buffer.from('\ufeffHello', 'utf16le')],
    ['PNG', bytes(0x89, 0x50, 0x4e, 0x47)],
    ['JPEG', bytes(0xff, 0xd8, 0xff, 0xe0)],
    ['PDF', Buffer.from('%PDF-1.7 abcdef')],
    ['AVI', Buffer.from('RIFF\0\0\0\0AVI LIST')],
    ['ones', bytes(0xff, 0xff, 0xff, 0xff)],
  ])('not %s', (_, head) => expect(looksLikeAudio(head)).toBe(false));
});
