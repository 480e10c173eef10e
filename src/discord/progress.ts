// Shows the progress of a job in a message: rarely enough for Discord, only the latest text, and without keeping the job waiting.

/** Milliseconds. A job that ends before `first` shows no progress at all; `next` is from the end of one edit to the next. */
const PAUSES = { first: 500, next: 1500 };

export interface Progress {
  /** The stage is asked for its text whenever it may be shown, so that it can tell the time; earlier stages may be skipped. */
  set(stage: () => string): void;
  /** Shows nothing more; resolves once no edit is in progress, so that the next message isn't overtaken. */
  end(): Promise<void>;
}

/** @param show may reject: progress that isn't shown doesn't matter */
export function createProgress(show: (text: string) => Promise<unknown>, pauses = PAUSES): Progress {
  let latest: (() => string) | null = null;
  let shown: string | null = null;
  let showing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function schedule(pause: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      const text = latest?.() ?? null;
      if (text !== null && text !== shown) showing = update(text);
      else schedule(pauses.next);
    }, pause);
  }

  async function update(text: string): Promise<void> {
    shown = text;
    await show(text).catch(() => {});
    showing = null;
    // Even if nothing has changed meanwhile: a text set right after mustn't follow at once.
    if (!ended) schedule(pauses.next);
  }

  return {
    set(stage) {
      latest = stage;
      if (!ended && timer === undefined && showing === null) schedule(pauses.first);
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      await showing;
    },
  };
}
