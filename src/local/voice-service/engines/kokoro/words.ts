// Words that aren't said as a dictionary has them: those that carry no stress in a sentence, those whose sound depends on their neighbours,
// names of the net, and what the British say in their own way.
import type { Accent } from './voices.ts';

/** In Kokoro's symbols, American and then British where that differs. In a dictionary, each of these has the stress of a sentence of its own. */
const UNSTRESSED: Readonly<Record<string, string>> = {
  ...{
    an: 'ən',
    and: 'ænd and',
    as: 'æz az',
    at: 'æt at',
    be: 'bi',
    by: 'bI',
    for: 'fɔɹ fɔː',
    from: 'fɹʌm fɹɒm',
    had: 'hæd had',
    has: 'hæz haz',
  },
  ...{
    have: 'hæv hav',
    he: 'hi',
    her: 'hɜɹ hɜː',
    him: 'hɪm',
    his: 'hɪz',
    if: 'ɪf',
    in: 'ɪn',
    is: 'ɪz',
    it: 'ɪt',
    its: 'ɪts',
    "it's": 'ɪts',
  },
  ...{ me: 'mi', my: 'mI', of: 'ʌv ɒv', or: 'ɔɹ ɔː', our: 'ˌWəɹ ˌWə', she: 'ʃi', than: 'ðæn ðan', that: 'ðæt ðat', them: 'ðɛm' },
  ...{ their: 'ðɛɹ ðɛː', there: 'ðɛɹ ðɛː', they: 'ðA', us: 'ʌs', was: 'wʌz wɒz', we: 'wi', were: 'wɜɹ wɜː', will: 'wɪl', with: 'wɪð' },
  ...{ would: 'wʊd', you: 'ju', your: 'jɔɹ jɔː', are: 'ɑɹ ɑː', been: 'bɪn biːn', can: 'kæn kan', could: 'kʊd', should: 'ʃʊd', am: 'æm am' },
  ...{
    i: 'ˌI',
    "i'm": 'ˌIm',
    "you're": 'jʊɹ jɔː',
    "we're": 'wɪɹ wɪə',
    "they're": 'ðɛɹ ðɛː',
    on: 'ˌɔn ˌɒn',
    but: 'bˌʌt',
    do: 'dˌu dˌuː',
    not: 'nˌɑt nˌɒt',
  },
  ...{
    so: 'sˌO sˌQ',
    this: 'ðˌɪs',
    these: 'ðˌiz ðˌiːz',
    those: 'ðˌOz ðˌQz',
    what: 'wˌʌt wˌɒt',
    when: 'wˌɛn',
    which: 'wˌɪʧ',
    who: 'hˌu hˌuː',
    how: 'hˌW',
  },
  ...{ because: 'bəkˈʌz bɪkˈɒz', into: 'ˌɪntu', about: 'əbˌWt', some: 'sˌʌm' },
};

/** In ARPABET. Words of the net and of games, and what CMUdict has in a form that is rarely heard. */
const NAMES: Readonly<Record<string, string>> = {
  ai: 'EY2 AY1',
  app: 'AE1 P',
  apps: 'AE1 P S',
  async: 'EY1 S IH2 NG K',
  august: 'AO1 G AH0 S T',
  bot: 'B AA1 T',
  bots: 'B AA1 T S',
  captcha: 'K AE1 P CH AH0',
  covid: 'K OW1 V IH0 D',
  crypto: 'K R IH1 P T OW0',
  different: 'D IH1 F R AH0 N T',
  emoji: 'IH0 M OW1 JH IY0',
  emojis: 'IH0 M OW1 JH IY0 Z',
  emote: 'IH0 M OW1 T',
  every: 'EH1 V R IY0',
  friday: 'F R AY1 D EY2',
  gif: 'G IH1 F',
  gifs: 'G IH1 F S',
  haha: 'HH AA1 HH AA2',
  hahaha: 'HH AA1 HH AA2 HH AA2',
  hehe: 'HH EH1 HH EH2',
  hiya: 'HH AY1 Y AH0',
  hmm: 'HH AH1 M',
  huh: 'HH AH1',
  jpeg: 'JH EY1 P EH2 G',
  json: 'JH EY1 S AH0 N',
  kinda: 'K AY1 N D AH0',
  linux: 'L IH1 N AH0 K S',
  meme: 'M IY1 M',
  memes: 'M IY1 M Z',
  monday: 'M AH1 N D EY2',
  nvidia: 'EH0 N V IH1 D IY0 AH0',
  opus: 'OW1 P AH0 S',
  pokemon: 'P OW1 K IY0 M AA2 N',
  pwned: 'OW1 N D',
  reddit: 'R EH1 D IH0 T',
  roblox: 'R OW1 B L AA2 K S',
  saturday: 'S AE1 T ER0 D EY2',
  selfie: 'S EH1 L F IY0',
  sometimes: 'S AH1 M T AY2 M Z',
  sql: 'S IY1 K W AH0 L',
  subreddit: 'S AH1 B R EH2 D IH0 T',
  thirty: 'TH ER1 T IY0',
  tuesday: 'T UW1 Z D EY2',
  ubuntu: 'UW0 B UW1 N T UW0',
  ui: 'Y UW2 AY1',
  unicode: 'Y UW1 N IH0 K OW2 D',
  vlog: 'V L AO1 G',
  wav: 'W EY1 V',
  wednesday: 'W EH1 N Z D EY2',
  wifi: 'W AY1 F AY2',
  yay: 'Y EY1',
  yeah: 'Y AE1 AH0',
  yes: 'Y EH1 S',
};

