// Puts spoken parts after each other.

/** With a short pause: a comma, unless the first part ends with a sign. Either may be empty. */
export function joinSpoken(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return /[\p{L}\p{M}\p{N}]$/u.test(first) ? `${first}, ${second}` : `${first} ${second}`;
}
