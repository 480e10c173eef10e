// Keeps the channel scrolled to its end, unless the member has scrolled up to read.
import { afterRender, state, update } from './state.ts';

/** How close to the end counts as being there, in pixels. */
const END_THRESHOLD_PX = 80;

let lastTop = 0;

/** Scrolls to the end after the next render. */
export function scrollToEnd(): void {
  afterRender(() => {
    setAtEnd(true);
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
  if (atEnd) setAtEnd(true);
  else if (list.scrollTop < lastTop) setAtEnd(false);
  lastTop = list.scrollTop;
}

function setAtEnd(isAtEnd: boolean): void {
  if (isAtEnd !== state.isAtEnd)
    update(() => {
      state.isAtEnd = isAtEnd;
    });
}

function stayAtEnd(): void {
  const list = findList();
  if (!list || !state.isAtEnd) return;
  list.scrollTop = list.scrollHeight;
  lastTop = list.scrollTop;
}

function findList(): HTMLElement | null {
  return document.getElementById('messages');
}
