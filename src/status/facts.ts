// Gathers what /status needs to know: the voice service, the member's voice channel, the session, and what the member may spend.
import { ChannelType, type ChatInputCommandInteraction, PermissionFlagsBits } from 'discord.js';
import { type Api, ApiError } from '../api/index.ts';
import type { CreditService } from '../charging/index.ts';
import { createChannelKindLookup, findRefusal, findVoiceRefusal, isAdmin, requesterOf } from '../discord/access.ts';
import type { InteractionContext } from '../discord/command.ts';
import { apiSentence, budgetSentence, describeError, explainError } from '../discord/errors.ts';
import type { IsOperator } from '../discord/operators.ts';
import { findMuteReason, type IsServerMuted, listMissingPermissions, nameInDiscord } from '../discord/voice-channels.ts';
import type { Sentence, Translator } from '../locales/index.ts';
import type { WholeBot } from '../processes/processes.ts';
import { StoreError } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { SessionState, Sessions } from '../voice-session/types.ts';

/** Milliseconds to wait for the voice service, while the member is waiting, too. */
const SERVICE_MS = 5_000;

export interface StatusContext extends InteractionContext {
  api: Api;
  sessions: Sessions;
  captions: { in(guildId: string): { captioned: readonly string[] } | undefined };
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
  /** Null = it can't be read; absent = this is the only process. */
  whole?: WholeBot | null;
}

/** Makes the cheapest call there is. Never rejects. */
export async function checkService({ api, signal, t }: StatusContext): Promise<ServiceStatus> {
  const limit = AbortSignal.timeout(SERVICE_MS);
  const before = performance.now();
  try {
    await api.listModels({ pageSize: 1 }, { signal: AbortSignal.any([signal, limit]) });
    return { ms: performance.now() - before };
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unsupported') return { unknown: t('status.noCatalogue') };
    return {
      problem: limit.aborted
        ? t('status.noAnswer', { seconds: SERVICE_MS / 1000 })
        : (explainError(error)?.(t) ?? asMarkdown(String(error), 200)),
    };
  }
}

/** Null unless an operator asks. Never rejects. */
export async function gatherOperatorFacts({ user }: ChatInputCommandInteraction, context: StatusContext): Promise<OperatorFacts | null> {
  if (!(await context.isOperator(user.id))) return null;
  const [balance, whole] = await Promise.all([fetchBalance(context), context.describeWholeBot?.().catch(() => null)]);
  return { balance, ...(whole !== undefined && { whole }) };
}

