// Ends polls, with the message that says which answer has won.
import { type APIPoll, EmbedType, MessageReferenceType, MessageType } from 'discord-api-types/v10';
import { addMessage } from '../world/messages.ts';
import { markPollEnded } from '../world/polls.ts';
import type { Message, World } from '../world/world.ts';
import { createBlankMessage } from './messages.ts';

/** Ends a poll early. One that the clock ends is not announced. */
export function endPoll(world: World, message: Message, poll: APIPoll): void {
  markPollEnded(world, message, poll);
  const votes = message.votedBy ?? [];
  const total = votes.reduce((sum, { userIds }) => sum + userIds.length, 0);
  const most = Math.max(0, ...votes.map(({ userIds }) => userIds.length));
  const winners = votes.filter(({ userIds }) => most > 0 && userIds.length === most);
  const winner = winners.length === 1 ? poll.answers.find(({ answer_id }) => answer_id === winners[0]?.answerId) : undefined;
  const fields = {
    poll_question_text: poll.question.text,
    victor_answer_votes: most,
    total_votes: total,
    ...(winner && { victor_answer_id: winner.answer_id, victor_answer_text: winner.poll_media.text }),
  };
  addMessage(world, {
    ...createBlankMessage(message.channel_id, message.author),
    type: MessageType.PollResult,
    embeds: [
      {
        type: EmbedType.PollResult,
        fields: Object.entries(fields).map(([name, value]) => ({ name, value: String(value), inline: false })),
      },
    ],
    message_reference: { type: MessageReferenceType.Default, channel_id: message.channel_id, message_id: message.id },
  } as unknown as Message);
}
