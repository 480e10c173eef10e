// /status: why do I hear nothing? The most probable cause first, then how everything stands.
import {
  type APIEmbed,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  type ChatInputCommandInteraction,
  InteractionContextType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord.js';
import type { Api } from '../src/api/index.ts';
import { ApiError } from '../src/api/index.ts';
import { createChannelKindLookup, findRefusal, findVoiceRefusal, isAdmin, requesterOf } from '../src/bot/access.ts';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { explainError } from '../src/bot/error-boundary.ts';
import type { IsOperator } from '../src/bot/operators.ts';
import { findMuteReason, listMissingPermissions } from '../src/bot/permissions.ts';
import type { CreditService } from '../src/credit/index.ts';
import { en } from '../src/locales/en/index.ts';
import type { Settings } from '../src/settings/index.ts';
import { diagnose, type Facts, type Service } from '../src/status/diagnosis.ts';
import { statusEmbed } from '../src/status/view.ts';
import { asMarkdown } from '../src/text/untrusted-text.ts';
import type { IsServerMuted } from '../src/voice/server-mutes.ts';
import type { Sessions } from '../src/voice/types.ts';

/** Whoever asks waits for it. */
const SERVICE_MS = 5_000;

interface StatusContext extends InteractionContext {
  api: Api;
  sessions: Sessions;
  settings: Settings;
  credit: CreditService;
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
}

export const status = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'status',
    description: 'Why do I hear nothing? Shows what is wrong, and what to do',
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild],
  },

  browses: true,

  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const [service, credit, facts] = await Promise.all([
      askService(context),
      creditFor(interaction, context),
      factsOf(interaction, context),
    ]);
    const all = { ...facts, service };
    const here = {
      viewChannel: interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
      sendMessages: interaction.appPermissions.has(PermissionFlagsBits.SendMessages),
    };
    const embed: APIEmbed = statusEmbed(all, diagnose(all), { here, credit });
    await interaction.editReply({ embeds: [embed] });
  },
} satisfies SlashCommand<StatusContext>;

/** The cheapest call there is. Never rejects. */
async function askService({ api, signal }: StatusContext): Promise<Service> {
  const limit = AbortSignal.timeout(SERVICE_MS);
  const before = performance.now();
  try {
    await api.listModels({ pageSize: 1 }, { signal: AbortSignal.any([signal, limit]) });
    return { ms: performance.now() - before };
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unsupported') return { unknown: en.status.noCatalogue };
    return { problem: limit.aborted ? en.status.noAnswer(SERVICE_MS / 1000) : (explainError(error) ?? asMarkdown(String(error), 200)) };
  }
}

/** The balance as the service gives it; null for who is no operator. Never rejects. */
async function creditFor({ user }: ChatInputCommandInteraction, { api, isOperator, signal }: StatusContext): Promise<string | null> {
  if (!(await isOperator(user.id))) return null;
  try {
    const { credit } = await api.getCredit({ signal: AbortSignal.any([signal, AbortSignal.timeout(SERVICE_MS)]) });
    return credit;
  } catch (error) {
    return error instanceof ApiError && error.kind === 'aborted' ? en.status.noAnswer(SERVICE_MS / 1000) : (explainError(error) ?? '?');
  }
}

async function factsOf(interaction: ChatInputCommandInteraction, context: StatusContext): Promise<Omit<Facts, 'service'>> {
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
  const asker = requesterOf(interaction);
  const inside = channel ? guild.voiceStates.cache.filter(({ channelId }) => channelId === channel.id).size : 0;
  const mayMove = me && channel?.permissionsFor(me).has(PermissionFlagsBits.MoveMembers);
  const own = session?.items().find(({ memberId }) => memberId === member.id);
  return {
    now,
    inGuild: true,
    channel: channel && {
      id: channel.id,
      isStage: channel.type === ChannelType.GuildStageVoice,
      isFull: channel.userLimit > 0 && inside >= channel.userLimit && !mayMove,
      missing: me ? listMissingPermissions(channel, me) : [],
    },
    member: {
      selfDeaf: selfDeaf ?? false,
      serverDeaf: serverDeaf ?? false,
      refusal:
        (asker && findRefusal(asker, settings, 'speech', kindOf)) ??
        (channel && findVoiceRefusal(channel.id, isAdmin(interaction.memberPermissions), settings, kindOf)) ??
        (channel && findMuteReason(channel, member, context.isServerMuted(member))),
    },
    me: { serverMute: me?.voice.serverMute ?? false },
    session: session
      ? { channelId: session.channelId, state: session.state, length: session.length, before: own ? own.position : null }
      : null,
    volume: settings.volume,
    spending: { credit: credit && en.errors.api(credit), budget: budget && en.errors.budget(budget) },
  };
}
