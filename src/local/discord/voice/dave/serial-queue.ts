// Runs steps one after the other. Members in this process reply while they are being sent a message: the reply waits until the current step
// is done.

/**
 * The returned function runs a step immediately, or after the current one. Errors of an immediate step are thrown; those of a step
 * that had to wait go to `onError`.
 */
export function createSerialQueue(onError: (error: unknown) => void): (step: () => void) => void {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  return (step) => {
    if (isRunning) {
      waiting.push(step);
      return;
    }
    isRunning = true;
    try {
      step();
    } finally {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          next();
        } catch (error) {
          onError(error);
        }
      }
      isRunning = false;
    }
  };
}
