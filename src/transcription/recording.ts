// Recordings: which attachments are some, what is known of one before it is read, and how that travels in a link.
import type { Attachment, Message } from 'discord.js';
import { ESTIMATED_RATE, LONGEST_ESTIMATE } from '../recording-length/index.ts';

/** What Discord says of an attachment; nothing of it is certain before it is read. */
export interface Recording {
  name: string;
  /** Signed by Discord, good for about a day. */
  url: string;
  /** Bytes. */
  size: number;
  /** Seconds; null where Discord does not know. */
  duration: number | null;
  contentType: string | null;
}

export function recordingOf({ name, url, size, duration, contentType }: Attachment): Recording {
  return { name, url, size, duration, contentType };
}

const SOUND = /\.(mp3|wav|ogg|oga|opus|flac|m4a|mp4|mov|webm|mkv|aac|aiff?|wma)$/i;

/** Voice messages and attached audio or video, forwarded ones too. */
export function recordingsIn(message: Message): Recording[] {
  const attachments = [message, ...message.messageSnapshots.values()].flatMap((one) => [...(one.attachments?.values() ?? [])]);
  return attachments
    .filter(({ contentType, name, duration }) => duration !== null || /^(audio|video)\//.test(contentType ?? '') || SOUND.test(name))
    .map(recordingOf);
}

/** Bytes of a second, of the smallest files that are usual for speech: 16-bit mono at 16 kHz, half of that without loss, 64 kbit/s. */
const RATES: [RegExp, number][] = [
  [/\.(wav|aiff?)$/i, 32_000],
  [/\.flac$/i, 16_000],
  [/\.mp3$/i, 8000],
];
/** Bytes of a second of the largest: 16-bit stereo at 48 kHz. */
const LARGEST_RATE = 192_000;

/**
 * Seconds, for the question that is asked before anything is read; what is reserved is counted (`meterAudio`). As Discord says, but no less
 * than so many bytes must have; else the most that so many bytes usually have.
 */
export function estimateSeconds({ name, size, duration }: Recording): number {
  if (duration !== null && duration > 0) return Math.max(duration, size / LARGEST_RATE);
  return Math.min(LONGEST_ESTIMATE, size / (RATES.find(([kind]) => kind.test(name))?.[1] ?? ESTIMATED_RATE));
}

/**
 * The recording as one link, which can stand in a message and be read back after a restart. What is no part of the address stands in
 * its fragment, which is never sent; the name is the last part of the address, as it is with all of Discord's.
 */
export function linkOf({ url, size, duration, contentType }: Recording): string {
  const facts = new URLSearchParams({ size: String(size) });
  if (duration !== null) facts.set('seconds', String(duration));
  if (contentType !== null) facts.set('type', contentType);
  return `${url.replace(/#.*$/s, '')}#${facts}`;
}

/** Reads what `linkOf` wrote; null for anything else. Where it may be read from is not decided here. */
export function readLink(link: string): Recording | null {
  const url = URL.parse(link);
  if (!url) return null;
  const facts = new URLSearchParams(url.hash.slice(1));
  const size = Number(facts.get('size') ?? Number.NaN);
  const duration = facts.has('seconds') ? Number(facts.get('seconds')) : null;
  if (!Number.isSafeInteger(size) || size < 0 || (duration !== null && !(duration >= 0 && duration < 1e9))) return null;
  url.hash = '';
  return { name: nameIn(url.pathname), url: url.href, size, duration, contentType: facts.get('type') };
}

function nameIn(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  return (decode(last) ?? last) || 'recording';
}

/** What was percent-encoded; null for what cannot have been. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
