// The reactions below a message.
import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { call } from '../connection.ts';
import { customEmojiUrl } from '../emoji.ts';
import { plusIcon } from '../icons.ts';
import { showError } from '../state.ts';

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
