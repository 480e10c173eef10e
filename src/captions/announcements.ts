// How people in a voice channel learn that captions are on: a sentence that is spoken, and the channel's status.
import { randomUUID } from 'node:crypto';
import {
  type GatewayChannelInfoDispatchData,
  GatewayDispatchEvents,
  GatewayOpcodes,
  PermissionFlagsBits,
  type VoiceBasedChannel,
} from 'discord.js';
import { within } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import { inPlace } from '../locales/in-place.ts';
import type { Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { estimateSeconds, makeSpeakable, type SpeechEngine } from '../synthesis/index.ts';
import type { Playback, Session } from '../voice-session/types.ts';

/** Milliseconds between two sentences, unless told otherwise. */
const SAY_AGAIN_MS = 60_000;

export interface Announcer {
  /** Says that captions are on, once whatever is being spoken has ended. */
  begin(): void;
  /** Members who haven't decided have joined: says it to them, at most once a minute, unless they have decided or left by then. */
  joined(userIds: readonly string[]): void;
  /** Makes no more announcements, and ends the one that is being spoken. Resolves once it has ended. */
  close(): Promise<void>;
}

export interface AnnouncerOptions {
  guildId: string;
  speech: SpeechEngine;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  ownId: string;
  /** In the server's language, which may change. */
  translator(): Translator;
  session: Session;
  /** Those in the voice channel who haven't decided. */
  listUndecided(): string[];
  /** Replaces the milliseconds between two sentences. */
  sayAgainMs?: number | undefined;
}

/** No budget pays for announcements. */
export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const { guildId, speech, defaultVoice, ownId, session, sayAgainMs = SAY_AGAIN_MS } = options;
  let saidAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let latest: Playback | null = null;
  /** Members to whom it hasn't been said yet. */
  const newcomers = new Set<string>();

  function say(which: 'begin' | 'joined'): void {
    const t = options.translator();
    const text = makeSpeakable(t(`captions.spoken.${which}`), inPlace(t));
    if (text === null || session.state.status === 'closed') return;
    saidAt = performance.now();
    // The operator's default voice may be gone from the service.
    const fallbackIds = defaultVoice === null ? [] : [null];
    const utterance = speech.utterance({ text, referenceId: defaultVoice, scope: { guildId } }, { fallbackIds, memberId: ownId });
    latest = session.enqueue(utterance, {
      id: randomUUID(),
      memberId: ownId,
      background: true,
      label: { voice: null, text: null, seconds: estimateSeconds(text) },
    });
  }

  return {
    begin: () => say('begin'),
    joined(userIds) {
      for (const id of userIds) newcomers.add(id);
      if (newcomers.size === 0) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          if (options.listUndecided().some((id) => newcomers.has(id))) say('joined');
          newcomers.clear();
        },
        Math.max(0, saidAt + sayAgainMs - performance.now()),
      );
    },
    async close() {
      clearTimeout(timer);
      if (latest) session.remove(latest.id);
      await latest?.finished;
    },
  };
}

// What is written above the people in a voice channel. https://docs.discord.com/developers/resources/channel#set-voice-channel-status

/** Milliseconds for Discord to say what is written there now. */
const ASK_MS = 2_000;

/**
 * Replaces the status, if the bot may. Resolves with what it was, or with null if it stays as it is. Never rejects.
 * @param askMs how long Discord may take to say what it was
 */
export async function showStatus(
  channel: VoiceBasedChannel,
  status: string,
  log: Log,
  askMs = ASK_MS,
): Promise<{ before: string | null } | null> {
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

/** Undefined if Discord doesn't say. */
async function askStatus({ id, guild, client }: VoiceBasedChannel, askMs: number): Promise<string | null | undefined> {
  const { promise: status, resolve } = Promise.withResolvers<string | null>();
  const onInfo = (info: GatewayChannelInfoDispatchData | null) => {
    if (info?.guild_id === guild.id) resolve(info.channels?.find((channel) => channel.id === id)?.status ?? null);
  };
  client.ws.on(GatewayDispatchEvents.ChannelInfo, onInfo);
  guild.shard.send({ op: GatewayOpcodes.RequestChannelInfo, d: { guild_id: guild.id, fields: ['status'] } });
  return within(askMs, status).finally(() => client.ws.off(GatewayDispatchEvents.ChannelInfo, onInfo));
}
