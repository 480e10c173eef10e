// Avatars and placeholder emoji, drawn here from names: nothing is fetched from Discord.

/** From the top left to the bottom right; white letters are legible on all of them. */
const COLOURS: readonly [string, string][] = [
  ['#6d79ff', '#4450d8'],
  ['#3f9a68', '#22663f'],
  ['#cf7420', '#8e4608'],
  ['#d94a86', '#94235a'],
  ['#3b86cf', '#1f5590'],
  ['#9263da', '#5d33a3'],
];
const urls = new Map<string, string>();

/** A data URL: the name's first letter on a colour derived from the name, so it is the same at every start. */
export function avatarUrl(name: string): string {
  return picture(`avatar ${name}`, name, (fill) => `<rect width="80" height="80" fill="${fill}"/>${letter(name, 54, 38)}`);
}

/** A placeholder for a custom emoji, whose image only Discord has. */
export function emojiUrl(id: string, name: string): string {
  return picture(
    `emoji ${id} ${name}`,
    id,
    (fill) => `<rect x="4" y="4" width="72" height="72" rx="22" fill="${fill}"/>${letter(name, 58, 50)}`,
  );
}

function picture(key: string, seed: string, draw: (fill: string) => string): string {
  const known = urls.get(key);
  if (known) return known;
  let sum = 0;
  for (const character of seed) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  const [light, dark] = COLOURS[sum % COLOURS.length] ?? ['', ''];
  const gradient = `<linearGradient id="g" x2="1" y2="1"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">${gradient}${draw('url(#g)')}</svg>`;
  const url = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
  urls.set(key, url);
  return url;
}

function letter(name: string, baseline: number, size: number): string {
  const first = ([...name.trim()][0] ?? '?').toUpperCase();
  const safe = first.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="40" y="${baseline}" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#fff">${safe}</text>`;
}
