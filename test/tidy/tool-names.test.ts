/** Texts below the tools name no tool: their reader may be at a terminal, in the editor or in a program. */
import { createRequire } from 'node:module';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/tools/catalogue.ts';
import { sourceFiles } from '../support/source-tree.ts';

const require = createRequire(import.meta.url);
const layers: Readonly<Record<string, readonly string[]>> = require('../../.layers.cjs');

test('no text below the tools names a tool', async () => {
  const tools = catalogue.map(({ name }) => name).filter((name) => name.includes('_'));
  expect(tools.length).toBeGreaterThan(40);
  const named = new RegExp(`\\b(?:${tools.join('|')})\\b`);
  const files = (await sourceFiles(...foldersBelow('tools').map((folder) => `src/${folder}`))).filter(
    ({ path, text }) => !path.endsWith('.test.ts') && named.test(text),
  );
  const found = files.flatMap(({ path, text }) =>
    textsIn(path, text)
      .filter((each) => named.test(each))
      .map((each) => `${path}: ${each}`),
  );
  expect(found).toEqual([]);
});

/** The folders that a folder may import, directly or through others. */
function foldersBelow(folder: string): readonly string[] {
  const below = new Set(layers[folder]);
  // A Set iterates over elements added during the iteration, so it is its own queue.
  for (const each of below) for (const next of layers[each] ?? []) below.add(next);
  return [...below];
}

function textsIn(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}
