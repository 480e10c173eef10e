// What a session hears of the members who have agreed to it.
import type { HeardSound, Hearing, HearingOptions, HearingStats, VoiceError } from './types.ts';

/** A hearing with what its session needs besides. */
export interface OpenHearing extends Hearing {
  /** A packet, or the lack of one, in its turn. */
  deliver(sound: HeardSound): void;
  end(cause: VoiceError): void;
}

/** `onStop` is called once, when nothing is heard any more. */
export function openHearing(options: HearingOptions, onStop: () => void): OpenHearing {
  const stats = new Map<string, HearingStats>();
  let isOpen = true;

  function close(): boolean {
    const wasOpen = isOpen;
    isOpen = false;
    if (wasOpen) onStop();
    return wasOpen;
  }

  return {
    forget(userId) {
      stats.delete(userId);
    },
    stats: () => new Map(stats),
    stop: () => void close(),
    deliver(sound) {
      if (isOpen) options.onSound(sound);
    },
    end(cause) {
      if (close()) options.onEnd(cause);
    },
  };
}
