/** Identifiers use the words of the field. Each of these had a private meaning here once, and kept readers out. */

import ts from 'typescript';
import { expect, test } from 'vitest';
import { sourceFiles } from '../support/source-tree.ts';

/** The word, and what is said instead. */
const refused: Readonly<Record<string, string>> = {
  census: 'inventory',
  desk: 'prompt, context',
  executor: 'live workspace, server lender',
  ground: 'base, dependencies',
  hear: 'receive, on…',
  heard: 'received',
  house: 'forerun, host',
  mend: 'repair, fix',
  mended: 'repaired, fixed',
  news: 'events, changes',
  nobody: 'the caller, no client',
  rehearsal: 'warm-up',
  rehearse: 'warm up',
  scribe: 'renderer',
  shelf: 'store, cache',
  shelved: 'stored, loaded',
  somebody: 'the caller, a client',
  told: 'reported',
  undertaking: 'job',
  whoever: 'the caller',
};

/** One of the words, at the beginning of an identifier or of a part of it. */
const anyRefused = new RegExp(
  `(?:(?<![A-Za-z])(?:${Object.keys(refused).join('|')})|${Object.keys(refused).map(capitalised).join('|')})(?![a-z])`,
);

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

test('no identifier holds a private word', async () => {
  const found = (await sourceFiles('src')).flatMap(({ path, text }) =>
    identifiersIn(path, text)
      .filter((name) => wordsOf(name).some((word) => Object.hasOwn(refused, word)))
      .map((name) => `${path}: ${name}`),
  );
  expect([...new Set(found)]).toEqual([]);
});

test('no file is named by one', async () => {
  const found = (await sourceFiles('src')).filter(({ path }) =>
    path.split(/[/.-]/).some((word) => Object.hasOwn(refused, word)),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

function identifiersIn(path: string, text: string): readonly string[] {
  // Parsing takes long: where no such word is written, no identifier holds one.
  if (!anyRefused.test(text)) return [];
  const names: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/^#/, '')
    .split(/(?=[A-Z])|_|\$/)
    .map((word) => word.toLowerCase());
}
