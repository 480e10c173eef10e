// Announces news to screen readers, without moving the focus.
let region: HTMLElement | undefined;

/** Adds a sentence to a polite live region. */
export function announce(sentence: string): void {
  if (!region) {
    region = document.createElement('div');
    region.className = 'visually-hidden';
    region.setAttribute('aria-live', 'polite');
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  const line = document.createElement('p');
  line.textContent = sentence;
  region.append(line);
  while (region.childElementCount > 5) region.firstElementChild?.remove();
}
