// Cached sounds held in memory from the moment a member is told that they are free until they have been played.

export interface Pin {
  /** null once the sound was dropped or released. */
  readonly packets: readonly Uint8Array[] | null;
  release(): void;
}

export interface Pins {
  /** Pins what `load` returns under this key; null if that is null, was dropped meanwhile, or does not fit. */
  pin(key: string, memberId: string, load: () => Promise<Uint8Array[] | null>): Promise<Pin | null>;
  /** Drops everything pinned for this member, if one is given, and these sounds no matter who they were pinned for. */
  drop(memberId: string | null, keys: Iterable<string>): void;
  dropAll(): void;
}

interface HeldPin {
  key: string;
  memberId: string;
  packets: Uint8Array[] | null;
}

/**
 * Not an LRU cache: a pin is a promise to a member, so a new one is refused rather than an old one evicted.
 * @param maxBytes of all pinned sounds together; pins of one sound share its memory
 */
export function createPins(maxBytes: number): Pins {
  const held = new Set<HeldPin>();

  function drop(pin: HeldPin): void {
    pin.packets = null;
    held.delete(pin);
  }

  function bytesOfOthers(key: string): number {
    const sounds = new Map([...held].map((pin) => [pin.key, pin.packets]));
    sounds.delete(key);
    return [...sounds.values()].reduce((sum, packets) => sum + bytesOf(packets), 0);
  }

  return {
    async pin(key, memberId, load) {
      const pin: HeldPin = { key, memberId, packets: null };
      // The pin is noted before its sound is loaded, so a deletion in between isn't missed.
      held.add(pin);
      const shared = [...held].find((other) => other.key === key && other.packets)?.packets;
      const packets = shared ?? (await load());
      if (!held.has(pin)) return null;
      if (!packets || bytesOfOthers(key) + bytesOf(packets) > maxBytes) {
        drop(pin);
        return null;
      }
      pin.packets = packets;
      return {
        get packets() {
          return pin.packets;
        },
        release: () => drop(pin),
      };
    },
    drop(memberId, keys) {
      const dropped = new Set(keys);
      for (const pin of [...held]) if (pin.memberId === memberId || dropped.has(pin.key)) drop(pin);
    },
    dropAll() {
      for (const pin of [...held]) drop(pin);
    },
  };
}

function bytesOf(packets: readonly Uint8Array[] | null): number {
  return packets?.reduce((sum, packet) => sum + packet.length, 0) ?? 0;
}
