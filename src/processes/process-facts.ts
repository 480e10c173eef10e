// What the processes of a bot tell each other about themselves, every few seconds.
import { z } from 'zod';

/** What a process of an earlier version doesn't say has its default. */
export const processFacts = z.object({
  /** The name of its machine or container: each line of its log has it, and its pid, too. */
  host: z.string().default('?'),
  pid: z.number().default(0),
  /** Milliseconds since 1970. */
  startedAt: z.number().default(0),
  /** How many guilds it acts on, and in how many it speaks. */
  guilds: z.number().default(0),
  speaking: z.number().default(0),
  /** Names the outage of the voice service that it has found by itself; null = none. */
  outage: z.string().nullable().default(null),
  /** Those that count for the whole bot; null = not set. */
  settings: z.record(z.string(), z.number().nullable()).default({}),
  /** Names the commands that it offers. */
  commands: z.string().default(''),
  /** Id of its cache of sound; null = not known yet. */
  cache: z.string().nullable().default(null),
});

export type ProcessFacts = z.infer<typeof processFacts>;
