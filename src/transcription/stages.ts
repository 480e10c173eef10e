// Stages of a work as they are shown: seldom enough for Discord, never queued behind one another, never keeping the work waiting.

/** Milliseconds. A work that is done before `first` shows no stage at all; `next` lies between the end of one edit and the next. */
const PAUSES = { first: 500, next: 1500 };

export interface Stages {
  /** The latest is shown; those that came too quickly are left out. */
  set(stage: string): void;
  /** Nothing is shown from now on; resolves when nothing is under way any more, so that what comes next is not overtaken. */
  end(): Promise<void>;
}

/** `show` may fail: a stage that nobody saw is nobody's problem. */
export function createStages(show: (stage: string) => Promise<unknown>, pauses = PAUSES): Stages {
  let latest: string | null = null;
  let shown: string | null = null;
  let showing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function arm(pause: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (latest !== null && latest !== shown) showing = act(latest);
    }, pause);
  }

  async function act(stage: string): Promise<void> {
    shown = stage;
    await show(stage).catch(() => {});
    showing = null;
    // Also where nothing has changed meanwhile: what comes soon after must not follow at once.
    if (!ended) arm(pauses.next);
  }

  return {
    set(stage) {
      latest = stage;
      if (!ended && timer === undefined && showing === null) arm(pauses.first);
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      await showing;
    },
  };
}
