// espeak-ng: what is found of it, what it is given of a text, that it speaks nine languages, and what happens if it misbehaves.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findEspeak, speakWithEspeak } from '../../src/local/voice-service/engines/espeak/program.ts';
import { readerOf } from '../../src/local/voice-service/engines/espeak/readings.ts';
import { toEspeakPieces } from '../../src/local/voice-service/engines/espeak/text.ts';
import { createEngines, ESPEAK_VOICES } from '../../src/local/voice-service/engines/index.ts';
import { espeakNg, titled } from '../helpers/requirements.ts';

const piecesOf = (text: string, language: string) => toEspeakPieces(text, language, readerOf(language));
const unspeakable = expect.objectContaining({ kind: 'unspeakable' });

describe('a text for espeak-ng', () => {
  it('has hiragana of the pronunciation in place of kanji, katakana, numbers and long vowels', () => {
    expect(piecesOf('今日は東京でゲームをします。', 'ja')).toEqual(['きょおわとおきょおでげえむをします.']);
    expect(piecesOf('12時30分に10501円', 'ja')).toEqual(['じゅうにじさんじゅうふんにいちまんごひゃくいちえん']);
  });

  it('has pinyin with tones in place of hanzi, by the word and not the character', () => {
    expect(piecesOf('你好，银行很长。', 'zh-CN')).toEqual(['ni3 hao3 , yin2 hang2 hen3 chang2 .']);
  });

  it('has its numbers as they are said, whatever espeak-ng makes of them', () => {
    expect(piecesOf('7시에 12명이 3.5시간, 3개월 뒤 첫 10:00에 50%', 'ko')).toEqual([
      '일곱 시에 열두 명이 3 점 5시간, 3개월 뒤 첫 열 시에 50 퍼센트',
    ]);
    expect(piecesOf('1번째 21번째 20살 ₩12,500 14시 30분 제3권', 'ko')).toEqual(['첫 번째 스물한 번째 스무 살 12500원 14시 30분 제3권']);
    expect(piecesOf('10:30に€5、3.14', 'ja')).toEqual(['じゅうじさんじゅうふんにごゆうろ, さんてんいちよん']);
    expect(piecesOf('10:30，50%，$3.5，100', 'zh-CN')).toEqual(['10 dian3 30 fen1 , bai3 fen1 zhi1 50, 3 dian3 5 mei3 yuan2 , 100']);
    expect(piecesOf('192.168.0.1 1:1:1', 'ko')).toEqual(['192.168.0.1 1:1:1']);
  });

  it('has no letters that would be named in another language, and plain ones in place of fancy ones', () => {
    expect(piecesOf('𝐇𝐚𝐥𝐥𝐨 Привет Ω ①, wie geht es? été m²', 'de')).toEqual([expect.stringMatching(/^Hallo +1, wie geht es\?$/), 'été m²']);
    expect(piecesOf('안녕하세요 Discord 日本 мир', 'ko')).toEqual(['안녕하세요 Discord']);
    expect(piecesOf('ㅋㅋㅋ', 'ko')).toEqual(['ㅋㅋㅋ']);
  });

  it('begins no phonemes', () => {
    expect(piecesOf('Matrix [[1, 2], [3]] und [[fu:]]', 'de').join(' ')).not.toContain('[[');
    // Nor does what a reading makes of it.
    expect(piecesOf('[\u200b[fu', 'de').join(' ')).not.toContain('[[');
  });

  it('is refused if most of it is in another script, or nothing of it is spoken', () => {
    for (const [text, language] of [
      ['こんにちは', 'de'],
      ['مرحبا بالعالم', 'pl'],
      ['Привет, мир', 'ja'],
      ['안녕하세요', 'zh-CN'],
      ['…!?', 'fr'],
      ['\u200b\u202e', 'es'],
    ] as const)
      expect(() => piecesOf(text, language), text).toThrow(unspeakable);
    expect(piecesOf('gg wp', 'ko')).toEqual(['gg wp']);
  });

  it('is cut into pieces of a sentence at most, however long it is and wherever it can be cut', () => {
    for (const text of ['a'.repeat(2_000), `a${'😂'.repeat(999)}`, 'wort '.repeat(400), '𠮷'.repeat(1_000)]) {
      const pieces = toEspeakPieces(text, text.startsWith('𠮷') ? 'zh' : 'de', (sentence) => sentence);
      expect(pieces.every((piece) => piece.length <= 240 && piece.isWellFormed())).toBe(true);
      expect(pieces.join('').replaceAll(' ', '')).toHaveLength(text.replaceAll(' ', '').length);
    }
  });
});

