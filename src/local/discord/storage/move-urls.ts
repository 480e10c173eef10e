// The URLs of attachments name the port and end in a signature, both of which may be others after a restart.

/**
 * Gives all attachment URLs in this value, in place, the present origin and signature.
 * @returns whether any has changed
 */
export function moveUrls(value: unknown, from: string, to: string, sign: (channelId: string, id: string) => string): boolean {
  const start = `${from}/attachments/`;
  let hasChanged = false;

  function move(url: string): string {
    const [path = ''] = url.slice(start.length).split('?', 1);
    const [channelId = '', id = ''] = path.split('/');
    return `${to}/attachments/${path}?hm=${sign(channelId, id)}`;
  }

  function visit(container: unknown): void {
    if (container instanceof Map) for (const item of container.values()) visit(item);
    else if (typeof container === 'object' && container !== null)
      for (const [key, item] of Object.entries(container)) {
        if (typeof item !== 'string') visit(item);
        else if (key.endsWith('url') && item.startsWith(start)) {
          const moved = move(item);
          hasChanged ||= moved !== item;
          (container as Record<string, unknown>)[key] = moved;
        }
      }
  }

  visit(value);
  return hasChanged;
}
