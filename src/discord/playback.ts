// A server's queue: the one way into it, which pays for what is spoken, and what is in it, which members see and end.
import type { Interaction, VoiceBasedChannel } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/processes.ts';
import { readAs, type Value } from '../store/index.ts';
import type { EnqueueOptions, Playback, QueueItem, Session, Sessions, Utterance } from '../voice/types.ts';
import type { CreditService, Reservation, Spending } from '../wallet/index.ts';
import { UserError } from './errors.ts';
import type { Handovers } from './handovers.ts';
import { isModerator } from './permissions.ts';

// The one way into the queue: reserves what an utterance may cost from the daily budgets, and gives back what it didn't cost.

/** About half an hour of speech; nobody waits longer. */
const MAX_IN_QUEUE = 50;
const MAX_PER_MEMBER = 5;

/** An utterance that knows what it cost. */
export interface PaidUtterance extends Utterance {
  /** Characters that the service may have charged for, once no call is waiting for its answer. Never rejects. */
  charged(): Promise<number>;
  /** UTF-8 bytes that it may have billed for them. Never rejects. */
  billed(): Promise<number>;
}

/** What one utterance takes from the daily budgets. */
export interface Payment {
  /** Reserves what it is planned to cost. Rejects with BudgetError, StoreError. */
  reserve(): Promise<void>;
  /** Reserves everything that it can cost, once the service has to be called after all. Rejects with BudgetError, StoreError. */
  reserveAll(): Promise<void>;
  /** Leaves the reservation to another process, and returns its amount. `settle` still takes it back. */
  pass(): number;
  /** Ends the reservation, including one under way, with what was really used, and what the service bills of it. Never rejects. */
  settle(used: number, billed?: number): Promise<void>;
}

/** @param planned what it should cost @param most the characters it can cost at most @param passed what another process has reserved */
export function createPayment({ reserve }: Pick<CreditService, 'reserve'>, planned: Spending, most = planned.amount, passed = 0): Payment {
  let reservation: Reservation | null = null;
  let amount = 0;
  let reservingAll: Promise<void> | null = null;
  /** Whether it was settled or passed on. */
  let hasEnded = false;

  async function reserveRest(): Promise<void> {
    if (planned.amount >= most) return;
    const all = await reserve({ ...planned, amount: most });
    if (hasEnded) return all.settle(0);
    // Another process had reserved it, but the sound turned out to be cached here.
    await reservation?.settle(0);
    reservation = all;
    amount = most;
  }

  return {
    async reserve() {
      reservation = await reserve(planned, passed);
      amount = Math.max(planned.amount, passed);
    },
    reserveAll() {
      // If another voice is tried, it costs the same amount.
      reservingAll ??= reserveRest();
      return reservingAll;
    },
    pass() {
      hasEnded = true;
      return amount;
    },
    async settle(used, billed) {
      hasEnded = true;
      await reservingAll?.catch(() => {});
      await reservation?.settle(used, billed);
    },
  };
}

/** An utterance whose cost is reserved only when the service is about to be called, so cached sound costs nothing. */
export interface PaidDraft<U extends PaidUtterance = PaidUtterance> {
  utterance: U;
  /** Call once it is over, or another one has replaced it. */
  settle(): Promise<void>;
}

/** @param create creates the utterance, given what it has to await before it calls the service */
export function createPaidDraft<U extends PaidUtterance>(
  credit: Pick<CreditService, 'reserve'>,
  spending: Spending,
  create: (permit: () => Promise<void>) => U,
): PaidDraft<U> {
  const payment = createPayment(credit, { ...spending, amount: 0 }, spending.amount);
  const utterance = create(payment.reserveAll);
  return { utterance, settle: async () => payment.settle(await utterance.charged(), await utterance.billed()) };
}

