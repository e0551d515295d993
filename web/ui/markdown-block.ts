/**
 * Markdown read into blocks. HTML has no meaning here: it is text like any other.
 *
 * Invariant: every line of the input is in exactly one block, so nothing that somebody wrote is hidden.
 */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly MarkdownBlock[] }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      readonly start: number;
      readonly items: readonly (readonly MarkdownBlock[])[];
    }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'rule' };

/** A block and the number of the line after it. */
type Read = readonly [MarkdownBlock, number];

const deepest = 20;

export function markdownBlocks(text: string, depth = 0): readonly MarkdownBlock[] {
  const lines = text.split(/\r?\n/);
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    if ((lines[at] ?? '').trim() === '') {
      at += 1;
      continue;
    }
    const [block, next] = readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? '';
  const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line);
  if (fence !== null) return readCode(lines, at, fence);
  const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (heading !== null) {
    return [{ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, at + 1];
  }
  if (isRule(line)) return [{ kind: 'rule' }, at + 1];
  if (depth < deepest && /^\s{0,3}>/.test(line)) return readQuote(lines, at, depth);
  if (depth < deepest && listMark.test(line)) return readList(lines, at, depth);
  return readTable(lines, at) ?? readParagraph(lines, at);
}

const listMark = /^(\s{0,8})([-*+]|\d{1,9}[.)])\s+(.*)$/;

function isRule(line: string): boolean {
  return /^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line);
}

function readCode(lines: readonly string[], at: number, fence: RegExpExecArray): Read {
  const mark = fence[1] ?? '```';
  const end = lines.findIndex(
    (line, index) => index > at && line.trim().startsWith(mark) && /^\s*[`~]+\s*$/.test(line),
  );
  // A fence that is still being written has no end yet.
  const last = end < 0 ? lines.length : end;
  return [{ kind: 'code', language: fence[2] ?? '', text: lines.slice(at + 1, last).join('\n') }, last + 1];
}

function readQuote(lines: readonly string[], at: number, depth: number): Read {
  let end = at;
  while (end < lines.length && /^\s{0,3}>/.test(lines[end] ?? '')) end += 1;
  const inside = lines.slice(at, end).map((line) => line.replace(/^\s{0,3}>\s?/, ''));
  return [{ kind: 'quote', blocks: markdownBlocks(inside.join('\n'), depth + 1) }, end];
}

function readList(lines: readonly string[], at: number, depth: number): Read {
  const first = listMark.exec(lines[at] ?? '');
  const indent = first?.[1]?.length ?? 0;
  const isOrdered = /\d/.test(first?.[2] ?? '');
  const items: string[][] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? '';
    const item = itemText(line, indent, isOrdered);
    if (item !== undefined) items.push([item]);
    else if (!continuesItem(lines, next, indent)) break;
    else items.at(-1)?.push(line.slice(Math.min(indent + 2, line.length - line.trimStart().length)));
    next += 1;
  }
  return [
    {
      kind: 'list',
      isOrdered,
      start: Number.parseInt(first?.[2] ?? '1', 10) || 1,
      items: items.map((item) => markdownBlocks(item.join('\n'), depth + 1)),
    },
    next,
  ];
}

/** The text of a line that begins an item of this list. */
function itemText(line: string, indent: number, isOrdered: boolean): string | undefined {
  const mark = listMark.exec(line);
  if (mark === null || (mark[1]?.length ?? 0) > indent + 1) return undefined;
  return /\d/.test(mark[2] ?? '') === isOrdered ? (mark[3] ?? '') : undefined;
}

/** Whether a line that begins no item belongs to the item before it. */
function continuesItem(lines: readonly string[], at: number, indent: number): boolean {
  const line = lines[at] ?? '';
  if (line.trim() !== '') {
    const isIndented = line.length - line.trimStart().length > indent;
    return (
      isIndented || (lines[at - 1]?.trim() !== '' && !listMark.test(line) && !/^\s{0,3}(#|>|`{3})/.test(line))
    );
  }
  const after = lines[at + 1] ?? '';
  return after.trim() !== '' && (after.length - after.trimStart().length > indent || listMark.test(after));
}

function readTable(lines: readonly string[], at: number): Read | undefined {
  const rule = lines[at + 1] ?? '';
  if (
    !(lines[at] ?? '').includes('|') ||
    !/^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(rule) ||
    !rule.includes('-')
  ) {
    return undefined;
  }
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1;
  const rows = lines.slice(at + 2, end).map(cells);
  return [{ kind: 'table', head: cells(lines[at] ?? ''), rows }, end];
}

function cells(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function readParagraph(lines: readonly string[], at: number): Read {
  let end = at + 1;
  const ends = /^\s{0,3}(#{1,6}\s|>|`{3}|~{3}|[-*+]\s|\d{1,9}[.)]\s)/;
  while (
    end < lines.length &&
    (lines[end] ?? '').trim() !== '' &&
    !ends.test(lines[end] ?? '') &&
    !isRule(lines[end] ?? '')
  ) {
    end += 1;
  }
  return [{ kind: 'paragraph', text: lines.slice(at, end).join('\n') }, end];
}
