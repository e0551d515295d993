import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as protocol from 'vscode-languageserver-protocol';

/** Every request and notification of the protocol whose name is in a namespace, and those of servers that we understand. */
const methods: ReadonlySet<string> = new Set([
  ...Object.values(protocol).flatMap((each: unknown) => {
    const method = typeof each === 'object' && each !== null ? Reflect.get(each, 'method') : undefined;
    return typeof method === 'string' && method.includes('/') ? [method] : [];
  }),
  '$/cancelRequest',
  '$/progress',
  'experimental/serverStatus',
]);

/** Beginnings a name could be put together from, such as `workspace/` and `textDocument/`. */
const namespaces = new Set([...methods].map((method) => method.slice(0, method.indexOf('/') + 1)));

test('the protocol has the names this test looks for', () => {
  expect(methods).toContain('textDocument/hover');
  expect(methods).toContain('workspace/didChangeWatchedFiles');
  expect(methods.size).toBeGreaterThan(70);
});

test.each<[string, readonly string[]]>([
  ["ask('textDocument/hover')", ['textDocument/hover']],
  ['ask(`textDocument/${kind}`)', ['textDocument/']],
  ["const table = { 'workspace/symbol': 1 }", ['workspace/symbol']],
  ["const code = 'workspace/outside'; // textDocument/hover", []],
])('in %s the names %j are found', (text, expected) => {
  expect(namesIn('case.ts', text)).toEqual(expected);
});

test('no method of the language server protocol is named outside src/lsp', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('lsp/'))
    .flatMap((path) =>
      namesIn(path, readFileSync(`src/${path}`, 'utf8')).map((name) => `src/${path}: ${name}`),
    );
  expect(found).toEqual([]);
});

/** A quote and a namespace after it: only files with one are parsed. */
const suspect = new RegExp(`['"\`](?:${[...namespaces].map((each) => each.replace('$', '\\$')).join('|')})`);

/** The names of methods among the strings of a file, and the namespaces a template is begun with. */
function namesIn(path: string, text: string): readonly string[] {
  if (!suspect.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && methods.has(node.text)) found.push(node.text);
    if (ts.isTemplateHead(node) && namespaces.has(node.text)) found.push(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}
