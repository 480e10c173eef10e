// Times and sizes in words, in the member's own language and time zone.

const dayMs = 86_400_000;
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const dayLong = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const timestampStyles: Record<string, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

/** "Today at 16:20", "Yesterday at 16:20", or the date. */
export function describeMoment(iso: string, now = new Date()): string {
  const moment = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / dayMs);
  if (days === 0) return `Today at ${clock.format(moment)}`;
  if (days === 1) return `Yesterday at ${clock.format(moment)}`;
  return `${new Intl.DateTimeFormat(undefined, { dateStyle: 'short' }).format(moment)} ${clock.format(moment)}`;
}

export function describeClock(iso: string): string {
  return clock.format(new Date(iso));
}

export function describeDay(iso: string): string {
  return dayLong.format(new Date(iso));
}

export function isSameDay(one: string, other: string): boolean {
  return startOfDay(new Date(one)) === startOfDay(new Date(other));
}

/** Discord's `<t:seconds:style>`. */
export function describeTimestamp(seconds: number, style: string, now = Date.now()): string {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return `<t:${seconds}>`;
  if (style === 'R') return describeDistance(moment.getTime() - now);
  return new Intl.DateTimeFormat(undefined, timestampStyles[style] ?? timestampStyles.f).format(moment);
}

function describeDistance(ms: number): string {
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 365 * dayMs],
    ['month', 30 * dayMs],
    ['day', dayMs],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  for (const [unit, length] of units) if (Math.abs(ms) >= length) return relative.format(Math.round(ms / length), unit);
  return relative.format(Math.round(ms / 1000), 'second');
}

/** Bytes as Discord writes them: "1.5 MB". */
export function describeSize(bytes: number): { amount: number; unit: string } {
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
export function describeDuration(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
