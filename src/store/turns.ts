// Changes of one thing run one after another, so that none is lost between reading and writing.

/** Runs `act` once all that was begun before under this key has ended; rejects with what `act` rejects with. */
export type TakeTurn = <R>(key: string, act: () => Promise<R>) => Promise<R>;

export function createTurns(): TakeTurn {
  /** The last pending change per key. Twelve lines: a mutex library has no lock per key that forgets idle keys. */
  const turns = new Map<string, Promise<unknown>>();
  return (key, act) => {
    const done = (turns.get(key) ?? Promise.resolve()).then(act, act);
    turns.set(key, done);
    const forget = () => {
      if (turns.get(key) === done) turns.delete(key);
    };
    done.then(forget, forget);
    return done;
  };
}
