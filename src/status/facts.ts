// Gathers what /status needs to know: the voice service, the member's voice channel, the session, and what the member may spend.
import { ChannelType, type ChatInputCommandInteraction, PermissionFlagsBits } from 'discord.js';
import { type Api, ApiError } from '../api/index.ts';
import { createChannelKindLookup, findRefusal, findVoiceRefusal, isAdmin, requesterOf } from '../bot/access.ts';
import type { InteractionContext } from '../bot/command.ts';
import { describeError, explainError } from '../bot/error-boundary.ts';
import { apiSentence, budgetSentence } from '../bot/error-sentences.ts';
import type { IsOperator } from '../bot/operators.ts';
import { findMuteReason, listMissingPermissions, nameInDiscord } from '../bot/permissions.ts';
import type { CreditService } from '../credit/index.ts';
import type { Sentence, Words } from '../locales/index.ts';
import type { WholeBot } from '../processes/index.ts';
import type { Settings } from '../settings/index.ts';
import { StoreError } from '../store/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { IsServerMuted } from '../voice/server-mutes.ts';
import type { Sessions } from '../voice/types.ts';
import type { Facts, ServiceStatus } from './diagnosis.ts';

/** Milliseconds to wait for the voice service; the member waits along. */
const SERVICE_MS = 5_000;

export interface StatusContext extends InteractionContext {
  api: Api;
  sessions: Sessions;
  settings: Settings;
  credit: CreditService;
  reading: { explainSilence(guildId: string, voiceChannelId: string): Sentence | null };
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
  /** Absent = this process is the only one. @throws StoreError */
  describeWholeBot?: (() => Promise<WholeBot>) | undefined;
  /** Whether another process is in the guild's voice channels; absent = there are no others. @throws StoreError */
  isElsewhere?: ((guildId: string) => Promise<boolean>) | undefined;
}

/** What only operators are shown. */
export interface OperatorFacts {
  /** The balance as the service returns it, or why it can't be read. */
  balance: string;
  /** Null = it can't be read; absent = this process is all of it. */
  whole?: WholeBot | null;
}

/** Makes the cheapest call there is. Never rejects. */
export async function checkService({ api, signal, words }: StatusContext): Promise<ServiceStatus> {
  const limit = AbortSignal.timeout(SERVICE_MS);
  const before = performance.now();
  try {
    await api.listModels({ pageSize: 1 }, { signal: AbortSignal.any([signal, limit]) });
    return { ms: performance.now() - before };
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unsupported') return { unknown: words.status.noCatalogue };
    return {
      problem: limit.aborted ? words.status.noAnswer(SERVICE_MS / 1000) : (explainError(error)?.(words) ?? asMarkdown(String(error), 200)),
    };
  }
}

/** Null unless an operator asks. Never rejects. */
export async function gatherOperatorFacts({ user }: ChatInputCommandInteraction, context: StatusContext): Promise<OperatorFacts | null> {
  if (!(await context.isOperator(user.id))) return null;
  const [balance, whole] = await Promise.all([fetchBalance(context), context.describeWholeBot?.().catch(() => null)]);
  return { balance, ...(whole !== undefined && { whole }) };
}

async function fetchBalance({ api, signal, words }: StatusContext): Promise<string> {
  try {
    const { credit } = await api.getCredit({ signal: AbortSignal.any([signal, AbortSignal.timeout(SERVICE_MS)]) });
    return credit;
  } catch (error) {
    return error instanceof ApiError && error.kind === 'aborted'
      ? words.status.noAnswer(SERVICE_MS / 1000)
      : (explainError(error)?.(words) ?? '?');
  }
}

/** Everything but the state of the voice service. */
export async function gatherFacts(interaction: ChatInputCommandInteraction, context: StatusContext): Promise<Omit<Facts, 'service'>> {
  const now = Date.now();
  if (!interaction.inCachedGuild()) {
    const member = { selfDeaf: false, serverDeaf: false, refusal: null };
    const spending = { credit: null, budget: null };
    const nowhere = { channel: null, session: null, movingFrom: null, silence: null };
    return { now, inGuild: false, ...nowhere, member, me: { serverMute: false }, volume: 1, spending };
  }
  const { guild, member } = interaction;
  const stored = await readStored(guild.id, member.id, context);
  const session = context.sessions.get(guild.id);
  const { me } = guild.members;
  const { channel, selfDeaf, serverDeaf } = member.voice;
  const kindOf = createChannelKindLookup(guild);
  const requester = requesterOf(interaction);
  const inside = channel ? guild.voiceStates.cache.filter(({ channelId }) => channelId === channel.id).size : 0;
  const canMove = me && channel?.permissionsFor(me).has(PermissionFlagsBits.MoveMembers);
  const own = session?.items().find(({ memberId }) => memberId === member.id);
  const refusal =
    (stored === null ? ({ status }: Words) => status.storeGone : null) ??
    (requester && stored && findRefusal(requester, stored.settings, 'speech', kindOf)) ??
    (channel && stored && findVoiceRefusal(channel.id, isAdmin(interaction.memberPermissions), stored.settings, kindOf)) ??
    (channel && findMuteReason(channel, member, context.isServerMuted(member)));
  return {
    now,
    inGuild: true,
    channel: channel && {
      id: channel.id,
      isStage: channel.type === ChannelType.GuildStageVoice,
      isFull: channel.userLimit > 0 && inside >= channel.userLimit && !canMove,
      missing: me ? nameInDiscord(listMissingPermissions(channel, me), context.words) : [],
    },
    member: {
      selfDeaf: selfDeaf ?? false,
      serverDeaf: serverDeaf ?? false,
      refusal: refusal?.(context.words) ?? null,
    },
    me: { serverMute: me?.voice.serverMute ?? false },
    session: session
      ? { channelId: session.channelId, state: session.state, length: session.length, before: own ? own.position : null }
      : null,
    movingFrom: stored?.isMoving ? (me?.voice.channelId ?? null) : null,
    silence: (channel && context.reading.explainSilence(guild.id, channel.id)?.(context.words)) ?? null,
    volume: stored?.settings.volume ?? null,
    spending: {
      credit: stored?.spending.credit ? apiSentence(context.words, stored.spending.credit) : null,
      budget: stored?.spending.budget ? budgetSentence(context.words, stored.spending.budget) : null,
    },
  };
}

/** Null if the store fails. */
async function readStored(guildId: string, memberId: string, { settings, credit, isElsewhere, log }: StatusContext) {
  try {
    const [guild, spending, isMoving] = await Promise.all([
      settings.guild(guildId),
      credit.checkSpending({ kind: 'speech', amount: 1, guildId, memberId }),
      isElsewhere?.(guildId) ?? false,
    ]);
    return { settings: guild, spending, isMoving };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn(describeError(error), 'the store can’t be read');
    return null;
  }
}
