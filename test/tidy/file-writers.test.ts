import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const writers: Readonly<Record<string, string>> = require('../../.writers.cjs');

/** Stands for all functions. */
const whole = 'node:fs as a whole';

const writing =
  /^(?:write(?:File|v)?|appendFile|rename|rm|rmdir|unlink|mkdir|mkdtemp|symlink|link|[fl]?chmod|[fl]?chown|copyFile|cp|f?truncate|[fl]?utimes|createWriteStream)(?:Sync)?$/;

test.each<[string, readonly string[]]>([
  ["import { readFile, writeFile } from 'node:fs/promises';", ['writeFile']],
  ["import { rmSync as remove } from 'node:fs';", ['rmSync']],
  ["import { open } from 'node:fs/promises'; open(path, 'r'); open(path);", []],
  ["import { openSync as start } from 'node:fs'; start(path, 'wx');", ['openSync']],
  ["import { open } from 'node:fs/promises'; open(path, flags);", ['open']],
  ["import { open } from 'node:fs/promises'; const how = open;", ['open']],
  ["import type { Stats } from 'node:fs'; import { type Dirent } from 'node:fs';", []],
  ["import * as fs from 'node:fs';", ['node:fs as a whole']],
  ["import fs from 'fs';", ['node:fs as a whole']],
  ["import { promises } from 'node:fs';", ['node:fs as a whole']],
  ["const fs = await import('node:fs/promises');", ['node:fs as a whole']],
  ["import { writeFile } from './ours.ts'; // node:fs", []],
])('in %s the writing functions %j are found', (text, expected) => {
  expect(writingFunctions('case.ts', text)).toEqual(expected);
});

const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, functions: writingFunctions(path, readFileSync(`src/${path}`, 'utf8')) }))
  .filter(({ functions }) => functions.length > 0);

test('no file writes that the table of writers does not name', () => {
  const rows = Object.keys(writers);
  expect(found.filter(({ path }) => !rows.some((row) => isIn(row, path)))).toEqual([]);
});

test('every row of the table of writers is used: one that is not needed any more goes', () => {
  const unused = Object.keys(writers).filter((row) => !found.some(({ path }) => isIn(row, path)));
  expect(unused).toEqual([]);
});

function isIn(row: string, path: string): boolean {
  return row.endsWith('/') ? path.startsWith(row) : path === row;
}

/** The functions of `node:fs` with which a module can write; one that takes the module as a whole can do everything. */
function writingFunctions(path: string, text: string): readonly string[] {
  if (!/['"](?:node:)?fs(?:\/promises)?['"]/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions = new Set<string>();
  const opening = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && isFileSystem(node.moduleSpecifier)) {
      for (const { name, local } of importedBy(node)) {
        if (name === 'open' || name === 'openSync') opening.set(local, name);
        else functions.add(name);
      }
      return;
    }
    if (ts.isCallExpression(node) && isFileSystem(node.arguments[0])) functions.add(whole);
    const opened = ts.isIdentifier(node) ? opening.get(node.text) : undefined;
    if (opened !== undefined && !isMemberName(node) && !isReadOnlyCall(node)) functions.add(opened);
    node.forEachChild(visit);
  };
  visit(source);
  return [...functions];
}

function isFileSystem(node: ts.Node | undefined): boolean {
  return (
    node !== undefined && ts.isStringLiteralLike(node) && /^(?:node:)?fs(?:\/promises)?$/.test(node.text)
  );
}

/** What an import declaration takes in order to write or to open; `local` is what it is called in the module. */
function importedBy({
  importClause,
}: ts.ImportDeclaration): readonly { readonly name: string; readonly local: string }[] {
  if (!importClause || importClause.isTypeOnly) return [];
  const { name, namedBindings } = importClause;
  if (name || (namedBindings && ts.isNamespaceImport(namedBindings))) return [{ name: whole, local: '' }];
  const elements = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  return elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name: local }) => ({ name: (propertyName ?? local).text, local: local.text }))
    .map(({ name: given, local }) => ({ name: given === 'promises' ? whole : given, local }))
    .filter(({ name: given }) => given === whole || /^open(?:Sync)?$/.test(given) || writing.test(given));
}

/** `view.open` and `{ open() {} }` name something else. */
function isMemberName(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent)) &&
      parent.name === node)
  );
}

/** Whether a file is opened here for reading only: without flags, or with the flag for it. */
function isReadOnlyCall(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node) return false;
  const flags = parent.arguments[1];
  return flags === undefined || (ts.isStringLiteralLike(flags) && flags.text === 'r');
}
