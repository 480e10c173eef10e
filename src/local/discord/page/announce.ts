// For screen readers: the page's only live region, which tells what is new, once, and without moving the focus; and names of several parts.

const region = document.createElement('div');
region.className = 'visually-hidden';
region.setAttribute('role', 'status');

/** Then a sentence has been read out, and is removed: those who read on to the end of the page would hear it again. */
const READ_OUT_MS = 10_000;

export function announce(sentence: string): void {
  // A modal dialog hides everything outside of it from screen readers.
  const home = document.querySelector('dialog[open]') ?? document.body;
  if (region.parentElement !== home) home.append(region);
  const line = document.createElement('p');
  line.textContent = sentence;
  region.append(line);
  setTimeout(() => line.remove(), READ_OUT_MS);
}

/** Announces the text of every element with `data-announce` below `root`, when it appears or changes. */
export function announceStates(root: HTMLElement): void {
  document.body.append(region);
  let known = new Set<string>();
  const read = (): void => {
    const shown = [...root.querySelectorAll('[data-announce]')].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
    const news = new Map(shown.filter(Boolean).map((text) => [withoutFigures(text), text]));
    for (const [key, text] of news) if (!known.has(key)) announce(text);
    known = new Set(news.keys());
  };
  new MutationObserver(read).observe(root, { childList: true, characterData: true, subtree: true });
}

/** For comparing: a text that only counts on has been heard. */
export function withoutFigures(text: string): string {
  return text.replace(/[\d\p{So}]+/gu, '');
}

/**
 * The accessible name of something whose parts stand apart, such as "Parley, speaking, deafened". Without it, screen readers join the parts
 * by spaces, commas included.
 */
export function accessibleName(...parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}
