// Times as people and subtitle files write them, from whole milliseconds.

/** Subtitle files have two digits for hours; no recording is that long. */
const MAX_MS = 99 * 3600_000;

/** Seconds to whole milliseconds; an invalid time (negative, NaN) becomes 0, an absurd one 99 hours. */
export function toMilliseconds(seconds: number): number {
  const ms = Math.round(seconds * 1000);
  return ms > 0 ? Math.min(ms, MAX_MS) : 0;
}

/** `0:01`, `12:03`, `1:02:03`, for members. */
export function formatClock(ms: number): string {
  const { hours, minutes, seconds } = split(Math.floor(ms / 1000));
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

/** How long a recording is, in seconds, for members; rounded as players do. */
export function formatLength(seconds: number): string {
  const ms = toMilliseconds(seconds);
  return formatClock(ms === 0 ? 0 : 1000 * Math.max(1, Math.round(ms / 1000)));
}

/** The same with tenths of seconds, `1:02:03.4`, for text files. */
export function formatPreciseClock(ms: number): string {
  const tenths = Math.round(ms / 100);
  return `${formatClock(Math.floor(tenths / 10) * 1000)}.${tenths % 10}`;
}

/** `00:00:01,200`, the format of SubRip; WebVTT separates with a full stop. */
export function formatCueTime(ms: number, separator: ',' | '.'): string {
  const { hours, minutes, seconds } = split(Math.floor(ms / 1000));
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds)}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

function split(totalSeconds: number) {
  return { hours: Math.floor(totalSeconds / 3600), minutes: Math.floor(totalSeconds / 60) % 60, seconds: totalSeconds % 60 };
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
