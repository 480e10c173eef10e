// Covers and avatars, drawn from nothing but a name: the same name always gets the same picture. PNG, since Discord shows no SVG.
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Pixels: twice the 80 that Discord shows of a thumbnail. */
const SIZE = 160;
const BARS = 9;
const STEP = 14;
const RADIUS = 4;

type Colour = [red: number, green: number, blue: number];
const CHANNELS = [0, 1, 2] as const;

/** A page of voices shows five of them, each time anew; drawing one takes 10 ms and more. */
const KEPT = 200;
const kept = new Map<string, Buffer>();

/** A square of two colours with the wave of a voice on it: a PNG of a few kilobytes. */
export function drawPicture(name: string): Buffer {
  const picture = kept.get(name) ?? draw(name);
  kept.set(name, picture);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return picture;
}

function draw(name: string): Buffer {
  const [hueByte = 0, turnByte = 0, ...heights] = createHash('sha256').update(name).digest();
  const hue = (hueByte * 360) / 256;
  const from = colourOf(hue, 0.5);
  const to = colourOf(hue + 30 + turnByte / 4, 0.3);
  const bars = heights.slice(0, BARS).map((byte, index) => Math.sin(((index + 1) / (BARS + 1)) * Math.PI) * (10 + (byte / 255) * 44));

  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3));
  const left: Colour = [0, 0, 0];
  for (let y = 0; y < SIZE; y++) {
    let at = y * (1 + SIZE * 3);
    rows[at++] = SUB;
    left.fill(0);
    for (let x = 0; x < SIZE; x++) {
      const white = 0.92 * inkAt(bars, x + 0.5, y + 0.5);
      const along = (x + y) / (2 * SIZE);
      for (const i of CHANNELS) {
        const ground = from[i] + (to[i] - from[i]) * along;
        const value = Math.round(ground + (255 - ground) * white);
        rows[at++] = value - left[i];
        left[i] = value;
      }
    }
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', header()), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND')]);
}

/** How much of the pixel around this point the nearest bar covers, 0 to 1: bars have round ends and smooth edges. */
function inkAt(bars: number[], x: number, y: number): number {
  const nearest = Math.round((x - SIZE / 2) / STEP + (BARS - 1) / 2);
  const reach = bars[nearest];
  if (reach === undefined) return 0;
  const aside = x - (SIZE / 2 + (nearest - (BARS - 1) / 2) * STEP);
  const beyond = Math.max(0, Math.abs(y - SIZE / 2) - reach);
  return Math.min(1, Math.max(0, RADIUS + 0.5 - Math.sqrt(aside * aside + beyond * beyond)));
}

/** Of a hue in degrees and a lightness from 0 to 1, at 60 % saturation. https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function colourOf(hue: number, lightness: number): Colour {
  const reach = 0.6 * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((turn) => {
    const k = (turn + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  }) as Colour;
}

/** PNG as in https://www.w3.org/TR/png-3: each row is written as differences to the pixel on its left. */
const SUB = 1;
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Eight bits for each of red, green and blue, not interlaced. */
function header(): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(SIZE, 0);
  bytes.writeUInt32BE(SIZE, 4);
  bytes.set([8, 2, 0, 0, 0], 8);
  return bytes;
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
