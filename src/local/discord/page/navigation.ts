// Opens channels from anywhere on the page: sidebar.ts, which does that, imports most of the rest.
let open: (channelId: string) => void = () => {};

export function setChannelOpener(callback: (channelId: string) => void): void {
  open = callback;
}

export function showChannel(channelId: string): void {
  open(channelId);
}
