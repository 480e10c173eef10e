// Shows the progress of a job in a message: rarely enough for Discord, only the latest text, and without keeping the job waiting.

/** Milliseconds. A job that ends before `first` shows no progress at all; `next` is from the end of one edit to the next. */
const PAUSES = { first: 500, next: 1500 };

export interface Progress {
  /** `stage` is called whenever a text can be shown, so it can tell the elapsed time; earlier stages may be skipped. */
  set(stage: () => string): void;
  /** Shows nothing more; resolves once no edit is in progress, so that the next message isn't overtaken. */
  end(): Promise<void>;
}

/** @param show may reject: it doesn't matter if progress isn't shown */
export function createProgress(show: (text: string) => Promise<unknown>): Progress {
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
      else schedule(PAUSES.next);
    }, pause);
  }

  async function update(text: string): Promise<void> {
    shown = text;
    await show(text).catch(() => {});
    showing = null;
    // Even if nothing has changed: a text that is set right after this one must wait, too.
    if (!ended) schedule(PAUSES.next);
  }

  return {
    set(stage) {
      latest = stage;
      if (!ended && timer === undefined && showing === null) schedule(PAUSES.first);
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      await showing;
    },
  };
}
