// What a supervisor and its thread or process say to each other.

/** What a worker is told. */
export type ToWorker<Order> = ({ type: 'hello' } & Hello) | { type: 'order'; order: Order } | { type: 'ping' } | { type: 'end' };

export interface Hello {
  data: unknown;
  limits: WatchdogLimits;
  isLowPriority: boolean;
  showsOutput: boolean;
}

/** What a process watches itself for, since it can't be told anything while it is stuck. */
export interface WatchdogLimits {
  residentBytes?: number | undefined;
  processorMs?: number | undefined;
  stuckMs?: number | undefined;
}

/** What a worker says. */
export type FromWorker<Answer, Notice, Ready> =
  | { type: 'ready'; ready: Ready }
  /** It can't work here; it ends. */
  | { type: 'unavailable'; reason: string; details: unknown }
  | { type: 'answer'; answer: Answer }
  | { type: 'notice'; notice: Notice }
  | { type: 'pong' };

/** The signals a process ends itself with say why; on Windows, where they can't be told apart, either reason is possible. */
export const WATCHDOG_SIGNALS = { time: process.platform === 'win32' ? 'SIGTERM' : 'SIGALRM', memory: 'SIGKILL' } as const;
