// Gathers what /status needs to know: the voice service, the member's voice channel, the session, and what the member may spend.
import { ChannelType, type ChatInputCommandInteraction, PermissionFlagsBits } from 'discord.js';
import { type Api, ApiError } from '../api/index.ts';
import { createChannelKindLookup, findRefusal, findVoiceRefusal, isAdmin, requesterOf } from '../bot/access.ts';
import type { InteractionContext } from '../bot/command.ts';
import { explainError } from '../bot/error-boundary.ts';
import { apiSentence, budgetSentence } from '../bot/error-sentences.ts';
import type { IsOperator } from '../bot/operators.ts';
import { findMuteReason, listMissingPermissions, nameInDiscord } from '../bot/permissions.ts';
import type { CreditService } from '../credit/index.ts';
import type { Settings } from '../settings/index.ts';
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
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
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

/** The balance as the service returns it; null unless an operator asks. Never rejects. */
export async function fetchBalance(
  { user }: ChatInputCommandInteraction,
  { api, isOperator, signal, words }: StatusContext,
): Promise<string | null> {
  if (!(await isOperator(user.id))) return null;
  try {
    const { credit } = await api.getCredit({ signal: AbortSignal.any([signal, AbortSignal.timeout(SERVICE_MS)]) });
    return credit;
  } catch (error) {
    return error instanceof ApiError && error.kind === 'aborted'
      ? words.status.noAnswer(SERVICE_MS / 1000)
      : (explainError(error)?.(words) ?? '?');
  }
}

/** Everything but the state of the voice service. @throws StoreError */
export async function gatherFacts(interaction: ChatInputCommandInteraction, context: StatusContext): Promise<Omit<Facts, 'service'>> {
  const now = Date.now();
  if (!interaction.inCachedGuild()) {
    const member = { selfDeaf: false, serverDeaf: false, refusal: null };
    const spending = { credit: null, budget: null };
    return { now, inGuild: false, channel: null, member, me: { serverMute: false }, session: null, volume: 1, spending };
  }
  const { guild, member } = interaction;
  const [settings, { credit, budget }] = await Promise.all([
    context.settings.guild(guild.id),
    context.credit.checkSpending({ kind: 'speech', amount: 1, guildId: guild.id, memberId: member.id }),
  ]);
  const session = context.sessions.get(guild.id);
  const { me } = guild.members;
  const { channel, selfDeaf, serverDeaf } = member.voice;
  const kindOf = createChannelKindLookup(guild);
  const requester = requesterOf(interaction);
  const inside = channel ? guild.voiceStates.cache.filter(({ channelId }) => channelId === channel.id).size : 0;
  const canMove = me && channel?.permissionsFor(me).has(PermissionFlagsBits.MoveMembers);
  const own = session?.items().find(({ memberId }) => memberId === member.id);
  const refusal =
    (requester && findRefusal(requester, settings, 'speech', kindOf)) ??
    (channel && findVoiceRefusal(channel.id, isAdmin(interaction.memberPermissions), settings, kindOf)) ??
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
    volume: settings.volume,
    spending: { credit: credit && apiSentence(context.words, credit), budget: budget && budgetSentence(context.words, budget) },
  };
}
