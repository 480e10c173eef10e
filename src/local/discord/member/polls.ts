// What a member does with polls: vote, take the vote back, and end their own.
import type { APIPoll } from 'discord-api-types/v10';
import { endPoll } from '../messages/poll-results.ts';
import type { Methods } from '../page/protocol.ts';
import { isPollOver, setVotes } from '../world/polls.ts';
import type { Message, World } from '../world/world.ts';
import type { MemberLookup } from './lookup.ts';

/** Both throw an Error with a sentence for the member. */
export function createPolling(world: World, userId: string, { requireChannel, requireMessage }: MemberLookup) {
  function requireOpenPoll({ channel_id, message_id }: { channel_id: string; message_id: string }): { message: Message; poll: APIPoll } {
    requireChannel(channel_id);
    const message = requireMessage(channel_id, message_id);
    if (!message.poll) throw new Error('This message has no poll.');
    if (isPollOver(message.poll)) throw new Error('The poll has ended.');
    return { message, poll: message.poll };
  }

  return {
    vote({ answer_ids, ...where }: Methods['vote']['params']): null {
      const { message, poll } = requireOpenPoll(where);
      const isKnown = (id: number) => poll.answers.some(({ answer_id }) => answer_id === id);
      if (!answer_ids.every(isKnown)) throw new Error('The poll has no such answer.');
      if (answer_ids.length > 1 && !poll.allow_multiselect) throw new Error('This poll takes one answer.');
      setVotes(world, message, userId, answer_ids);
      return null;
    },
    end_poll(where: Methods['end_poll']['params']): null {
      const { message, poll } = requireOpenPoll(where);
      if (message.author.id !== userId) throw new Error('You can only end your own polls.');
      endPoll(world, message, poll);
      return null;
    },
  };
}
