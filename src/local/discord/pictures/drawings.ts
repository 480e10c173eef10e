// The stickers and custom emoji, drawn here as SVG: nothing is fetched from Discord.

/** The parts of a round face, on a square of 160. */
interface Face {
  colour: string;
  eyes: string;
  mouth: string;
  /** Whatever is beside or on the face. */
  more?: string;
}

const LINE = 'fill="none" stroke="#2b1d0e" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"';
const DOTS = '<circle cx="58" cy="70" r="8"/><circle cx="102" cy="70" r="8"/>';
const LAUGHING = `<path ${LINE} d="m46 74 12-12 12 12m20 0 12-12 12 12"/>`;
const CLOSED = `<path ${LINE} d="M46 70q12 12 24 0m20 0q12 12 24 0"/>`;
const SMILE = `<path ${LINE} d="M52 96q28 28 56 0"/>`;
const GRIN = '<path d="M48 92h64q-4 36-32 36t-32-36z"/>';
const FROWN = `<path ${LINE} d="M54 116q26-26 52 0"/>`;
const HEART = '<path fill="#e0395b" d="M122 152c-42-27-21-52 0-35 21-17 42 8 0 35z"/>';
const HAND =
  '<circle cx="138" cy="52" r="17" fill="#ffb347"/><path fill="none" stroke="#8a8f98" stroke-width="5" stroke-linecap="round" d="M118 22q12-10 24-6m6 4q8 6 9 14"/>';

const face = ({ colour, eyes, mouth, more = '' }: Face): string =>
  `<circle cx="80" cy="82" r="66" fill="${colour}"/>${eyes}${mouth}${more}`;

const CAT = `<path fill="#8f7be0" d="m26 22 34 20h40l34-20v66a54 54 0 0 1-108 0z"/>${LAUGHING}<path d="m72 92h16l-8 10z"/><path ${LINE} d="M60 108q10 12 20-2 10 14 20 2"/>`;
const PARROT = `<path fill="#2fa86a" d="M36 86a44 44 0 0 1 88 0v62H36z"/><path fill="#e0395b" d="M36 86a44 44 0 0 1 88 0q-44-26-88 0z"/><circle cx="62" cy="80" r="15" fill="#fff"/><circle cx="64" cy="80" r="7"/><path fill="#f2b632" d="M80 84q50-10 40 40-12-16-36-14z"/>`;
const CUP = `<path fill="#8a5a34" d="M34 62h76v56a26 26 0 0 1-26 26H60a26 26 0 0 1-26-26z"/><path fill="none" stroke="#8a5a34" stroke-width="12" d="M110 74h12a16 16 0 0 1 0 38h-12"/><path fill="none" stroke="#8a8f98" stroke-width="7" stroke-linecap="round" d="M56 44q-8-12 2-22m28 22q-8-12 2-22"/>`;

/** By the name of the sticker or emoji. */
const DRAWINGS: Record<string, string> = {
  Hello: face({ colour: '#ffd34d', eyes: DOTS, mouth: SMILE, more: HAND }),
  'Ha ha': face({ colour: '#ffd34d', eyes: LAUGHING, mouth: GRIN }),
  'Thank you': face({ colour: '#ffc2d1', eyes: CLOSED, mouth: SMILE, more: HEART }),
  'Good night': face({
    colour: '#9fb7ff',
    eyes: CLOSED,
    mouth: '<circle cx="80" cy="106" r="9"/>',
    more: `<path fill="none" stroke="#7f9cf5" stroke-width="7" stroke-linecap="round" stroke-linejoin="round" d="M112 8h18l-18 22h18M140 40h12l-12 15h12"/>`,
  }),
  'Well done': face({
    colour: '#8fdc8a',
    eyes: LAUGHING,
    mouth: SMILE,
    more: '<path fill="#f2b632" d="m80 2 9 18 20 3-14 14 3 20-18-9-18 9 3-20-14-14 20-3z"/>',
  }),
  'Oh no': face({ colour: '#a9cbe8', eyes: DOTS, mouth: FROWN, more: '<path fill="#3f8ecf" d="M112 84q14 22 0 28-14-6 0-28z"/>' }),
  happy_cat: CAT,
  parrot: PARROT,
  hot_coffee: CUP,
};

/** @throws Error if there is none of this name */
export function drawingOf(name: string): string {
  const drawing = DRAWINGS[name];
  if (drawing === undefined) throw new Error(`There is no drawing of ${name}.`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">${drawing}</svg>`;
}
