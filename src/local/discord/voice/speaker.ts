// What a member of this process sends: Opus packets as RTP, as Discord's own client does it, with the faults that tests inject on their way.
import { randomInt } from 'node:crypto';
import type { Channel, Participant } from './channel.ts';
import type { LocalMember } from './local-member.ts';
import { countSamples, sealReports, sealVideo, type VoicePacket } from './rtp.ts';
import type { Microphone, SpeakerFaults } from './types.ts';

/** The flag of opcode 5 for a microphone. */
const MICROPHONE = 1;

export interface Speaker extends Microphone {
  /** What is under way is not delivered any more. */
  close(): void;
}

interface SpeakerOptions {
  member: LocalMember;
  participant: Participant;
  channel: Channel;
  ssrc: number;
  /** Whether what the member sends is dropped, because they may not speak. */
  isSuppressed(): boolean;
  faults(): SpeakerFaults | undefined;
}

export function createSpeaker({ member, participant, channel, ssrc, isSuppressed, faults: findFaults }: SpeakerOptions): Speaker {
  // Both begin at random. RFC 3550, section 5.1
  let sequence = randomInt(2 ** 16);
  let timestamp = randomInt(2 ** 32);
  let sent = 0;
  /** Since when nothing is sent, in the time of `performance.now()`. */
  let pausedSince: number | null = null;
  /** Whether this utterance has been announced. */
  let isAnnounced = false;
  let faults: SpeakerFaults = {};
  let random = createRandom(0);
  /** Comes after the next one. */
  let overtaken: VoicePacket | null = null;
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;

  function send(opus: Uint8Array): void {
    const next = findFaults() ?? {};
    if (next !== faults) {
      faults = next;
      random = createRandom(next.seed ?? 0);
    }
    if (pausedSince !== null) advance((performance.now() - pausedSince) * 48);
    pausedSince = null;
    const spokenAt = timestamp;
    advance(countSamples(opus));
    if (isSuppressed()) return;
    const { announcedAfter = 0, layout } = faults;
    if (!isAnnounced && sent >= announcedAfter) {
      isAnnounced = true;
      channel.announce(participant, ssrc, MICROPHONE);
    }
    const packet = { ssrc, sequence, timestamp: spokenAt, ...(layout && { layout }) };
    sequence = (sequence + 1) & 0xffff;
    sent += 1;
    // Drawn for each packet whatever the faults are, so that one fault doesn't move the others.
    const [unencrypted, undecryptable, ...way] = Array.from({ length: 6 }, random) as [number, number, number, number, number, number];
    if (unencrypted < (faults.unencrypted ?? 0)) transport({ ...packet, payload: Buffer.from(opus) }, way);
    else
      member.encrypt(Buffer.from(opus), (frame) => {
        const payload = undecryptable < (faults.undecryptable ?? 0) ? corrupt(frame) : frame;
        transport({ ...packet, payload }, way);
      });
  }

  /** Takes the packet to the others, or loses it. */
  function transport(packet: VoicePacket, [lost, twice, late, delay]: [number, number, number, number]): void {
    if (faults.reports) channel.relayOtherDatagrams(participant, (cipher) => sealReports(cipher, ssrc));
    if (faults.video) channel.relayOtherDatagrams(participant, (cipher) => sealVideo(cipher, packet));
    if (lost < (faults.loss ?? 0)) return;
    const ready = overtaken ? [packet, overtaken] : [packet];
    overtaken = null;
    if (ready.length === 1 && late < (faults.reordered ?? 0)) {
      overtaken = packet;
      return;
    }
    if (twice < (faults.duplicated ?? 0)) ready.push(packet);
    if (!faults.jitterMs) {
      deliver(ready);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      deliver(ready);
    }, delay * faults.jitterMs);
    timers.add(timer);
  }

  function deliver(packets: VoicePacket[]): void {
    if (!isClosed) for (const packet of packets) channel.relay(participant, packet);
  }

  function advance(samples: number): void {
    timestamp = (timestamp + Math.round(samples)) >>> 0;
  }

  return {
    send,
    pause(ms) {
      isAnnounced = false;
      if (ms === undefined) pausedSince ??= performance.now();
      else advance(ms * 48);
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** The first byte is encrypted: changing it makes authentication fail. */
function corrupt(frame: Buffer): Buffer {
  const corrupted = Buffer.from(frame);
  corrupted[0] = (corrupted[0] as number) ^ 0xff;
  return corrupted;
}

/** From 0 (inclusive) to 1 (exclusive). mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
