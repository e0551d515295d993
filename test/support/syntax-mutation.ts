/**
 * Random edits of a TypeScript text: parts of it are removed, exchanged for others of the same kind, or get a word that
 * changes what they mean.
 */
import { isNode, type Parser, type SyntaxNode } from '../../src/graph/declarations/syntax-tree.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** An edit of the source that still parses, or undefined where the dice fell badly. */
export function mutate(source: SourceText, parse: Parser, random: SeededRandom): string | undefined {
  const { text, path } = source;
  const nodes = (parse(path, text)?.statements ?? []).flatMap(withParts);
  const node = choose(nodes, random);
  if (!node) return undefined;
  const changed = text.slice(0, node.start) + replacement(node, nodes, text, random) + text.slice(node.end);
  return changed !== text && parse(path, changed) ? changed : undefined;
}

function replacement(
  node: SyntaxNode,
  nodes: readonly SyntaxNode[],
  text: string,
  random: SeededRandom,
): string {
  const own = text.slice(node.start, node.end);
  const like = choose(
    nodes.filter(({ type }) => type === node.type),
    random,
  );
  const other = like ? text.slice(like.start, like.end) : '';
  const word = choose(words, random) ?? '';
  return choose(['', other, other, `${word} ${own}`, word], random) ?? '';
}

function withParts(node: SyntaxNode): readonly SyntaxNode[] {
  const parts = Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [node, ...parts.filter(isNode).flatMap(withParts)];
}

function choose<T>(choices: readonly T[], random: SeededRandom): T | undefined {
  return choices.length === 0 ? undefined : choices[random.below(choices.length)];
}

const words = [
  ...['string', 'number', 'never', 'any', 'symbol', 'undefined', '1', `'x'`, '{}', '[]'],
  ...[
    'export',
    'default',
    'declare',
    'abstract',
    'private',
    'static',
    'readonly',
    'async',
    'const',
    'let',
    'type',
  ],
];
