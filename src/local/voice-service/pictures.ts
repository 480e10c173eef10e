// Covers and avatars, drawn from a name: the same name always gets the same picture. PNG, because Discord shows no SVG.
import { createHash } from 'node:crypto';
import { encode } from 'fast-png';
import { LRUCache } from 'lru-cache';

/** Pixels: twice the 80 that Discord shows of a thumbnail. */
const SIZE = 160;
const BARS = 9;
/** Pixels between the middles of two bars. */
const STEP = 14;
const RADIUS = 4;

type Colour = [red: number, green: number, blue: number];

/** A page of voices requests five pictures, again each time; drawing one takes 10 ms and more. */
const cache = new LRUCache<string, Uint8Array>({ max: 200 });

/** A square of two colours with a sound wave on it: a PNG of a few kilobytes. */
export function drawPicture(name: string): Uint8Array {
  const cached = cache.get(name);
  if (cached) return cached;
  const png = encode({ width: SIZE, height: SIZE, channels: 3, data: drawPixels(name) });
  cache.set(name, png);
  return png;
}

function drawPixels(name: string): Uint8Array {
  const [hueByte = 0, turnByte = 0, ...heights] = createHash('sha256').update(name).digest();
  const hue = (hueByte * 360) / 256;
  const from = toRgb(hue, 0.5);
  const to = toRgb(hue + 30 + turnByte / 4, 0.3);
  const bars = heights.slice(0, BARS).map((byte, index) => Math.sin(((index + 1) / (BARS + 1)) * Math.PI) * (10 + (byte / 255) * 44));

  const pixels = new Uint8Array(SIZE * SIZE * 3);
  let at = 0;
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const white = 0.92 * barCoverage(bars, x + 0.5, y + 0.5);
      const along = (x + y) / (2 * SIZE);
      for (const channel of [0, 1, 2] as const) {
        const background = from[channel] + (to[channel] - from[channel]) * along;
        pixels[at++] = Math.round(background + (255 - background) * white);
      }
    }
  }
  return pixels;
}

/** How much of the pixel around this point the nearest bar covers, from 0 to 1: bars have round ends and smooth edges. */
function barCoverage(bars: number[], x: number, y: number): number {
  const nearest = Math.round((x - SIZE / 2) / STEP + (BARS - 1) / 2);
  const halfHeight = bars[nearest];
  if (halfHeight === undefined) return 0;
  const dx = x - (SIZE / 2 + (nearest - (BARS - 1) / 2) * STEP);
  const dy = Math.max(0, Math.abs(y - SIZE / 2) - halfHeight);
  return Math.min(1, Math.max(0, RADIUS + 0.5 - Math.sqrt(dx * dx + dy * dy)));
}

/** From a hue in degrees and a lightness from 0 to 1, at 60 % saturation. https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function toRgb(hue: number, lightness: number): Colour {
  const amplitude = 0.6 * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((turn) => {
    const k = (turn + hue / 30) % 12;
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  }) as Colour;
}
