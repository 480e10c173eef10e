// The reactions below a message, and what one that was added or removed changes about it.
import type { APIMessage, APIReaction } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { call } from '../connection.ts';
import { customEmojiUrl } from '../emoji.ts';
import { plusIcon } from '../icons.ts';
import type { Dispatch, ReactionEmoji } from '../protocol.ts';
import { showError, state } from '../state.ts';

type ReactionDispatch = Extract<Dispatch, { t: `MESSAGE_REACTION_${string}` }>;

/** `add` opens the emoji to choose from. */
export function reactionsView(message: APIMessage, add: (event: MouseEvent) => void): TemplateResult | typeof nothing {
  const { reactions = [] } = message;
  if (reactions.length === 0) return nothing;
  return html`<div slot="reactions" class="reactions" role="group" aria-label="Reactions">
    ${reactions.map(({ emoji: { id, name }, count, me }) => {
      const label = `${id ? `:${name}:` : name}, ${count} ${count === 1 ? 'reaction' : 'reactions'}`;
      const picture = id ? html`<img class="emoji" src=${customEmojiUrl(id, name ?? '')} alt="">` : name;
      return html`<button type="button" class="reaction" aria-pressed=${me} aria-label=${label} @click=${() => toggleReaction(message, id ? `${name}:${id}` : (name ?? ''), me)}>${picture} <b>${count}</b></button>`;
    })}
    <button type="button" class="reaction" aria-label="Add a reaction" aria-haspopup="menu" @click=${add}>${plusIcon()}</button>
  </div>`;
}

/** Adds this member's reaction, or removes the one they have. */
export function toggleReaction({ channel_id, id }: APIMessage, emoji: string, has: boolean): void {
  call(has ? 'remove_reaction' : 'add_reaction', { channel_id, message_id: id, emoji }).catch(showError);
}

/** What a reaction that was added or removed changes about a message. */
export function applyReaction(message: APIMessage, dispatch: ReactionDispatch): APIMessage {
  const { reactions = [] } = message;
  if (dispatch.t === 'MESSAGE_REACTION_REMOVE_ALL') return { ...message, reactions: [] };
  const { emoji: changed } = dispatch.d;
  const isIt = ({ emoji }: APIReaction) => emoji.id === changed.id && emoji.name === changed.name;
  if (dispatch.t === 'MESSAGE_REACTION_REMOVE_EMOJI') return { ...message, reactions: reactions.filter((reaction) => !isIt(reaction)) };
  const step = dispatch.t === 'MESSAGE_REACTION_ADD' ? 1 : -1;
  const isMine = dispatch.d.user_id === state.me?.id;
  const change = (reaction: APIReaction): APIReaction => {
    const count = reaction.count + step;
    return { ...reaction, count, count_details: { burst: 0, normal: count }, me: isMine ? step === 1 : reaction.me };
  };
  if (!reactions.some(isIt)) return step === 1 ? { ...message, reactions: [...reactions, change(createReaction(changed))] } : message;
  const counted = reactions.map((reaction) => (isIt(reaction) ? change(reaction) : reaction));
  return { ...message, reactions: counted.filter(({ count }) => count > 0) };
}

function createReaction(emoji: ReactionEmoji): APIReaction {
  return { emoji, count: 0, count_details: { burst: 0, normal: 0 }, me: false, me_burst: false, burst_colors: [] };
}
