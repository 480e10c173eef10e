// A row of the table: Parley's figure, those of the usual ways, and the aim.
import { round, type Summary, summarise } from './report.ts';

export type Part =
  | 'first'
  | 'cpu'
  | 'resample'
  | 'memory'
  | 'streams'
  | 'guilds'
  | 'servers'
  | 'idle'
  | 'say'
  | 'cold'
  | 'live'
  | 'dictionary'
  | 'texts';

export interface Row {
  part: Part;
  figure: string;
  unit: string;
  /** The value that the aim is about. */
  about: 'median' | 'p99';
  parley: Summary;
  /** By name; empty if there is nothing to compare with. */
  usual: Record<string, Summary>;
  /** The value compared with the aim; null if a figure is missing. */
  reached: number | null;
  aim: string;
  met: boolean | null;
}

type Aim =
  /** This many times faster than the best usual way. */
  | { times: number }
  /** At most this share of what the best usual way takes. */
  | { share: number }
  /** This many times as much as the best usual way. */
  | { more: number }
  /** At most this, whatever others take. */
  | { atMost: number }
  | null;

type Figure = Pick<Row, 'part' | 'figure' | 'unit'> & {
  about?: Row['about'];
  parley: number[];
  usual?: Record<string, number[]>;
  aim: Aim;
};

export function rowOf({ part, figure, unit, about = 'median', parley, usual = {}, aim }: Figure): Row {
  const ours = summarise(parley);
  const theirs = Object.fromEntries(
    Object.entries(usual).flatMap(([name, values]) => (values.length > 0 ? [[name, summarise(values)] as const] : [])),
  );
  const row = { part, figure, unit, about, parley: ours, usual: theirs };
  return {
    ...row,
    ...judge(
      aim,
      ours[about],
      Object.values(theirs).map((one) => one[about]),
    ),
  };
}

function judge(aim: Aim, ours: number, theirs: number[]): Pick<Row, 'reached' | 'aim' | 'met'> {
  if (aim === null) return { reached: null, aim: '', met: null };
  if ('atMost' in aim) return { reached: ours, aim: `≤ ${aim.atMost}`, met: ours <= aim.atMost };
  const known = theirs.length > 0 && Number.isFinite(ours);
  if ('more' in aim) {
    const reached = known ? ours / Math.max(...theirs) : null;
    return { reached, aim: `≥ ${aim.more} ×`, met: reached === null ? null : reached >= aim.more };
  }
  const best = Math.min(...theirs);
  if ('times' in aim) {
    const reached = known ? best / ours : null;
    return { reached, aim: `${aim.times} × faster`, met: reached === null ? null : reached >= aim.times };
  }
  const reached = known ? ours / best : null;
  return { reached, aim: `≤ ${aim.share} ×`, met: reached === null ? null : reached <= aim.share };
}

export function printRows(rows: Row[]): void {
  console.table(
    Object.fromEntries(
      rows.map((row) => {
        const [first = '', second = ''] = Object.entries(row.usual).map(([name, summary]) => `${name}: ${show(summary, row.about)}`);
        return [
          `${row.figure} (${row.unit})`,
          {
            Parley: show(row.parley, row.about),
            beside: first,
            'and beside': second,
            reached: row.reached === null ? '' : round(row.reached, 3),
            aim: row.aim,
            met: row.met === null ? '' : row.met ? 'yes' : 'no',
          },
        ];
      }),
    ),
  );
}

function show(summary: Summary, about: Row['about']): string {
  const figure = (value: number) => String(round(value, 3));
  if (about === 'p99') return figure(summary.p99);
  return summary.count === 1 ? figure(summary.median) : `${figure(summary.median)} (${figure(summary.low)}–${figure(summary.high)})`;
}
