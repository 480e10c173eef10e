// What is done in one place after another: two changes of one message at once would each undo the other.

export interface Turns {
  /** Runs `act` once everything that was begun in this place before has ended, however it ended. A turn must not wait for another one in its own place. */
  inTurn<T>(place: string, act: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const places = new Map<string, Promise<unknown>>();

  return {
    inTurn(place, act) {
      const done = (places.get(place) ?? Promise.resolve()).then(act);
      const ended = done
        .catch(() => {})
        .then(() => {
          if (places.get(place) === ended) places.delete(place);
        });
      places.set(place, ended);
      return done;
    },
  };
}
