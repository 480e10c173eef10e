// What is spoken in a guild, and how it is ended. While a guild passes from one process of the bot to another, the one before still speaks
// there, and members ask this one: it asks that one through the store.
import type { Interaction } from 'discord.js';
import type { SharedShards } from '../processes/processes.ts';
import type { Value } from '../store/index.ts';
import type { QueueItem, Session, Sessions } from '../voice/types.ts';
import { UserError } from './errors.ts';
import type { Handovers } from './handovers.ts';
import { isModerator } from './permissions.ts';

export interface Speaking {
  /** Id of the voice channel; null if only another process knows it. */
  readonly channelId: string | null;
  /** What has not ended, in play order, the current one first. */
  readonly items: readonly QueueItem[];
  /** Whether another process may speak as well, and its part is among the items; `unknown` if it didn't answer. */
  readonly elsewhere: 'nothing' | 'known' | 'unknown';
  /** Ends those with these ids, playing or waiting; resolves with how many had not ended yet. @throws StoreError */
  end(ids: readonly string[], how?: End): Promise<number>;
  /** @throws StoreError */
  leave(): Promise<void>;
}

/** Null if the bot is in no voice channel of the guild and will not join one. */
export type FindSpeaking = (guildId: string | null) => Promise<Speaking | null>;

type End = 'skipped' | 'stopped';

/** What is read aloud: of a member, or of a text channel. */
type Read = { memberId: string } | { textChannelId: string };

interface Question {
  guildId: string;
  end?: readonly string[];
  how?: End;
  endRead?: readonly Read[];
  leave?: true;
}

/** How it is there afterwards, and how many were ended. */
interface Response {
  channelId: string | null;
  items: QueueItem[];
  ended: number;
}

export interface SpeakingOptions {
  sessions: Pick<Sessions, 'get'>;
  /** Absent = there is no other process. */
  shards?: Pick<SharedShards, 'leases' | 'voice' | 'peerRpc'> | undefined;
  handovers?: Handovers | undefined;
  /** Ends what this process reads; returns how many messages that were. */
  endRead(guildId: string, of: Read): number;
}

interface SpeakingEverywhere {
  find: FindSpeaking;
  /** Ends what another process still reads; resolves with how many messages that were. @throws StoreError */
  endReadElsewhere(guildId: string, of: readonly Read[]): Promise<number>;
  /** Tells other processes about this one, until the function is called that it returns. */
  answer(): () => void;
}

export function createSpeaking({ sessions, shards, handovers, endRead }: SpeakingOptions): SpeakingEverywhere {
  function endHere(session: Session | undefined, ids: readonly string[], how: End): number {
    // The waiting ones first, or each would start when the one before it ends.
    return ids.toReversed().filter((id) => (how === 'skipped' && session?.skip(id)) || session?.remove(id)).length;
  }

  async function respond(sealed: Value): Promise<Value> {
    const question = handovers?.unseal(sealed) as Question | null | undefined;
    if (!handovers || !question) return null;
    const session = sessions.get(question.guildId);
    let ended = endHere(session, question.end ?? [], question.how ?? 'stopped');
    for (const of of question.endRead ?? []) ended += endRead(question.guildId, of);
    const channelId = session?.channelId ?? null;
    if (question.leave) session?.leave();
    // What isn't here any more can be taken there.
    await handovers.noted();
    return handovers.seal({ channelId, items: session?.items() ?? [], ended } satisfies Response);
  }

  /** @throws StoreError */
  async function ask(processId: string, question: Question): Promise<Response | null> {
    const sealed = await shards?.peerRpc.call(processId, handovers?.seal(question) ?? null);
    return (handovers?.unseal(sealed ?? null) ?? null) as Response | null;
  }

  async function find(guildId: string | null): Promise<Speaking | null> {
    if (guildId === null) return null;
    // Without the store, it is what this process knows.
    const speaker = (await shards?.voice.holder(guildId).catch(() => null)) ?? null;
    const holder = speaker === shards?.leases.id ? null : speaker;
    const there = holder === null ? null : await ask(holder, { guildId }).catch(() => null);
    // What that one has just left to this one.
    if (speaker === null || holder !== null) await handovers?.take(guildId).catch(() => {});
    const session = sessions.get(guildId);
    const channelId = there?.channelId ?? session?.channelId ?? null;
    const elsewhere = elsewhereOf(holder, there);
    if (channelId === null && elsewhere !== 'unknown') return null;
    const before = there?.items ?? [];
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

  function elsewhereOf(holder: string | null, there: Response | null): Speaking['elsewhere'] {
    if (holder === null) return 'nothing';
    return there === null ? 'unknown' : 'known';
  }

  return {
    find,
    async endReadElsewhere(guildId, of) {
      const holder = (await shards?.voice.holder(guildId)) ?? null;
      if (holder === null || holder === shards?.leases.id) return 0;
      return (await ask(holder, { guildId, endRead: of }))?.ended ?? 0;
    },
    answer: () => shards?.peerRpc.serve(respond) ?? (() => {}),
  };
}

/** Ends everything that the member has in the queue; resolves with how many utterances that were. @throws StoreError */
export function endAllOf({ items, end }: Speaking, memberId: string): Promise<number> {
  return end(items.filter((item) => item.memberId === memberId).map(({ id }) => id));
}

/** Members control their own utterances, moderators of the bot's voice channel all. @throws UserError */
export function checkOwnerOrModerator(
  interaction: Interaction,
  where: { channelId: string | null } | null | undefined,
  ownerId: string | undefined,
  action: 'skip' | 'stop' | 'use' = 'use',
): void {
  if (interaction.user.id === ownerId || isModerator(interaction, where)) return;
  throw new UserError(({ queue: t }) => {
    if (ownerId === undefined) return t.onlyModerators;
    return { skip: t.onlyOwnerCanSkip, stop: t.onlyOwnerCanStop, use: t.onlyOwnerCanUse }[action](ownerId);
  });
}
