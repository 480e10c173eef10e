// How long something takes, on a machine that also does other things.

/** Call the result: how many milliseconds this thread has computed since. Other programs and threads do not count. */
export function startCpuTimer(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
}
