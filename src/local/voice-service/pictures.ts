// Covers and avatars, drawn from nothing but a name: the same name always gets the same picture.
import { createHash } from 'node:crypto';

/** A square cover: two colours, a wave as if the voice drew it, the initials. */
export function drawCover(id: string, title: string): string {
  const bytes = createHash('sha256').update(id).digest();
  const hue = ((bytes[0] ?? 0) * 360) / 256;
  const bars = [...bytes.subarray(1, 22)]
    .map((byte, index) => {
      const height = 20 + (byte / 255) * 150 * Math.sin(((index + 1) / 22) * Math.PI);
      return `<rect x="${(46 + index * 20).toFixed(0)}" y="${(384 - height / 2).toFixed(0)}" width="10" height="${height.toFixed(0)}" rx="5"/>`;
    })
    .join('');
  return frame(
    512,
    `<rect width="512" height="512" fill="url(#g)"/><g fill="#fff" fill-opacity=".55">${bars}</g>` +
      `<text x="256" y="246" text-anchor="middle" font-size="168" ${lettering}>${initials(title)}</text>`,
    hue,
  );
}

export function drawAvatar(id: string): string {
  const hue = ((createHash('sha256').update(id).digest()[0] ?? 0) * 360) / 256;
  const letter = `<text x="64" y="86" text-anchor="middle" font-size="64" ${lettering}>${initials(id).slice(0, 1)}</text>`;
  return frame(128, `<circle cx="64" cy="64" r="64" fill="url(#g)"/>${letter}`, hue);
}

const lettering = 'font-family="system-ui, sans-serif" font-weight="700" fill="#fff"';

function frame(size: number, content: string, hue: number): string {
  const stops = [hue, hue + 50]
    .map((h, i) => `<stop offset="${i}" stop-color="hsl(${(h % 360).toFixed(0)} 60% ${i ? 32 : 48}%)"/>`)
    .join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">${stops}</linearGradient></defs>${content}</svg>`
  );
}

/** Letters and digits alone, so that nothing of a title can become markup. */
function initials(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => [...(word ?? '')][0]?.toUpperCase()).join('') || '?';
}
