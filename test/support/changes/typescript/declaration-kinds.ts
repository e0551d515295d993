/** Changes of what a file declares for others: names, signatures, exports. */
import ts from 'typescript';
import type { SeededRandom } from '../../seeded-random.ts';
import type { Change, ChangeKind } from '../change.ts';
import { drawOne, type Sources } from '../sources.ts';
import { changed, importOffset } from './body-kinds.ts';
import {
  declarationFile,
  declaredName,
  drawNode,
  exportedStatements,
  exportKeyword,
  spanOf,
  visibleFunctions,
} from './syntax-tree.ts';

export const declarationKinds: readonly ChangeKind[] = [
  { name: 'rename-export', draw: renameExport },
  { name: 'remove-export', draw: removeExport },
  { name: 'remove-declaration', draw: removeDeclaration },
  { name: 'required-parameter', draw: requiredParameter },
  { name: 'parameter-type', draw: parameterType },
  { name: 'return-type', draw: returnType },
  { name: 'barrel-export', draw: removeBarrelExport },
  { name: 'default-export', draw: changeDefaultExport },
  { name: 'augment-global', draw: augmentGlobal },
  { name: 'declaration-file', draw: editDeclarationFile },
  { name: 'export-type-only', draw: exportTypeOnly },
];

function renameExport(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    exportedStatements(tree).flatMap((statement) => declaredName(statement) ?? []),
  );
  if (!found) return undefined;
  const name = found.node.text;
  return changed(found.file, spanOf(found.node), `${name}Renamed`, `renames ${name}, not its uses`);
}

function removeExport(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    exportedStatements(tree).filter((statement) => declaredName(statement) !== undefined),
  );
  const keyword = found && exportKeyword(found.node);
  if (!found || !keyword) return undefined;
  const span = { start: keyword.getStart(), end: keyword.getEnd() + 1 };
  return changed(found.file, span, '', `no longer exports ${declaredName(found.node)?.text}`);
}

function removeDeclaration(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    exportedStatements(tree).filter((statement) => declaredName(statement) !== undefined),
  );
  if (!found) return undefined;
  return changed(found.file, spanOf(found.node), '', `removes ${declaredName(found.node)?.text}`);
}

function requiredParameter(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    visibleFunctions(tree).filter(({ parameters, pos }) => !isBareArrow(tree, parameters, pos)),
  );
  if (!found) return undefined;
  const { file, node } = found;
  const { parameters } = node;
  // A required parameter stands before the first optional one.
  const next = parameters.find(
    (each) => each.questionToken ?? each.initializer ?? each.dotDotDotToken ?? undefined,
  );
  const last = parameters.at(-1);
  const added = 'addedParameter: { readonly added: symbol }';
  const verb = `adds a required parameter to ${nameOfFunction(node)}`;
  if (next) return changed(file, { start: next.getStart(), end: next.getStart() }, `${added}, `, verb);
  if (last) return changed(file, { start: last.getEnd(), end: last.getEnd() }, `, ${added}`, verb);
  return changed(file, { start: parameters.pos, end: parameters.pos }, added, verb);
}

/** `x => …`: there are no parentheses a second parameter could stand in. */
function isBareArrow(
  tree: ts.SourceFile,
  parameters: ts.NodeArray<ts.ParameterDeclaration>,
  from: number,
): boolean {
  return !tree.text.slice(from, parameters.pos).includes('(');
}

function nameOfFunction(node: ts.SignatureDeclaration): string {
  return node.name?.getText() ?? 'a function';
}

function parameterType(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    visibleFunctions(tree).flatMap(({ parameters }) => parameters.flatMap(({ type }) => type ?? [])),
  );
  if (!found) return undefined;
  const types = ['{ readonly changedParameter: true }', 'never', 'unknown', 'string | undefined'];
  const type = drawOne(types, random) ?? 'never';
  const verb = `changes a parameter's type from ${found.node.getText().slice(0, 60)} to ${type}`;
  return changed(found.file, spanOf(found.node), type, verb);
}

function returnType(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    visibleFunctions(tree).flatMap(({ type }) => type ?? []),
  );
  if (!found) return undefined;
  const type = drawOne(['{ readonly changedReturn: true }', 'unknown', 'number'], random) ?? 'unknown';
  const verb = `changes a return type from ${found.node.getText().slice(0, 60)} to ${type}`;
  return changed(found.file, spanOf(found.node), type, verb);
}

