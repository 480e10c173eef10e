// What is waited for at a closed gate.

export function createReadyGate() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting when the connection is lost.
  promise.catch(() => {});
  const gate = {
    open: false,
    promise,
    resolve() {
      gate.open = true;
      resolve();
    },
    reject,
  };
  return gate;
}
