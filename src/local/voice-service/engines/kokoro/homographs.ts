// Words that are spelled alike and said in two ways: which one it is, the words around them tell. In ARPABET.

/** The words of a clause around one of them, lower case; '' for a mark. */
export interface Context {
  words: readonly string[];
  at: number;
  /** The word begins with a capital, and isn't all capitals. */
  isCapitalised: boolean;
}

interface Ways {
  noun: string;
  verb: string;
}

/** Nouns and adjectives have the stress on their first part, verbs on their last. */
const BY_STRESS: Readonly<Record<string, Ways>> = {
  abstract: { noun: 'AE1 B S T R AE2 K T', verb: 'AE0 B S T R AE1 K T' },
  accent: { noun: 'AE1 K S EH2 N T', verb: 'AE1 K S EH2 N T' },
  addict: { noun: 'AE1 D IH2 K T', verb: 'AH0 D IH1 K T' },
  address: { noun: 'AE1 D R EH2 S', verb: 'AH0 D R EH1 S' },
  ally: { noun: 'AE1 L AY2', verb: 'AH0 L AY1' },
  attribute: { noun: 'AE1 T R AH0 B Y UW2 T', verb: 'AH0 T R IH1 B Y UW2 T' },
  combat: { noun: 'K AA1 M B AE0 T', verb: 'K AH0 M B AE1 T' },
  combine: { noun: 'K AA1 M B AY0 N', verb: 'K AH0 M B AY1 N' },
  compact: { noun: 'K AA1 M P AE0 K T', verb: 'K AH0 M P AE1 K T' },
  compound: { noun: 'K AA1 M P AW0 N D', verb: 'K AH0 M P AW1 N D' },
  compress: { noun: 'K AA1 M P R EH0 S', verb: 'K AH0 M P R EH1 S' },
  conduct: { noun: 'K AA1 N D AH0 K T', verb: 'K AH0 N D AH1 K T' },
  conflict: { noun: 'K AA1 N F L IH0 K T', verb: 'K AH0 N F L IH1 K T' },
  conscript: { noun: 'K AA1 N S K R IH0 P T', verb: 'K AH0 N S K R IH1 P T' },
  console: { noun: 'K AA1 N S OW0 L', verb: 'K AH0 N S OW1 L' },
  construct: { noun: 'K AA1 N S T R AH0 K T', verb: 'K AH0 N S T R AH1 K T' },
  contest: { noun: 'K AA1 N T EH0 S T', verb: 'K AH0 N T EH1 S T' },
  contract: { noun: 'K AA1 N T R AE2 K T', verb: 'K AH0 N T R AE1 K T' },
  contrast: { noun: 'K AA1 N T R AE0 S T', verb: 'K AH0 N T R AE1 S T' },
  converse: { noun: 'K AA1 N V ER0 S', verb: 'K AH0 N V ER1 S' },
  convert: { noun: 'K AA1 N V ER0 T', verb: 'K AH0 N V ER1 T' },
  convict: { noun: 'K AA1 N V IH0 K T', verb: 'K AH0 N V IH1 K T' },
  decrease: { noun: 'D IY1 K R IY2 S', verb: 'D IH0 K R IY1 S' },
  defect: { noun: 'D IY1 F EH0 K T', verb: 'D IH0 F EH1 K T' },
  digest: { noun: 'D AY1 JH EH0 S T', verb: 'D AY0 JH EH1 S T' },
  discharge: { noun: 'D IH1 S CH AA2 R JH', verb: 'D IH0 S CH AA1 R JH' },
  discount: { noun: 'D IH1 S K AW2 N T', verb: 'D IH1 S K AW2 N T' },
  escort: { noun: 'EH1 S K AO0 R T', verb: 'EH0 S K AO1 R T' },
  essay: { noun: 'EH1 S EY2', verb: 'EH0 S EY1' },
  excerpt: { noun: 'EH1 K S ER0 P T', verb: 'EH1 K S ER0 P T' },
  exploit: { noun: 'EH1 K S P L OY2 T', verb: 'IH0 K S P L OY1 T' },
  export: { noun: 'EH1 K S P AO0 R T', verb: 'IH0 K S P AO1 R T' },
  extract: { noun: 'EH1 K S T R AE2 K T', verb: 'IH0 K S T R AE1 K T' },
  ferment: { noun: 'F ER1 M EH0 N T', verb: 'F ER0 M EH1 N T' },
  impact: { noun: 'IH1 M P AE0 K T', verb: 'IH0 M P AE1 K T' },
  implant: { noun: 'IH1 M P L AE2 N T', verb: 'IH0 M P L AE1 N T' },
  import: { noun: 'IH1 M P AO2 R T', verb: 'IH0 M P AO1 R T' },
  imprint: { noun: 'IH1 M P R IH0 N T', verb: 'IH0 M P R IH1 N T' },
  incense: { noun: 'IH1 N S EH2 N S', verb: 'IH0 N S EH1 N S' },
  incline: { noun: 'IH1 N K L AY0 N', verb: 'IH0 N K L AY1 N' },
  increase: { noun: 'IH1 N K R IY2 S', verb: 'IH0 N K R IY1 S' },
  insert: { noun: 'IH1 N S ER2 T', verb: 'IH0 N S ER1 T' },
  insult: { noun: 'IH1 N S AH2 L T', verb: 'IH0 N S AH1 L T' },
  object: { noun: 'AA1 B JH EH0 K T', verb: 'AH0 B JH EH1 K T' },
  offset: { noun: 'AO1 F S EH2 T', verb: 'AO0 F S EH1 T' },
  perfect: { noun: 'P ER1 F IH0 K T', verb: 'P ER0 F EH1 K T' },
  permit: { noun: 'P ER1 M IH2 T', verb: 'P ER0 M IH1 T' },
  pervert: { noun: 'P ER1 V ER0 T', verb: 'P ER0 V ER1 T' },
  present: { noun: 'P R EH1 Z AH0 N T', verb: 'P R IY0 Z EH1 N T' },
  progress: { noun: 'P R AA1 G R EH2 S', verb: 'P R AH0 G R EH1 S' },
  project: { noun: 'P R AA1 JH EH0 K T', verb: 'P R AH0 JH EH1 K T' },
  protest: { noun: 'P R OW1 T EH2 S T', verb: 'P R AH0 T EH1 S T' },
  rebel: { noun: 'R EH1 B AH0 L', verb: 'R IH0 B EH1 L' },
  recall: { noun: 'R IY1 K AO2 L', verb: 'R IH0 K AO1 L' },
  recap: { noun: 'R IY1 K AE2 P', verb: 'R IY1 K AE2 P' },
  record: { noun: 'R EH1 K ER0 D', verb: 'R IH0 K AO1 R D' },
  refill: { noun: 'R IY1 F IH0 L', verb: 'R IY0 F IH1 L' },
  refund: { noun: 'R IY1 F AH2 N D', verb: 'R IH0 F AH1 N D' },
  refuse: { noun: 'R EH1 F Y UW2 S', verb: 'R IH0 F Y UW1 Z' },
  reject: { noun: 'R IY1 JH EH0 K T', verb: 'R IH0 JH EH1 K T' },
  reset: { noun: 'R IY1 S EH2 T', verb: 'R IY0 S EH1 T' },
  rewrite: { noun: 'R IY1 R AY2 T', verb: 'R IY0 R AY1 T' },
  segment: { noun: 'S EH1 G M AH0 N T', verb: 'S EH0 G M EH1 N T' },
  subject: { noun: 'S AH1 B JH EH0 K T', verb: 'S AH0 B JH EH1 K T' },
  survey: { noun: 'S ER1 V EY2', verb: 'S ER0 V EY1' },
  suspect: { noun: 'S AH1 S P EH2 K T', verb: 'S AH0 S P EH1 K T' },
  torment: { noun: 'T AO1 R M EH2 N T', verb: 'T AO0 R M EH1 N T' },
  transfer: { noun: 'T R AE1 N S F ER0', verb: 'T R AE0 N S F ER1' },
  transform: { noun: 'T R AE1 N S F AO0 R M', verb: 'T R AE0 N S F AO1 R M' },
  transport: { noun: 'T R AE1 N S P AO0 R T', verb: 'T R AE0 N S P AO1 R T' },
  update: { noun: 'AH1 P D EY2 T', verb: 'AH0 P D EY1 T' },
  upgrade: { noun: 'AH1 P G R EY2 D', verb: 'AH0 P G R EY1 D' },
  upset: { noun: 'AH0 P S EH1 T', verb: 'AH0 P S EH1 T' },
};

