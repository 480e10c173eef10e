// Formats times and sizes in the member's language and time zone.

const DAY_MS = 86_400_000;
const timeFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const longDateFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const TIMESTAMP_STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

/** "Today at 16:20", "Yesterday at 16:20", or the date. */
export function formatTimestamp(iso: string, now = new Date()): string {
  const moment = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / DAY_MS);
  if (days === 0) return `Today at ${timeFormat.format(moment)}`;
  if (days === 1) return `Yesterday at ${timeFormat.format(moment)}`;
  return `${new Intl.DateTimeFormat(undefined, { dateStyle: 'short' }).format(moment)} ${timeFormat.format(moment)}`;
}

export function formatTime(iso: string): string {
  return timeFormat.format(new Date(iso));
}

export function formatDate(iso: string): string {
  return longDateFormat.format(new Date(iso));
}

export function isSameDay(one: string, other: string): boolean {
  return startOfDay(new Date(one)) === startOfDay(new Date(other));
}

/** Discord's `<t:seconds:style>`. */
export function formatDiscordTimestamp(seconds: number, style: string, now = Date.now()): string {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return `<t:${seconds}>`;
  if (style === 'R') return formatRelative(moment.getTime() - now);
  return new Intl.DateTimeFormat(undefined, TIMESTAMP_STYLES[style] ?? TIMESTAMP_STYLES.f).format(moment);
}

function formatRelative(ms: number): string {
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 365 * DAY_MS],
    ['month', 30 * DAY_MS],
    ['day', DAY_MS],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  for (const [unit, length] of units) if (Math.abs(ms) >= length) return relativeFormat.format(Math.round(ms / length), unit);
  return relativeFormat.format(Math.round(ms / 1000), 'second');
}

/** "1.5 MB", as Discord writes it. */
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

/** Seconds as "1:05". */
export function formatDuration(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
