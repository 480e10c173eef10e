// Loads direct messages and the commands available in the open channel, when they are needed.
import type { APIDMChannel } from 'discord-api-types/v10';
import { refreshCommandList } from './composer/draft.ts';
import { call } from './connection.ts';
import { showError, state, update } from './state.ts';

/** Shows the error and returns undefined if they cannot be opened. */
export async function openDm(userId: string): Promise<APIDMChannel | undefined> {
  try {
    const channel = await call('open_dm', { user_id: userId });
    update(() => {
      if (!state.dms.some(({ id }) => id === channel.id)) state.dms = [...state.dms, channel];
    });
    return channel;
  } catch (error) {
    showError(error);
    return undefined;
  }
}

/** Loads the commands available in the open channel. */
export function loadCommands(): void {
  const { channelId } = state;
  if (!channelId) return;
  call('commands', { channel_id: channelId }).then(
    (commands) => {
      if (state.channelId !== channelId) return;
      update(() => {
        state.commands = commands;
      });
      refreshCommandList();
    },
    (error) => {
      // A channel that was deleted meanwhile has been left.
      if (state.channelId === channelId) showError(error);
    },
  );
}
