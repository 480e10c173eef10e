// The names under which members spoke: whoever changes theirs, or leaves, keeps it for what they had begun to say.
import type { HeardSound } from '../voice-session/types.ts';

interface SpeakerNames {
  /** Call with everything that is heard: what a member says is said under the name that they had when they began. */
  heard(sound: HeardSound): void;
  /** '?' if it was never known. @param at milliseconds since 1970 */
  at(memberId: string, at: number): string;
}

/** The first sound of an utterance is kept from before it was found: a name that is this much newer is still the one it was said under. */
const LEAD_MS = 1_000;

/** @param nameOf what the server shows now; undefined if the member isn't known */
export function createSpeakerNames(nameOf: (memberId: string) => string | undefined): SpeakerNames {
  const namesByMember = new Map<string, { from: number; name: string }[]>();
  const speaking = new Set<string>();

  function note(memberId: string, from: number): void {
    const name = nameOf(memberId);
    const before = namesByMember.get(memberId) ?? [];
    if (name !== undefined && before.at(-1)?.name !== name) namesByMember.set(memberId, [...before, { from, name }]);
  }

  return {
    heard({ kind, userId, at }) {
      if (kind === 'pause') speaking.delete(userId);
      else if (!speaking.has(userId)) {
        speaking.add(userId);
        note(userId, performance.timeOrigin + at);
      }
    },
    at(memberId, at) {
      const names = namesByMember.get(memberId) ?? [];
      return (names.findLast(({ from }) => from <= at + LEAD_MS) ?? names[0])?.name ?? nameOf(memberId) ?? '?';
    },
  };
}
