// A thread that ranks the languages a text in Latin letters may be written in.
import { parentPort } from 'node:worker_threads';
import { detectAll } from 'tinyld';

export interface LatinQuestion {
  number: number;
  text: string;
  /** ISO 639-1. */
  only: string[];
}

export interface Ranked {
  lang: string;
  /** 0 to 1. */
  accuracy: number;
}

export interface LatinAnswer {
  number: number;
  /** The likeliest first. */
  ranked: Ranked[];
}

parentPort?.on('message', ({ number, text, only }: LatinQuestion) => {
  parentPort?.postMessage({ number, ranked: detectAll(text, { only }).slice(0, 2) } satisfies LatinAnswer);
});