/** Nouns and adjectives end in "-it", verbs in "-ate". Before "AH0 T" or "EY2 T". */
const IN_ATE: Readonly<Record<string, string>> = {
  advocate: 'AE1 D V AH0 K',
  affiliate: 'AH0 F IH1 L IY0',
  aggregate: 'AE1 G R AH0 G',
  alternate: 'AO1 L T ER0 N',
  animate: 'AE1 N AH0 M',
  appropriate: 'AH0 P R OW1 P R IY0',
  approximate: 'AH0 P R AA1 K S AH0 M',
  articulate: 'AA0 R T IH1 K Y AH0 L',
  associate: 'AH0 S OW1 S IY0',
  coordinate: 'K OW0 AO1 R D AH0 N',
  degenerate: 'D IH0 JH EH1 N ER0',
  delegate: 'D EH1 L AH0 G',
  deliberate: 'D IH0 L IH1 B ER0',
  duplicate: 'D UW1 P L AH0 K',
  elaborate: 'IH0 L AE1 B R',
  estimate: 'EH1 S T AH0 M',
  graduate: 'G R AE1 JH AH0 W',
  initiate: 'IH0 N IH1 SH IY0',
  intimate: 'IH1 N T AH0 M',
  moderate: 'M AA1 D ER0',
  predicate: 'P R EH1 D AH0 K',
  subordinate: 'S AH0 B AO1 R D AH0 N',
  syndicate: 'S IH1 N D IH0 K',
};

