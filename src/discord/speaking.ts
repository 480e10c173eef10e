// What is being spoken in a guild, and how members end it. While a guild is handed off from one process of the bot to another, the old
// process still speaks there, but members ask the new one, which asks the old one through the store.
import type { Interaction } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/processes.ts';
import { readAs, type Value } from '../store/index.ts';
import type { QueueItem, Session, Sessions } from '../voice-session/types.ts';
import { UserError } from './errors.ts';
import type { Handovers } from './handovers.ts';
import { isModerator } from './permissions.ts';

export interface Speaking {
  /** Id of the voice channel; null if only another process knows it. */
  readonly channelId: string | null;
  /** The utterances that have not ended, in play order, the current one first. */
  readonly items: readonly QueueItem[];
  /** Whether another process may be speaking as well: `known` if its items are included, `unknown` if it didn't answer. */
  readonly elsewhere: 'nothing' | 'known' | 'unknown';
  /** Ends the utterances with these ids, playing or waiting; resolves with how many had not ended before. @throws StoreError */
  end(ids: readonly string[], how?: End): Promise<number>;
  /** @throws StoreError */
  leave(): Promise<void>;
}

/** Returns null if the bot is in no voice channel of the guild and is not about to join one. */
export type FindSpeaking = (guildId: string | null) => Promise<Speaking | null>;

const endShape = z.enum(['skipped', 'stopped']);
type End = z.infer<typeof endShape>;

/** Messages that are read aloud: those of a member, or of a text channel. */
const readShape = z.union([z.object({ memberId: z.string() }), z.object({ textChannelId: z.string() })]);
type Read = z.infer<typeof readShape>;

/** What one process asks another, which may be of another version. */
const questionShape = z.object({
  guildId: z.string(),
  end: z.array(z.string()).exactOptional(),
  how: endShape.exactOptional(),
  endRead: z.array(readShape).exactOptional(),
  leave: z.literal(true).exactOptional(),
});
type Question = z.infer<typeof questionShape>;

/** The state after the request, and how many utterances were ended. */
const responseShape = z.object({
  channelId: z.string().nullable(),
  items: z.array(
    z.object({
      id: z.string(),
      memberId: z.string(),
      background: z.boolean().exactOptional(),
      label: z.object({ voice: z.string().nullable(), text: z.string().nullable(), seconds: z.number().nullable() }).exactOptional(),
      position: z.number(),
      playing: z.boolean(),
      sentSeconds: z.number(),
      queuedAt: z.number(),
    }) satisfies z.ZodType<QueueItem>,
  ),
  ended: z.number(),
});
type Response = z.infer<typeof responseShape>;

export interface SpeakingOptions {
  sessions: Pick<Sessions, 'get'>;
  /** Absent = there is no other process. */
  shards?: Pick<SharedShards, 'leases' | 'voice' | 'peerRpc'> | undefined;
  handovers?: Handovers | undefined;
  log: Log;
  /** Ends what this process reads; returns how many messages it ended. */
  endRead(guildId: string, target: Read): number;
}

interface SpeakingEverywhere {
  find: FindSpeaking;
  /** Ends what another process still reads; resolves with how many messages it ended. @throws StoreError */
  endReadElsewhere(guildId: string, targets: readonly Read[]): Promise<number>;
  /** Answers other processes' questions about this one until the returned function is called. */
  answer(): () => void;
}

export function createSpeaking({ sessions, shards, handovers, log, endRead }: SpeakingOptions): SpeakingEverywhere {
  function endHere(session: Session | undefined, ids: readonly string[], how: End): number {
    // The last ones end first, or each would start when the one before it ends.
    return ids.toReversed().filter((id) => (how === 'skipped' && session?.skip(id)) || session?.remove(id)).length;
  }

  async function respond(sealed: Value): Promise<Value> {
    const question = handovers && readAs(questionShape, handovers.unseal(sealed), log, 'question of another process');
    if (!handovers || !question) return null;
    const session = sessions.get(question.guildId);
    let ended = endHere(session, question.end ?? [], question.how ?? 'stopped');
    for (const target of question.endRead ?? []) ended += endRead(question.guildId, target);
    const channelId = session?.channelId ?? null;
    if (question.leave) session?.leave();
    // From here on, the other process can take every utterance that has left this one.
    await handovers.noted();
    return handovers.seal({ channelId, items: session?.items() ?? [], ended } satisfies Response);
  }

  /** @throws StoreError */
  async function ask(processId: string, question: Question): Promise<Response | null> {
    const sealed = await shards?.peerRpc.call(processId, handovers?.seal(question) ?? null);
    return readAs(responseShape, handovers?.unseal(sealed ?? null) ?? null, log, 'answer of another process');
  }

  async function find(guildId: string | null): Promise<Speaking | null> {
    if (guildId === null) return null;
    // If the store fails, only this process's own items are known.
    const speaker = (await shards?.voice.holder(guildId).catch(() => null)) ?? null;
    const holder = speaker === shards?.leases.id ? null : speaker;
    const response = holder === null ? null : await ask(holder, { guildId }).catch(() => null);
    // Takes what the other process has just left to this one.
    if (speaker === null || holder !== null) await handovers?.take(guildId).catch(() => {});
    const session = sessions.get(guildId);
    const channelId = response?.channelId ?? session?.channelId ?? null;
    const elsewhere = holder === null ? 'nothing' : response === null ? 'unknown' : 'known';
    if (channelId === null && elsewhere !== 'unknown') return null;
    const before = response?.items ?? [];
    const own = (session?.items() ?? []).map((item) => ({
      ...item,
      position: item.position + before.length,
      playing: item.playing && before.length === 0,
    }));
    return {
      channelId,
      items: [...before, ...own],
      elsewhere,
      async end(ids, how = 'stopped') {
        const others = before.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
        const ended = endHere(
          session,
          ids.filter((id) => !others.includes(id)),
          how,
        );
        if (holder === null || others.length === 0) return ended;
        return ended + ((await ask(holder, { guildId, end: others, how }))?.ended ?? 0);
      },
      async leave() {
        session?.leave();
        if (holder !== null) await ask(holder, { guildId, leave: true });
      },
    };
  }

  return {
    find,
    async endReadElsewhere(guildId, targets) {
      const holder = (await shards?.voice.holder(guildId)) ?? null;
      if (holder === null || holder === shards?.leases.id) return 0;
      return (await ask(holder, { guildId, endRead: [...targets] }))?.ended ?? 0;
    },
    answer: () => shards?.peerRpc.serve(respond) ?? (() => {}),
  };
}

/** Ends everything that the member has in the queue; resolves with how many utterances it ended. @throws StoreError */
export function endAllOf({ items, end }: Speaking, memberId: string): Promise<number> {
  return end(items.filter((item) => item.memberId === memberId).map(({ id }) => id));
}

/** Members control their own utterances, moderators of the bot's voice channel control all. @throws UserError */
export function checkOwnerOrModerator(
  interaction: Interaction,
  where: { channelId: string | null } | null | undefined,
  ownerId: string | undefined,
  action: 'skip' | 'stop' | 'use' = 'use',
): void {
  if (interaction.user.id === ownerId || isModerator(interaction, where)) return;
  throw new UserError((t) => {
    if (ownerId === undefined) return t('queue.onlyModerators');
    const keys = { skip: 'queue.onlyOwnerCanSkip', stop: 'queue.onlyOwnerCanStop', use: 'queue.onlyOwnerCanUse' } as const;
    return t(keys[action], { owner: ownerId });
  });
}
