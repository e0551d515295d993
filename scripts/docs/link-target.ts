/** The links of a document in Markdown, and the places in one that a link can lead to. */

export interface DocumentLink {
  /** Empty if it leads to a place in the same document. */
  readonly path: string;
  readonly heading?: string;
}

/** Links to other addresses than files are left out, and so is everything in code. */
export function linksIn(text: string): readonly DocumentLink[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = '', heading] = address.split('#');
      return { path, ...(heading !== undefined && { heading }) };
    });
}

export function headingIds(text: string): ReadonlySet<string> {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  return new Set([...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => headingId(title)));
}

/** As GitHub makes it from the words of a heading. */
export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