const OTHERS: Readonly<Record<string, Ways>> = {
  excuse: { noun: 'IH0 K S K Y UW1 S', verb: 'IH0 K S K Y UW1 Z' },
  house: { noun: 'HH AW1 S', verb: 'HH AW1 Z' },
  produce: { noun: 'P R OW1 D UW0 S', verb: 'P R AH0 D UW1 S' },
  separate: { noun: 'S EH1 P R AH0 T', verb: 'S EH1 P ER0 EY2 T' },
  abuse: { noun: 'AH0 B Y UW1 S', verb: 'AH0 B Y UW1 Z' },
};

/** What they are without the "s" is no noun. */
const VERBS_WITH_S = new Set(
  'animates appropriates approximates articulates deliberates elaborates perfects produces refuses separates'.split(' '),
);

const HOMOGRAPHS: Readonly<Record<string, Ways>> = {
  ...BY_STRESS,
  ...Object.fromEntries(Object.entries(IN_ATE).map(([word, stem]) => [word, { noun: `${stem} AH0 T`, verb: `${stem} EY2 T` }])),
  ...OTHERS,
};

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Only a verb comes after these. */
const BEFORE_VERB = words(
  "to i you we they who will would can could should must may might shall do did don't doesn't didn't won't can't couldn't wouldn't shouldn't please let's i'll you'll we'll they'll he'll she'll it'll i'd we'd you'd they'd gonna wanna gotta cannot",
);
/** Stand between a verb and what it belongs to. */
const ADVERBS = words('just always never not really also still often only already even usually actually quickly');
/** "Let me record", "it makes them refuse". */
const CAUSES = words('let lets make makes made help helps helped have watch see hear');
const OBJECTS = words('me him her us them it you');
const DETERMINERS = words('a an the my your his her its our their this that these those no any some every each another');
/** Begin what a verb acts on. */
const AFTER_VERB = new Set([...words('me him us them it you everyone everything all both to with'), ...DETERMINERS]);
const AFTER_THIRD_PERSON = words(
  'me him her us them it you the a an my your his our their this that everyone everything to with in on up out if when how what',
);
const THIRD_PERSON = words('he she it who nobody everybody everyone someone somebody that which this never always also');

/** "Back to console", "led to conflict". */
const BEFORE_TO_NOUN = words(
  'go went switch switched back due thanks access compared according led leads response reaction related addicted prior',
);

const before = ({ words, at }: Context, steps = 1): string => words[at - steps] ?? '';
const after = ({ words, at }: Context, steps = 1): string => words[at + steps] ?? '';

