// Lowers the priority of engines, so that the thread that sends packets on time gets the processor first.
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread. Does nothing except on Linux, the only system with a priority per thread.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // Never raised: a process that was started with a low priority may not do that.
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Not permitted here, and not needed to work.
  }
}
