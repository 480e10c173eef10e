// Texts to speak: the first thousands all differ, and each takes about five seconds.
const WHO = ['The baker', 'Our neighbour', 'A sailor', 'My sister', 'The doctor', 'One pilot', 'The gardener', 'A painter'];
const DOES = ['brought', 'painted', 'carried', 'remembered', 'counted', 'sold', 'repaired', 'described'];
const WHAT = ['a wooden boat', 'seven lamps', 'the old bridge', 'two letters', 'a garden chair', 'the blue door', 'some bread', 'a clock'];
const WHEN = ['early in the morning', 'after the long rain', 'before the market opened', 'late in the evening', 'on a quiet Sunday'];
const WHERE = [
  'near the river',
  'behind the station',
  'in a small town',
  'at the harbour',
  'under the trees',
  'by the window',
  'on the hill',
];

export function sentenceOf(number: number): string {
  let rest = number;
  const pick = (words: string[]) => {
    const word = words[rest % words.length] as string;
    rest = Math.floor(rest / words.length);
    return word;
  };
  return `${pick(WHO)} ${pick(DOES)} ${pick(WHAT)} ${pick(WHERE)}, ${pick(WHEN)}, and nobody in the village had expected it at all.`;
}
