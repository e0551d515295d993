import { describe, expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import type { FileChange } from '../overlay/overlay.ts';
import { noEffect, type OverlayEffect } from '../servers/projection.ts';
import type { ContentHash } from '../workspace/content-hash.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { mayMoveFiles, movedFiles, movedUnseen } from './program-files.ts';

const path = (text: string) => text as WorkspacePath;

function edit(before: string | undefined, after: string | undefined): FileChange {
  const content = (text: string | undefined) =>
    text === undefined ? undefined : ({ kind: 'text', text } as const);
  const known = { path: path('src/a.tsx'), kind: 'modified', beforeHash: '' as ContentHash } as const;
  return { ...known, before: content(before), after: content(after) };
}

test.each<[about: string, may: boolean, before: string | undefined, after: string | undefined]>([
  ['a body', false, "import { b } from './b';\nb(1);", "import { b } from './b';\nb(2);"],
  ['an import less', true, "import './b';\nexport {};", 'export {};'],
  ['another import', true, "import './b';", "import './c';"],
  [
    'the same imports in another order',
    false,
    "import './b';\nimport './c';",
    "import './c';\nimport './b';",
  ],
  ['a type that is imported in place', true, 'let a: 1;', "let a: import('./b').B;"],
  ['a reference', true, '/// <reference lib="dom" />\nexport {};', 'export {};'],
  [
    'another runtime of JSX',
    true,
    '/** @jsxImportSource one */\nexport {};',
    '/** @jsxImportSource two */\nexport {};',
  ],
  ['a file that comes', true, undefined, 'export {};'],
  ['a file that goes', true, 'export {};', undefined],
])('%s', (_, may, before, after) => {
  expect(mayMoveFiles([edit(before, after)])).toBe(may);
});

test('a file moves if any program has it on one side only, and enters or leaves if no other has it on the other', () => {
  const programs = (one: readonly string[], two: readonly string[]) =>
    new Map([
      [path('one/tsconfig.json'), new Set(one)],
      [path('two/tsconfig.json'), new Set(two)],
    ]);
  const moved = movedFiles(
    programs(['a', 'gone', 'shared'], ['b']),
    programs(['a'], ['b', 'come', 'shared']),
  );
  expect(moved.all).toEqual(['come', 'gone', 'shared']);
  expect([[...moved.entering], [...moved.leaving]]).toEqual([['come'], ['gone']]);
});

describe('what no other file can see', () => {
  const files = {
    'plain.ts': 'export const a = 1;\n',
    'global.ts': 'export {};\ndeclare global {}\n',
    'script.d.ts': 'declare const a: number;\n',
    'data.json': '{}',
  };
  const seen = async (moved: readonly string[], sides: readonly OverlayEffect[] = [noEffect, noEffect]) => {
    await using scratch = await ScratchWorkspace.create(files);
    return movedUnseen(scratch.workspace, moved, sides);
  };

  test.each<[moved: readonly string[], isUnseen: boolean]>([
    [['plain.ts', 'data.json'], true],
    [['plain.ts', 'global.ts'], false],
    [['script.d.ts'], false],
    [['gone.ts'], false],
    [['/elsewhere/lib.d.ts'], false],
    [Array.from({ length: 501 }, () => 'plain.ts'), false],
  ])('%j', async (moved, isUnseen) => {
    expect(await seen(moved)).toEqual(isUnseen ? moved : undefined);
  });

  test('is read as the sides show it', async () => {
    const shows = (text: string): OverlayEffect => new Map([[path('plain.ts'), { kind: 'text', text }]]);
    expect(await seen(['plain.ts'], [noEffect, shows('declare const a: number;')])).toBeUndefined();
    expect(await seen(['global.ts'], [noEffect, shows('export {};')])).toBeUndefined();
    expect(await seen(['plain.ts'], [shows('export {};'), shows('export let a = 1;')])).toEqual(['plain.ts']);
  });
});
