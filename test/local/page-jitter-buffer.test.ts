// When the page plays each voice packet.
import { describe, expect, test } from 'vitest';
import { createJitterBuffer, schedulePacket } from '../../src/local/discord/page/voice/jitter-buffer.ts';

const packet = (at: number, from = 0) => ({ sequence: at & 0xffff, timestamp: (from + at * 960) >>> 0, samples: 960 });

describe('the jitter buffer', () => {
  test('plays packets back to back however unevenly they arrive, across wrapping counters', () => {
    const buffer = createJitterBuffer();
    const start = 0xffff - 2;
    const places = [0, 0.05, 0.05, 0.06, 0.11].map(
      (now, at) => schedulePacket(buffer, { ...packet(at, 2 ** 32 - 1920), sequence: (start + at) & 0xffff }, now) ?? Number.NaN,
    );
    places.forEach((place, at) => {
      expect(place).toBeCloseTo(0.08 + at * 0.02, 6);
    });
    expect(buffer).toMatchObject({ lost: 0, underruns: 0 });
  });

  test('plays silence for a lost packet, and drops one that is late', () => {
    const buffer = createJitterBuffer();
    schedulePacket(buffer, packet(0), 0);
    expect(schedulePacket(buffer, packet(2), 0.02)).toBeCloseTo(0.12, 6);
    expect(schedulePacket(buffer, packet(1), 0.03)).toBeUndefined();
    expect(buffer.lost).toBe(1);
  });

  test('buffers more after an underrun in mid-speech, but not after a pause', () => {
    const buffer = createJitterBuffer();
    schedulePacket(buffer, packet(0), 0);
    expect(schedulePacket(buffer, packet(1), 0.2)).toBeCloseTo(0.34, 6);
    expect(buffer.underruns).toBe(1);
    expect(schedulePacket(buffer, packet(2), 5)).toBeCloseTo(5.14, 6);
    expect(buffer.underruns).toBe(1);
  });

  test('starts over when the sender does, without counting losses', () => {
    const buffer = createJitterBuffer();
    schedulePacket(buffer, packet(0), 0);
    expect(schedulePacket(buffer, { sequence: 40_000, timestamp: 3_000_000_000, samples: 960 }, 0.01)).toBeCloseTo(0.1, 6);
    expect(buffer.lost).toBe(0);
  });

  test('drops packets that would play more than a second late', () => {
    const buffer = createJitterBuffer();
    const placed = Array.from({ length: 100 }, (_, at) => schedulePacket(buffer, packet(at), 0)).filter((place) => place !== undefined);
    expect(placed.length).toBeLessThan(60);
    expect(Math.max(...placed)).toBeLessThanOrEqual(1);
  });
});
