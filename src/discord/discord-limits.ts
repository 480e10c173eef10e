// Discord's limits on messages, and the helpers that keep them: every text in a card, a button or a choice goes through `truncate` or,
// if somebody else wrote it, through text/untrusted-text.ts.

/** In characters or items. */
export const limits = {
  /** All text displays of a message together: https://discord.com/developers/docs/components/reference#text-display */
  cardText: 4000,
  buttonLabel: 80,
  placeholder: 150,
  optionLabel: 100,
  customId: 100,
  choices: 25,
  choiceName: 100,
  choiceValue: 100,
  url: 2048,
} as const;

/** Builds a custom_id `prefix:part:part`, which holds all that a button needs to work after a restart. @throws RangeError */
export function customId(prefix: string, ...parts: (string | number)[]): string {
  const id = [prefix, ...parts].join(':');
  if (id.length > limits.customId) throw new RangeError(`The custom_id of ${prefix} has ${id.length} characters.`);
  return id;
}

/** Returns the address if Discord can load a picture from it, else null (empty, relative, in a private network). */
export function publicImage(address: string): string | null {
  const url = address.length > limits.url ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > limits.url || url.username) return null;
  // Names without a dot and bare IP addresses are local, or no place for a picture.
  const isName = /\.[a-z][a-z0-9-]*$/i.test(url.hostname) && !/\.(local|localhost|internal|lan|home\.arpa)$/i.test(url.hostname);
  return isName ? url.href : null;
}
