import { expect, test } from 'vitest';
import type { FileContent } from '../workspace/file-content.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import { serverCatalogue } from './catalogue.ts';
import { affectsServer, isData, isIrrelevantToServers } from './file-relevance.ts';
import { chooseProjectionMode, type Scope } from './projection.ts';

const text: FileContent = { kind: 'text', text: 'x' };
const bytes: FileContent = { kind: 'binary', bytes: new Uint8Array([0]) };

function definition(name: string) {
  const found = serverCatalogue.find((each) => each.name === name);
  if (!found) throw new Error(`${name} is not in the catalogue`);
  return found;
}

type Entry = readonly [path: string, content: FileContent | 'removed'];
const ways: readonly [string, string, readonly Entry[], Scope, 'buffers' | 'mounted'][] = [
  ['an edit', 'typescript-7', [['old.ts', text]], 'workspace', 'buffers'],
  ['a new file a server believes', 'typescript-7', [['new.ts', text]], 'workspace', 'buffers'],
  ['a deleted file', 'typescript-7', [['old.ts', 'removed']], 'file', 'mounted'],
  ['a changed configuration', 'typescript-7', [['tsconfig.json', text]], 'file', 'mounted'],
  ['bytes', 'typescript-7', [['old.ts', bytes]], 'file', 'mounted'],
  ['a new file a server does not believe', 'pyright', [['new.py', text]], 'file', 'mounted'],
  ['an edit for a server of one file', 'clangd', [['old.c', text]], 'workspace', 'buffers'],
  ['a header', 'clangd', [['old.h', text]], 'workspace', 'mounted'],
  [
    'two files that may include one another',
    'clangd',
    [
      ['old.c', text],
      ['other.c', text],
    ],
    'file',
    'mounted',
  ],
  ['a file in file scope', 'rust-analyzer', [['old.rs', text]], 'file', 'buffers'],
  ['a file the compiler is asked about', 'rust-analyzer', [['old.rs', text]], 'workspace', 'mounted'],
];

test.each(ways)('%s is shown to %s (invariant 2 of projection.ts)', (_, name, entries, scope, mode) => {
  const effect = new Map(
    entries.map(([path, content]) => [parseWorkspacePath(path) ?? expect.fail(), content]),
  );
  const isOnDisk = (path: string) => !path.startsWith('new');
  expect(chooseProjectionMode(definition(name), effect, { scope, isOnDisk })).toBe(mode);
});

test.each([
  ['typescript-7', 'a.tsx', true],
  ['typescript-7', 'data.json', true],
  ['typescript-7', 'component.vue', true],
  ['typescript-7', 'script.py', false],
  ['typescript-7', 'README.md', false],
  ['pyright', 'pyproject.toml', true],
  ['pyright', 'a.ts', false],
])('for %s, that %s matters is %s', (name, path, expected) => {
  expect(affectsServer(definition(name), path)).toBe(expected);
});

test.each([
  ['LICENSE', true, false],
  ['yarn.lock', true, false],
  ['package-lock.json', true, true],
  ['notes.txt', true, false],
  ['vendor/modules.txt', false, true],
  ['go.sum', false, true],
  ['compile_flags.txt', false, true],
  ['CMakeLists.txt', false, false],
  ['config.yaml', false, true],
  ['.env', false, true],
  ['main.go', false, false],
  ['page.svelte', false, false],
])('%s: inert %s, data %s', (path, inert, data) => {
  expect([isIrrelevantToServers(path), isData(path)]).toEqual([inert, data]);
});