/** What no rule derives from the American sounds, in Kokoro's symbols. */
const BRITISH: Readonly<Record<string, string>> = {
  ...{
    advertisement: 'ədvˈɜːtɪsmənt',
    again: 'əɡˈɛn',
    ate: 'ˈɛt',
    been: 'biːn',
    clerk: 'klˈɑːk',
    data: 'dˈAtə',
    derby: 'dˈɑːbi',
    either: 'ˈIðə',
  },
  ...{
    erase: 'ɪɹˈAz',
    fragile: 'fɹˈaʤIl',
    garage: 'ɡˈaɹɑːʒ',
    herb: 'hˈɜːb',
    herbs: 'hˈɜːbz',
    hostile: 'hˈɒstIl',
    laboratory: 'ləbˈɒɹətɹi',
  },
  ...{
    leisure: 'lˈɛʒə',
    lever: 'lˈiːvə',
    lieutenant: 'lɛftˈɛnənt',
    missile: 'mˈɪsIl',
    mobile: 'mˈQbIl',
    neither: 'nˈIðə',
    privacy: 'pɹˈɪvəsi',
  },
  ...{
    process: 'pɹˈQsɛs',
    progress: 'pɹˈQɡɹɛs',
    route: 'ɹˈuːt',
    routes: 'ɹˈuːts',
    router: 'ɹˈuːtə',
    schedule: 'ʃˈɛdjuːl',
    scheduled: 'ʃˈɛdjuːld',
  },
  ...{ shone: 'ʃˈɒn', tomato: 'təmˈɑːtQ', tomatoes: 'təmˈɑːtQz', vase: 'vˈɑːz', vitamin: 'vˈɪtəmɪn', yoghurt: 'jˈɒɡət', zebra: 'zˈɛbɹə' },
};

/** Verb and noun (or adjective) spelled alike, in ARPABET. */
const HOMOGRAPHS: Readonly<Record<string, { verb: string; noun: string }>> = {
  close: { verb: 'K L OW1 Z', noun: 'K L OW1 S' },
  conduct: { verb: 'K AH0 N D AH1 K T', noun: 'K AA1 N D AH0 K T' },
  conflict: { verb: 'K AH0 N F L IH1 K T', noun: 'K AA1 N F L IH0 K T' },
  contest: { verb: 'K AH0 N T EH1 S T', noun: 'K AA1 N T EH0 S T' },
  contract: { verb: 'K AH0 N T R AE1 K T', noun: 'K AA1 N T R AE2 K T' },
  convert: { verb: 'K AH0 N V ER1 T', noun: 'K AA1 N V ER0 T' },
  estimate: { verb: 'EH1 S T AH0 M EY2 T', noun: 'EH1 S T AH0 M AH0 T' },
  excuse: { verb: 'IH0 K S K Y UW1 Z', noun: 'IH0 K S K Y UW1 S' },
  export: { verb: 'IH0 K S P AO1 R T', noun: 'EH1 K S P AO0 R T' },
  house: { verb: 'HH AW1 Z', noun: 'HH AW1 S' },
  import: { verb: 'IH0 M P AO1 R T', noun: 'IH1 M P AO2 R T' },
  increase: { verb: 'IH0 N K R IY1 S', noun: 'IH1 N K R IY2 S' },
  object: { verb: 'AH0 B JH EH1 K T', noun: 'AA1 B JH EH0 K T' },
  permit: { verb: 'P ER0 M IH1 T', noun: 'P ER1 M IH2 T' },
  present: { verb: 'P R IY0 Z EH1 N T', noun: 'P R EH1 Z AH0 N T' },
  produce: { verb: 'P R AH0 D UW1 S', noun: 'P R OW1 D UW0 S' },
  project: { verb: 'P R AH0 JH EH1 K T', noun: 'P R AA1 JH EH0 K T' },
  rebel: { verb: 'R IH0 B EH1 L', noun: 'R EH1 B AH0 L' },
  record: { verb: 'R IH0 K AO1 R D', noun: 'R EH1 K ER0 D' },
  refuse: { verb: 'R IH0 F Y UW1 Z', noun: 'R EH1 F Y UW2 S' },
  separate: { verb: 'S EH1 P ER0 EY2 T', noun: 'S EH1 P R AH0 T' },
  subject: { verb: 'S AH0 B JH EH1 K T', noun: 'S AH1 B JH EH0 K T' },
  transfer: { verb: 'T R AE0 N S F ER1', noun: 'T R AE1 N S F ER0' },
  update: { verb: 'AH0 P D EY1 T', noun: 'AH1 P D EY2 T' },
  upset: { verb: 'AH0 P S EH1 T', noun: 'AH0 P S EH1 T' },
  use: { verb: 'Y UW1 Z', noun: 'Y UW1 S' },
};

