// What a reaction that was added or removed changes about a message.
import type { APIMessage, APIReaction } from 'discord-api-types/v10';
import type { Dispatch, ReactionEmoji } from '../protocol.ts';

type ReactionDispatch = Extract<Dispatch, { t: `MESSAGE_REACTION_${string}` }>;

/** `me`: the id of the member whose page this is. */
export function applyReaction(message: APIMessage, dispatch: ReactionDispatch, me: string | undefined): APIMessage {
  const { reactions = [] } = message;
  if (dispatch.t === 'MESSAGE_REACTION_REMOVE_ALL') return { ...message, reactions: [] };
  const changed = dispatch.d.emoji;
  const isIt = ({ emoji }: APIReaction) => emoji.id === changed.id && emoji.name === changed.name;
  const others = reactions.filter((reaction) => !isIt(reaction));
  if (dispatch.t === 'MESSAGE_REACTION_REMOVE_EMOJI') return { ...message, reactions: others };
  const step = dispatch.t === 'MESSAGE_REACTION_ADD' ? 1 : -1;
  const known = reactions.find(isIt);
  if (!known) return step === 1 ? { ...message, reactions: [...reactions, change(createReaction(changed), step)] } : message;
  const counted = reactions.map((reaction) => (reaction === known ? change(known, step) : reaction));
  return { ...message, reactions: counted.filter(({ count }) => count > 0) };

  function change(reaction: APIReaction, by: number): APIReaction {
    const count = reaction.count + by;
    const isMine = dispatch.t !== 'MESSAGE_REACTION_REMOVE_ALL' && 'user_id' in dispatch.d && dispatch.d.user_id === me;
    return { ...reaction, count, count_details: { burst: 0, normal: count }, me: isMine ? by === 1 : reaction.me };
  }
}

function createReaction(emoji: ReactionEmoji): APIReaction {
  return { emoji, count: 0, count_details: { burst: 0, normal: 0 }, me: false, me_burst: false, burst_colors: [] };
}
