// Damages files as transmission errors, bad software and attackers do: pure functions of the bytes and a random source.

import { below, type Random } from '../helpers/random.ts';

const MOST_CHANGES = 8;
/** A mutation may be this much longer than its original. */
const MOST_GROWTH = 64 * 1024;
/** Lengths, counts and flags at which software goes wrong. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

type Change = (bytes: Uint8Array, random: Random) => Uint8Array;

const CHANGES: readonly Change[] = [
  function flipBit(bytes, random) {
    const at = position(bytes, random);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8, random));
    return bytes;
  },
  function changeByte(bytes, random) {
    bytes[position(bytes, random)] = below(256, random);
    return bytes;
  },
  function putEdge(bytes, random) {
    const size = [1, 2, 4, 8][below(4, random)] as number;
    const value = EDGES[below(EDGES.length, random)] as number;
    const at = Math.min(position(bytes, random), Math.max(0, bytes.length - size));
    const bigEndian = random() < 0.5;
    for (let i = 0; i < size && at + i < bytes.length; i++) {
      const shift = bigEndian ? size - 1 - i : i;
      bytes[at + i] = Math.floor(value / 256 ** shift) % 256;
    }
    return bytes;
  },
  function fillRange(bytes, random) {
    const [from, to] = range(bytes, random);
    return bytes.fill([0, 0xff, below(256, random)][below(3, random)] as number, from, to);
  },
  function scramble(bytes, random) {
    const [from, to] = range(bytes, random);
    for (let at = from; at < to; at++) bytes[at] = below(256, random);
    return bytes;
  },
  function leaveOut(bytes, random) {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, from), bytes.subarray(to));
  },
  function insert(bytes, random) {
    const at = position(bytes, random);
    const added = Uint8Array.from({ length: 1 + below(64, random) }, () => below(256, random));
    return join(bytes.subarray(0, at), added, bytes.subarray(at));
  },
  function repeat(bytes, random) {
    const [from, to] = range(bytes, random);
    const times = Math.min(1 + below(200, random), Math.floor(MOST_GROWTH / MOST_CHANGES / Math.max(1, to - from)));
    return join(bytes.subarray(0, to), ...Array.from({ length: times }, () => bytes.subarray(from, to)), bytes.subarray(to));
  },
  function copyOver(bytes, random) {
    const [from, to] = range(bytes, random);
    const at = position(bytes, random);
    bytes.set(bytes.slice(from, Math.min(to, from + bytes.length - at)), at);
    return bytes;
  },
  function cutOff(bytes, random) {
    return bytes.slice(0, Math.max(1, position(bytes, random)));
  },
];

/** @returns a damaged copy with one to eight changes, more of them at the beginning, because the headers are there */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged: Uint8Array = bytes.slice();
  for (let left = 1 + below(MOST_CHANGES, random); left > 0 && damaged.length > 0; left--) {
    damaged = (CHANGES[below(CHANGES.length, random)] as Change)(damaged, random);
  }
  return damaged;
}

function position(bytes: Uint8Array, random: Random): number {
  const part = random() < 0.5 ? random() : random() ** 4;
  return Math.floor(part * bytes.length);
}

function range(bytes: Uint8Array, random: Random): [number, number] {
  const from = position(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + below(random() < 0.8 ? 32 : 1024, random))];
}

function join(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
