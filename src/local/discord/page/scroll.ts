// Keeps a member who reads along at the end of the channel, and one who reads back where they are.
import { afterRender } from './state.ts';

/** How near the end counts as reading along, in pixels. */
const END_THRESHOLD_PX = 80;

let followsEnd = true;
let lastTop = 0;

/** Goes to the end once what is new is drawn. */
export function scrollToEnd(): void {
  afterRender(() => {
    followsEnd = true;
    stayAtEnd();
  });
}

/** Messages come, and pictures, players and embeds grow after they were drawn: stays at the end, if the member was there. */
export function followGrowth(): void {
  const list = findList();
  const inner = list?.firstElementChild;
  if (!list || !inner) return;
  const observer = new ResizeObserver(stayAtEnd);
  observer.observe(inner);
  observer.observe(list);
  list.addEventListener('scroll', () => handleScroll(list), { passive: true });
}

/** Only the member scrolls up; what grows below moves nothing. */
function handleScroll(list: HTMLElement): void {
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < END_THRESHOLD_PX;
  if (atEnd) followsEnd = true;
  else if (list.scrollTop < lastTop) followsEnd = false;
  lastTop = list.scrollTop;
}

function stayAtEnd(): void {
  const list = findList();
  if (!list || !followsEnd) return;
  list.scrollTop = list.scrollHeight;
  lastTop = list.scrollTop;
}

function findList(): HTMLElement | null {
  return document.getElementById('messages');
}
