// What the resampler's WebAssembly kernel gains: the same work with it, and with the JavaScript loop that replaces it without SIMD.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench } from './conversion.ts';
import { type Row, rowOf } from './rows.ts';

/** Makes V8 report no WebAssembly SIMD. x64 only: on other machines both runs use the kernel. */
const NO_SIMD = '--no-enable-sse4-1';

export async function benchResample({ progress }: Bench): Promise<Row[]> {
  progress('resample: kernel, JavaScript');
  const usual = process.arch === 'x64' ? { 'in JavaScript': measure([NO_SIMD]) } : {};
  return [rowOf({ part: 'resample', figure: 'resampling a second of sound', unit: 'ms', parley: measure([]), usual, aim: { times: 2 } })];
}

function measure(flags: string[]): number[] {
  const file = fileURLToPath(new URL('./resample-process.ts', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [...flags, file], { encoding: 'utf8' }));
}
