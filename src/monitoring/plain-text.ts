// Turns sentences written for Discord into plain text for a terminal.

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat('en');

/** One line without any markup of Discord's. @param now milliseconds since 1970 */
export function toPlainText(markdown: string, now = Date.now()): string {
  return markdown
    .replace(/<t:(-?\d+)(?::[a-zA-Z])?>/g, (_, seconds) => fromNow(Number(seconds) - now / 1000))
    .replace(/<#(\d+)>/g, 'channel $1')
    .replace(/<@&(\d+)>/g, 'role $1')
    .replace(/<@!?(\d+)>/g, 'user $1')
    .replace(/<\/([^:<>]+):\d+>/g, '/$1')
    .replace(/\[([^[\]]+)\]\(<?(https?:[^)>]+)>?\)/g, '$1 ($2)')
    .replace(/\\([!-/:-@[-`{-~])|^-# |[`*]|\|\|/gm, (_, escaped?: string) => escaped ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** @param seconds from now on; in the past if negative */
function fromNow(seconds: number): string {
  const whole = Math.round(seconds);
  const [unit, size] = UNITS.find(([, one]) => Math.abs(whole) >= one) ?? ['second', 1];
  return relative.format(Math.round(whole / size), unit);
}
