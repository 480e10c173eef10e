// Opens channels and messages from anywhere on the page: sidebar.ts, which opens channels, imports most of the rest.
import { afterRender, state } from './state.ts';

let open: (channelId: string) => Promise<void> = async () => {};

export function setChannelOpener(callback: typeof open): void {
  open = callback;
}

export function showChannel(channelId: string): void {
  void open(channelId);
}

/** Scrolls to a message and focuses it; if it is gone or too old to be shown, only its channel is opened. */
export async function showMessage(channelId: string, messageId: string): Promise<void> {
  if (channelId !== state.channelId) await open(channelId);
  afterRender(() => {
    const element = document.getElementById(`message-${messageId}`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  });
}
