/** Environment variables of ours are settings: read in `src/config` alone, and passed down as values. */

import ts from 'typescript';
import { expect, test } from 'vitest';
import { settingVariables } from '../../src/config/environment.ts';
import { settingKeys } from '../../src/config/settings.ts';
import { sourceFiles } from '../support/source-tree.ts';

/** Where a process begins, what a program opens, and what a child process inherits if its caller does not say. */
const entries: readonly RegExp[] = [
  /^src\/cli\//,
  /^src\/host\/open-forerun\.ts$/,
  /^src\/queue\/queued-evaluator\.ts$/,
  /^src\/lsp\/internal\/transport\.ts$/,
];

const sources = (await sourceFiles('src')).filter(
  ({ path }) => !path.endsWith('.test.ts') && !path.startsWith('src/config/'),
);

test('the environment of the process is taken where the process begins', () => {
  const found = sources.filter(({ path }) => !entries.some((entry) => entry.test(path)));
  expect(found.flatMap(({ path, text }) => named(path, text, isProcessEnvironment))).toEqual([]);
});

test('no variable of ours is read outside the settings', () => {
  expect(sources.flatMap(({ path, text }) => named(path, text, isOwnVariable))).toEqual([]);
});

test('every variable belongs to a setting', () => {
  const keys = settingKeys.map(({ key }) => key);
  expect(Object.keys(settingVariables).filter((key) => !keys.includes(key))).toEqual([]);
});

/** `env.FORERUN_X`, `env['FORERUN_X']`, and the name in a pattern or an object. */
function isOwnVariable(node: ts.Node): boolean {
  const isName = ts.isIdentifier(node) || ts.isStringLiteralLike(node);
  if (!isName || !/^(?:FORERUN|AGENT_LSP)_[A-Z_]+$/.test(node.text)) return false;
  const { parent } = node;
  return (
    ts.isPropertyAccessExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isBindingElement(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

function isProcessEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.getText() === 'process.env';
  // const { env } = process
  return (
    ts.isVariableDeclaration(node) &&
    node.initializer?.getText() === 'process' &&
    /\benv\b/.test(node.name.getText())
  );
}

function named(path: string, text: string, isNamed: (node: ts.Node) => boolean): readonly string[] {
  // Parsing takes long: only what holds one of the names can use it.
  if (!/process|FORERUN_|AGENT_LSP_/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamed(node)) found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}
