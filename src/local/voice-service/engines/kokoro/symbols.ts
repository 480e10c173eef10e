// The symbols that Kokoro reads, and their numbers: those of its tokenizer that English needs.
// https://huggingface.co/hexgrad/Kokoro-82M (Apache-2.0); what they stand for: https://github.com/hexgrad/misaki/blob/main/EN_PHONES.md

/** Stress marks stand right before the vowel: a mark before the syllable adds a vowel of its own. */
export const SYMBOLS: Readonly<Record<string, number>> = {
  // Pauses and tone.
  ';': 1,
  ':': 2,
  ',': 3,
  '.': 4,
  '!': 5,
  '?': 6,
  '—': 9,
  '…': 10,
  ' ': 16,
  // Diphthongs: day, my, go, go in Britain, now, boy.
  A: 24,
  I: 25,
  O: 31,
  Q: 33,
  W: 39,
  Y: 41,
  // Vowels; "a" is British only, and "ː" makes British ones long.
  ᵊ: 42,
  a: 43,
  i: 51,
  u: 63,
  ɐ: 70,
  ɑ: 69,
  ɒ: 71,
  æ: 72,
  ɔ: 76,
  ə: 83,
  ɛ: 86,
  ɜ: 87,
  ɪ: 102,
  ʊ: 135,
  ʌ: 138,
  ᵻ: 177,
  ː: 158,
  // Consonants.
  b: 44,
  d: 46,
  f: 48,
  h: 50,
  j: 52,
  k: 53,
  l: 54,
  m: 55,
  n: 56,
  p: 58,
  s: 61,
  t: 62,
  v: 64,
  w: 65,
  z: 68,
  ð: 81,
  ʤ: 82,
  ɡ: 92,
  ŋ: 112,
  θ: 119,
  ɹ: 123,
  ɾ: 125,
  ʃ: 131,
  ʧ: 133,
  ʒ: 147,
  ˈ: 156,
  ˌ: 157,
};

/** The most symbols that the model takes at once. */
export const MAX_TOKENS = 510;

/** @throws Error on a symbol that Kokoro doesn't know */
export function toTokens(symbols: string): number[] {
  return Array.from(symbols, (symbol) => {
    const token = SYMBOLS[symbol];
    if (token === undefined) throw new Error(`Kokoro has no symbol ${JSON.stringify(symbol)}`);
    return token;
  });
}

/** In parts that can be spoken in one go, cut between words where there are any; as a rule, one. */
export function cutSymbols(symbols: string): string[] {
  const parts: string[] = [];
  let rest = symbols;
  while (rest.length > MAX_TOKENS) {
    const blank = rest.lastIndexOf(' ', MAX_TOKENS);
    const end = blank > 0 ? blank : MAX_TOKENS;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}
