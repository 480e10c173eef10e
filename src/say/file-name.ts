// The names of files of speech.
const MAX_TEXT = 40;
const MAX_VOICE = 30;

/**
 * "hello-there-clara.mp3": the first words of the text, then the voice. Only ASCII letters and digits, since a message's component refers to
 * the file by this name: https://discord.com/developers/docs/reference#editing-message-attachments-using-attachments-within-embeds
 */
export function fileName(text: string, voice: string, extension: string): string {
  const words = firstWords(text, MAX_TEXT);
  return `${[...(words.length > 0 ? words : ['speech']), ...firstWords(voice, MAX_VOICE)].join('-')}.${extension}`;
}

/** Whole words, unless the first one alone is too long. */
function firstWords(text: string, length: number): string[] {
  const latin = text
    .slice(0, 400)
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L');
  const words =
    latin
      .normalize('NFKD')
      .replace(/[\p{M}'’]/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const [first = '', ...others] = words;
  if (first === '') return [];
  const kept = [first.slice(0, length)];
  let used = first.length;
  for (const word of others) {
    used += 1 + word.length;
    if (used > length) break;
    kept.push(word);
  }
  return kept;
}
