/**
 * `docs/api.md`: what the library exports, by the path it is imported from.
 *
 * Each declaration stands as it is written, without the parts that a caller cannot reach: bodies, private members, values.
 *
 * Invariant: a function of the sources alone, so that a stale page can be told from a fresh one.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What stands behind each path that `package.json` lets a program import. */
const entries = {
  forerun: 'src/index.ts',
  'forerun/evaluation': 'src/library/evaluation.ts',
  'forerun/overlay': 'src/library/overlay.ts',
  'forerun/queue': 'src/library/queue.ts',
  'forerun/sandbox': 'src/library/sandbox.ts',
  'forerun/session': 'src/library/session.ts',
  'forerun/speculation': 'src/library/speculation.ts',
} as const;

interface ExportedName {
  readonly name: string;
  readonly file: string;
}

export function apiPage(root: string): string {
  const sections = Object.entries(entries).map(([path, entry]) => section(path, join(root, entry)));
  return [
    '# API',
    '<!-- Written by `npx tsx scripts/generate-docs.ts` from the sources. -->',
    'How the parts work together: [sessions](guide/sessions.md), and the programs in `examples/`.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

function section(path: string, entry: string): string {
  const source = sourceAt(entry);
  const purpose = ts.getTextOfJSDocComment(firstComment(source)) ?? '';
  const names = exportedNames(source).sort((a, b) => (a.name < b.name ? -1 : 1));
  return [`## \`${path}\``, purpose, ...names.map(described)].join('\n\n');
}

function described({ name, file }: ExportedName): string {
  const source = sourceAt(file);
  const declarations = source.statements.filter((statement) => namesOf(statement).includes(name));
  const [first] = declarations;
  const passedOn = exportedNames(source).find((each) => each.name === name);
  if (!first && passedOn) return described(passedOn);
  if (!first) throw new Error(`${file} declares no ${name}`);
  const comment = ts.getTextOfJSDocComment(firstComment(first));
  const code = declarations.map((each) => printed(each, source)).join('\n');
  const text = comment === undefined ? [] : [comment.replace(/\s*\n\s*/g, ' ')];
  return [`### ${name}`, ...text, `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');
}

/** The names that an entry passes on, each with the file that declares it. */
function exportedNames(source: ts.SourceFile): ExportedName[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) return [];
    const { exportClause, moduleSpecifier } = statement;
    if (!ts.isNamedExports(exportClause) || !moduleSpecifier || !ts.isStringLiteral(moduleSpecifier))
      return [];
    const file = join(dirname(source.fileName), moduleSpecifier.text);
    return exportClause.elements.map(({ name }) => ({ name: name.text, file }));
  });
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

const printer = ts.createPrinter();

function printed(statement: ts.Statement, source: ts.SourceFile): string {
  const { transformed, dispose } = ts.transform(statement, [reachableOnly]);
  const text = transformed.map((node) => printer.printNode(ts.EmitHint.Unspecified, node, source)).join('\n');
  dispose();
  // Its own comment stands above the code; those of its members stay with them.
  return text
    .replace(/^(?:\/\*\*?.*?\*\/\s*)+/s, '')
    .replace(/^export /, '')
    .replaceAll('    ', '  ');
}

/** Leaves out what a caller cannot reach. */
const reachableOnly: ts.TransformerFactory<ts.Node> = (context) => {
  const { factory } = context;
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isClassElement(node) && isHidden(node)) return undefined;
    if (ts.isFunctionDeclaration(node)) {
      const { modifiers, asteriskToken, name, typeParameters, parameters, type } = node;
      const plain = modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword);
      return factory.updateFunctionDeclaration(
        node,
        plain,
        asteriskToken,
        name,
        typeParameters,
        parameters,
        type,
        undefined,
      );
    }
    if (ts.isMethodDeclaration(node)) {
      const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } = node;
      const plain = modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword);
      return factory.updateMethodDeclaration(
        node,
        plain,
        asteriskToken,
        name,
        questionToken,
        typeParameters,
        parameters,
        type,
        undefined,
      );
    }
    if (ts.isConstructorDeclaration(node)) {
      return factory.updateConstructorDeclaration(node, node.modifiers, node.parameters, undefined);
    }
    if (ts.isGetAccessorDeclaration(node)) {
      const { modifiers, name, parameters, type } = node;
      return factory.updateGetAccessorDeclaration(node, modifiers, name, parameters, type, undefined);
    }
    if (ts.isPropertyDeclaration(node)) {
      const { modifiers, name, questionToken, type } = node;
      return factory.updatePropertyDeclaration(node, modifiers, name, questionToken, type, undefined);
    }
    if (ts.isVariableDeclaration(node)) {
      return factory.updateVariableDeclaration(node, node.name, node.exclamationToken, node.type, undefined);
    }
    return ts.visitEachChild(node, visit, context);
  };
  return (node) => visit(node) ?? node;
};

function isHidden(member: ts.ClassElement): boolean {
  if (member.name && ts.isPrivateIdentifier(member.name)) return true;
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;
}

function firstComment(node: ts.Node): ts.NodeArray<ts.JSDocComment> | string | undefined {
  const [statement] = ts.isSourceFile(node) ? node.statements : [node];
  return statement && ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc)?.comment;
}

function sourceAt(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}
