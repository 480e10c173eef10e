// Letters as voices know them: some people write in signs that only look like letters (𝓡𝓸𝓫𝓲𝓷, ⓗⓘ, ʜᴇʟʟᴏ), or pile marks on them.

// What these are letters for is part of Unicode: mathematical, circled, squared and parenthesised, fullwidth, and raised ones.
const COMPATIBLE =
  /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u249c-\u24b5\u{1f110}-\u{1f149}\uff21-\uff3a\uff41-\uff5a\u02b0-\u02b8\u1d2c-\u1d6a\u1d9b-\u1dbf\u2071\u207f]+/gu;
/** White on black, circled and squared, from A to Z. They may end like emoji. */
const WHITE_ON_BLACK = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]\ufe0f?/gu;
/** Two of them are a flag. */
const SINGLE_FLAG_LETTER = /(?<!\p{RI})\p{RI}(?!\p{RI})/gu;
const FLAG_LETTER_A = 0x1f1e6;
/** Phonetic signs, in the order of the alphabet. There is none for x. */
const SMALL_CAPITALS = new Map([...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ'].map((sign, index) => [sign, letterAt(index)]));
// Fewer than two may be phonetics.
const SMALL_CAPITAL_WORDS = new RegExp(`[${[...SMALL_CAPITALS.keys()].join('')}]{2,}`, 'gu');

/** Struck through or enclosed, with all other marks there, or in piles: once composed, no language needs two on a letter. */
const DECORATION = /(?!\u20e3)[\u0334-\u0338\p{Me}][\u0300-\u036f]*|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f]{2,}/gu;
/** Marks beyond four on a letter. Other scripts write vowels and tones as marks, but none more than four. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

// Invisible or meaningless: controls except line breaks and tabs, format and direction marks, private-use characters, lone surrogates, blanks
// that count as letters. The joiners stay: Persian and emoji need them. So do the variants of emoji, and the tags that make a flag of England.
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t\u200c\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}]]/gv;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** The same text with ordinary letters, composed (NFC), and without what is invisible. */
export function plainLetters(text: string): string {
  const plain = text
    .replace(COMPATIBLE, (signs) => signs.normalize('NFKC').replace(/[()]/g, ''))
    .replace(WHITE_ON_BLACK, (sign) => letterAt(((sign.codePointAt(0) ?? 0) - 0x1f150) % 32))
    .replace(SINGLE_FLAG_LETTER, (sign) => letterAt((sign.codePointAt(0) ?? 0) - FLAG_LETTER_A))
    .replace(SMALL_CAPITAL_WORDS, (word) => [...word].map((sign) => SMALL_CAPITALS.get(sign) ?? sign).join(''));
  return withoutInvisible(plain).normalize('NFC').replace(DECORATION, '').replace(PILED_MARKS, '$1');
}

function letterAt(index: number): string {
  return String.fromCharCode(0x61 + index);
}
