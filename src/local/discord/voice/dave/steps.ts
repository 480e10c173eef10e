// One step after the other: members in this process answer while they are being told something, and each answer waits until
// the step under way is done.

/** Runs a step at once, or after the one under way. What a step that had to wait throws goes to `onError`. */
export function createSteps(onError: (error: unknown) => void): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let busy = false;
  return (work) => {
    if (busy) {
      waiting.push(work);
      return;
    }
    busy = true;
    try {
      work();
    } finally {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          next();
        } catch (error) {
          onError(error);
        }
      }
      busy = false;
    }
  };
}
