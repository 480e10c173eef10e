// What Discord says about messages, and which features hear of it. Nothing is read aloud, transcribed or answered of the bot's own messages.
import { type APIMessage, type Client, Events, GatewayDispatchEvents, type Message, type PartialMessage, SnowflakeUtil } from 'discord.js';
import type { Reading } from '../reading/types.ts';
import type { VoiceMessages } from '../transcription/voice-messages/types.ts';

interface Listeners {
  reading: Pick<Reading, 'handleMessage' | 'handleEdit' | 'handleDeletion'>;
  voiceMessages: Pick<VoiceMessages, 'handleMessage' | 'handleEdit' | 'handleDeletion'>;
  /** Called with what is written to the bot directly. */
  handleDirectMessage(message: APIMessage): void;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Listens to the client's events at once. Returns a function that ends that. */
export function watchMessages(client: Client<true>, { reading, voiceMessages, handleDirectMessage, now }: Listeners): () => void {
  const clock = createMessageClock(client, now);
  const isOurs = ({ author }: Message | PartialMessage) => author?.id === client.user.id;

  function onMessage(message: Message): void {
    // Called for every message: each helps the clock.
    const age = clock.ageOf(message.id);
    if (isOurs(message)) return;
    reading.handleMessage(message, age);
    if (message.attachments.size > 0 || message.messageSnapshots.size > 0) voiceMessages.handleMessage(message);
  }

  function onEdit(_: unknown, message: Message | PartialMessage): void {
    if (isOurs(message)) return;
    reading.handleEdit(message);
    voiceMessages.handleEdit(message);
  }

  function onDelete(message: Message | PartialMessage): void {
    reading.handleDeletion(message);
    voiceMessages.handleDeletion(message);
  }

  const listeners = [
    [Events.MessageCreate, onMessage],
    [Events.MessageUpdate, onEdit],
    [Events.MessageDelete, onDelete],
    [Events.MessageBulkDelete, (messages: Map<string, Message | PartialMessage>) => messages.forEach(onDelete)],
  ] as const;
  for (const [event, listener] of listeners) client.on(event, listener as () => void);
  // discord.js doesn't pass on what is written in a direct channel that it hasn't seen before.
  client.ws.on(GatewayDispatchEvents.MessageCreate, (message: (APIMessage & { guild_id?: string }) | null) => {
    if (message?.author && message.guild_id === undefined) handleDirectMessage(message);
  });

  return () => {
    clock.close();
    for (const [event, listener] of listeners) client.off(event, listener as () => void);
  };
}

// How old a message is when it arrives. After an outage of the gateway, Discord sends everything written meanwhile, which is no longer
// news.

export interface MessageClock {
  /** Seconds since the message was written, 0 at least. Call it when the message arrives. */
  ageOf(messageId: string): number;
  close(): void;
}

/** Milliseconds over which this machine's clock is compared with Discord's. */
const WINDOW_MS = 10 * 60_000;
/** Milliseconds by which the clock must have been set, or the machine suspended, for earlier comparisons to say nothing about it any more. */
const STEP_MS = 1_000;

/**
 * Ids tell when a message was written by Discord's clock, and this machine's may be wrong, or be set. So the quickest of the latest messages
 * counts as just written, the first one included, unless it came while the gateway was catching up.
 * @param now milliseconds since 1970
 */
export function createMessageClock(client: Client, now: () => number = Date.now): MessageClock {
  const catchingUp = new Set<number>();
  const onLost = (shardId: number) => void catchingUp.add(shardId);
  const onBack = (shardId: number) => void catchingUp.delete(shardId);
  const onGone = (_: unknown, shardId: number) => onBack(shardId);
  client.on(Events.ShardReconnecting, onLost);
  client.on(Events.ShardResume, onBack);
  client.on(Events.ShardReady, onBack);
  client.on(Events.ShardDisconnect, onGone);
  /** How far the clock is ahead of the steady one, which nobody sets. */
  const lead = () => now() - performance.now();
  let knownLead = lead();
  let since = now();
  /** The least differences between the clocks in this window and the one before. */
  let current = Number.POSITIVE_INFINITY;
  let previous = Number.POSITIVE_INFINITY;

  function startOver(): void {
    knownLead = lead();
    since = now();
    current = Number.POSITIVE_INFINITY;
    previous = Number.POSITIVE_INFINITY;
  }

  function note(difference: number): void {
    if (now() - since > WINDOW_MS) {
      previous = current;
      current = Number.POSITIVE_INFINITY;
      since = now();
    }
    current = Math.min(current, difference);
  }

  return {
    ageOf(messageId) {
      if (Math.abs(lead() - knownLead) > STEP_MS) startOver();
      const difference = now() - SnowflakeUtil.timestampFrom(messageId);
      if (catchingUp.size === 0) note(difference);
      const least = Math.min(current, previous);
      // While nothing can be compared, this machine's clock has to do.
      return Math.max(0, difference - (Number.isFinite(least) ? least : 0)) / 1000;
    },
    close() {
      client.off(Events.ShardReconnecting, onLost);
      client.off(Events.ShardResume, onBack);
      client.off(Events.ShardReady, onBack);
      client.off(Events.ShardDisconnect, onGone);
    },
  };
}
