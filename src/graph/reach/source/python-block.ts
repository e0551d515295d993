/**
 * A Python file as nested blocks: each logical line with the lines that are indented below it.
 *
 * Invariant: every line of the file is in exactly one block. If the lines are not nested as in Python there are no blocks.
 */
import type { LogicalLine } from './python-lines.ts';

export interface PythonBlock {
  readonly kind: BlockKind;
  /** The name of a function or class. */
  readonly name?: string;
  /** The line itself. */
  readonly code: string;
  readonly children: readonly PythonBlock[];
  /** The code of all lines below it; for a body on the same line, that line. */
  readonly lines: readonly string[];
}

/** A `condition` decides which lines below it run; a `continuation` is another branch of the block before it. */
export type BlockKind =
  | 'function'
  | 'class'
  | 'decorator'
  | 'import'
  | 'condition'
  | 'continuation'
  | 'statement';

export function blocksOf(lines: readonly LogicalLine[] | undefined): readonly PythonBlock[] | undefined {
  if (lines === undefined) return undefined;
  const blocks: PythonBlock[] = [];
  const indent = lines[0]?.indent ?? '';
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined || line.indent !== indent || holdsSeveral(line.code)) return undefined;
    const end = endOfBlock(lines, at);
    const below = lines.slice(at + 1, end);
    const children = blocksOf(below);
    if (children === undefined) return undefined;
    blocks.push(blockOf(line.code, children, below));
    at = end;
  }
  return blocks;
}

/** The identifiers in a piece of code, those in its strings included: a string may be an annotation. */
export function wordsIn(code: string): readonly string[] {
  return (code.match(/[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/g) ?? []).filter(
    (word) => !keywords.has(word),
  );
}

function blockOf(code: string, children: readonly PythonBlock[], below: readonly LogicalLine[]): PythonBlock {
  const [, keyword = '', name] = /^(?:async )?(def|class) ([\w\u0080-\uffff]+)/.exec(code) ?? [];
  const kind = kindOf(code, keyword);
  const lines = below.map((line) => line.code);
  const isOneLine = children.length === 0 && (kind === 'function' || kind === 'class');
  return {
    kind,
    ...(name !== undefined && { name }),
    code,
    children,
    lines: isOneLine ? [code] : lines,
  };
}

function kindOf(code: string, keyword: string): BlockKind {
  if (keyword === 'def') return 'function';
  if (keyword === 'class') return 'class';
  if (code.startsWith('@')) return 'decorator';
  if (/^(?:import|from)\b/.test(code)) return 'import';
  if (/^(?:elif|else|except|finally|case)\b/.test(code)) return 'continuation';
  if (/^(?:async )?(?:if|for|while|with|try|match)\b/.test(code) && !/^match\s*[=.)]/.test(code))
    return 'condition';
  return 'statement';
}

/** Whether a line holds several statements. */
function holdsSeveral(code: string): boolean {
  return code.includes(';') && code.replace(strings, '').includes(';');
}

const strings = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The index after the lines that are indented deeper than the line at `start`. */
function endOfBlock(lines: readonly LogicalLine[], start: number): number {
  const indent = lines[start]?.indent ?? '';
  let end = start + 1;
  for (let line = lines[end]; line !== undefined; line = lines[end]) {
    if (!line.indent.startsWith(indent) || line.indent.length === indent.length) break;
    end += 1;
  }
  return end;
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self cls'.split(
    ' ',
  ),
);
