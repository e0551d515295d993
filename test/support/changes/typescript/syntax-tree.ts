/**
 * TypeScript sources as syntax trees: where their declarations, members and bodies stand.
 *
 * Invariant: spans are offsets into the text that was parsed; leading comments belong to no span.
 */
import ts from 'typescript';
import type { SeededRandom } from '../../seeded-random.ts';
import { drawOne, type Sources } from '../sources.ts';

export const sourceFile: RegExp = /(?<!\.d)\.[cm]?tsx?$/;
export const declarationFile: RegExp = /\.d\.[cm]?ts$/;
export const scriptFile: RegExp = /\.[cm]?jsx?$/;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A file with its tree. */
export interface Parsed {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** A node of a file. */
export interface Found<N extends ts.Node = ts.Node> {
  readonly file: Parsed;
  readonly node: N;
}

export function parse(sources: Sources, path: string): Parsed | undefined {
  const known = parsed.get(sources) ?? new Map<string, Parsed>();
  parsed.set(sources, known);
  const text = sources.text(path);
  if (text === undefined) return undefined;
  const file = known.get(path) ?? {
    path,
    text,
    tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  };
  known.set(path, file);
  return file;
}

/** Many draws look at the same files, which do not change under them. */
const parsed = new WeakMap<Sources, Map<string, Parsed>>();

/** A node that a search finds in a drawn file; several files are tried. */
export function drawNode<N extends ts.Node>(
  { sources, random, matches = sourceFile }: { sources: Sources; random: SeededRandom; matches?: RegExp },
  search: (tree: ts.SourceFile) => readonly N[],
): Found<N> | undefined {
  const paths = sources.paths.filter((path) => matches.test(path));
  for (let attempt = 0; attempt < 25; attempt++) {
    const path = drawOne(paths, random);
    const file = path === undefined ? undefined : parse(sources, path);
    const node = file && drawOne(search(file.tree), random);
    if (file && node) return { file, node };
  }
  return undefined;
}

export function spanOf(node: ts.Node): Span {
  return { start: node.getStart(), end: node.getEnd() };
}

/** Every node below one that a guard accepts. */
export function nodesBelow<N extends ts.Node>(
  root: ts.Node,
  accepts: (node: ts.Node) => node is N,
): readonly N[] {
  const found: N[] = [];
  const visit = (node: ts.Node): void => {
    if (accepts(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(root, visit);
  return found;
}

/** Statements that declare names and export them. */
export function exportedStatements(tree: ts.SourceFile): readonly ts.Statement[] {
  return tree.statements.filter((statement) => exportKeyword(statement) !== undefined);
}

export function exportKeyword(statement: ts.Statement): ts.Node | undefined {
  if (!ts.canHaveModifiers(statement)) return undefined;
  const modifiers = ts.getModifiers(statement) ?? [];
  const isDefault = modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  return isDefault ? undefined : modifiers.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** The identifier that a statement declares; the first where it declares several. */
export function declaredName(statement: ts.Statement): ts.Identifier | undefined {
  if (ts.isVariableStatement(statement)) {
    const name = statement.declarationList.declarations[0]?.name;
    return name && ts.isIdentifier(name) ? name : undefined;
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed ? statement.name : undefined;
}

/** Functions whose signature other files can see: declarations, methods, and functions that a constant holds. */
export function visibleFunctions(tree: ts.SourceFile): readonly ts.SignatureDeclaration[] {
  return exportedStatements(tree).flatMap((statement): ts.SignatureDeclaration[] => {
    if (ts.isFunctionDeclaration(statement)) return [statement];
    if (ts.isClassDeclaration(statement)) return statement.members.filter(ts.isMethodDeclaration);
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ initializer }) =>
      initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
        ? [initializer]
        : [],
    );
  });
}

export function blockBodies(tree: ts.SourceFile): readonly ts.Block[] {
  return nodesBelow(tree, ts.isBlock).filter(
    ({ parent }) => ts.isFunctionLike(parent) && !ts.isConstructorDeclaration(parent),
  );
}

/** The members of exported interfaces and of exported aliases of object types. */
export function memberLists(tree: ts.SourceFile): readonly (ts.InterfaceDeclaration | ts.TypeLiteralNode)[] {
  return exportedStatements(tree).flatMap((statement): (ts.InterfaceDeclaration | ts.TypeLiteralNode)[] => {
    if (ts.isInterfaceDeclaration(statement)) return [statement];
    if (ts.isTypeAliasDeclaration(statement) && ts.isTypeLiteralNode(statement.type)) return [statement.type];
    return [];
  });
}
