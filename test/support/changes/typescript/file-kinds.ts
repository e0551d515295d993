/** Changes of which files there are, and of what they import. */
import { posix } from 'node:path';
import ts from 'typescript';
import type { SeededRandom } from '../../seeded-random.ts';
import type { Change, ChangedFile, ChangeKind } from '../change.ts';
import { drawOne, drawPath, type Sources, spliced } from '../sources.ts';
import { changed } from './body-kinds.ts';
import { withImport } from './declaration-kinds.ts';
import { drawNode, type Parsed, parse, sourceFile } from './syntax-tree.ts';

export const fileKinds: readonly ChangeKind[] = [
  { name: 'delete-file', draw: deleteFile },
  { name: 'rename-file', draw: moveFile((path) => path.replace(/(\.[cm]?tsx?)$/, '-renamed$1'), 'renames') },
  { name: 'move-file', draw: moveFile(intoNewDirectory, 'moves') },
  { name: 'create-imported', draw: createImported('./') },
  { name: 'create-in-new-directory', draw: createImported('./brand-new/') },
  { name: 'create-with-error', draw: createAlone },
  { name: 'shadow-module', draw: shadowModule },
  { name: 'import-missing', draw: importMissing },
  { name: 'import-missing-name', draw: importMissingName },
  { name: 'unused-import', draw: unusedImport },
  { name: 'import-removed', draw: importRemoved },
  { name: 'import-from-elsewhere', draw: importFromElsewhere },
];

function deleteFile(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, sourceFile);
  return path === undefined
    ? undefined
    : { kind: '', sentence: `deletes ${path}`, files: [{ path, after: undefined }] };
}

function moveFile(place: (path: string) => string, verb: string): ChangeKind['draw'] {
  return (sources, random) => {
    const path = drawPath(sources, random, sourceFile);
    if (path === undefined) return undefined;
    const to = place(path);
    const files: ChangedFile[] = [
      { path, after: undefined },
      { path: to, after: sources.text(path) ?? '' },
    ];
    return { kind: '', sentence: `${verb} ${path} to ${to}, its importers not`, files };
  };
}

function intoNewDirectory(path: string): string {
  return posix.join(posix.dirname(path), 'brand-new', posix.basename(path));
}

/** A new file, and a file that imports it and uses it rightly or wrongly. */
function createImported(place: './' | './brand-new/'): ChangeKind['draw'] {
  return (sources, random) => {
    const found = drawNode({ sources, random }, (tree) => (ts.isExternalModule(tree) ? [tree] : []));
    if (!found) return undefined;
    const { file } = found;
    const suffix = specifierSuffix(file);
    const name = `created-${random.below(1000)}`;
    const path = posix.join(posix.dirname(file.path), `${place}${name}.ts`);
    const type = drawOne(['number', 'string'], random) ?? 'number';
    const at = withImport(file, `import { createdValue } from '${place}${name}${suffix}';`);
    const use = `\nexport const usesCreated: ${type} = createdValue;\n`;
    const after = `${spliced(file.text, { start: at.offset, end: at.offset }, at.text)}${use}`;
    const sentence = `creates ${path} and uses its number as a ${type} in ${file.path}`;
    const files = [
      { path, after: 'export const createdValue: number = 1;\n' },
      { path: file.path, after },
    ];
    return { kind: '', sentence, files };
  };
}

/** How the file writes the end of a relative specifier. */
function specifierSuffix({ tree, text }: Parsed): '' | '.js' | '.ts' {
  const written = [...text.matchAll(/from\s+['"]\.{1,2}\/[^'"]*?(\.[jt]s)?['"]/g)].map(
    ([, end]) => end ?? '',
  );
  const [first = ''] = written;
  if (first === '.js' || first === '.ts') return first;
  return /\.mts$/.test(tree.fileName) ? '.js' : '';
}

