// What the tests of the docs read of Markdown: links, and the anchors that GitHub gives to headings.

/** Links and pictures, without those in code. */
export function linksIn(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
  const attributes = [...text.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)];
  return [...inline, ...attributes].map(([, target = '']) => target);
}

/** Anchors of all headings. A heading that is there again gets a number. */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = toSlug(heading);
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** As GitHub does it: what is shown of the heading in lower case, without punctuation, spaces as hyphens. */
function toSlug(heading: string): string {
  const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

const withoutFences = (markdown: string) => markdown.replaceAll(/^( *)```.*?^\1```/gms, '');
const withoutCode = (markdown: string) => withoutFences(markdown).replaceAll(/`[^`\n]*`/g, 'code');
