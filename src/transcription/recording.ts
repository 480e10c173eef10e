// Recordings: which attachments are recordings, what is known about one before it is read, and how to store that in a link.
import type { Attachment, Message } from 'discord.js';
import type { Reservation } from '../charging/index.ts';
import { isRecording } from '../discord/attachments.ts';
import { readTexts } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { type Duration, ESTIMATED_BYTE_RATE, estimate, MAX_ESTIMATE } from '../recording-duration/duration.ts';
import type { DurationMeters } from '../recording-duration/meters.ts';
import { asMarkdown } from '../text/untrusted-text.ts';

/** What Discord says about an attachment; none of it is certain before it is read. */
export interface Recording {
  name: string;
  /** Signed by Discord, valid for about a day. */
  url: string;
  /** Bytes. */
  size: number;
  /** Seconds; null if Discord doesn't know. */
  duration: number | null;
  contentType: string | null;
  /** The message it is attached to, as the path `guild/channel/message` of Discord's links; null for one given to a command. */
  source: string | null;
}

const SOURCE = /^(@me|\d+)\/\d+\/\d+$/;

export function isSource(path: string): boolean {
  return SOURCE.test(path);
}

export function recordingOf({ name, url, size, duration, contentType }: Attachment, message: Message | null): Recording {
  const source = message && `${message.guildId ?? '@me'}/${message.channelId}/${message.id}`;
  return { name, url, size, duration, contentType, source };
}

/** Voice messages and attached audio or video, including forwarded ones. */
export function recordingsIn(message: Message): Recording[] {
  const attachments = [message, ...message.messageSnapshots.values()].flatMap((part) => [...(part.attachments?.values() ?? [])]);
  return attachments.filter(isRecording).map((attachment) => recordingOf(attachment, message));
}

/** Bytes per second of the smallest usual files with speech: 16-bit mono at 16 kHz, half of that for lossless compression, 64 kbit/s. */
const MIN_BYTE_RATES: [RegExp, number][] = [
  [/\.(wav|aiff?)$/i, 32_000],
  [/\.flac$/i, 16_000],
  [/\.mp3$/i, 8000],
];
/** Bytes per second of the largest: 16-bit stereo at 48 kHz. */
const MAX_BYTE_RATE = 192_000;

/**
 * Seconds, for the question asked before anything is read; what is reserved is measured (below). As Discord says, but at least
 * what so many bytes must contain; if Discord doesn't know, the most that so many bytes usually contain.
 */
export function estimateSeconds({ name, size, duration }: Recording): number {
  if (duration !== null && duration > 0) return Math.max(duration, size / MAX_BYTE_RATE);
  return Math.min(MAX_ESTIMATE, size / (MIN_BYTE_RATES.find(([kind]) => kind.test(name))?.[1] ?? ESTIMATED_BYTE_RATE));
}

/**
 * The recording as a link, which can be part of a message and be read back after a restart. What isn't part of the address goes into the
 * fragment, which is never sent; the name is the last part of the path, as in all of Discord's addresses.
 */
export function toLink({ url, size, duration, contentType, source }: Recording): string {
  const facts = new URLSearchParams({ size: String(size) });
  if (duration !== null) facts.set('seconds', String(duration));
  if (contentType !== null) facts.set('type', contentType);
  if (source !== null) facts.set('in', source);
  return `${url.replace(/#.*/s, '')}#${facts}`;
}

/** Reads what `toLink` wrote; null for anything else. Doesn't check the host. */
export function fromLink(link: string): Recording | null {
  const url = URL.parse(link);
  if (!url) return null;
  const facts = new URLSearchParams(url.hash.slice(1));
  const size = Number(facts.get('size') ?? Number.NaN);
  const duration = facts.has('seconds') ? Number(facts.get('seconds')) : null;
  if (!Number.isSafeInteger(size) || size < 0 || (duration !== null && !(duration >= 0 && duration < 1e9))) return null;
  url.hash = '';
  const source = facts.get('in');
  return {
    name: nameIn(url.pathname),
    url: url.href,
    size,
    duration,
    contentType: facts.get('type'),
    source: source !== null && isSource(source) ? source : null,
  };
}

function nameIn(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  return (decode(last) ?? last) || 'recording';
}

/** Null if it isn't percent-encoded. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// Recordings as lines of a question, from which its answer reads them back: nothing about them is stored, and answers work after a restart.

/** UTF-16 units of all lines; the rest of a message's 4000 is the question's. */
const MAX_LENGTH = 3600;
const MAX_NAME = 40;

/** A line for each recording, as many as fit. */
export function toRecordingLines(recordings: readonly Recording[], t: Translator): string[] {
  let length = 0;
  const lines = recordings.map((recording) => {
    const name = asMarkdown(recording.name, MAX_NAME) || t('transcription.title');
    return `-# ${name} · [${t('transcription.listen')}](${toLink(recording).replaceAll('(', '%28').replaceAll(')', '%29')})`;
  });
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= MAX_LENGTH;
  });
}

/** The recordings of a question. */
export function readRecordings({ components }: Pick<Message, 'components'>): Recording[] {
  const links = readTexts(components).flatMap((text) => [...text.matchAll(/\]\((https?:[^()\s]+)\)/g)].map(([, link = '']) => link));
  return links.flatMap((link) => fromLink(link) ?? []);
}

// A recording on its way to the service: its duration is measured and reserved from the budgets before each chunk is passed on.

interface MeteredAudio {
  /** Can be read once. Throws BudgetError or StoreError instead of yielding a chunk (or the end) that exceeds a budget. */
  audio: AsyncIterableIterator<Uint8Array>;
  /** The duration so far. */
  duration(): Duration;
  /** What `audio` threw; null = nothing. */
  refusal(): unknown;
}

/**
 * The end is passed on only once the whole duration is reserved: a service that hasn't received it can't have transcribed anything.
 * @param size in bytes, as Discord says: what can't be measured is reserved by its size at once
 */
export function meterAudio(
  source: AsyncIterableIterator<Uint8Array>,
  meters: DurationMeters,
  reservation: Pick<Reservation, 'raise'>,
  size: number,
): MeteredAudio {
  const meter = meters.open();
  let duration: Duration = { seconds: 0, isMeasured: true };
  let refusal: unknown = null;

  async function reserve(measuring: Promise<Duration>): Promise<void> {
    duration = await measuring;
    const estimatedSeconds = duration.isMeasured ? 0 : estimate(size).seconds;
    try {
      await reservation.raise(Math.max(duration.seconds, estimatedSeconds));
    } catch (error) {
      refusal = error;
      close();
      throw error;
    }
  }

  function close(): void {
    meter.close();
    // Not awaited, because ending a download may take a while.
    source.return?.().catch(() => {});
  }

  return {
    duration: () => duration,
    refusal: () => refusal,
    audio: {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        const step = await source.next();
        await reserve(step.done ? meter.end() : meter.add(step.value));
        return step;
      },
      async return() {
        close();
        return { done: true, value: undefined };
      },
    },
  };
}
