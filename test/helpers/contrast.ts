// The contrast of the text on a page, by WCAG 2.2 (1.4.3).
import type { Page } from 'playwright-core';

export interface LowContrastText {
  text: string;
  /** Ratio of the luminances of text and background, 1…21. */
  contrast: number;
  colours: string;
}

/**
 * Visible text with less contrast than its size requires: 4.5, or 3 if large. Exempt are disabled elements, and spoilers as long as they are to
 * be pressed.
 */
export function findLowContrastText(page: Page): Promise<LowContrastText[]> {
  return page.evaluate(() => {
    type Colour = [red: number, green: number, blue: number, opacity: number];
    const painter = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;

    /** Any CSS colour as numbers, since a canvas parses them all. */
    const read = (css: string): Colour => {
      painter.clearRect(0, 0, 1, 1);
      painter.fillStyle = css;
      painter.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = painter.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const lightness = (colour: Colour): number => {
      const [red, green, blue] = colour.slice(0, 3).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    /** The parent for rendering: a slot for slotted content, the host for a shadow tree. */
    const parentOf = (element: Element): Element | null =>
      element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;

    const ancestors = (element: Element): Element[] => {
      const parent = parentOf(element);
      return parent ? [element, ...ancestors(parent)] : [element];
    };
    const measure = (element: Element, text: string): LowContrastText | undefined => {
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const inView = box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0;
      if (!inView || style.visibility === 'hidden' || element.closest('[disabled], .visually-hidden, discord-spoiler[role=button]'))
        return undefined;
      const line = ancestors(element);
      if (line.some((one) => Number(getComputedStyle(one).opacity) < 0.1)) return undefined;
      const ground = line.reduceRight<Colour>((below, one) => over(read(getComputedStyle(one).backgroundColor), below), [255, 255, 255, 1]);
      const opacity = line.reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
      const [red, green, blue, alpha] = read(style.color);
      const words = over([red, green, blue, alpha * opacity], ground);
      const [darker = 0, lighter = 0] = [lightness(words), lightness(ground)].sort((one, other) => one - other);
      const contrast = (lighter + 0.05) / (darker + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast >= (isLarge ? 3 : 4.5)) return undefined;
      return { text, contrast: Math.round(contrast * 100) / 100, colours: `${style.color} on ${ground.slice(0, 3).map(Math.round)}` };
    };
    const search = (root: ParentNode): LowContrastText[] =>
      [...root.querySelectorAll('*')].flatMap((element) => {
        const text = [...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.textContent?.trim())
          .join(' ')
          .trim();
        const found = text && !/^(?:STYLE|SCRIPT)$/.test(element.tagName) ? measure(element, text) : undefined;
        return [...(found ? [found] : []), ...(element.shadowRoot ? search(element.shadowRoot) : [])];
      });
    return search(document.body);
  });
}