function removeBarrelExport(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    tree.statements.filter(
      (statement): statement is ts.ExportDeclaration =>
        ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
    ),
  );
  if (!found) return undefined;
  const { file, node } = found;
  const clause = node.exportClause;
  const names = clause && ts.isNamedExports(clause) ? clause.elements : undefined;
  const one = names && names.length > 1 ? drawOne([...names], random) : undefined;
  if (!one) return changed(file, spanOf(node), '', `removes ${node.getText().slice(0, 80)}`);
  const comma = /^\s*,/.exec(file.text.slice(one.getEnd()))?.[0].length ?? 0;
  const span = { start: one.getStart(), end: one.getEnd() + comma };
  return changed(file, span, '', `no longer passes on ${one.getText()}`);
}

function changeDefaultExport(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    nodesWithDefault(tree).filter(
      (statement) => !ts.isExportAssignment(statement) || !statement.isExportEquals,
    ),
  );
  if (!found) return undefined;
  const { file, node } = found;
  if (ts.isExportAssignment(node)) {
    const text = drawOne(['export const noLongerDefault = 1;', 'export default 1;'], random) ?? '';
    return changed(file, spanOf(node), text, `replaces ${node.getText().slice(0, 60)} by ${text}`);
  }
  const keyword = ts.canHaveModifiers(node)
    ? ts.getModifiers(node)?.find(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
    : undefined;
  const name = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) ? node.name : undefined;
  if (!keyword || !name) return undefined;
  const span = { start: keyword.getStart(), end: keyword.getEnd() + 1 };
  return changed(file, span, '', `${name.text} is no longer the default export`);
}

function nodesWithDefault(tree: ts.SourceFile): readonly ts.Statement[] {
  return tree.statements.filter(
    (statement) =>
      ts.isExportAssignment(statement) ||
      (ts.canHaveModifiers(statement) &&
        (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)),
  );
}

const augmentations = [
  'declare global { interface Error { readonly requiredMarker: number } }',
  'declare global { interface Promise<T> { readonly requiredMarker: T } }',
  'declare global { const globalMarker: number }\nconst markerText: string = globalMarker; void markerText;',
  'declare global { interface ReadonlyArray<T> { at(index: string): T } }',
];

function augmentGlobal(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) => (ts.isExternalModule(tree) ? [tree] : []));
  const text = drawOne(augmentations, random);
  if (!found || text === undefined) return undefined;
  const end = found.file.text.length;
  return changed(found.file, { start: end, end }, `\n${text}\n`, `adds ${text}`);
}

function editDeclarationFile(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random, matches: declarationFile }, (tree) => [
    ...tree.statements,
    ...tree.statements.flatMap((statement) =>
      ts.isInterfaceDeclaration(statement) ? [...statement.members] : [],
    ),
  ]);
  if (!found) return undefined;
  return changed(found.file, spanOf(found.node), '', `removes ${found.node.getText().slice(0, 80)}`);
}

/** Values exported as types only break those that use them as values. */
function exportTypeOnly(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawNode({ sources, random }, (tree) =>
    tree.statements.filter(
      (statement): statement is ts.ImportDeclaration =>
        ts.isImportDeclaration(statement) &&
        statement.importClause?.namedBindings !== undefined &&
        ts.isNamedImports(statement.importClause.namedBindings) &&
        !/^import\s+type\b/.test(statement.getText()) &&
        !/\btype\b/.test(statement.importClause.getText()) &&
        statement.importClause.name === undefined,
    ),
  );
  if (!found) return undefined;
  const at = found.node.getStart() + 'import'.length;
  return changed(found.file, { start: at, end: at }, ' type', 'imports only the types');
}

/** Exported for the kinds of imports, which stand at the same place. */
export function withImport(file: { tree: ts.SourceFile }, text: string): { offset: number; text: string } {
  const offset = importOffset(file.tree);
  const isFirst = !file.tree.statements.some(ts.isImportDeclaration);
  return { offset, text: isFirst ? `${text}\n` : `\n${text}` };
}
