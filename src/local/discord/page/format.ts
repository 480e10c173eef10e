// Formats times in the member's language and time zone, and sizes.
import { state } from './state.ts';

const DAY_MS = 86_400_000;

const TIMESTAMP_STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** In the member's language, as all of them here. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([state.locale, options]);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(state.locale, options);
  dateFormats.set(key, format);
  return format;
}

/** "Today at 16:20", "Yesterday at 16:20", or the date. */
export function formatTimestamp(iso: string): string {
  const moment = new Date(iso);
  const days = Math.round((startOfDay(new Date()) - startOfDay(moment)) / DAY_MS);
  if (days !== 0 && days !== 1) return `${dateFormat({ dateStyle: 'short' }).format(moment)} ${formatTime(iso)}`;
  const day = new Intl.RelativeTimeFormat(state.locale, { numeric: 'auto' }).format(-days, 'day');
  return `${day.slice(0, 1).toLocaleUpperCase(state.locale)}${day.slice(1)}${wordBeforeTime(moment)}${formatTime(iso)}`;
}

/** " at ", " um ", or a space, as between a date and a time. Where a date ends in a word of its own, such as 日, that word is no part of it. */
function wordBeforeTime(moment: Date): string {
  const parts = dateFormat({ dateStyle: 'long', timeStyle: 'short' }).formatToParts(moment);
  const time = parts.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod');
  return /^[\s,].*/.exec(parts[time - 1]?.value ?? '')?.[0] ?? ' ';
}

export function formatTime(iso: string): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

export function formatDate(iso: string): string {
  return dateFormat({ day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(iso));
}

export function isSameDay(one: string, other: string): boolean {
  return startOfDay(new Date(one)) === startOfDay(new Date(other));
}

/** Discord's `<t:seconds:style>`. */
export function formatDiscordTimestamp(seconds: number, style: string): string {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return `<t:${seconds}>`;
  if (style === 'R') return formatRelative(moment.getTime() - Date.now());
  return dateFormat(TIMESTAMP_STYLES[style] ?? { dateStyle: 'long', timeStyle: 'short' }).format(moment);
}

function formatRelative(ms: number): string {
  const format = new Intl.RelativeTimeFormat(state.locale, { numeric: 'auto' });
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 365 * DAY_MS],
    ['month', 30 * DAY_MS],
    ['day', DAY_MS],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  for (const [unit, length] of units) if (Math.abs(ms) >= length) return format.format(Math.round(ms / length), unit);
  return format.format(Math.round(ms / 1000), 'second');
}

/** In units as Discord uses them. */
export function formatBytes(bytes: number): { amount: number; unit: string } {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  let amount = bytes;
  let step = 0;
  while (amount >= 1024 && step < units.length - 1) {
    amount /= 1024;
    step++;
  }
  return { amount: step === 0 ? amount : Math.round(amount * 100) / 100, unit: units[step] ?? 'bytes' };
}

/** "1.5 MB". */
export function formatSize(bytes: number): string {
  const { amount, unit } = formatBytes(bytes);
  return `${amount} ${unit}`;
}

/** Seconds as "1:05". */
export function formatDuration(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
