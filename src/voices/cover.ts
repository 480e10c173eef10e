// Covers: by their address where Discord can load it, else as attached files where the service itself has them, else left out.
import type { VoiceModel } from '../api/index.ts';
import { publicImage } from '../bot/discord-limits.ts';
import type { SafeFetch } from './safe-fetch.ts';

export interface Cover {
  /** For an embed: an address, or `attachment://…`. */
  url: string;
  file: { name: string; bytes: Uint8Array } | null;
}

const MAX_BYTES = 256 * 1024;
/** A page is not kept waiting for pictures. */
const WAIT_MS = 2_000;

/** Those of these voices, in their order; null = left out. @throws the signal's reason, and nothing else */
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
  const extension = pictureType(bytes);
  if (!extension) return null;
  const name = `cover-${number}.${extension}`;
  return { url: `attachment://${name}`, file: { name, bytes } };
}

/** By the first bytes; null for what Discord would not show. */
function pictureType(bytes: Uint8Array): 'png' | 'jpg' | 'gif' | 'webp' | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF.{4}WEBP/s.test(start) ? 'webp' : null;
}
