// The menu beside the message box: emoji for the text, stickers, and a poll.
import { call } from '../connection.ts';
import { type Action, openMenu } from '../controls/context-menu.ts';
import { scrollToEnd } from '../scroll.ts';
import { currentGuild, findChannel, isDm, showError, state } from '../state.ts';
import { draft, placeText } from './draft.ts';
import { openPollDialog } from './poll-dialog.ts';

/** The rest of the thousands can be typed or pasted. */
const EMOJI = ['😀', '😂', '😍', '🤔', '😭', '😡', '👍', '👎', '🙏', '👏', '💪', '👋', '❤️', '🔥', '🎉', '✨', '☕', '🍕'];

export function openExpressions(event: MouseEvent): void {
  openMenu(event, 'Emoji, stickers and polls', listExpressions());
}

function listExpressions(): Action[] {
  const guild = isDm(findChannel(state.channelId)) ? undefined : currentGuild();
  return [
    ...EMOJI.map((emoji): Action => ({ label: emoji, group: 'Emoji', look: 'emoji', run: () => insert(emoji) })),
    ...(guild?.emojis ?? []).map(
      ({ id, name }): Action => ({
        label: `:${name}:`,
        group: `Emoji of ${guild?.name}`,
        look: 'emoji',
        picture: `/emojis/${id}.png`,
        run: () => insert(`:${name}:`),
      }),
    ),
    ...state.stickerPacks.flatMap(({ stickers }) =>
      stickers.map(
        ({ id, name }): Action => ({
          label: name,
          group: 'Stickers',
          look: 'sticker',
          picture: `/stickers/${id}.png`,
          run: () => void sendSticker(id),
        }),
      ),
    ),
    { label: 'Create a poll…', group: 'More', run: openPollDialog },
  ];
}

/** In place of what is selected in the message box. */
function insert(text: string): void {
  const box = document.getElementById('composer-text') as HTMLTextAreaElement | null;
  const [from, to] = [box?.selectionStart ?? draft.text.length, box?.selectionEnd ?? draft.text.length];
  placeText(draft.text.slice(0, from) + text + draft.text.slice(to), from + text.length);
}

async function sendSticker(id: string): Promise<void> {
  const { channelId } = state;
  try {
    await call('send_message', { channel_id: channelId, sticker_ids: [id] });
    if (state.channelId === channelId) scrollToEnd();
  } catch (error) {
    showError(error);
  }
}
