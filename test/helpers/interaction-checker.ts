// Checks that a running Parley answers each interaction once, in time and within Discord's limits, and never fails unexpectedly.
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createWaiter } from './waiter.ts';

/** What became of one interaction. */
interface Case {
  /** Statuses of its first answers: one of them is good. */
  answers: number[];
  /** As the member is told of it. */
  end: 'success' | string | null;
  /** As the bot's log has it; null while it lasts. */
  outcome: string | null;
}

export interface InteractionChecker {
  /** To be given as `logTo`. */
  logTo(line: string): void;
  watch(discord: LocalDiscord): void;
  /** Resolves when the interaction was answered, or will never be. */
  answered(id: string): Promise<void>;
  /** Resolves with all that is wrong with it when its command has ended. */
  ended(id: string): Promise<string[]>;
  /** The same of an autocomplete, whose end is not logged at level info. */
  completed(id: string): Promise<string[]>;
  /** What Discord refused, and what members were told of errors that nobody had thought of. */
  problems: string[];
  lines: string[];
}

const WAIT_MS = 25_000;
const UNEXPECTED = 'Something went wrong on my side';

export function createInteractionChecker(): InteractionChecker {
  const cases = new Map<string, Case>();
  const problems: string[] = [];
  const lines: string[] = [];
  const waiter = createWaiter(WAIT_MS);

  function caseOf(id: string): Case {
    const known = cases.get(id) ?? { answers: [], end: null, outcome: null };
    cases.set(id, known);
    return known;
  }

  return {
    ...{ problems, lines },
    logTo(line) {
      lines.push(line);
      const { msg, command, outcome } = JSON.parse(line);
      if (msg !== 'a command has ended') return;
      caseOf(command).outcome = outcome;
      waiter.notify();
    },
    watch(discord) {
      discord.onRestRequest(({ method, path, status, body }) => {
        const [, id] = /^\/interactions\/(\d+)\/[^/]+\/callback$/.exec(path) ?? [];
        const answers = id === undefined ? [] : caseOf(id).answers;
        // A first answer that seems lost, as on a busy machine, is sent once more, and refused where it was not.
        const isSentAgain = status === 400 && answers.some((one) => one < 300);
        answers.push(status);
        if (JSON.stringify(body ?? '').includes(UNEXPECTED)) problems.push(`said: ${UNEXPECTED}`);
        // 404: the message was deleted meanwhile.
        if (status >= 400 && status !== 404 && !isSentAgain)
          problems.push(`${status} ${method} ${path.replace(/[\w-]{40,}/, '…')} ${JSON.stringify(body ?? null).slice(0, 500)}`);
        waiter.notify();
      });
      discord.world.onEvent(({ t, d }) => {
        if (t === 'INTERACTION_SUCCESS') caseOf((d as { interaction_id: string }).interaction_id).end = 'success';
        if (t === 'INTERACTION_FAILURE') caseOf((d as { interaction_id: string }).interaction_id).end = (d as { reason: string }).reason;
        waiter.notify();
      });
    },
    async answered(id) {
      await waiter.until(
        () => caseOf(id).end !== null || undefined,
        () => `an answer to ${id}`,
      );
    },
    async ended(id) {
      await waiter.until(
        () => (caseOf(id).outcome !== null && caseOf(id).end !== null) || undefined,
        () => `the end of ${id}: ${JSON.stringify(caseOf(id))}`,
      );
      return faultsOf(caseOf(id));
    },
    async completed(id) {
      await waiter.until(
        () => caseOf(id).end !== null || undefined,
        () => `choices for ${id}`,
      );
      return faultsOf(caseOf(id));
    },
  };
}

function faultsOf({ answers, end, outcome }: Case): string[] {
  const good = answers.filter((status) => status < 300).length;
  return [
    ...(end === 'success' ? [] : [`not answered: ${end}`]),
    ...(good > 1 || (good === 0 && outcome !== null) ? [`answered ${good} times`] : []),
    ...(outcome === 'broken' || outcome === 'late' ? [`ended as ${outcome}`] : []),
  ];
}
