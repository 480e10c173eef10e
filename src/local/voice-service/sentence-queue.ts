// Text that arrives in pieces of any size, handed on sentence by sentence.

/** Milliseconds after which a sentence that nothing follows counts as complete: "3." might become "3.5". So does what is flushed, if it is gathered. */
const SENTENCE_END_WAIT_MS = 200;

/** The end of a sentence, with whatever closes it, and the space after it. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n+/gu;
const ENDS_SENTENCE = /[.!?…。！？]["'”’)\]]*$/u;
/** Anything an engine can say: signs alone wait for the words they belong to. */
const SPEAKABLE = /[\p{L}\p{N}%$&+=@#]/u;

export interface SentenceQueue {
  add(text: string): void;
  /** Hands on what there is, complete or not. */
  flush(): void;
  /** There will be no more. */
  end(): void;
  /** Ends the iteration at once, with an error if one is given. */
  stop(error?: unknown): void;
  /** Yields texts to be spoken in one go. Iterate once. */
  texts(): AsyncGenerator<string, void>;
  /**
   * The same, but yields all that has come at once, when it is flushed and no more follows: for callers that need to know how much there
   * is.
   */
  gatheredTexts(): AsyncGenerator<string, void>;
}

interface SentenceQueueOptions {
  /** Characters without the end of a sentence, after which they are handed on up to the last space. */
  maxLength: number;
  /** Milliseconds of waiting for text, after which `onIdle` is called. */
  idleMs: number;
  onIdle(): void;
}

export function createSentenceQueue({ maxLength, idleMs, onIdle }: SentenceQueueOptions): SentenceQueue {
  const ready: string[] = [];
  let rest = '';
  let ended = false;
  let failure: { error: unknown } | null = null;
  let wake = () => {};
  let endTimer: NodeJS.Timeout | undefined;
  let isFlushed = false;
  let flushTimer: NodeJS.Timeout | undefined;

  function handOn(length: number): void {
    ready.push(rest.slice(0, length));
    rest = rest.slice(length);
    wake();
  }

  /** Where the first sentence that can be spoken ends; 0 if it isn't complete. */
  function firstEnd(): number {
    const spoken = rest.search(SPEAKABLE);
    if (spoken === -1) return 0;
    SENTENCE_END.lastIndex = spoken;
    return SENTENCE_END.test(rest) ? SENTENCE_END.lastIndex : 0;
  }

  function take(): void {
    for (let end = firstEnd(); end > 0; end = firstEnd()) handOn(end);
    while (rest.length > maxLength) {
      // 0 without a space; a cut between the halves of a surrogate pair would spoil a character.
      const space = rest.lastIndexOf(' ', maxLength) + 1;
      const isPair = /[\ud800-\udbff]/.test(rest[maxLength - 1] ?? '');
      handOn(space || (isPair ? maxLength - 1 : maxLength));
    }
    clearTimeout(endTimer);
    if (ENDS_SENTENCE.test(rest)) endTimer = setTimeout(flush, SENTENCE_END_WAIT_MS);
  }

  function flush(): void {
    clearTimeout(endTimer);
    if (SPEAKABLE.test(rest)) handOn(rest.length);
    clearTimeout(flushTimer);
    flushTimer = setTimeout(() => {
      isFlushed = true;
      wake();
    }, SENTENCE_END_WAIT_MS);
  }

  async function waitForText(): Promise<void> {
    const idleTimer = setTimeout(onIdle, idleMs);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    clearTimeout(idleTimer);
  }

  async function* yieldAll(next: () => string | undefined): AsyncGenerator<string, void> {
    for (;;) {
      if (failure) throw failure.error;
      const text = next();
      if (text !== undefined) yield text;
      else if (ended) return;
      else await waitForText();
    }
  }

  return {
    add(text) {
      if (ended) return;
      rest += text;
      isFlushed = false;
      clearTimeout(flushTimer);
      take();
    },
    flush,
    end() {
      flush();
      clearTimeout(flushTimer);
      ended = true;
      wake();
    },
    stop(error) {
      clearTimeout(endTimer);
      clearTimeout(flushTimer);
      ended = true;
      ready.length = 0;
      if (error !== undefined) failure ??= { error };
      wake();
    },
    texts: () => yieldAll(() => ready.shift()),
    gatheredTexts: () =>
      yieldAll(() => {
        const isComplete = ended || isFlushed;
        isFlushed = false;
        return isComplete && ready.length > 0 ? ready.splice(0).join('') : undefined;
      }),
  };
}