/** Whether somebody does it: "to record", "let me record", "Record this!". */
function isVerb(context: Context): boolean {
  let steps = 1;
  while (ADVERBS.has(before(context, steps))) steps++;
  const previous = before(context, steps);
  const next = after(context);
  if (previous === 'to' && BEFORE_TO_NOUN.has(before(context, steps + 1)) && !AFTER_VERB.has(next)) return false;
  if (BEFORE_VERB.has(previous)) return true;
  if (OBJECTS.has(previous) && CAUSES.has(before(context, steps + 1))) return true;
  if (DETERMINERS.has(previous) || /^(?:of|in|on|at|for|with|from|by|is|are|was|were|be|been|very|so|more|such|good|new)$/.test(previous))
    return false;
  if (/^(?:me|him|us|them|it)$/.test(next)) return true;
  // At the beginning of what is said, and after "and".
  return /^(?:|and|then|or|but|now|also|so|just)$/.test(previous) && AFTER_VERB.has(next);
}

/** "Most people estimate the cost", but not "a fellow graduate the other day". */
const actsOn = (context: Context): boolean =>
  /^(?:the|my|your|his|her|our|their|it|them)$/.test(after(context)) &&
  /(?:[^'su]s|^people|^men|^women|^children)$/.test(before(context)) &&
  !/^(?:as|is|was|has|does|his|its|this)$/.test(before(context));

/** The same of a word that ends in "s": "she records it", but not "the records". */
function isThirdPerson(context: Context): boolean {
  const previous = before(context);
  if (THIRD_PERSON.has(previous)) return true;
  if (previous === '' || DETERMINERS.has(previous) || /^(?:of|in|for|with|to|and|or|many|two|three|all|more)$/.test(previous)) return false;
  return AFTER_THIRD_PERSON.has(after(context)) && !/^(?:to|in|on|up|out)$/.test(after(context));
}

/** Names of times that have passed: "I read it last week". */
const PAST =
  /\b(?:yesterday|ago|earlier|once|(?:last|that|this) (?:week|night|month|year|time|summer|winter|spring|fall|morning|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b/;
const isPast = ({ words }: Context): boolean => PAST.test(words.join(' '));

/** "I have read", "it was read". */
const BEFORE_PARTICIPLE = words(
  "have has had was were been be is are i've you've we've they've he's she's already he she it get got being having well wasn't hasn't haven't hadn't isn't aren't never",
);
/** "I read", "the kids read": now, if nothing says otherwise. */
const BEFORE_BASE = new Set([
  ...BEFORE_VERB,
  ...words('and then or a an the next must good great quick long easy fun short best not just always'),
]);

const LIVE_THINGS = words(
  'stream streams streaming show shows music chat event events broadcast coverage concert concerts performance performances on from at tv session sessions video audience captions action demo updates album gig recording today tonight now wire',
);
const BEFORE_LIVE = words(
  "is are was were am be go goes going went gone a an the it's i'm we're you're they're he's she's that's play plays played playing perform performs performed performing stream streams streamed streaming air airs airing sing sang recorded broadcast our my your",
);

/** "See it live". */
const SEES = words(
  'see saw seen seeing watch watched watching hear heard hearing catch caught catching stream streamed streaming play played playing film filmed record recorded show showed showing perform performed',
);

const CLOSE_THINGS = words(
  'to friend friends call calls range up enough together by relationship relative relatives attention look race game match proximity combat quarters second family tie ties',
);

/** "A tear in her dress", but not in the corner of her eye. */
const isRip = (context: Context): boolean => {
  const [rest = ''] = context.words
    .slice(context.at + 2, context.at + 10)
    .join(' ')
    .split('  ');
  return after(context) === 'in' && !/\beyes?\b/.test(rest);
};

const LEAD = 'L EH1 D';
const WAYS: Readonly<Record<string, (context: Context) => string>> = {
  bass: (context) =>
    /^(?:fishing|fisherman|boat|pro)$/.test(after(context)) ||
    /^(?:sea|largemouth|smallmouth|striped|fried|grilled|catch|caught|fish|freshwater)$/.test(before(context)) ||
    (/^(?:catch|catches|catching|caught)$/.test(before(context, 2)) &&
      !/^(?:lines?|drops?|players?|guitars?|solos?|riffs?|parts?|notes?|drum|clef)$/.test(after(context)))
      ? 'B AE1 S'
      : 'B EY1 S',
  bow: (context) =>
    /^(?:down|before|out|to|your|his|her|their|of)$/.test(after(context)) ||
    /^(?:to|will|must|i|you|we|they)$/.test(before(context)) ||
    /^(?:take|takes|took|taking|final)$/.test(before(context, 2) || before(context))
      ? 'B AW1'
      : 'B OW1',
  close: (context) =>
    /^(?:so|very|too|is|was|are|were|that|how|quite|really|stay|come|came|get|got|a|pretty|as|this|keep)$/.test(before(context)) ||
    (before(context) === 'not' && !BEFORE_VERB.has(before(context, 2))) ||
    CLOSE_THINGS.has(after(context))
      ? 'K L OW1 S'
      : 'K L OW1 Z',
  content: (context) =>
    /^(?:am|i'm|feel|feels|felt|feeling|quite|very|perfectly|fully|be)$/.test(before(context)) ||
    (/^(?:me|him|us|them)$/.test(before(context)) &&
      !/^(?:creators?|moderators?|warnings?)$/.test(after(context)) &&
      /^(?:make|makes|made|keep|keeps|kept)$/.test(before(context, 2))) ||
    (after(context) === 'with' && /^(?:is|are|was|were|not)$/.test(before(context)))
      ? 'K AH0 N T EH1 N T'
      : 'K AA1 N T EH0 N T',
  desert: (context) => (isVerb(context) ? 'D IH0 Z ER1 T' : 'D EH1 Z ER0 T'),
  dove: (context) =>
    /^(?:into|in|down|off|under|right|deep|headfirst|straight|for|through)$/.test(after(context)) && !DETERMINERS.has(before(context))
      ? 'D OW1 V'
      : 'D AH1 V',
  lead: (context) =>
    /^(?:pipes?|paint|poisoning|acid|bullets?|weights?|shot|free|balloon|pencils?|levels)$/.test(after(context)) ||
    (after(context) === 'in' &&
      /^(?:petrol|gas|gasoline|fuel|paint|water|drinking|toys|soil)$/.test(after(context, 2)) &&
      !/^(?:prices?|costs?|economy|efficiency|mileage|sales|production|consumption|exports|quality|conservation|polo|sports)$/.test(
        after(context, 3),
      ) &&
      !/^(?:take|takes|took|taken|taking)$/.test(before(context, 2))) ||
    (/^(?:of|with|like)$/.test(before(context)) && !/^(?:guitar|singer|role|actor|developer|time)$/.test(after(context)))
      ? LEAD
      : 'L IY1 D',
  lima: (context) => (/^beans?$/.test(after(context)) ? 'L AY1 M AH0' : 'L IY1 M AH0'),
  live: (context) => {
    const steps = /^(?:now|currently|finally|also)$/.test(before(context)) ? 2 : 1;
    const [previous, next] = [before(context, steps), after(context)];
    const isSeen = OBJECTS.has(previous) && SEES.has(before(context, steps + 1));
    return isSeen || BEFORE_LIVE.has(previous) || (LIVE_THINGS.has(next) && !BEFORE_VERB.has(previous)) ? 'L AY1 V' : 'L IH1 V';
  },
  minute: () => 'M IH1 N AH0 T',
  moped: (context) => (DETERMINERS.has(before(context)) || before(context) === 'electric' ? 'M OW1 P EH2 D' : 'M OW1 P T'),
  polish: (context) => {
    const next = after(context);
    const begins = before(context) === '';
    return context.isCapitalised && !(begins && (DETERMINERS.has(next) || /^(?:it|up|off)$/.test(next)))
      ? 'P OW1 L IH0 SH'
      : 'P AA1 L IH0 SH';
  },
  read: (context) => {
    const previous = before(context);
    const isNow = previous === '' || BEFORE_BASE.has(previous) || /[^s]s$/.test(previous);
    if (previous === 'on' && /^(?:left|leave|leaves|me|him|her|us|them)$/.test(before(context, 2))) return 'R EH1 D';
    // "Have you read it?"
    const isAsked =
      OBJECTS.has(previous) || BEFORE_BASE.has(previous) ? /^(?:have|has|had|haven't|hasn't|hadn't)$/.test(before(context, 2)) : false;
    if (isAsked && previous !== 'to') return 'R EH1 D';
    if (BEFORE_PARTICIPLE.has(previous) || !isNow) return 'R EH1 D';
    return /^(?:i|you|we|they|who|and|just|people)$/.test(previous) && isPast(context) ? 'R EH1 D' : 'R IY1 D';
  },
  resume: (context) =>
    DETERMINERS.has(before(context)) || /^(?:good|great|updated|new|old)$/.test(before(context)) ? 'R EH1 Z UH0 M EY2' : 'R IH0 Z UW1 M',
  tear: (context) =>
    /^(?:gas|drops?|jerker|ducts?)$/.test(after(context)) ||
    (/^(?:a|the|single|one|my|his|her|every|each)$/.test(before(context)) && !/^(?:up|down|apart)$/.test(after(context)) && !isRip(context))
      ? 'T IH1 R'
      : 'T EH1 R',
  tears: (context) =>
    /^(?:he|she|it|that|who|which)$/.test(before(context)) || /^(?:up|down|apart|off|through|it|them|me|him|us)$/.test(after(context))
      ? 'T EH1 R Z'
      : 'T IH1 R Z',
  use: (context) =>
    /^(?:the|a|an|no|any|my|your|his|her|its|our|their|of|in|for|good|better|best|personal|this|that|much|some|more|further|single|everyday|fair|common|heavy|daily|drug|home|office)$/.test(
      before(context),
    ) || /^(?:of|cases?)$/.test(after(context))
      ? 'Y UW1 S'
      : 'Y UW1 Z',
  used: (context) => (after(context) === 'to' && !/^(?:is|was|are|were|be|been)$/.test(before(context)) ? 'Y UW1 S T' : 'Y UW1 Z D'),
  uses: (context) =>
    /^(?:the|many|several|other|its|their|two|three|different|common|possible|of|some|new|no|good|all)$/.test(before(context))
      ? 'Y UW1 S IH0 Z'
      : 'Y UW1 Z IH0 Z',
  wind: (context) =>
    !/^(?:power|turbines?|energy|farms?|speeds?)$/.test(after(context)) &&
    /^(?:to|will|would|can|could|they|you|we|i|please|)$/.test(before(context)) &&
    (/^(?:up|down|it|the|your|back)$/.test(after(context)) || /^(?:to|will|they)$/.test(before(context)))
      ? 'W AY1 N D'
      : 'W IH1 N D',
  wound: (context) => (/^(?:up|down|around|back)$/.test(after(context)) ? 'W AW1 N D' : 'W UW1 N D'),
};

/** The sounds of a word that its neighbours decide, if it is one. @param word lower case */
export function homographPhones(word: string, context: Context): string[] | undefined {
  const said = Object.hasOwn(WAYS, word) ? WAYS[word]?.(context) : undefined;
  if (said !== undefined) return said.split(' ');
  if (Object.hasOwn(HOMOGRAPHS, word)) {
    const { noun, verb } = HOMOGRAPHS[word] as Ways;
    return (isVerb(context) || (Object.hasOwn(IN_ATE, word) && actsOn(context)) ? verb : noun).split(' ');
  }
  const stem = word.replace(/s$/, '');
  if (stem === word || word === 'houses' || !Object.hasOwn(HOMOGRAPHS, stem)) return undefined;
  const { noun, verb } = HOMOGRAPHS[stem] as Ways;
  const phones = (VERBS_WITH_S.has(word) || isThirdPerson(context) ? verb : noun).split(' ');
  return [...phones, ...pluralOf(phones.at(-1) ?? '')];
}

/** A hiss, after which a plural or a possessive is a syllable of its own. */
const SIBILANT = /^(?:S|Z|SH|ZH|CH|JH)$/;
const VOICELESS = /^(?:P|T|K|F|TH)$/;

/** The sound of a plural, a possessive, or "he records". @param last sound of the word */
export function pluralOf(last: string): string[] {
  if (SIBILANT.test(last)) return ['IH0', 'Z'];
  return VOICELESS.test(last) ? ['S'] : ['Z'];
}
