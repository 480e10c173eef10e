// Keeps a member who reads along at the end of the channel, and one who reads back where they are.
import { afterDraw } from './state.ts';

/** How near the end counts as reading along, in pixels. */
const nearEnd = 80;

let readingAlong = true;

/** Call before drawing: is the member at the end of the channel? */
export function rememberScroll(): void {
  const list = document.getElementById('messages');
  readingAlong = !list || list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd;
}

/** Call after drawing: stays at the end, if the member was there. */
export function keepScroll(): void {
  if (readingAlong) scrollNow();
}

export function scrollToEnd(): void {
  afterDraw(() => {
    readingAlong = true;
    scrollNow();
  });
}

function scrollNow(): void {
  stayAtEnd();
  // The shared elements draw themselves a moment later and grow.
  requestAnimationFrame(stayAtEnd);
}

function stayAtEnd(): void {
  const list = document.getElementById('messages');
  if (list && readingAlong) list.scrollTop = list.scrollHeight;
}

/** Pictures and players grow after they are loaded: stay at the end then too. */
export function watchGrowth(): void {
  const list = document.getElementById('messages');
  const inner = list?.firstElementChild;
  if (!list || !inner) return;
  new ResizeObserver(stayAtEnd).observe(inner);
  list.addEventListener('scroll', rememberScroll, { passive: true });
}
