/**
 * Which symbols of a file are visible to other files, by the rules of its language.
 *
 * Invariant: the declaration and its containers decide; in doubt a symbol is visible, so that nothing a change may
 * break is missed.
 */
import { LineIndex } from '../text/position.ts';
import { type CodeSymbol, symbolKindName } from './symbol.ts';
import { bareName } from './symbol-name.ts';

/** A symbol with its containers, nearest first. */
export interface DeclaredSymbol {
  readonly symbol: CodeSymbol;
  readonly ancestors: readonly CodeSymbol[];
}

export interface Document {
  readonly language: string;
  readonly text: string;
}

/** For one document, a function that tells whether a symbol is visible to other files. */
export function visibilityIn({ language, text }: Document): (declared: DeclaredSymbol) => boolean {
  const index = new LineIndex(text);
  const rule = rules[language]?.(text) ?? (() => true);
  const isOpen = (symbol: CodeSymbol, parent: CodeSymbol | undefined): boolean =>
    rule({ symbol, name: bareName(symbol.name), head: headOf(index, symbol), parent });
  return ({ symbol, ancestors }) => {
    const chain = [symbol, ...ancestors];
    return chain.every((each, position) => {
      const parent = chain[position + 1];
      if (parent && isLocalIn(parent, each)) return false;
      return isOpen(each, parent);
    });
  };
}

/** Every symbol of a tree with its containers. */
export function declaredSymbols(
  symbols: readonly CodeSymbol[],
  ancestors: readonly CodeSymbol[] = [],
): readonly DeclaredSymbol[] {
  return symbols.flatMap((symbol) => [
    { symbol, ancestors },
    ...declaredSymbols(symbol.children, [symbol, ...ancestors]),
  ]);
}

interface Judged {
  readonly symbol: CodeSymbol;
  readonly name: string;
  /** The words before the name. */
  readonly head: string;
  readonly parent: CodeSymbol | undefined;
}

/** Reads the whole text once; the result then judges single symbols. */
type Rule = (text: string) => (judged: Judged) => boolean;

const hasCapital: Rule =
  () =>
  ({ name }) =>
    /^\p{Lu}/u.test(name);

const ecmascript: Rule = (text) => {
  const listed = new Set(
    [...text.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}(?!\s*from)|\bmodule\.exports\s*=\s*\{([^}]*)\}/g)]
      .flatMap((match) => (match[1] ?? match[2] ?? '').split(','))
      .map((item) => /^\s*(?:type\s+)?([\w$]+)/.exec(item)?.[1] ?? ''),
  );
  const single = text.matchAll(
    /\bexport\s+(?:default|=)\s+([\w$]+)\s*;?\s*$|\bmodule\.exports\s*=\s*([\w$]+)|\bexports\.([\w$]+)\s*=/gm,
  );
  for (const match of single) listed.add(match.slice(1).find(Boolean) ?? '');
  const isScript = !/^\s*(?:import|export)\b|\bexports\b/m.test(text);
  return ({ symbol, name, head, parent }) => {
    if (/\bprivate\b/.test(head) || symbol.name.startsWith('#')) return false;
    if (parent && symbolKindName(parent.kind) !== 'Namespace' && symbolKindName(parent.kind) !== 'Module')
      return true;
    return isScript || /\bexport\b/.test(head) || listed.has(name);
  };
};

const python: Rule = (text) => {
  const list = /^__all__\s*(?::[^=]+)?\+?=\s*[[(]([\s\S]*?)[\])]/m.exec(text)?.[1];
  const all =
    list === undefined
      ? undefined
      : new Set([...list.matchAll(/["'](\w+)["']/g)].map((match) => match[1] ?? ''));
  return ({ name, parent }) => {
    if (all && !parent) return all.has(name);
    return !name.startsWith('_') || /^__\w+__$/.test(name);
  };
};

/** Members of a trait or of a trait implementation need no `pub`. */
const rust: Rule =
  () =>
  ({ symbol, head, parent }) => {
    if (/\bpub\b/.test(head) || /^impl\b/.test(symbol.name)) return true;
    const [container = '', kind = ''] = parent ? [parent.name, symbolKindName(parent.kind)] : [];
    return /^impl\b.* for /.test(container) || kind === 'Interface' || kind === 'Enum';
  };

const javaLike: Rule =
  () =>
  ({ head, parent }) => {
    if (/\b(?:public|protected)\b/.test(head)) return true;
    const kind = parent ? symbolKindName(parent.kind) : '';
    return (kind === 'Interface' || kind === 'Enum') && !/\bprivate\b/.test(head);
  };

const unlessPrivate: Rule =
  () =>
  ({ head }) =>
    !/\b(?:fileprivate|private)\b/.test(head);

const unlessStatic: Rule =
  () =>
  ({ head, parent }) =>
    parent !== undefined || !/\bstatic\b/.test(head);

const rules: Readonly<Record<string, Rule>> = {
  go: hasCapital,
  typescript: ecmascript,
  javascript: ecmascript,
  python,
  rust,
  java: javaLike,
  csharp: javaLike,
  kotlin: unlessPrivate,
  swift: unlessPrivate,
  scala: unlessPrivate,
  php: unlessPrivate,
  c: unlessStatic,
  cpp: unlessStatic,
  zig:
    () =>
    ({ head }) =>
      /\bpub\b/.test(head),
  dart:
    () =>
    ({ name }) =>
      !name.startsWith('_'),
  elixir:
    () =>
    ({ head }) =>
      !/\bdef(?:macro)?p\b/.test(head),
};

/** Symbols declared in a function are local; so is a variable inside a variable that holds a function. */
function isLocalIn(parent: CodeSymbol, symbol: CodeSymbol): boolean {
  const outer = symbolKindName(parent.kind);
  const inner = symbolKindName(symbol.kind);
  if (outer === 'Function' || outer === 'Method' || outer === 'Constructor') return true;
  const isVariable = (kind: string): boolean => kind === 'Variable' || kind === 'Constant';
  return isVariable(outer) && (isVariable(inner) || inner === 'Function');
}

/** The text of the declaration up to its name, without comments and attributes above it. */
function headOf(index: LineIndex, { range, selectionRange }: CodeSymbol): string {
  const lastLine = Math.min(selectionRange.start.line, index.lineCount - 1);
  const firstLine = Math.min(range.start.line, lastLine);
  const lines: string[] = [];
  for (let line = firstLine; line <= lastLine; line += 1) {
    const text = index.lineText(line);
    lines.push(line === lastLine ? text.slice(0, selectionRange.start.character) : text);
  }
  const isAside = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*|#|@\w)/.test(line);
  return lines.filter((line, at) => at === lines.length - 1 || !isAside(line)).join('\n');
}