function createAlone(sources: Sources, random: SeededRandom): Change | undefined {
  const beside = drawPath(sources, random, sourceFile);
  if (beside === undefined) return undefined;
  const path = posix.join(posix.dirname(beside), `created-alone-${random.below(1000)}.ts`);
  const text = "export const createdAlone: number = 'text';\n";
  return { kind: '', sentence: `creates ${path} with a type error`, files: [{ path, after: text }] };
}

/** `x.ts` beside `x/index.ts`, or `x.d.ts` beside `x.js`: a new file that resolution prefers. */
function shadowModule(sources: Sources, random: SeededRandom): Change | undefined {
  const index = drawPath(sources, random, /.\/index\.tsx?$/);
  if (index === undefined || posix.dirname(index) === '.') return undefined;
  const path = `${posix.dirname(index)}.ts`;
  if (sources.text(path) !== undefined) return undefined;
  const text = 'export const shadowing = 1;\n';
  return { kind: '', sentence: `creates ${path}, which hides ${index}`, files: [{ path, after: text }] };
}

function importMissing(sources: Sources, random: SeededRandom): Change | undefined {
  const specifier = drawOne(
    ['./does-not-exist', 'package-that-does-not-exist', './does-not-exist.js'],
    random,
  );
  return addImport(sources, random, () => `import { nothingThere } from '${specifier}';\nvoid nothingThere;`);
}

function importMissingName(sources: Sources, random: SeededRandom): Change | undefined {
  return addImport(sources, random, (file) => {
    const specifier = drawOne(relativeImports(file), random);
    return specifier && `import { nameThatIsMissing } from ${specifier};\nvoid nameThatIsMissing;`;
  });
}

function unusedImport(sources: Sources, random: SeededRandom): Change | undefined {
  return addImport(sources, random, (file) => {
    const specifier = drawOne(relativeImports(file), random);
    return specifier && `import * as unusedNamespace from ${specifier};`;
  });
}

/** Best one that names nothing: it may be all that brings the globals of a library along. */
function importRemoved(sources: Sources, random: SeededRandom): Change | undefined {
  const every = (tree: ts.SourceFile) => tree.statements.filter(ts.isImportDeclaration);
  const bare = (tree: ts.SourceFile) => every(tree).filter(({ importClause }) => importClause === undefined);
  const found = drawNode({ sources, random }, bare) ?? drawNode({ sources, random }, every);
  if (!found) return undefined;
  const { file, node } = found;
  const place = { start: node.getStart(), end: node.getEnd() };
  return changed(file, place, '', `removes ${node.getText().split('\n')[0]}`);
}

/** Of any other source, which may belong to no project or to another one. */
function importFromElsewhere(sources: Sources, random: SeededRandom): Change | undefined {
  return addImport(sources, random, (file) => {
    const other = drawPath(sources, random, sourceFile);
    if (other === undefined || other === file.path) return undefined;
    const way = posix.relative(posix.dirname(file.path), other).replace(/(?:\.d)?\.([cm]?)tsx?$/, '');
    const specifier = `${way.startsWith('.') ? '' : './'}${way}${specifierSuffix(file)}`;
    return `import * as fromElsewhere from '${specifier}';\nvoid fromElsewhere;`;
  });
}

function relativeImports({ tree }: Parsed): readonly string[] {
  return tree.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier.getText())
    .filter((text) => text.startsWith("'.") || text.startsWith('".'));
}

function addImport(
  sources: Sources,
  random: SeededRandom,
  textFor: (file: Parsed) => string | undefined,
): Change | undefined {
  const path = drawPath(sources, random, sourceFile);
  const file = path === undefined ? undefined : parse(sources, path);
  const text = file && ts.isExternalModule(file.tree) ? textFor(file) : undefined;
  if (!file || text === undefined) return undefined;
  const at = withImport(file, text);
  return changed(file, { start: at.offset, end: at.offset }, at.text, `adds ${text.split('\n')[0]}`);
}
