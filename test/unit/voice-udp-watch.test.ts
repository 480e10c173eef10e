// The UDP watch: what is considered a dead path, and what is not.
import { EventEmitter } from 'node:events';
import { type Networking, NetworkingStatusCode } from '@discordjs/voice';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchUdp } from '../../src/voice-session/networking.ts';

const ANSWER = Buffer.alloc(74);
ANSWER.writeUInt16BE(2, 0);

/** A simulated voice server that answers after 30 ms, and the watch over it. */
function openWatch() {
  const server = { answers: true, asked: 0, deadAt: [] as number[], answered: 0, isRead: true };
  const watch = watchUdp({
    onAnswer: () => {
      server.answered += 1;
    },
    onDead: (since) => server.deadAt.push(since),
  });
  return {
    server,
    watch,
    /** A connection that is established at once. */
    connect() {
      // What Node's sockets have inside.
      const handle = {
        recvStart() {
          server.isRead = true;
        },
        recvStop() {
          server.isRead = false;
        },
      };
      const udp = Object.assign(new EventEmitter(), {
        socket: { [Symbol('state symbol')]: { handle } },
        send(datagram: Buffer) {
          server.asked += 1;
          expect(datagram.readUInt32BE(4)).toBe(4711);
          if (server.answers) setTimeout(() => udp.emit('message', ANSWER), 30);
        },
      });
      const networking = { state: { code: NetworkingStatusCode.UdpHandshaking, udp, connectionData: { ssrc: 4711 } } };
      watch.follow(networking as unknown as Networking);
      networking.state.code = NetworkingStatusCode.Ready;
      watch.follow(networking as unknown as Networking);
      return udp;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a server that answers', () => {
  it('is alive while it answers, and its round trip is measured', () => {
    const { server, watch, connect } = openWatch();
    connect();
    vi.advanceTimersByTime(60_000);
    expect(server.deadAt).toEqual([]);
    expect(watch.ping).toBe(30);
    expect(performance.now() - watch.deliveredUntil).toBeLessThan(1600);
    const before = server.asked;
    watch.stop();
    vi.advanceTimersByTime(60_000);
    expect(server.asked).toBe(before);
  });

  it('is read at once while an answer is awaited, so that the round trip is what it was', () => {
    const { server, watch, connect } = openWatch();
    connect();
    watch.setReading(false);
    expect(server.isRead).toBe(true);
    // Two answers are needed before silence means anything.
    vi.advanceTimersByTime(100);
    watch.setReading(false);
    expect(server.isRead).toBe(false);
    watch.probe();
    watch.setReading(false);
    expect(server.isRead).toBe(true);
    vi.advanceTimersByTime(30);
    watch.setReading(false);
    expect(server.isRead).toBe(false);
    watch.setReading(true);
    expect(server.isRead).toBe(true);
  });

  it('is declared dead within 8 s of its last answer, once', () => {
    const { server, connect } = openWatch();
    connect();
    vi.advanceTimersByTime(10_000);
    server.answers = false;
    const from = performance.now();
    vi.advanceTimersByTime(8000);
    expect(server.deadAt).toHaveLength(1);
    expect(from - (server.deadAt[0] ?? 0)).toBeLessThan(1600);
    vi.advanceTimersByTime(60_000);
    expect(server.deadAt).toHaveLength(1);
  });

  it('is alive while anything arrives', () => {
    const { server, connect } = openWatch();
    const udp = connect();
    vi.advanceTimersByTime(5000);
    server.answers = false;
    for (let round = 0; round < 10; round++) {
      vi.advanceTimersByTime(5000);
      udp.emit('message', Buffer.alloc(8));
    }
    expect(server.deadAt).toEqual([]);
  });

  it('confirms delivery at once when probed', () => {
    const { watch, connect } = openWatch();
    connect();
    vi.advanceTimersByTime(4600);
    const now = performance.now();
    watch.probe();
    vi.advanceTimersByTime(40);
    expect(watch.deliveredUntil).toBeGreaterThan(now);
  });

  it('and then falls silent after every join is not declared dead a third time', () => {
    const { server, watch, connect } = openWatch();
    for (let round = 0; round < 4; round++) {
      server.answers = true;
      connect();
      vi.advanceTimersByTime(5000);
      server.answers = false;
      vi.advanceTimersByTime(30_000);
    }
    expect(server.deadAt).toHaveLength(2);
    expect(watch.deliveredUntil).toBe(Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(10 * 60_000);
    server.answers = true;
    connect();
    vi.advanceTimersByTime(5000);
    expect(watch.deliveredUntil).toBeLessThan(performance.now());
  });
});

it('a server that does not answer in mid-session is never declared dead', () => {
  const { server, watch, connect } = openWatch();
  server.answers = false;
  connect();
  vi.advanceTimersByTime(10 * 60_000);
  expect(server.deadAt).toEqual([]);
  expect(watch.deliveredUntil).toBe(Number.POSITIVE_INFINITY);
});
