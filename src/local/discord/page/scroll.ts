// Keeps the channel scrolled to its end, unless the member has scrolled up to read.
import { afterRender } from './state.ts';

/** How close to the end counts as being there, in pixels. */
const END_THRESHOLD_PX = 80;

let followsEnd = true;
let lastTop = 0;

/** Scrolls to the end after the next render. */
export function scrollToEnd(): void {
  afterRender(() => {
    followsEnd = true;
    stayAtEnd();
  });
}

/** Stays at the end while messages arrive, and while images, players and embeds grow after they are rendered. */
export function followGrowth(): void {
  const list = findList();
  const inner = list?.firstElementChild;
  if (!list || !inner) return;
  const observer = new ResizeObserver(stayAtEnd);
  observer.observe(inner);
  observer.observe(list);
  list.addEventListener('scroll', () => handleScroll(list), { passive: true });
}

/** Only the member scrolls up; growing content never does. */
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
