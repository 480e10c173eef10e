// Avatars and placeholder emoji, drawn here from names: nothing is fetched from Discord.

const COLOURS = ['#5865f2', '#3a7d55', '#a1580f', '#b8336a', '#2b6cb0', '#7a4bc4'];
const urls = new Map<string, string>();

/** A data URL: the name's first letter on a colour derived from the name, so it is the same at every start. */
export function avatarUrl(name: string): string {
  return picture(`avatar ${name}`, name, (colour) => `<rect width="80" height="80" fill="${colour}"/>${letter(name, 54, 38)}`);
}

/** A placeholder for a custom emoji, whose image only Discord has. */
export function emojiUrl(id: string, name: string): string {
  return picture(
    `emoji ${id} ${name}`,
    id,
    (colour) => `<rect x="4" y="4" width="72" height="72" rx="22" fill="${colour}"/>${letter(name, 58, 50)}`,
  );
}

function picture(key: string, seed: string, draw: (colour: string) => string): string {
  const known = urls.get(key);
  if (known) return known;
  let sum = 0;
  for (const character of seed) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  const colour = COLOURS[sum % COLOURS.length] ?? '#5865f2';
  const url = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">${draw(colour)}</svg>`)}`;
  urls.set(key, url);
  return url;
}

function letter(name: string, baseline: number, size: number): string {
  const first = ([...name.trim()][0] ?? '?').toUpperCase();
  const safe = first.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="40" y="${baseline}" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#fff">${safe}</text>`;
}
