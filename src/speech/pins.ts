// Kept sounds that are held in memory from the moment a member is told that they are free until they have been played.

export interface Pin {
  /** null once the sound was dropped or released. */
  readonly packets: readonly Uint8Array[] | null;
  /** The sound is not needed any more. */
  release(): void;
}

export interface Pins {
  /** Pins what `load` returns under this name; null if that is null, was dropped meanwhile, or has no room. */
  pin(key: string, memberId: string | undefined, load: () => Promise<Uint8Array[] | null>): Promise<Pin | null>;
  /** Drops what was pinned for this member, and these sounds whoever they were pinned for. */
  drop(memberId: string, keys: Iterable<string>): void;
  dropAll(): void;
}

interface HeldPin {
  key: string;
  memberId: string | undefined;
  packets: Uint8Array[] | null;
}

/** @param maxBytes of all pinned sounds together; pins of one sound share its memory. */
export function createPins(maxBytes: number): Pins {
  const held = new Set<HeldPin>();

  function drop(pin: HeldPin): void {
    pin.packets = null;
    held.delete(pin);
  }

  /** Memory that is taken by sounds other than this one. */
  function bytesBeside(key: string): number {
    const sounds = new Map([...held].map((pin) => [pin.key, pin.packets]));
    sounds.delete(key);
    return [...sounds.values()].reduce((sum, packets) => sum + bytesOf(packets), 0);
  }

  return {
    async pin(key, memberId, load) {
      const pin: HeldPin = { key, memberId, packets: null };
      // Before it is loaded, so that a deletion meanwhile is noticed.
      held.add(pin);
      const shared = [...held].find((other) => other.key === key && other.packets)?.packets;
      const packets = shared ?? (await load());
      if (!held.has(pin)) return null;
      if (!packets || bytesBeside(key) + bytesOf(packets) > maxBytes) {
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
