// Keeps a member who reads along at the end of the channel, and one who reads back where they are.
import { afterDraw } from './state.ts';

/** How near the end counts as reading along, in pixels. */
const nearEnd = 80;

let readingAlong = true;
let lastTop = 0;

/** Goes to the end once what is new is drawn. */
export function scrollToEnd(): void {
  afterDraw(() => {
    readingAlong = true;
    stayAtEnd();
  });
}

/** Messages come, and pictures, players and embeds grow after they were drawn: stays at the end, if the member was there. */
export function watchGrowth(): void {
  const list = findList();
  const inner = list?.firstElementChild;
  if (!list || !inner) return;
  const observer = new ResizeObserver(stayAtEnd);
  observer.observe(inner);
  observer.observe(list);
  list.addEventListener('scroll', () => noticeScroll(list), { passive: true });
}

/** Only the member scrolls up; what grows below moves nothing. */
function noticeScroll(list: HTMLElement): void {
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd;
  if (atEnd) readingAlong = true;
  else if (list.scrollTop < lastTop) readingAlong = false;
  lastTop = list.scrollTop;
}

function stayAtEnd(): void {
  const list = findList();
  if (!list || !readingAlong) return;
  list.scrollTop = list.scrollHeight;
  lastTop = list.scrollTop;
}

function findList(): HTMLElement | null {
  return document.getElementById('messages');
}
