// Checks that a running Parley answers each interaction once, in time and within Discord's limits, and never fails unexpectedly.
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createWaiter } from '../helpers/waiter.ts';

/** The outcome of one interaction. */
interface Case {
  /** Statuses of its first responses; one of them must be a success. */
  answers: number[];
  /** The failure as the member sees it. */
  end: 'success' | string | null;
  /** The outcome in the bot's log; null while it is running. */
  outcome: string | null;
}

export type InteractionChecker = ReturnType<typeof createInteractionChecker>;

const UNEXPECTED = 'Something went wrong on my side';

export function createInteractionChecker() {
  const cases = new Map<string, Case>();
  /** What Discord refused, and unexpected errors that members were shown. */
  const problems: string[] = [];
  const lines: string[] = [];
  const waiter = createWaiter();

  function caseOf(id: string): Case {
    const known = cases.get(id) ?? { answers: [], end: null, outcome: null };
    cases.set(id, known);
    return known;
  }

  /** Resolves when the interaction was answered, or will never be. */
  async function answered(id: string): Promise<void> {
    await waiter.until(
      () => caseOf(id).end !== null || undefined,
      () => `an answer to ${id}`,
    );
  }

  return {
    ...{ problems, lines },
    /** Pass this as `logTo`. */
    logTo(line: string) {
      lines.push(line);
      const { msg, command, outcome } = JSON.parse(line);
      if (msg !== 'a command has ended') return;
      caseOf(command).outcome = outcome;
      waiter.notify();
    },
    watch(discord: LocalDiscord) {
      discord.onRestRequest(({ method, path, status, body }) => {
        const [, id] = /^\/interactions\/(\d+)\/[^/]+\/callback$/.exec(path) ?? [];
        const answers = id === undefined ? [] : caseOf(id).answers;
        // A first response that seems lost, as on a busy machine, is sent again, and refused if it was not lost.
        const isSentAgain = status === 400 && answers.some((one) => one < 300);
        answers.push(status);
        if (JSON.stringify(body ?? '').includes(UNEXPECTED)) problems.push(`said: ${UNEXPECTED}`);
        // 404: the message has been deleted meanwhile.
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
    answered,
    /** Resolves with all problems of an interaction when its command has ended. */
    async ended(id: string) {
      const isOver = () => caseOf(id).outcome !== null || undefined;
      await answered(id);
      await waiter.until(isOver, () => `the end of ${id}: ${JSON.stringify(caseOf(id))}`);
      return faultsOf(caseOf(id));
    },
    /** The same for an autocomplete, whose end is not logged at level info. */
    async completed(id: string) {
      await answered(id);
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
