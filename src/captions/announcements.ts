// The sentence that is spoken in a voice channel, so that people there learn that captions are on.
import { randomUUID } from 'node:crypto';
import { inPlace } from '../locales/in-place.ts';
import type { Translator } from '../locales/index.ts';
import { estimateSeconds, makeSpeakable, type SpeechEngine } from '../synthesis/index.ts';
import type { Playback, Session } from '../voice-session/types.ts';

/** Milliseconds between two sentences, unless told otherwise. */
const SAY_AGAIN_MS = 60_000;

export interface Announcer {
  /** Says that captions are on, once whatever is being spoken has ended. */
  begin(): void;
  /** Members who haven't decided have joined: says it to them, at most once a minute, unless they have decided or left by then. */
  joined(userIds: readonly string[]): void;
  /** Makes no more announcements, and ends those that are being spoken or wait. */
  close(): void;
  /** Resolves once the announcements made by now have been spoken, or have ended otherwise. */
  settled(): Promise<void>;
}

interface AnnouncerOptions {
  guildId: string;
  speech: SpeechEngine;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  ownId: string;
  /** In the server's language, which may change. */
  translator(): Translator;
  session: Session;
  /** Those in the voice channel who haven't decided. */
  listUndecided(): string[];
  /** Replaces the milliseconds between two sentences. */
  sayAgainMs?: number | undefined;
}

/** No budget pays for announcements. */
export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const { guildId, speech, defaultVoice, ownId, session, sayAgainMs = SAY_AGAIN_MS } = options;
  let saidAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  /** Those that haven't ended: one may be spoken, and another wait. */
  const announcements = new Set<Playback>();
  let isClosed = false;
  /** Members to whom it hasn't been said yet. */
  const newcomers = new Set<string>();

  function say(which: 'begin' | 'joined'): void {
    const t = options.translator();
    const text = makeSpeakable(t(`captions.spoken.${which}`), inPlace(t));
    if (text === null || session.state.status === 'closed') return;
    saidAt = performance.now();
    // The operator's default voice may be gone from the service.
    const fallbackIds = defaultVoice === null ? [] : [null];
    const utterance = speech.utterance({ text, referenceId: defaultVoice, scope: { guildId } }, { fallbackIds, memberId: ownId });
    const [current] = session.items();
    // This one is also for those whom one that still waits was for.
    for (const { id } of announcements) if (id !== current?.id) session.remove(id);
    const announcement = session.enqueue(utterance, {
      id: randomUUID(),
      memberId: ownId,
      background: true,
      label: { voice: null, text: null, seconds: estimateSeconds(text) },
    });
    announcements.add(announcement);
    void announcement.finished.then(() => announcements.delete(announcement));
  }

  return {
    begin: () => say('begin'),
    joined(userIds) {
      for (const id of userIds) newcomers.add(id);
      if (newcomers.size === 0 || isClosed) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          if (options.listUndecided().some((id) => newcomers.has(id))) say('joined');
          newcomers.clear();
        },
        Math.max(0, saidAt + sayAgainMs - performance.now()),
      );
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { id } of announcements) session.remove(id);
    },
    async settled() {
      await Promise.all([...announcements].map(({ finished }) => finished));
    },
  };
}
