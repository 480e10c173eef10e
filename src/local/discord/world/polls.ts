// Polls: votes, results and the end. https://docs.discord.com/developers/resources/poll
import { type APIPoll, GatewayIntentBits } from 'discord-api-types/v10';
import { emitInChannel, emitMessage } from './message-events.ts';
import type { Message, World } from './world.ts';

/** Whether nobody can vote any more: ended by its author, or by the clock. */
export function isPollOver({ results, expiry }: APIPoll): boolean {
  return results?.is_finalized === true || (expiry !== null && Date.parse(expiry) <= Date.now());
}

/** A message's poll as this user sees it; answers without votes are not counted. */
export function serializePoll(poll: APIPoll, votedBy: NonNullable<Message['votedBy']>, viewerId: string): APIPoll {
  const counts = votedBy.map(({ answerId, userIds }) => ({ id: answerId, count: userIds.length, me_voted: userIds.includes(viewerId) }));
  return { ...poll, results: { is_finalized: isPollOver(poll), answer_counts: counts.filter(({ count }) => count > 0) } };
}

/** Makes these answers the user's only ones. The caller checks that the poll has them and is not over. */
export function setVotes(world: World, message: Message, userId: string, answerIds: readonly number[]): void {
  for (const { answer_id: answerId } of message.poll?.answers ?? []) {
    const votes = message.votedBy?.find((one) => one.answerId === answerId);
    const had = votes?.userIds.includes(userId) === true;
    if (had === answerIds.includes(answerId)) continue;
    if (had) votes.userIds = votes.userIds.filter((id) => id !== userId);
    else if (votes) votes.userIds.push(userId);
    else message.votedBy = [...(message.votedBy ?? []), { answerId, userIds: [userId] }];
    const intents = { guild: GatewayIntentBits.GuildMessagePolls, dm: GatewayIntentBits.DirectMessagePolls };
    const vote = { user_id: userId, channel_id: message.channel_id, message_id: message.id, answer_id: answerId };
    emitInChannel(world, had ? 'MESSAGE_POLL_VOTE_REMOVE' : 'MESSAGE_POLL_VOTE_ADD', vote, { intents });
  }
}

export function markPollEnded(world: World, message: Message, poll: APIPoll): void {
  message.poll = { ...poll, expiry: new Date().toISOString(), results: { is_finalized: true, answer_counts: [] } };
  emitMessage(world, 'MESSAGE_UPDATE', message);
}
