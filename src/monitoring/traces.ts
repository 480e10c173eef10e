// Traces of commands: how long each step took on the way from the interaction to the first packet. Without OTEL_EXPORTER_OTLP_ENDPOINT
// there are none, and OpenTelemetry (open-telemetry.ts) is not loaded.

/** A step of a command, as it is called in traces. */
type Step = 'access' | 'join' | 'first frame' | 'first packet';

export interface Traces {
  /**
   * Runs a command in a trace of its own, which the steps below become part of. The trace ends with the first packet, or with the command
   * if nothing is spoken.
   * @param id of its interaction, which the log has as well
   * @param run returns how it ended
   */
  command<Outcome extends string>(name: string, id: string, run: () => Promise<Outcome>): Promise<Outcome>;
  /** Times a step of the command that is running. Settles as `work` does. */
  step<T>(name: Step, work: () => Promise<T>): Promise<T>;
  /** Notes a call to the service that has just been answered (speech: with its first byte), or has failed. @param ms since it was made */
  called(operation: string, outcome: string, ms: number): void;
  /** Sends what has not been sent yet. Never rejects. */
  close(): Promise<void>;
}

/** Traces nothing. */
export const noTraces: Traces = {
  command: (_name, _id, run) => run(),
  step: (_name, work) => work(),
  called() {},
  async close() {},
};
