// The crowd: other members who chat by themselves, so that one person can try what happens among several.
import { type APIMessage, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { AttachmentStore } from '../messages/attachments.ts';
import { hasPermissions } from '../world/permissions.ts';
import { stickerPack } from '../world/stickers.ts';
import { type Channel, findMessage, guildOf, type World } from '../world/world.ts';
import { CROWD_LINES, CROWD_REACTIONS } from './crowd-lines.ts';
import { createWriting } from './writing.ts';

const MAX_WRITERS = 3;
/** After this it ends by itself: about eight minutes. */
const MAX_ACTS = 100;
/** Share of the time between two messages that is spent typing. */
const TYPING_SHARE = 0.4;
/** The messages that it answers and reacts to. */
const RECENT = 6;

type Act = 'write' | 'reply' | 'react' | 'edit' | 'delete' | 'sticker';

/** Done in random order, then again. */
const ROUND: Act[] = [
  'write',
  'write',
  'write',
  'write',
  'write',
  'write',
  'write',
  'reply',
  'reply',
  'react',
  'edit',
  'delete',
  'sticker',
];

interface Dependencies {
  world: World;
  attachments: AttachmentStore;
  /** The member who watches, and takes no part. */
  userId: string;
  /** Whether somebody is acting as this member already. */
  isPresent: (userId: string) => boolean;
  /** In ms, how far apart its messages are on average. */
  paceMs: number;
  /** Where it chats now; null once it has ended. */
  onChange: (channelId: string | null) => void;
}

export function createCrowd({ world, attachments, userId, isPresent, paceMs, onChange }: Dependencies) {
  let timer: NodeJS.Timeout | undefined;
  /** What the crowd wrote last, by its author. */
  let latest: APIMessage | undefined;

  /** Starts in this channel, or moves there. @throws Error with a sentence for the member */
  function start(channel: Channel): void {
    const writers = [...(guildOf(world, channel)?.members.values() ?? [])]
      .filter(({ user }) => !user.bot && user.id !== userId && !isPresent(user.id))
      .filter(({ user }) => hasPermissions(world, user.id, channel, P.SendMessages))
      .slice(0, MAX_WRITERS);
    if (writers.length === 0) throw new Error('There is nobody else here who could write.');
    clearTimeout(timer);
    latest = undefined;
    const nextWriter = deal(writers.map(({ user }) => user.id));
    const nextAct = deal(ROUND);
    const nextLine = deal(CROWD_LINES);
    const nextReaction = deal(CROWD_REACTIONS);
    const nextSticker = deal(stickerPack.stickers.map(({ id }) => id));
    let left = MAX_ACTS;
    onChange(channel.id);
    // The first message comes soon, to show that it works.
    type('write');

    function type(act: Act = nextAct()): void {
      if (left-- === 0) {
        stop();
        return;
      }
      const writer = (act === 'edit' || act === 'delete' ? latest?.author.id : undefined) ?? nextWriter();
      if (act !== 'react' && act !== 'delete')
        world.emit({ t: 'TYPING_START', d: { user_id: writer, channel_id: channel.id }, channel, to: 'members' });
      // Between half and one and a half times the pace.
      const wait = paceMs * (0.5 + Math.random());
      timer = setTimeout(() => perform(act, writer, wait * (1 - TYPING_SHARE)), wait * TYPING_SHARE);
    }

    function perform(act: Act, writer: string, pause: number): void {
      try {
        write(act, writer);
        timer = setTimeout(() => type(), pause);
      } catch {
        // The channel is gone, or nobody may write there any more.
        stop();
      }
    }

    function write(act: Act, writer: string): void {
      const methods = createWriting(world, writer, attachments);
      const where = { channel_id: channel.id };
      const recent = (world.messages.get(channel.id) ?? []).filter(({ visibleTo }) => visibleTo === undefined).slice(-RECENT);
      if (latest && !findMessage(world, channel.id, latest.id)) latest = undefined;
      const other = recent.findLast(({ author }) => author.id !== writer);
      if (act === 'edit' && latest)
        latest = methods.edit_message({ ...where, message_id: latest.id, content: `${latest.content} Really!` });
      else if (act === 'delete' && latest) {
        methods.delete_message({ ...where, message_id: latest.id });
        latest = undefined;
      } else if (act === 'react' && other) methods.add_reaction({ ...where, message_id: other.id, emoji: nextReaction() });
      else if (act === 'sticker') methods.send_message({ ...where, sticker_ids: [nextSticker()] });
      else {
        const reply = act === 'reply' && other ? { reply_to: { message_id: other.id, mention: false } } : {};
        latest = methods.send_message({ ...where, content: nextLine(), ...reply });
      }
    }
  }

  function stop(): void {
    if (!timer) return;
    clearTimeout(timer);
    timer = undefined;
    onChange(null);
  }

  return { start, stop };
}

/** Returns the items one by one in random order, and then again. */
export function deal<T>(items: readonly T[]): () => T {
  let hand: T[] = [];
  return () => {
    if (hand.length === 0)
      hand = items
        .map((item) => ({ item, at: Math.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item);
    return hand.pop() as T;
  };
}
