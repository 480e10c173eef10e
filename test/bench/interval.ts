// How sure a share of few is.

/** Wilson's interval of 95 % for so many of so many, in percent. More words than were said may be wrong; it is then cut off. */
export function interval(errors: number, words: number): string {
  const z = 1.96;
  const share = Math.min(1, errors / words);
  const middle = share + z ** 2 / (2 * words);
  const reach = z * Math.sqrt((share * (1 - share)) / words + z ** 2 / (4 * words ** 2));
  return [middle - reach, middle + reach].map((end) => (100 * Math.max(0, end / (1 + z ** 2 / words))).toFixed(1)).join(' to ');
}
