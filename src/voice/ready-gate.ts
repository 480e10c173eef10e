// The gate that packets wait at until a connection is ready.

export interface ReadyGate {
  isOpen: boolean;
  /** Resolves when the gate opens; rejects when the connection is lost. */
  readonly promise: Promise<void>;
  open(): void;
  reject(error: Error): void;
}

/** A closed gate. Once opened it stays open: a connection that breaks gets a new one. */
export function createReadyGate(): ReadyGate {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // A rejection may go unobserved.
  promise.catch(() => {});
  return {
    isOpen: false,
    promise,
    open() {
      this.isOpen = true;
      resolve();
    },
    reject,
  };
}
