// The URLs of attachments name the port, which may be another one after a restart.

/** Replaces the origin of all attachment URLs in this value, in place. */
export function moveUrls(value: unknown, from: string, to: string): void {
  const [start, moved] = [`${from}/attachments/`, `${to}/attachments/`];

  function visit(container: unknown): void {
    if (container instanceof Map) for (const item of container.values()) visit(item);
    else if (typeof container === 'object' && container !== null)
      for (const [key, item] of Object.entries(container)) {
        if (typeof item !== 'string') visit(item);
        else if (item.startsWith(start)) (container as Record<string, unknown>)[key] = moved + item.slice(start.length);
      }
  }

  visit(value);
}