interface ToPlay extends EnqueueOptions {
  channel: VoiceBasedChannel;
  /** Whether the bot stays in the channel afterwards. */
  stay: boolean;
  utterance: Utterance;
  /** Absent = it costs nothing. */
  paid?: { payment: Payment } & Pick<PaidUtterance, 'charged' | 'billed'>;
  /** Ends the utterance, even before it is queued. The signal's reason is then thrown. */
  signal?: AbortSignal;
}

/**
 * Reserves what the utterance may cost, joins the channel and queues it; what it didn't cost is given back when it has ended. If it can't be
 * queued, it is cancelled. Resolves once it is queued, in time to begin a public reply.
 * @throws UserError if the queue is full; BudgetError, StoreError; what the utterance was refused with, as while the bot is muted
 */
export async function playPaid(sessions: Sessions, { channel, stay, utterance, paid, signal, ...options }: ToPlay): Promise<Playback> {
  try {
    await paid?.payment.reserve();
    signal?.throwIfAborted();
    // Another process accepted it.
    if (!options.wasHandedOver) checkRoom(sessions.get(channel.guildId), options.memberId);
    const session = sessions.join(channel);
    session.setStay(stay);
    const playback = session.enqueue(utterance, options);
    signal?.addEventListener('abort', () => session.remove(playback.id));
    // Only what the service was never asked for is certain to cost nothing.
    if (paid)
      void playback.finished.then(
        async ({ ended }) => ended !== 'handed-over' && paid.payment.settle(await paid.charged(), await paid.billed()),
      );
    const outcome = options.wasHandedOver ? null : await Promise.race([playback.finished, null]);
    if (outcome?.ended === 'failed') throw outcome.cause;
    return playback;
  } catch (error) {
    utterance.cancel();
    await paid?.payment.settle(0);
    throw error;
  }
}

/**
 * Utterances in the background have a limit of their own. Call just before `enqueue`.
 * @throws UserError if there is no room for another utterance of this member
 */
export function checkRoom(session: Pick<Session, 'items'> | undefined, memberId: string): void {
  const items = session?.items().filter(({ background }) => !background) ?? [];
  if (items.length >= MAX_IN_QUEUE) throw new UserError((t) => t('queue.full', { most: MAX_IN_QUEUE }));
  const own = items.filter((item) => item.memberId === memberId).length;
  if (own >= MAX_PER_MEMBER) throw new UserError((t) => t('queue.tooManyWaiting', { most: MAX_PER_MEMBER }));
}

// What is being spoken in a guild, and how members end it. While a guild is handed off from one process of the bot to another, the old
// process still speaks there, but members ask the new one, which asks the old one through the store.

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
  endRead(guildId: string, of: Read): number;
}

interface SpeakingEverywhere {
  find: FindSpeaking;
  /** Ends what another process still reads; resolves with how many messages it ended. @throws StoreError */
  endReadElsewhere(guildId: string, of: readonly Read[]): Promise<number>;
  /** Answers other processes' questions about this one until the returned function is called. */
  answer(): () => void;
}

export function createSpeaking({ sessions, shards, handovers, log, endRead }: SpeakingOptions): SpeakingEverywhere {
  function endHere(session: Session | undefined, ids: readonly string[], how: End): number {
    // The last ones first, or each would start when the one before it ends.
    return ids.toReversed().filter((id) => (how === 'skipped' && session?.skip(id)) || session?.remove(id)).length;
  }

  async function respond(sealed: Value): Promise<Value> {
    const question = handovers && readAs(questionShape, handovers.unseal(sealed), log, 'question of another process');
    if (!handovers || !question) return null;
    const session = sessions.get(question.guildId);
    let ended = endHere(session, question.end ?? [], question.how ?? 'stopped');
    for (const of of question.endRead ?? []) ended += endRead(question.guildId, of);
    const channelId = session?.channelId ?? null;
    if (question.leave) session?.leave();
    // Everything that is no longer here can be taken by the other process.
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
    const there = holder === null ? null : await ask(holder, { guildId }).catch(() => null);
    // Takes what the other process has just left to this one.
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
      return (await ask(holder, { guildId, endRead: [...of] }))?.ended ?? 0;
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
