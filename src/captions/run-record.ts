// What is stored of captions that are on in one guild, so that another process can go on with them: changes in turn, again with the next if
// the store fails, and the end until it is stored.
import { createInTurn, keepTrying } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import { type End, forgetEnded, type Run, type Runs, STORE_AGAIN_MS } from './stored.ts';

/** Somebody agrees, chooses a language or withdraws. */
type ChangeOfCaptioned = (captioned: Run['captioned']) => Run['captioned'];

/** What changes while captions are on, other than who is captioned. */
type Progress = Required<Pick<Run, 'panelId' | 'status' | 'seconds' | 'billedSeconds'>>;

export interface RunRecord {
  /** If the store fails, the next call stores these changes as well; until then another process would read slightly old ones. Never rejects. */
  save(...changes: ChangeOfCaptioned[]): Promise<void>;
  /** Who is captioned, as other processes have left it; undefined if that isn't certain, null if nothing is stored. Never rejects. */
  captioned(): Promise<Run['captioned'] | null | undefined>;
  /**
   * Notes that the captions have ended. Resolves after the first attempt; others follow until it works: otherwise the next process would
   * resume them.
   */
  end(why: End): Promise<void>;
  /** Forgets the captions in the same way: otherwise the next process would post their transcript again. */
  forget(): Promise<void>;
  /** Leaves the captions to another process. Resolves with who is captioned by now. @throws StoreError */
  leave(): Promise<Run['captioned']>;
}

interface RunRecordOptions {
  guildId: string;
  run: Run;
  runs: Runs;
  words: PostedWords;
  progress(): Progress;
  /** Everybody who has agreed. */
  agreed(): Run['captioned'];
  /** Captions are on here. */
  isOpen(): boolean;
  /** Captions are on here, and no other process can have ended them: if the store has lost the run, it is stored again. */
  isCertainlyOpen(): boolean;
  /** The transcript is posted. */
  isFinished(): boolean;
  log: Log;
  now(): number;
  storeAgainMs?: number | undefined;
}

export function createRunRecord(options: RunRecordOptions): RunRecord {
  const { guildId, run, runs, words, progress, agreed, isOpen, isCertainlyOpen, isFinished, log, now } = options;
  const { storeAgainMs = STORE_AGAIN_MS } = options;
  const inTurn = createInTurn();
  let saving: Promise<void> = Promise.resolve();
  /** Changes rather than their result: another process may have stored meanwhile that somebody has withdrawn. */
  let unsaved: ChangeOfCaptioned[] = [];

  async function store(): Promise<void> {
    const changes = unsaved;
    unsaved = [];
    try {
      const missing = isCertainlyOpen() ? { ...run, ...progress(), captioned: agreed() } : null;
      await runs.change(
        guildId,
        // Other captions may have begun since these ended.
        (stored) =>
          stored.startedAt !== run.startedAt
            ? stored
            : {
                ...stored,
                ...progress(),
                seenAt: now(),
                captioned: changes.reduce((captioned, change) => change(captioned), stored.captioned),
              },
        missing,
      );
    } catch (error) {
      unsaved = [...changes, ...unsaved];
      log.warn({ guild: guildId, ...describeError(error) }, 'could not note that captions are on');
    }
  }

  function save(...changes: ChangeOfCaptioned[]): Promise<void> {
    unsaved.push(...changes);
    saving = inTurn(store);
    return saving;
  }

  /** Resolves after the first attempt. @param what could not be done if an attempt fails */
  async function untilStored(attempt: () => Promise<unknown>, what: string): Promise<void> {
    const warn = (error: unknown) => {
      log.warn({ guild: guildId, ...describeError(error) }, `could not ${what}; trying again`);
      return storeAgainMs;
    };
    await keepTrying(async () => {
      await saving;
      await attempt();
    }, warn);
  }

  const end = (why: End) =>
    untilStored(async () => {
      if (!isFinished()) await runs.end(guildId, { ...run, ...progress(), captioned: agreed(), seenAt: now() }, why);
    }, 'note that captions have ended');

  const forget = () =>
    untilStored(() => forgetEnded(runs, words, guildId, { ...run, panelId: progress().panelId }), 'forget captions that have ended');

  return {
    save,
    async captioned() {
      const before = unsaved.length > 0 ? save() : saving;
      await before;
      const stored = await (isOpen() ? runs.load(guildId) : runs.loadEnded(guildId, progress().panelId)).catch(() => undefined);
      // Changes made here meanwhile may not be in what was read.
      if (saving !== before || unsaved.length > 0) return undefined;
      return stored ? stored.captioned : stored;
    },
    end,
    forget,
    async leave() {
      const { status, seconds, billedSeconds } = progress();
      const left = await runs.change(guildId, (stored) => ({ ...stored, status, seconds, billedSeconds, seenAt: now() }));
      return left?.captioned ?? [];
    },
  };
}
