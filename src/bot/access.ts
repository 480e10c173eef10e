// Who may make me speak and listen, and where: the rules of a server's admins, and a pause for members who ask too fast.
import {
  type Guild,
  type GuildMember,
  type Interaction,
  PermissionFlagsBits,
  type PermissionsBitField,
  type VoiceBasedChannel,
} from 'discord.js';
import type { SpendingKind } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import type { GuildSettings, Settings } from '../settings/index.ts';
import type { Checks } from './command.ts';
import { UserError } from './user-error.ts';

/** Who asks, and from where. */
export interface Requester {
  userId: string;
  roleIds: readonly string[];
  /** Admins are bound by no rule about roles and channels. */
  isAdmin: boolean;
  /** The channel that was typed in and, where that is a thread, the channel it is in. */
  channelIds: readonly string[];
}

type ChannelRules = Pick<GuildSettings, 'channels' | 'voiceChannels'>;
type Rules = ChannelRules & Pick<GuildSettings, 'roles' | 'muted'>;

/** What a channel is; null where there is none (any more). */
export type ChannelKindLookup = (channelId: string) => 'text' | 'voice' | null;

/**
 * The cause and the next step, where this asker may not; null where they may. What was deleted limits as before.
 * @param kind what it spends; null = nothing
 */
export function findRefusal(asker: Requester, rules: Rules, kind: SpendingKind | null, kindOf: ChannelKindLookup): string | null {
  if (kind === 'speech' && rules.muted.includes(asker.userId)) return en.access.muted;
  if (asker.isAdmin) return null;
  if (rules.roles.length > 0 && !rules.roles.some((id) => asker.roleIds.includes(id))) return en.access.roles(rules.roles);
  const voices = listVoiceChannels(rules, kindOf);
  const texts = rules.channels.filter((id) => !voices.includes(id));
  const isListed = rules.channels.some((id) => asker.channelIds.includes(id));
  if (texts.length === 0 || isListed) return null;
  const left = texts.filter(kindOf);
  return left.length > 0 ? en.access.channels(left) : en.access.channelsGone;
}

/** The same for the voice channel that is to be spoken in: voice channels bind where any is listed. */
export function findVoiceRefusal(channelId: string, isAdmin: boolean, rules: ChannelRules, kindOf: ChannelKindLookup): string | null {
  const voices = listVoiceChannels(rules, kindOf);
  if (isAdmin || voices.length === 0 || voices.includes(channelId)) return null;
  const left = voices.filter(kindOf);
  return left.length > 0 ? en.access.voiceChannels(left) : en.access.voiceChannelsGone;
}

/** @throws UserError where the admins do not want me to speak in this channel for this member */
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

/** Those of the listed channels that are voice channels, or were when they were last seen. */
export function listVoiceChannels({ channels, voiceChannels }: ChannelRules, kindOf: ChannelKindLookup): string[] {
  return channels.filter((id) => voiceChannels.includes(id) || kindOf(id) === 'voice');
}

/** What the rules need to know of an interaction; null outside of servers that I am a member of, where nobody has made rules. */
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

/** How many may be asked for at once, and in how many milliseconds they are there again. */
export interface CooldownOptions {
  burst: number;
  perMs: number;
}

/** A handful at once is a conversation; more is somebody trying out how much I take. */
const COOLDOWN: CooldownOptions = { burst: 5, perMs: 10_000 };

/** Of what costs nothing but asks the voice service: nobody reads pages faster than one a second. */
const BROWSING: CooldownOptions = { burst: 10, perMs: 10_000 };

/** Members who are remembered before those are forgotten that may ask as they like again. */
const REMEMBERED = 1_000;

/** Takes one of the member's, or says when there will be one again, in milliseconds since 1970. */
export function createCooldown({ burst, perMs }: CooldownOptions, now: () => number = Date.now): (userId: string) => number | null {
  const eachMs = perMs / burst;
  /** When all of a member's are there again. */
  const whole = new Map<string, number>();
  return (userId) => {
    const time = now();
    if (whole.size >= REMEMBERED) for (const [id, at] of whole) if (at <= time) whole.delete(id);
    const full = whole.get(userId) ?? 0;
    // Farther off only where the clock was set back; the member is not to wait for it to come round again.
    const next = (full > time + perMs ? time : Math.max(full, time)) + eachMs;
    if (next > time + perMs) return next - perMs;
    whole.set(userId, next);
    return null;
  };
}

export interface Access {
  /**
   * Checks the server's rules first, then the cooldown, so that a refusal does not count against the cooldown.
   * @throws UserError, StoreError
   */
  check(interaction: Interaction, checks: Checks): Promise<void>;
}

/** @param options `cooldown`: replaces both usual ones; `now` in milliseconds since 1970 */
export function createAccess(options: {
  settings: Pick<Settings, 'guild' | 'changeGuild'>;
  cooldown?: CooldownOptions;
  now?: () => number;
}): Access {
  const { settings, cooldown, now } = options;
  const takeSpending = createCooldown(cooldown ?? COOLDOWN, now);
  // Separate, so that a member who has turned many pages can still speak.
  const takeBrowsing = createCooldown(cooldown ?? BROWSING, now);

  /** @param kind what it costs; null = nothing */
  async function checkRules(interaction: Interaction, kind: SpendingKind | null): Promise<void> {
    const asker = requesterOf(interaction);
    if (!asker || !interaction.inCachedGuild()) return;
    const rules = await settings.guild(interaction.guildId);
    const kindOf = createChannelKindLookup(interaction.guild);
    // Settings of an earlier version do not say which channels are voice channels; after a channel is deleted, nothing else does.
    if (listVoiceChannels(rules, kindOf).some((id) => !rules.voiceChannels.includes(id))) {
      const update = settings.changeGuild(interaction.guildId, (before) => ({
        ...before,
        voiceChannels: listVoiceChannels(before, kindOf),
      }));
      // If it fails, the next command tries again.
      await update.catch(() => {});
    }
    const sentence = findRefusal(asker, rules, kind, kindOf);
    if (sentence) throw new UserError(sentence);
  }

  return {
    async check(interaction, { restricted, leadsToSpending, spends, browses }) {
      if (restricted) await checkRules(interaction, null);
      const kind = spends ?? leadsToSpending;
      if (kind) await checkRules(interaction, kind);
      if (!spends && !browses) return;
      const retryAt = (spends ? takeSpending : takeBrowsing)(interaction.user.id);
      if (retryAt !== null) throw new UserError(en.access.tooFast(retryAt));
    },
  };
}
