// Who may use the bot, and where: the rules a server's admins have set, and cooldowns for members who ask too fast.
import {
  type Guild,
  type GuildMember,
  type Interaction,
  PermissionFlagsBits,
  type PermissionsBitField,
  type VoiceBasedChannel,
} from 'discord.js';
import type { SpendingKind } from '../charging/index.ts';
import type { Sentence } from '../locales/index.ts';
import type { GuildSettings, Settings } from '../store/settings.ts';
import type { Checks } from './command.ts';
import { UserError } from './errors.ts';

/** Who asks, and from where. */
export interface Requester {
  userId: string;
  roleIds: readonly string[];
  /** Admins are exempt from the rules about roles and channels. */
  isAdmin: boolean;
  /** The channel the interaction came from and, for a thread, its parent. */
  channelIds: readonly string[];
}

type ChannelRules = Pick<GuildSettings, 'channels' | 'voiceChannels'>;
type Rules = ChannelRules & Pick<GuildSettings, 'roles' | 'muted'>;

/** Returns the kind of a channel; null if it does not exist (any more). */
export type ChannelKindLookup = (channelId: string) => 'text' | 'voice' | null;

/** For everything that costs credit. A handful at once is a conversation. */
const SPENDING_COOLDOWN: CooldownOptions = { burst: 5, perMs: 10_000 };

/** For what is free but calls the voice service. Nobody reads pages faster than one a second. */
const BROWSING_COOLDOWN: CooldownOptions = { burst: 10, perMs: 10_000 };

/** For files that members import. Nobody corrects one faster. */
const FILE_COOLDOWN: CooldownOptions = { burst: 1, perMs: 30_000 };

export interface Access {
  /**
   * Checks the server's rules first, then the cooldown, so that a refusal does not count against the cooldown.
   * @throws UserError, StoreError
   */
  check(interaction: Interaction, checks: Checks, settings: Pick<Settings, 'guild'>): Promise<void>;
  /** Counts something that costs credit against the member's cooldown, though nobody used a command. */
  takeSpending: Cooldown;
}

/** @param options `cooldown` replaces the usual ones; `now` in milliseconds since 1970 */
export function createAccess({ cooldown, now }: { cooldown?: CooldownOptions | undefined; now?: () => number }): Access {
  const takeSpending = createCooldown(cooldown ?? SPENDING_COOLDOWN, now);
  // Separate allowances: a member who has turned many pages can still speak.
  const takeBrowsing = createCooldown(cooldown ?? BROWSING_COOLDOWN, now);
  const takeFile = createCooldown(cooldown ?? FILE_COOLDOWN, now);

  /** @param kind what it costs; null = nothing */
  async function checkRules(interaction: Interaction, kind: SpendingKind | null, settings: Pick<Settings, 'guild'>): Promise<void> {
    const requester = requesterOf(interaction);
    if (!requester || !interaction.inCachedGuild()) return;
    const rules = await settings.guild(interaction.guildId);
    const kindOf = createChannelKindLookup(interaction.guild);
    const sentence = findRefusal(requester, rules, kind, kindOf);
    if (sentence) throw new UserError(sentence);
  }

  return {
    takeSpending,
    async check(interaction, { restricted, leadsToSpending, spends, browses, readsFile, asksForFile }, settings) {
      const kind = spends ?? leadsToSpending ?? null;
      if (restricted || kind) await checkRules(interaction, kind, settings);
      const take = (spends && takeSpending) || (browses && takeBrowsing) || (readsFile && takeFile) || null;
      const { id } = interaction.user;
      const retryAt = take?.(id) ?? (asksForFile ? takeFile(id, { onlyAsk: true }) : null);
      if (retryAt !== null) throw new UserError((t) => t('access.tooFast', { again: retryAt }));
    },
  };
}

/** Nobody reads a longer list of roles or channels. */
const MAX_NAMED = 5;

/**
 * Explains to a member why the rules refuse them; null if they do not. A deleted role or channel keeps limiting.
 * @param kind what it costs; null = nothing
 */
