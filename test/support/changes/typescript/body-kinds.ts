/** Changes inside a file that need no declaration: comments, blanks, bodies, unused names, broken syntax. */
import ts from 'typescript';
import type { SeededRandom } from '../../seeded-random.ts';
import type { Change, ChangeKind } from '../change.ts';
import { drawOne, drawPath, type Sources, spliced } from '../sources.ts';
import { blockBodies, drawNode, type Parsed, parse, scriptFile, sourceFile } from './syntax-tree.ts';

export const bodyKinds: readonly ChangeKind[] = [
  { name: 'comment', draw: beforeStatement((line) => `// A remark on line ${line}.\n`, 'adds a comment') },
  { name: 'blank', draw: beforeStatement(() => '\n\n\n', 'adds blank lines') },
  {
    name: 'expect-error',
    draw: beforeStatement(() => '// @ts-expect-error nothing is wrong here\n', 'expects an error'),
  },
  {
    name: 'body',
    draw: intoBody("if (Date.now() < 0) throw new Error('the clock');", 'adds a statement to a body'),
  },
  {
    name: 'body-error',
    draw: intoBody("const wrongNumber: number = 'text'; void wrongNumber;", 'adds a type error to a body'),
  },
  { name: 'unused-local', draw: intoBody('const unusedLocal = 1;', 'adds an unused local') },
  { name: 'script-body', draw: intoBody('void undefinedInScript;', 'names something unknown', scriptFile) },
  { name: 'no-check', draw: atStart('// @ts-nocheck\n', 'turns checking off for the file') },
  { name: 'syntax-brace', draw: withoutClosingBrace },
  {
    name: 'syntax-insert',
    draw: beforeStatement(() => 'const = ;\n', 'adds a statement that does not parse'),
  },
  { name: 'truncate', draw: truncated },
];

type Draw = ChangeKind['draw'];

function beforeStatement(text: (line: number) => string, verb: string): Draw {
  return (sources, random) => {
    const found = drawNode({ sources, random }, (tree) => tree.statements);
    if (!found) return undefined;
    const { file, node } = found;
    const start = node.getStart();
    const line = file.tree.getLineAndCharacterOfPosition(start).line + 1;
    return changed(file, { start, end: start }, text(line), `${verb} before line ${line}`);
  };
}

function intoBody(statement: string, verb: string, matches: RegExp = sourceFile): Draw {
  return (sources, random) => {
    const found = drawNode({ sources, random, matches }, blockBodies);
    if (!found) return undefined;
    const at = found.node.getStart() + 1;
    const line = found.file.tree.getLineAndCharacterOfPosition(at).line + 1;
    return changed(found.file, { start: at, end: at }, ` ${statement}`, `${verb} on line ${line}`);
  };
}

function atStart(text: string, verb: string): Draw {
  return (sources, random) => {
    const path = drawPath(sources, random, sourceFile);
    const file = path === undefined ? undefined : parse(sources, path);
    return file && changed(file, { start: 0, end: 0 }, text, verb);
  };
}

function withoutClosingBrace(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, blockBodies);
  if (!found) return undefined;
  const { file, node } = found;
  const line = file.tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
  const span = { start: node.getEnd() - 1, end: node.getEnd() };
  return changed(file, span, '', `takes the closing brace off line ${line}`);
}

function truncated(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) => tree.statements);
  if (!found) return undefined;
  const { file } = found;
  const cut = drawOne([0.25, 0.5, 0.75], random) ?? 0.5;
  const span = { start: Math.floor(file.text.length * cut), end: file.text.length };
  return changed(file, span, '\n', `ends the file after ${cut * 100} % of it`);
}

/** A change of one stretch of one file. */
export function changed(
  { path, text }: Parsed,
  span: { start: number; end: number },
  replacement: string,
  verb: string,
): Change {
  return {
    kind: '',
    sentence: `${path}: ${verb}`,
    files: [{ path, after: spliced(text, span, replacement) }],
  };
}

/** The statement after which imports may be added: after directives and the last import. */
export function importOffset(tree: ts.SourceFile): number {
  const imports = tree.statements.filter(ts.isImportDeclaration);
  const last = imports.at(-1);
  if (last) return last.getEnd();
  return tree.statements[0]?.getStart() ?? 0;
}
