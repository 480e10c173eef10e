// Words of members that are in messages of ours: captions, their transcripts, and answers to voice messages. It is known whose they are before
// they are posted; each place has one queue; and what is to be deleted is noted, and tried until Discord has done it.
//
//   channel.ts   our messages in a channel, archived threads and refusals
//   lines.ts     messages made of lines: whose each is
//   removals.ts  what is to be deleted
//   stops.ts     what is being done for somebody, and isn't to be finished
import { createInTurnByKey } from '../async/waiting.ts';
import { openWordsChannel, type WordsChannel } from './channel.ts';
import { createPostedLines, type PostedLines } from './lines.ts';
import { createRemovals, type InTurnByKey, type Removals, type RemovalsOptions } from './removals.ts';
import { createStops, type Stops } from './stops.ts';

export interface PostedWords extends Stops {
  /** Changes in one place, usually a channel, one after another. One must not wait for another in its own place. */
  inTurn: InTurnByKey;
  channel(channelId: string): WordsChannel;
  lines: PostedLines;
  removals: Removals;
  /** Forgets whose lines captions had, and what members deleted of them, except for what is still to be deleted. @throws StoreError */
  forgetCaptions(guildId: string, panelId: string): Promise<void>;
}

interface PostedWordsOptions extends Omit<RemovalsOptions, 'inTurn'> {
  /** Whether there are other processes. */
  isShared: boolean;
}

export function createPostedWords(options: PostedWordsOptions): PostedWords {
  const { client, store, log } = options;
  const inTurn = createInTurnByKey<string>();
  const lines = createPostedLines(store, log);
  const removals = createRemovals({ ...options, inTurn });
  return {
    inTurn,
    ...createStops(store, options.isShared),
    channel: (channelId) => openWordsChannel(client, channelId, log),
    lines,
    removals,
    async forgetCaptions(guildId, panelId) {
      await removals.forgetCaptions(panelId, 'done');
      await lines.forgetAll(guildId, await removals.membersLeftIn(guildId));
    },
  };
}
