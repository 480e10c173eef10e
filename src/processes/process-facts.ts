// What the processes of a bot tell each other about themselves, every few seconds.

export interface ProcessFacts {
  /** Of its machine or container: each line of its log has it, and its pid, too. */
  host: string;
  pid: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** How many guilds it acts on, and in how many it speaks. */
  guilds: number;
  speaking: number;
  /** Names the outage of the voice service that it has found by itself; null = none. */
  outage: string | null;
  /** Those that count for the whole bot; null = not set. */
  settings: Record<string, number | null>;
  /** Names the commands that it offers. */
  commands: string;
  /** Id of its cache of sound; null = not known yet. */
  cache: string | null;
}

/** What a process of an earlier version doesn't tell. */
const UNKNOWN: ProcessFacts = {
  host: '?',
  pid: 0,
  startedAt: 0,
  guilds: 0,
  speaking: 0,
  outage: null,
  settings: {},
  commands: '',
  cache: null,
};

/** The facts of a process, whichever version it has. */
export function factsOf({ facts }: { facts: Partial<ProcessFacts> }): ProcessFacts {
  return { ...UNKNOWN, ...facts };
}
