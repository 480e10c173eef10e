// Direct messages, and which commands the open channel offers: both are asked for when they are needed.
import type { APIDMChannel } from 'discord-api-types/v10';
import { call } from './connection.ts';
import { showError, state, update } from './state.ts';

/** The direct messages with somebody; says why where there are none. */
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

/** Asks which commands the open channel offers. */
export function loadCommands(): void {
  const { channelId } = state;
  if (!channelId) return;
  call('commands', { channel_id: channelId }).then((commands) => {
    if (state.channelId !== channelId) return;
    update(() => {
      state.commands = commands;
    });
  }, showError);
}