async function fetchBalance({ api, signal, t }: StatusContext): Promise<string> {
  try {
    const { credit } = await api.getCredit({ signal: AbortSignal.any([signal, AbortSignal.timeout(SERVICE_MS)]) });
    return credit;
  } catch (error) {
    return error instanceof ApiError && error.kind === 'aborted'
      ? t('status.noAnswer', { seconds: SERVICE_MS / 1000 })
      : (explainError(error)?.(t) ?? '?');
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
    (stored === null ? (t: Translator) => t('status.storeGone') : null) ??
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
      missing: me ? nameInDiscord(listMissingPermissions(channel, me), context.t) : [],
    },
    member: {
      selfDeaf: selfDeaf ?? false,
      serverDeaf: serverDeaf ?? false,
      refusal: refusal?.(context.t) ?? null,
    },
    me: { serverMute: me?.voice.serverMute ?? false },
    session: session
      ? {
          channelId: session.channelId,
          state: session.state,
          length: session.length,
          before: own ? own.position : null,
          unheard: session.hearing?.unheard.length ?? 0,
          captioned: context.captions.in(guild.id)?.captioned.length ?? null,
        }
      : null,
    movingFrom: stored?.isMoving ? (me?.voice.channelId ?? null) : null,
    silence: (channel && context.reading.explainSilence(guild.id, channel.id)?.(context.t)) ?? null,
    volume: stored?.settings.volume ?? null,
    spending: {
      credit: stored?.spending.credit ? apiSentence(context.t, stored.spending.credit) : null,
      budget: stored?.spending.budget ? budgetSentence(context.t, stored.spending.budget) : null,
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

// Why doesn't the member hear anything? Derives the most probable cause and the next step from the facts.

/** Everything that decides whether the member hears the bot. */
export interface Facts {
  /** Milliseconds since 1970. */
  now: number;
  /** Is the bot a member of the guild? False in direct messages. */
  inGuild: boolean;
  /** The member's voice channel; `missing` are permissions the bot lacks there. */
  channel: { id: string; isStage: boolean; isFull: boolean; missing: string[] } | null;
  /** `refusal`: why the member may not use /say here. */
  member: { selfDeaf: boolean; serverDeaf: boolean; refusal: string | null };
  me: { serverMute: boolean };
  /**
   * `before`: how many utterances play before the member's first; null = the member has none in the queue. `unheard`: how many members'
   * sound can't be decrypted. `captioned`: how many members are captioned; null = captions are off.
   */
  session: {
    channelId: string;
    state: SessionState;
    length: number;
    before: number | null;
    unheard: number;
    captioned: number | null;
  } | null;
  /** The channel in which another process of the bot is finishing what it has begun; null = none is. */
  movingFrom: string | null;
  /** Why a channel that is read aloud in the member's voice channel isn't read now, and how to resume it; null = none is silent. */
  silence: string | null;
  /** The server's volume, as a factor; null = it can't be read. */
  volume: number | null;
  service: ServiceStatus;
  /** Why even the shortest text would be refused now: no credit, or no daily budget left. */
  spending: { credit: string | null; budget: string | null };
}

/** The response time in milliseconds; or what is wrong; or why it is unknown, if there is no catalogue to ask for. */
export type ServiceStatus = { ms: number } | { problem: string } | { unknown: string };

export interface Verdict {
  /** `wait`: it will resolve itself. */
  state: 'good' | 'wait' | 'bad';
  /** The most probable cause, then the next step. */
  sentence: string;
}

/** A connection that takes longer needs help. */
const SLOW_MS = 15_000;
/** Above this, speech starts noticeably late. */
const SLOW_SERVICE_MS = 2_000;

/** Checks first what the member can fix, then what admins can, then what nobody here can. */
export function diagnose(t: Translator, facts: Facts): Verdict {
  const { inGuild, channel, member, me, session, movingFrom, silence, volume, service, spending } = facts;
  if (!inGuild) return bad(t('status.notInGuild'));
  if (!channel)
    return bad(session && session.length > 0 ? t('status.speaksElsewhere', { channel: session.channelId }) : t('status.notInVoice'));
  if (channel.isStage) return bad(t('status.stage', { channel: channel.id }));
  if (member.serverDeaf) return bad(t('status.serverDeaf'));
  if (member.selfDeaf) return bad(t('status.selfDeaf'));
  if (session && session.length > 0 && session.channelId !== channel.id)
    return bad(t('status.elsewhere', { myChannel: session.channelId, theirChannel: channel.id }));
  if (channel.missing.length > 0) return bad(t('status.missing', { permissions: channel.missing, channel: channel.id }));
  if (me.serverMute) return bad(t('status.serverMute'));
  if (channel.isFull && session?.channelId !== channel.id) return bad(t('status.full', { channel: channel.id }));
  if (volume === 0) return bad(t('status.silent'));
  if (movingFrom !== null) return { state: 'wait', sentence: t('status.moving') };
  const connection = session?.channelId === channel.id ? connectionVerdict(t, session.state, facts.now) : null;
  if (connection?.state === 'bad') return connection;
  if ('problem' in service) return bad(t('status.service', { problem: service.problem }));
  if (spending.credit !== null) return bad(spending.credit);
  if (member.refusal !== null) return bad(member.refusal);
  if (connection) return connection;
  // The budgets have already paid for what is waiting or playing.
  const hasOwn = session !== null && session.length > 0 && session.before !== null;
  if (spending.budget !== null && !hasOwn) return bad(spending.budget);
  if (session && session.length > 0) {
    if (session.before === null) return { state: 'good', sentence: t('status.others') };
    return session.before > 0
      ? { state: 'wait', sentence: t('status.queued', { before: session.before }) }
      : { state: 'good', sentence: t('status.speaking') };
  }
  if (silence !== null) return { state: 'wait', sentence: silence };
  if ('ms' in service && service.ms > SLOW_SERVICE_MS) return { state: 'wait', sentence: t('status.slow', { seconds: service.ms / 1000 }) };
  return { state: 'good', sentence: t('status.ready') };
}

/** Null if packets are being sent, or the session is over. */
function connectionVerdict(t: Translator, { status, since }: SessionState, now: number): Verdict | null {
  if (status === 'ready' || status === 'closed') return null;
  const isSlow = now - since > SLOW_MS;
  return isSlow ? bad(t(`status.stuck.${status}`)) : { state: 'wait', sentence: t(`status.underWay.${status}`) };
}

function bad(sentence: string): Verdict {
  return { state: 'bad', sentence };
}
