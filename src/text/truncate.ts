// Cuts a text to a length.

/** At most `length` UTF-16 units, ending with an ellipsis if it was cut; never half a character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  const cut = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut.toWellFormed().trimEnd()}…`;
}