/** What comes before a verb. */
const BEFORE_VERB =
  /^(?:to|i|you|we|they|who|will|would|can|could|should|must|may|might|shall|don't|doesn't|didn't|won't|can't|couldn't|wouldn't|shouldn't|please|let's|not|and|then|i'll|you'll|we'll|they'll|i'd|we'd|you'd|never|always|just)$/;
/** What makes of "read", "live" and "close" something else. */
const BEFORE_PARTICIPLE =
  /^(?:have|has|had|was|were|been|be|is|are|i've|you've|we've|they've|already|he|she|it|get|got|being|having|well|wasn't|hasn't|haven't)$/;
const AFTER_LIVE_ADJECTIVE =
  /^(?:stream|streams|show|music|chat|event|events|broadcast|coverage|concert|on|from|tv|session|video|audience|captions|today|tonight)$/;
const BEFORE_LIVE_ADJECTIVE = /^(?:is|are|was|were|am|go|goes|going|went|a|the|it's|i'm|we're|you're)$/;

const ORTHOEPY: Readonly<Record<string, (previous: string, next: string) => string>> = {
  close: (previous, next) =>
    /^(?:so|very|too|is|was|are|were|that|how|quite|really|stay|come|get|a|pretty)$/.test(previous) || next === 'to'
      ? 'K L OW1 S'
      : 'K L OW1 Z',
  lead: (previous) => (/^(?:of|with)$/.test(previous) ? 'L EH1 D' : 'L IY1 D'),
  live: (previous, next) =>
    BEFORE_LIVE_ADJECTIVE.test(previous) || (AFTER_LIVE_ADJECTIVE.test(next) && !BEFORE_VERB.test(previous)) ? 'L AY1 V' : 'L IH1 V',
  minute: () => 'M IH1 N AH0 T',
  read: (previous) => (BEFORE_PARTICIPLE.test(previous) ? 'R EH1 D' : 'R IY1 D'),
  tear: (previous) => (/^(?:a|the|single|one)$/.test(previous) ? 'T IH1 R' : 'T EH1 R'),
  wind: (previous) => (/^(?:to|will|they|you|we|i)$/.test(previous) ? 'W AY1 N D' : 'W IH1 N D'),
  wound: (previous) => (/^(?:the|a|his|her|my|open)$/.test(previous) ? 'W UW1 N D' : 'W AW1 N D'),
};

/** The words next to a word in a sentence, lower case; '' if there is none. */
export interface Neighbours {
  previous: string;
  next: string;
  /** The next word begins with a vowel that is heard. */
  beforeVowel: boolean;
}

/** In Kokoro's symbols, for a word that has a way of its own; else undefined. */
export function ownSymbols(word: string, accent: Accent, { next, beforeVowel }: Neighbours): string | undefined {
  if (word === 'the') return beforeVowel ? 'ði' : 'ðə';
  if (word === 'a') return accent === 'american' ? 'ɐ' : 'ə';
  if (word === 'to') return next === '' ? 'tˌu' : beforeVowel ? 'tʊ' : 'tə';
  const [american, british = american] = UNSTRESSED[word]?.split(' ') ?? [];
  return accent === 'british' ? (BRITISH[word] ?? british) : american;
}

/** In ARPABET, for a word whose sounds its neighbours decide, or that CMUdict doesn't have; else undefined. */
export function ownPhones(word: string, { previous, next }: Neighbours): string[] | undefined {
  const homograph = HOMOGRAPHS[word];
  const phones =
    ORTHOEPY[word]?.(previous, next) ?? (homograph && (BEFORE_VERB.test(previous) ? homograph.verb : homograph.noun)) ?? NAMES[word];
  return phones?.split(' ');
}

/** In ARPABET. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ A: 'EY1', B: 'B IY1', C: 'S IY1', D: 'D IY1', E: 'IY1', F: 'EH1 F', G: 'JH IY1', H: 'EY1 CH', I: 'AY1', J: 'JH EY1', K: 'K EY1' },
  ...{ L: 'EH1 L', M: 'EH1 M', N: 'EH1 N', O: 'OW1', P: 'P IY1', Q: 'K Y UW1', R: 'AA1 R', S: 'EH1 S', T: 'T IY1', U: 'Y UW1', V: 'V IY1' },
  ...{ W: 'D AH1 B AH0 L Y UW0', X: 'EH1 K S', Y: 'W AY1', Z: 'Z IY1' },
};

/** The names of letters, in ARPABET. The last one has the stress. @param letters capitals */
export function letterPhones(letters: string, accent: Accent): string[] {
  return [...letters].flatMap((letter, at) => {
    const name = letter === 'Z' && accent === 'british' ? 'Z EH1 D' : (LETTERS[letter] as string);
    return (at === letters.length - 1 ? name : name.replace('1', '2')).split(' ');
  });
}
