// What benchmarks share: medians, the spread, and where the figures go.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Many values in few: the middle, between what four of five of them lie, and the hundredth that is worst. */
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

/** The value that this share of them does not exceed; NaN where there is none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function round(value: number, digits = 4): number {
  return Number(value.toPrecision(digits));
}

/** On what, and beside how much else, the figures were made. */
export function describeMachine(): { node: string; processor: string; cores: number; load: number; at: string } {
  return {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    load: round(loadavg()[0] ?? Number.NaN, 3),
    at: new Date().toISOString(),
  };
}

/** Writes the figures and the machine, where a file was asked for. */
export async function writeReport(file: string | undefined, figures: object): Promise<void> {
  if (file) await writeFile(file, `${JSON.stringify({ machine: describeMachine(), ...figures }, null, 2)}\n`);
}
