// Seconds as people read them and as subtitle files want them. All are rounded to whole milliseconds first.

/** Subtitle files have two digits for hours; no recording comes near. */
const MAX_MS = 99 * 3600_000;

/** Seconds to whole milliseconds; what is no time at all (negative, NaN) counts as 0, and what is none of a recording as 99 hours. */
export function milliseconds(seconds: number): number {
  const ms = Math.round(seconds * 1000);
  return ms > 0 ? Math.min(ms, MAX_MS) : 0;
}

/** `0:01.2`, `12:03.4`, `1:02:03.4`: tenths, as members read them. */
export function formatClock(ms: number): string {
  const tenths = Math.round(ms / 100);
  const { hours, minutes, seconds } = split(Math.floor(tenths / 10));
  const rest = `${two(seconds)}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** `00:00:01,200`, the time of a SubRip file; WebVTT has a full stop in place of the comma. */
export function formatCueTime(ms: number, separator: ',' | '.'): string {
  const { hours, minutes, seconds } = split(Math.floor(ms / 1000));
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

function split(total: number) {
  return { hours: Math.floor(total / 3600), minutes: Math.floor(total / 60) % 60, seconds: total % 60 };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
