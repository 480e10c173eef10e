// Statistics and reports for the benchmarks.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Median, 10th, 90th and 99th percentile. */
export interface Summary {
  median: number;
  low: number;
  high: number;
  p99: number;
  count: number;
}

export function summarise(values: number[]): Summary {
  return {
    median: median(values),
    low: quantile(values, 0.1),
    high: quantile(values, 0.9),
    p99: quantile(values, 0.99),
    count: values.length,
  };
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of them does not exceed; NaN if there are none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function round(value: number, digits = 4): number {
  return Number(value.toPrecision(digits));
}

/** The machine, and its load, that the figures were measured on. */
export function describeMachine(): { node: string; processor: string; cores: number; load: number; at: string } {
  return {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    load: round(loadavg()[0] ?? Number.NaN, 3),
    at: new Date().toISOString(),
  };
}

/** Writes the figures and the machine to `file`, if given. */
export async function writeReport(file: string | undefined, figures: object): Promise<void> {
  if (file) await writeFile(file, `${JSON.stringify({ machine: describeMachine(), ...figures }, null, 2)}\n`);
}
