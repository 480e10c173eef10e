// The status of a voice channel, which is written above the people in it: while captions are on, it says so; then it is put back.
// https://docs.discord.com/developers/resources/channel#set-voice-channel-status
import {
  type GatewayChannelInfoDispatchData,
  GatewayDispatchEvents,
  GatewayOpcodes,
  PermissionFlagsBits,
  type VoiceBasedChannel,
} from 'discord.js';
import { within } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import type { Run } from './stored.ts';

interface ChannelStatus {
  /** What the status was before it said that captions are on; null = it doesn't say so. */
  readonly replaced: Run['status'];
  /** Says that captions are on. Never rejects. */
  show(): Promise<void>;
  /** Resolves when the status isn't about to be replaced. */
  settled(): Promise<void>;
  /** Somebody has changed the status, perhaps us. */
  changed(status: string | null): void;
  /** Puts back what it was, if it still says that captions are on. Never rejects. */
  restore(isConnected: boolean): Promise<void>;
}

interface ChannelStatusOptions {
  voice: VoiceBasedChannel;
  /** What another process has replaced. */
  replaced: Run['status'];
  /** In the server's language, which may change. */
  sentence(): string;
  log: Log;
  /** Replaces the milliseconds for Discord to say what the status is. */
  askStatusMs?: number | undefined;
}

export function createChannelStatus({ voice, replaced: replacedBefore, sentence, log, askStatusMs }: ChannelStatusOptions): ChannelStatus {
  let replaced = replacedBefore;
  let showing: Promise<void> = Promise.resolve();

  return {
    get replaced() {
      return replaced;
    },
    show() {
      showing = showStatus(voice, sentence(), log, askStatusMs).then((shown) => {
        replaced = shown;
      });
      return showing;
    },
    settled: () => showing,
    changed(status) {
      // A status that somebody else has written stays.
      if (replaced !== null && status !== sentence()) replaced = null;
    },
    async restore(isConnected) {
      if (replaced !== null) await restoreStatus(voice, replaced.before, isConnected, log);
    },
  };
}

/** Milliseconds for Discord to say what is written there now. */
const ASK_MS = 2_000;

/**
 * Replaces the status, if the bot may. Resolves with what it was, or with null if it stays as it is. Never rejects.
 * @param askMs how long Discord may take to say what it was
 */
async function showStatus(channel: VoiceBasedChannel, status: string, log: Log, askMs = ASK_MS): Promise<{ before: string | null } | null> {
  const { me } = channel.guild.members;
  if (!me || !channel.permissionsFor(me).has(PermissionFlagsBits.SetVoiceChannelStatus)) return null;
  const before = await askStatus(channel, askMs);
  // A status that can't be put back isn't replaced.
  return before !== undefined && (await setStatus(channel, status, log)) ? { before } : null;
}

/**
 * Puts back what the status was, if the bot may. A bot that a moderator has moved or disconnected needs Manage Channels for that; without it,
 * the status goes on saying that captions are on until somebody changes it or everybody has left, when Discord clears it. Never rejects.
 */
export async function restoreStatus(channel: VoiceBasedChannel, before: string | null, isConnected: boolean, log: Log): Promise<void> {
  const { me } = channel.guild.members;
  const { SetVoiceChannelStatus, ManageChannels } = PermissionFlagsBits;
  const needed = isConnected ? SetVoiceChannelStatus : SetVoiceChannelStatus | ManageChannels;
  if (channel.members.size > 0 && me && channel.permissionsFor(me).has(needed)) await setStatus(channel, before, log);
}

/** Resolves with whether it worked; never rejects. */
async function setStatus({ id, client }: VoiceBasedChannel, status: string | null, log: Log): Promise<boolean> {
  try {
    await client.rest.put(`/channels/${id}/voice-status`, { body: { status } });
    return true;
  } catch (error) {
    log.warn(describeError(error), 'could not set the status of a voice channel');
    return false;
  }
}

/** Undefined if Discord doesn't say. Never rejects. */
async function askStatus({ id, guild, client }: VoiceBasedChannel, askMs: number): Promise<string | null | undefined> {
  const { promise: status, resolve } = Promise.withResolvers<string | null>();
  const onInfo = (info: GatewayChannelInfoDispatchData | null) => {
    if (info?.guild_id === guild.id) resolve(info.channels?.find((channel) => channel.id === id)?.status ?? null);
  };
  client.ws.on(GatewayDispatchEvents.ChannelInfo, onInfo);
  try {
    guild.shard.send({ op: GatewayOpcodes.RequestChannelInfo, d: { guild_id: guild.id, fields: ['status'] } });
    return await within(askMs, status);
  } catch {
    // The shard is closed here.
    return undefined;
  } finally {
    client.ws.off(GatewayDispatchEvents.ChannelInfo, onInfo);
  }
}
