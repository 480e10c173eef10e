// The picture in /credit: use per day, speech above transcription. It contains only digits and dates, so it needs no translation.
import { Worker } from 'node:worker_threads';
import type { DailyUsage } from '../charging/spending.ts';

/** Few units across, so its digits are readable where it is narrowest: about 300 pixels, on a phone. */
const WIDTH = 420;
const HEIGHT = 280;
const FONT_SIZE = 15;
const MARGIN = { left: 58, right: 12, top: 16, bottom: 30 };
const GAP = 26;
/** The picture has its own background, so it looks the same in Discord's light and dark themes. */
const COLORS = { background: '#1e1f25', grid: '#3a3c46', text: '#c9ccd6', speech: '#6ea8fe', transcription: '#f5b04c' } as const;
/** Rendering takes tens of milliseconds, which would be heard on the main thread. */
const WORKER = new URL('./chart-worker.ts', import.meta.url);

/** @returns a PNG, 1,200 pixels wide. Rejects if it can't be rendered. */
export function renderChart(days: readonly DailyUsage[]): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const worker = new Worker(WORKER, { workerData: drawChart(days) });
  worker.once('message', (png: Uint8Array) => resolve(Buffer.from(png)));
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The renderer of the chart ended with ${code}.`)));
  return promise;
}

/** An SVG with a bar for each day; a quantity that was never used gets no panel. */
function drawChart(days: readonly DailyUsage[]): string {
  const panels = [
    { color: COLORS.speech, values: days.map(({ characters }) => characters) },
    { color: COLORS.transcription, values: days.map(({ seconds }) => seconds / 60) },
  ].filter(({ values }) => values.some((value) => value > 0));
  const height = (HEIGHT - MARGIN.top - MARGIN.bottom - GAP * (panels.length - 1)) / Math.max(1, panels.length);
  const parts = panels.map(({ color, values }, index) => drawPanel(values, color, MARGIN.top + index * (height + GAP), height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Roboto Mono" font-size="${FONT_SIZE}" fill="${COLORS.text}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="${COLORS.background}"/>`,
    ...parts,
    drawDates(days),
    '</svg>',
  ].join('');
}

function drawPanel(values: readonly number[], color: string, top: number, height: number): string {
  const most = roundUp(Math.max(...values));
  const lines = [0, most / 2, most].map((value) => {
    const y = top + height * (1 - value / most);
    return `<path d="M${MARGIN.left} ${y.toFixed(1)}H${WIDTH - MARGIN.right}" stroke="${COLORS.grid}"/><text x="${MARGIN.left - 10}" y="${(y + 5).toFixed(1)}" text-anchor="end">${shorten(value)}</text>`;
  });
  const bars = values.map((value, index) => {
    if (value <= 0) return '';
    // Even the smallest use stays visible.
    const tall = Math.max(2, (height * value) / most);
    const { x, width } = slotOf(index, values.length);
    return `<rect x="${(x + width * 0.15).toFixed(1)}" y="${(top + height - tall).toFixed(1)}" width="${(width * 0.7).toFixed(1)}" height="${tall.toFixed(1)}" rx="2" fill="${color}"/>`;
  });
  return [...lines, ...bars].join('');
}

/** The first day, one in the middle, and today. */
function drawDates(days: readonly DailyUsage[]): string {
  const shown = [
    [0, 'start'],
    [Math.floor((days.length - 1) / 2), 'middle'],
    [days.length - 1, 'end'],
  ] as const;
  return shown
    .map(([index, anchor]) => {
      const { x, width } = slotOf(index, days.length);
      const at = { start: x, middle: x + width / 2, end: x + width }[anchor];
      return `<text x="${at.toFixed(1)}" y="${HEIGHT - 10}" text-anchor="${anchor}">${days[index]?.date ?? ''}</text>`;
    })
    .join('');
}

function slotOf(index: number, count: number): { x: number; width: number } {
  const width = (WIDTH - MARGIN.left - MARGIN.right) / count;
  return { x: MARGIN.left + index * width, width };
}

/** "20k", "4M": at most five characters. */
function shorten(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1e4 ? `${value / 1e3}k` : String(value);
}

/** Rounds up to 2, 4 or 10 times a power of ten, at least 2, so half of it is a whole number, too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [2, 4, 10].map((step) => step * power).find((step) => step >= value) ?? 20 * power;
}