export function findRefusal(requester: Requester, rules: Rules, kind: SpendingKind | null, kindOf: ChannelKindLookup): Sentence | null {
  if (kind === 'speech' && rules.muted.includes(requester.userId)) return (t) => t('access.muted', { isAdmin: requester.isAdmin });
  if (requester.isAdmin) return null;
  if (rules.roles.length > 0 && !rules.roles.some((id) => requester.roleIds.includes(id)))
    return (t) => (rules.roles.length <= MAX_NAMED ? t('access.roles', { roles: rules.roles }) : t('access.certainRoles'));
  const voiceChannels = listVoiceChannels(rules, kindOf);
  const textChannels = rules.channels.filter((id) => !voiceChannels.includes(id));
  const isAllowed = rules.channels.some((id) => requester.channelIds.includes(id));
  if (textChannels.length === 0 || isAllowed) return null;
  const existing = textChannels.filter(kindOf);
  if (existing.length === 0) return (t) => t('access.channelsGone');
  return (t) => (existing.length <= MAX_NAMED ? t('access.channels', { channels: existing }) : t('access.certainChannels'));
}

/**
 * Explains to a member why the rules don't allow them to speak in this voice channel; null if they do. If any voice channel is listed, only
 * listed ones are allowed.
 */
export function findVoiceRefusal(channelId: string, isAdmin: boolean, rules: ChannelRules, kindOf: ChannelKindLookup): Sentence | null {
  const allowed = listVoiceChannels(rules, kindOf);
  if (isAdmin || allowed.length === 0 || allowed.includes(channelId)) return null;
  const existing = allowed.filter(kindOf);
  if (existing.length === 0) return (t) => t('access.voiceChannelsGone');
  return (t) => (existing.length <= MAX_NAMED ? t('access.voiceChannels', { channels: existing }) : t('access.certainVoiceChannels'));
}

/** @throws UserError if the rules do not allow speaking in this channel for this member */
export function checkVoiceRules(channel: VoiceBasedChannel, member: GuildMember, rules: ChannelRules): void {
  const sentence = findVoiceRefusal(channel.id, isAdmin(member.permissions), rules, createChannelKindLookup(channel.guild));
  if (sentence) throw new UserError(sentence);
}

export function isAdmin(permissions: Readonly<PermissionsBitField> | null): boolean {
  return permissions?.has(PermissionFlagsBits.ManageGuild) ?? false;
}

export function createChannelKindLookup(guild: Guild | null): ChannelKindLookup {
  return (id) => {
    const channel = guild?.channels.cache.get(id);
    if (!channel) return null;
    return channel.isVoiceBased() ? 'voice' : 'text';
  };
}

/** The listed channels that are voice channels, or were when last seen. */
export function listVoiceChannels({ channels, voiceChannels }: ChannelRules, kindOf: ChannelKindLookup): string[] {
  return channels.filter((id) => voiceChannels.includes(id) || kindOf(id) === 'voice');
}

/** Null outside of guilds the bot is a member of, where nobody has set rules. */
export function requesterOf(interaction: Interaction): Requester | null {
  if (!interaction.inCachedGuild()) return null;
  const { channel, channelId } = interaction;
  const parentId = channel?.isThread() ? channel.parentId : null;
  return {
    userId: interaction.user.id,
    roleIds: [...interaction.member.roles.cache.keys()],
    isAdmin: isAdmin(interaction.memberPermissions),
    channelIds: [channelId, parentId].filter((id) => id != null),
  };
}

// A cooldown per member: a burst at once, then one request at a time as the allowance refills.

export interface CooldownOptions {
  /** How many requests may come at once. */
  burst: number;
  /** Milliseconds until a whole burst is available again. */
  perMs: number;
}

/**
 * Takes one request from the member's allowance, unless it's only asked whether there is one.
 * @returns null, or if none is left, when the next one is: milliseconds since 1970
 */
export type Cooldown = (userId: string, options?: { onlyAsk?: boolean }) => number | null;

/** Above this many members, those with a full allowance are forgotten. */
const MAX_REMEMBERED = 1_000;

/** @param now milliseconds since 1970 */
export function createCooldown({ burst, perMs }: CooldownOptions, now: () => number = Date.now): Cooldown {
  const intervalMs = perMs / burst;
  /** When each member's allowance is full again. */
  const fullAt = new Map<string, number>();
  return (userId, { onlyAsk = false } = {}) => {
    const time = now();
    if (fullAt.size >= MAX_REMEMBERED) for (const [id, at] of fullAt) if (at <= time) fullAt.delete(id);
    const before = fullAt.get(userId) ?? 0;
    // The time can be further away only if the clock was set back, and the member should not have to wait that out.
    const after = (before > time + perMs ? time : Math.max(before, time)) + intervalMs;
    if (after > time + perMs) return after - perMs;
    if (!onlyAsk) fullAt.set(userId, after);
    return null;
  };
}
