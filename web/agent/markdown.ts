/**
 * Markdown of a model, read into plain data.
 *
 * Invariant: nothing in it is ever HTML. A text is text, a link is one of http or https; whatever is not understood is
 * shown as it was written. Text that breaks off, because more of it is coming, reads as far as it goes.
 */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly address: string; readonly content: readonly Inline[] };

export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'rule' };

export function parseMarkdown(text: string): readonly Block[] {
  return blocksOf(text.split('\n'));
}

/** Deeper nesting than this is shown as text. */
const deepest = 8;

function blocksOf(lines: readonly string[], depth = 0): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const read = readers.map((reader) => reader(lines, at, depth)).find((found) => found !== undefined);
    const { block, next } = read ?? paragraph(lines, at);
    blocks.push(block);
    at = Math.max(next, at + 1);
  }
  return blocks;
}

interface ReadBlock {
  readonly block: Block;
  /** The line after it. */
  readonly next: number;
}

type Reader = (lines: readonly string[], at: number, depth: number) => ReadBlock | undefined;

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w.+-]*)/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const rule = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const quote = /^ {0,3}>\s?/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

const readers: readonly Reader[] = [
  (lines, at) => {
    const [, mark = '', language = ''] = fence.exec(lines[at] ?? '') ?? [];
    if (mark === '') return undefined;
    const isEnd = (line: string): boolean =>
      line.trimStart().startsWith(mark) && line.trim().length <= mark.length;
    const found = lines.findIndex((line, index) => index > at && isEnd(line));
    const end = found < 0 ? lines.length : found;
    return { block: { kind: 'code', language, text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
  },
  (lines, at) => {
    const [, marks, words] = heading.exec(lines[at] ?? '') ?? [];
    if (marks === undefined || words === undefined) return undefined;
    return { block: { kind: 'heading', level: marks.length, content: inlinesOf(words) }, next: at + 1 };
  },
  (lines, at) => (rule.test(lines[at] ?? '') ? { block: { kind: 'rule' }, next: at + 1 } : undefined),
  (lines, at, depth) => {
    if (!quote.test(lines[at] ?? '') || depth >= deepest) return undefined;
    const next = firstFrom(lines, at, (line) => !quote.test(line));
    const inner = lines.slice(at, next).map((line) => line.replace(quote, ''));
    return { block: { kind: 'quote', blocks: blocksOf(inner, depth + 1) }, next };
  },
  (lines, at, depth) => (item.test(lines[at] ?? '') && depth < deepest ? list(lines, at, depth) : undefined),
  (lines, at) => {
    if (!(lines[at] ?? '').includes('|') || !tableRule.test(lines[at + 1] ?? '')) return undefined;
    const next = firstFrom(lines, at + 2, (line) => !line.includes('|'));
    const rows = [lines[at] ?? '', ...lines.slice(at + 2, next)].map(cellsOf);
    return { block: { kind: 'table', rows }, next };
  },
];

function paragraph(lines: readonly string[], at: number): ReadBlock {
  const next = firstFrom(
    lines,
    at + 1,
    (line) => line.trim() === '' || [fence, heading, item, quote].some((start) => start.test(line)),
  );
  return { block: { kind: 'paragraph', content: inlinesOf(lines.slice(at, next).join('\n')) }, next };
}

function list(lines: readonly string[], at: number, depth: number): ReadBlock {
  const [, indent = '', mark = ''] = item.exec(lines[at] ?? '') ?? [];
  const isOrdered = /\d/.test(mark);
  const items: Block[][] = [];
  let next = at;
  while (next < lines.length) {
    const [, own = '', bullet = '', words = ''] = item.exec(lines[next] ?? '') ?? [];
    if (bullet === '' || own.length !== indent.length || /\d/.test(bullet) !== isOrdered) break;
    const begin = own.length + bullet.length + 1;
    const end = firstFrom(lines, next + 1, (line) => line.trim() !== '' && indentOf(line) < begin);
    const below = lines.slice(next + 1, end).map((line) => line.slice(Math.min(begin, indentOf(line))));
    items.push([...blocksOf([words, ...below], depth + 1)]);
    next = end;
  }
  return { block: { kind: 'list', isOrdered, items }, next };
}

function firstFrom(lines: readonly string[], from: number, isIt: (line: string) => boolean): number {
  const found = lines.findIndex((line, index) => index >= from && isIt(line));
  return found < 0 ? lines.length : found;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function cellsOf(line: string): readonly (readonly Inline[])[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inlinesOf(cell.trim()));
}

/** What can begin inside a line, each with what it makes of its match. */
const inlineRules: readonly (readonly [RegExp, (match: RegExpExecArray) => Inline])[] = [
  [
    /(?<!`)(`{1,3})(?!`)(.{1,2000}?)(?<!`)\1(?!`)/s,
    (match) => ({ kind: 'code', text: (match[2] ?? '').trim() }),
  ],
  [/\*\*(?=\S)(.+?)(?<=\S)\*\*/s, (match) => ({ kind: 'strong', content: inlinesOf(match[1] ?? '') })],
  [
    /(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?!\w)/s,
    (match) => ({ kind: 'emphasis', content: inlinesOf(match[1] ?? '') }),
  ],
  [
    /(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)/s,
    (match) => ({ kind: 'emphasis', content: inlinesOf(match[1] ?? '') }),
  ],
  [
    /\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()<>"]{1,2000})\)/,
    (match) => ({ kind: 'link', address: match[2] ?? '', content: inlinesOf(match[1] ?? '') }),
  ],
  [
    /https?:\/\/[^\s()<>"'`]{1,2000}[^\s()<>"'`.,;:!?]/,
    (match) => ({ kind: 'link', address: match[0], content: [{ kind: 'text', text: match[0] }] }),
  ],
];

/** A longer stretch without a line of its own is no prose, and is shown as it is. */
const longestProse = 10_000;

function inlinesOf(text: string): readonly Inline[] {
  if (text.length > longestProse) return [{ kind: 'text', text }];
  const content: Inline[] = [];
  let rest = text;
  while (rest !== '') {
    const first = earliest(rest);
    if (!first) break;
    const { match, inline } = first;
    if (match.index > 0) content.push({ kind: 'text', text: rest.slice(0, match.index) });
    content.push(inline(match));
    rest = rest.slice(match.index + match[0].length);
  }
  return rest === '' ? content : [...content, { kind: 'text', text: rest }];
}

function earliest(
  text: string,
): { readonly match: RegExpExecArray; readonly inline: (match: RegExpExecArray) => Inline } | undefined {
  let best: { match: RegExpExecArray; inline: (match: RegExpExecArray) => Inline } | undefined;
  for (const [pattern, inline] of inlineRules) {
    const match = pattern.exec(text);
    if (match && (!best || match.index < best.match.index)) best = { match, inline };
  }
  return best;
}
