// Covers of voices: by address if Discord can load it, as attached files if only the service has them, otherwise none.
import type { VoiceModel } from '../api/index.ts';
import { publicImage } from '../bot/discord-limits.ts';
import type { SafeFetch } from './safe-fetch.ts';

export interface Cover {
  /** An address, or `attachment://…`. */
  url: string;
  file: { name: string; bytes: Uint8Array } | null;
}

const MAX_BYTES = 256 * 1024;
/** Milliseconds; a page does not wait longer for its pictures. */
const WAIT_MS = 2_000;

/** The covers of these voices, in order; null = none. @throws only the signal's reason */
export async function loadCovers(safeFetch: SafeFetch, models: VoiceModel[], signal: AbortSignal): Promise<(Cover | null)[]> {
  const wait = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
  const covers = await Promise.all(
    models.map(({ coverImage }, index) => loadCover(safeFetch, coverImage, index + 1, wait).catch(() => null)),
  );
  signal.throwIfAborted();
  return covers;
}

async function loadCover(safeFetch: SafeFetch, address: string, number: number, signal: AbortSignal): Promise<Cover | null> {
  const link = safeFetch.resolve(address);
  const url = link && publicImage(link.href);
  if (url) return { url, file: null };
  if (!link || !safeFetch.isOwn(link)) return null;
  const { bytes } = await safeFetch.read(link.href, { maxBytes: MAX_BYTES, signal });
  const extension = detectImageType(bytes);
  if (!extension) return null;
  const name = `cover-${number}.${extension}`;
  return { url: `attachment://${name}`, file: { name, bytes } };
}

/** The type of an image by its first bytes; null if Discord would not show it. */
function detectImageType(bytes: Uint8Array): 'png' | 'jpg' | 'gif' | 'webp' | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF.{4}WEBP/s.test(start) ? 'webp' : null;
}