describe.skipIf(!espeakNg.isMet)(titled('espeak-ng', espeakNg), () => {
  const engines = findEspeak().then((espeak) => createEngines({ espeak }));
  afterAll(async () => (await engines).close());
  const speak = async (text: string, base: string, speed = 1) => {
    const pcm = await Array.fromAsync((await engines).speak({ text, voice: { base }, format: 'pcm', sampleRate: 16_000, speed }));
    const bytes = Buffer.concat(pcm);
    return { seconds: bytes.length / 32_000, isSilent: bytes.every((byte) => byte === 0) };
  };

  it('is found with all the voices that are offered', async () => {
    const found = await findEspeak();
    expect(Object.values(ESPEAK_VOICES).filter(({ program }) => !found?.voices.has(program))).toEqual([]);
  });

  it.each([
    ['de', 'Guten Morgen, wie geht es dir?'],
    ['es', 'Buenos días, ¿cómo estás?'],
    ['fr', 'Bonjour, comment vas-tu ?'],
    ['it', 'Buongiorno, come stai?'],
    ['ja', 'おはよう、お元気ですか？'],
    ['ko', '안녕하세요, 잘 지내요?'],
    ['pl', 'Dzień dobry, jak się masz?'],
    ['pt', 'Bom dia, como vai você?'],
    ['zh', '早上好，你好吗？'],
  ])('speaks %s in two voices, at the speed that is wanted', async (language, text) => {
    const normal = await speak(text, `espeak-${language}`);
    expect(normal.isSilent).toBe(false);
    // Spelled letter by letter, or said as "Chinese letter", it would be twice as long.
    expect(normal.seconds).toBeGreaterThan(1);
    expect(normal.seconds).toBeLessThan(3.5);
    expect((await speak(text, `espeak-${language}-f`, 2)).seconds).toBeLessThan(0.75 * normal.seconds);
  });
});

describe.skipIf(!espeakNg.isMet)(titled('bad input for espeak-ng', espeakNg), () => {
  // One of Latin letters, and those of the others.
  const voices = ['espeak-de', 'espeak-ja', 'espeak-ko', 'espeak-zh'];
  const engines = findEspeak().then((espeak) => createEngines({ espeak }));
  afterAll(async () => (await engines).close());

  it.each([
    ['code', 'if (a[0] != b) { return "ü"; } // [[fu'],
    ['an address', 'https://example.com/a?b=c&d=1#e'],
    ['an emoji alone', '😂'],
    ['right to left', 'مرحبا بالعالم'],
    ['mixed scripts', 'Привет 안녕 日本 ありがとう hello'],
    ['an unknown character', '\u{10fffd}\ufffd'],
    ['one character over and over', 'ㅋ'.repeat(300)],
  ])('%s is spoken or refused with a sentence in each language, and never silent', async (_, text) => {
    const outcomes = voices.map(async (base) => {
      const pcm = await Array.fromAsync((await engines).speak({ text, voice: { base }, format: 'pcm', sampleRate: 16_000 })).catch(
        (error: { kind: string }) => error,
      );
      if ('kind' in pcm) return pcm.kind;
      return Buffer.concat(pcm).some((byte) => byte !== 0) ? 'spoken' : 'silent';
    });
    expect(new Set(await Promise.all(outcomes)).difference(new Set(['spoken', 'unspeakable']))).toEqual(new Set());
  });
});

describe('a program called espeak-ng', () => {
  /** Puts a script in its place. */
  async function replace(script: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-espeak-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'espeak-ng'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'espeak-ng'), 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
  }
  const speak = (limitMs?: number) => speakWithEspeak('Hallo.', 'de', 175, limitMs);

  it('that hangs is ended in time', async () => {
    await replace('exec sleep 600');
    await expect(speak(100)).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('took too long') });
  });

  it('that is killed, or ends with an error, is reported', async () => {
    await replace('kill -SEGV $$');
    await expect(speak()).rejects.toMatchObject({ kind: 'crashed', message: expect.stringContaining('SIGSEGV') });
    await replace('exit 3');
    await expect(speak()).rejects.toMatchObject({ kind: 'crashed', message: expect.stringContaining('exit code 3') });
  });

  it('that writes without end is ended', async () => {
    await replace('exec cat /dev/zero');
    await expect(speak()).rejects.toMatchObject({ kind: 'refused' });
  });

  it('that has other voices is used for those it has, and isn’t found if it lists none', async () => {
    const about = '"eSpeak NG text-to-speech: 1.52.0  Data at: /usr/lib/espeak-ng-data\\n"';
    const list = '"Pty Language Age/Gender VoiceName File\\n 5 de M German gmw/de\\n"';
    await replace(`if [ "$1" = --version ]; then printf ${about}; else printf ${list}; fi`);
    expect(await findEspeak()).toEqual({ version: '1.52.0', voices: new Set(['de']) });
    await replace('exit 0');
    expect(await findEspeak()).toBeNull();
    await replace('exit 1');
    expect(await findEspeak()).toBeNull();
  });

  it('that makes no sound is reported, and never heard as silence', async () => {
    await replace('cat >/dev/null');
    const engines = createEngines({ espeak: { version: '1.51', voices: new Set(['de']) } });
    onTestFinished(engines.close);
    const speaking = Array.fromAsync(engines.speak({ text: 'Hallo.', voice: { base: 'espeak-de' }, format: 'pcm' }));
    await expect(speaking).rejects.toMatchObject({ kind: 'crashed', message: expect.stringContaining('no sound') });
  });
});
